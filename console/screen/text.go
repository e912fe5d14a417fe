package screen

import (
	"strings"

	"sallyport/redact"
)

// Text returns the grid's text: a line a row, trailing blanks cut.
func (s *Screen) Text() string {
	var b strings.Builder
	for y, r := range s.grid.rows {
		if y > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(s.cellsText(r.trimmed()), " "))
	}
	return b.String()
}

// cellsText returns the text of cells; blanks are spaces.
func (s *Screen) cellsText(cells []Cell) string {
	b := make([]byte, 0, len(cells)+8)
	for _, c := range cells {
		b = s.appendGlyph(b, c)
	}
	return string(b)
}

func (s *Screen) appendGlyph(b []byte, c Cell) []byte {
	switch {
	case c.glyph != 0 && c.glyph < 128:
		return append(b, byte(c.glyph))
	case c.Flags&Spacer != 0:
		return b
	}
	return append(b, s.Glyph(c)...)
}

// span is a logical line: the line numbers first … end-1 that soft wraps join.
type span struct{ first, end int }

// spanAt returns the logical line that line n belongs to.
func (s *Screen) spanAt(n int) span {
	lo, hi := s.Lines()
	sp := span{first: n, end: n + 1}
	for sp.first > lo && s.rowAt(sp.first-1).wrapped {
		sp.first--
	}
	for sp.end < hi && s.rowAt(sp.end-1).wrapped {
		sp.end++
	}
	return sp
}

// cellsOf returns the cells of one row of a logical line: all columns if the next row continues it, else up to the last written one.
func (s *Screen) cellsOf(sp span, n int) []Cell {
	r := s.rowAt(n)
	if n == sp.end-1 {
		return r.trimmed()
	}
	r.grow(s.cols, s.cols)
	return r.cells[:s.cols]
}

// spanText returns a logical line's text.
func (s *Screen) spanText(sp span) string {
	if sp.end == sp.first+1 {
		return s.cellsText(s.cellsOf(sp, sp.first))
	}
	var b []byte
	for n := sp.first; n < sp.end; n++ {
		for _, c := range s.cellsOf(sp, n) {
			b = s.appendGlyph(b, c)
		}
	}
	return string(b)
}

// Logical returns the logical lines that lie in or reach into the lines first … end-1, ready for the redactor.
func (s *Screen) Logical(first, end int) []redact.Line {
	lo, hi := s.Lines()
	var out []redact.Line
	for n := max(first, lo); n < min(end, hi); {
		sp := s.spanAt(n)
		out = append(out, s.redactLine(sp))
		n = sp.end
	}
	return out
}

// redactLine gives a logical line with its changes of style.
func (s *Screen) redactLine(sp span) redact.Line {
	var l redact.Line
	var b []byte
	style := StyleID(0)
	for n := sp.first; n < sp.end; n++ {
		for _, c := range s.cellsOf(sp, n) {
			if c.style != style && c.Flags&(Tail|Spacer) == 0 {
				style = c.style
				l.SGR = append(l.SGR, redact.SGR{At: len(b), Seq: s.Style(style).SGR()})
			}
			b = s.appendGlyph(b, c)
		}
	}
	if style != 0 {
		l.SGR = append(l.SGR, redact.SGR{At: len(b), Seq: Style{}.SGR()})
	}
	l.Text = string(b)
	return l
}

// Tail returns the last n logical lines down to the last that holds something or has the cursor, with their styles.
func (s *Screen) Tail(n int) []redact.Line {
	lo, _ := s.Lines()
	end := s.Top() + s.lastUsed(s.grid) + 1
	first := end
	for ; n > 0 && first > lo; n-- {
		first = s.spanAt(first - 1).first
	}
	return s.Logical(first, end)
}

// lastUsed returns the last row of a grid that holds something or has the cursor.
func (s *Screen) lastUsed(g *grid) int {
	y := len(g.rows) - 1
	for y > g.y && len(g.rows[y].trimmed()) == 0 {
		y--
	}
	return y
}

// maxPartialRows is how far up Partial looks for the beginning of its line.
const maxPartialRows = 64

// Partial returns the text of the logical line that the cursor stands in, up to the cursor: what a program that waits has asked.
func (s *Screen) Partial() string {
	g := s.grid
	at := s.Top() + g.y
	sp := s.spanAt(at)
	var b []byte
	for n := max(sp.first, at-maxPartialRows); n <= at; n++ {
		cells := s.cellsOf(sp, n)
		if n == at {
			x := g.x
			if g.pend {
				x++
			}
			cells = cells[:min(len(cells), x)]
		}
		for _, c := range cells {
			b = s.appendGlyph(b, c)
		}
	}
	return string(b)
}
