package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Point is a place in the scrollback or the grid: a line number and a column.
type Point struct{ Line, Col int }

// Before reports whether p comes before q in reading order.
func (p Point) Before(q Point) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col
}

// Selection is a range of cells from From up to, not including, To; with Block the columns From.Col … To.Col-1 of the lines
// From.Line … To.Line.
type Selection struct {
	From, To Point
	Block    bool
}

// Select returns the selection that covers the cells a and b and what is between them, in either order.
func Select(a, b Point, block bool) Selection {
	if b.Before(a) {
		a, b = b, a
	}
	if block {
		a.Col, b.Col = min(a.Col, b.Col), max(a.Col, b.Col)
	}
	b.Col++
	return Selection{From: a, To: b, Block: block}
}

// Empty reports whether nothing is selected.
func (sel Selection) Empty() bool { return !sel.From.Before(sel.To) }

// Contains reports whether a cell is selected.
func (sel Selection) Contains(p Point) bool {
	if sel.Block {
		return p.Line >= sel.From.Line && p.Line <= sel.To.Line && p.Col >= sel.From.Col && p.Col < sel.To.Col
	}
	return !p.Before(sel.From) && p.Before(sel.To)
}

// SelectedText returns the text of a selection: soft wraps joined, blanks at the ends of lines cut.
func (s *Screen) SelectedText(sel Selection) string {
	var b strings.Builder
	lo, hi := s.Lines()
	last := min(sel.To.Line, hi-1)
	for n := max(sel.From.Line, lo); n <= last; n++ {
		joined := s.rowAt(n).wrapped && !sel.Block && n < last
		text := s.cellsText(s.selectedCells(sel, n, joined))
		if joined {
			b.WriteString(text)
			continue
		}
		b.WriteString(strings.TrimRight(text, " "))
		if n < last {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// selectedCells returns the selected part of line n; whole says that its blanks count.
func (s *Screen) selectedCells(sel Selection, n int, whole bool) []Cell {
	r := s.rowAt(n)
	from, to := 0, s.cols
	if sel.Block || n == sel.From.Line {
		from = sel.From.Col
	}
	if sel.Block || n == sel.To.Line {
		to = sel.To.Col
	}
	if whole {
		r.grow(s.cols, s.cols)
	}
	to = min(to, len(r.cells))
	if from > 0 && r.at(from).Flags&Tail != 0 {
		from--
	}
	return r.cells[min(max(from, 0), to):to]
}

// Word returns the word around a cell, as a double click selects it, also across soft wraps; the cell alone where there is no word.
func (s *Screen) Word(p Point) Selection {
	from, to := p, p
	if !s.wordAt(p) {
		return Select(p, p, false)
	}
	for q, ok := s.step(from, -1); ok && s.wordAt(q); q, ok = s.step(from, -1) {
		from = q
	}
	for q, ok := s.step(to, 1); ok && s.wordAt(q); q, ok = s.step(to, 1) {
		to = q
	}
	return Select(from, to, false)
}

// LogicalLine returns the logical line around a cell, as a triple click selects it.
func (s *Screen) LogicalLine(p Point) Selection {
	if s.rowAt(p.Line) == nil {
		return Selection{}
	}
	sp := s.spanAt(p.Line)
	return Selection{From: Point{Line: sp.first}, To: Point{Line: sp.end - 1, Col: s.cols}}
}

// step returns the cell before or after p within its logical line.
func (s *Screen) step(p Point, by int) (Point, bool) {
	p.Col += by
	switch {
	case p.Col < 0:
		p.Line--
		r := s.rowAt(p.Line)
		p.Col = s.cols - 1
		return p, r != nil && r.wrapped
	case p.Col >= s.cols:
		wrapped := s.rowAt(p.Line).wrapped
		return Point{Line: p.Line + 1}, wrapped && s.rowAt(p.Line+1) != nil
	}
	return p, true
}

// wordPunctuation are the characters besides letters and digits that words of a terminal hold: paths, addresses, options.
const wordPunctuation = "_-./~:@%+=?&#,"

func (s *Screen) wordAt(p Point) bool {
	r := s.rowAt(p.Line)
	if r == nil {
		return false
	}
	c := r.at(p.Col)
	if c.Flags&(Tail|Spacer) != 0 {
		return true
	}
	ch, _ := utf8.DecodeRuneInString(s.Glyph(c))
	return unicode.IsLetter(ch) || unicode.IsDigit(ch) || strings.ContainsRune(wordPunctuation, ch)
}
