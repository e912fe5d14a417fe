package screen

import (
	"bytes"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Bounds of a cluster: enough for a family of emoji, or a base with a stack of marks.
const (
	maxClusterRunes = 10
	maxClusterBytes = 40
)

// lastGlyph is what was printed last.
type lastGlyph struct {
	r     rune // for REP
	fresh bool // nothing that acts on the grid came since
}

// print writes text: printable UTF-8 without C1.
func (s *Screen) print(b []byte) {
	for len(b) > 0 {
		if b[0] >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(b)
			s.printRune(r)
			b = b[n:]
			continue
		}
		n := 1
		for n < len(b) && b[n] < utf8.RuneSelf {
			n++
		}
		s.printASCII(b[:n])
		b = b[n:]
	}
}

func (s *Screen) printASCII(b []byte) {
	if !s.charset.plain() || s.mode.insert || !s.mode.autowrap {
		for _, c := range b {
			s.printRune(s.charset.translate(rune(c)))
		}
		return
	}
	s.last = lastGlyph{r: rune(b[len(b)-1]), fresh: true}
	for len(b) > 0 {
		b = b[s.fill(b):]
	}
}

// fill writes as much of an ASCII run as fits on the cursor's row and returns how much that was.
func (s *Screen) fill(b []byte) int {
	g := s.grid
	if g.pend {
		s.wrap()
	}
	limit := s.limit()
	n := min(limit-g.x, len(b))
	r := g.rows[g.y]
	r.grow(g.x+n, s.cols)
	s.splitWide(r, g.x, g.x+n)
	cells := r.cells[g.x : g.x+n]
	cell := Cell{style: s.pen.id}
	for i, c := range b[:n] {
		cell.glyph = uint32(c)
		cells[i] = cell
	}
	s.advance(n, limit)
	return n
}

// limit returns the column at which the cursor's line ends: the right margin, unless the cursor is beyond it.
func (s *Screen) limit() int {
	if s.grid.x < s.right {
		return s.right
	}
	return s.cols
}

func (s *Screen) advance(n, limit int) {
	g := s.grid
	if g.x += n; g.x >= limit {
		g.x = limit - 1
		g.pend = true
	}
}

// wrap goes on in the next row, as a soft wrap.
func (s *Screen) wrap() {
	g := s.grid
	whole := s.left == 0 && s.right == s.cols
	g.rows[g.y].wrapped = whole
	g.pend = false
	if g.x < s.right {
		g.x = s.left
	} else {
		g.x = 0
	}
	s.index()
}

// splitWide blanks the other halves of wide glyphs that writing to columns from … to-1 would cut.
func (s *Screen) splitWide(r *row, from, to int) {
	if from > 0 && from < len(r.cells) && r.cells[from].Flags&Tail != 0 {
		r.cells[from-1] = Cell{style: r.cells[from-1].style}
	}
	if to < len(r.cells) && r.cells[to].Flags&Tail != 0 {
		r.cells[to] = Cell{style: r.cells[to].style}
	}
}

// printRune writes one character, or joins it to the cluster before it.
func (s *Screen) printRune(r rune) {
	c := classOf(r)
	switch {
	case c&dropped != 0:
		return
	case c&joins != 0 && s.join(r, c):
		s.last.fresh = true
		return
	case c.width() == 0:
		return
	}
	s.place(uint32(r), c.width())
	s.last = lastGlyph{r: r, fresh: true}
}

// place writes a glyph at the cursor.
func (s *Screen) place(glyph uint32, width int) {
	g := s.grid
	if g.pend && s.mode.autowrap {
		s.wrap()
	}
	limit := s.limit()
	if width > limit-g.x && !s.makeRoom(width, &limit) {
		return
	}
	if s.mode.insert {
		s.insertCells(width)
	}
	r := g.rows[g.y]
	r.grow(g.x+width, s.cols)
	s.splitWide(r, g.x, g.x+width)
	cell := Cell{style: s.pen.id}
	cell.glyph = glyph
	if width == 2 {
		tail := cell
		tail.glyph, tail.Flags = 0, Tail
		cell.Flags = Wide
		r.cells[g.x+1] = tail
	}
	r.cells[g.x] = cell
	s.advance(width, limit)
}

// makeRoom takes the cursor to where a wide glyph fits, the next row. Without autowrap there is no such place, and the glyph is lost.
func (s *Screen) makeRoom(width int, limit *int) bool {
	g := s.grid
	if !s.mode.autowrap || *limit-s.left < width {
		return false
	}
	r := g.rows[g.y]
	r.grow(g.x+1, s.cols)
	s.splitWide(r, g.x, g.x+1)
	r.cells[g.x] = Cell{style: s.pen.id, Flags: Spacer}
	s.wrap()
	*limit = s.limit()
	return *limit-g.x >= width
}

// before returns the column of the glyph before the cursor; false at the start of the row.
func (s *Screen) before() (x int, ok bool) {
	g := s.grid
	x = g.x - 1
	if g.pend {
		x = g.x
	}
	r := g.rows[g.y]
	if x > 0 && r.at(x).Flags&Tail != 0 {
		x--
	}
	return x, x >= 0 && r.at(x).glyph != 0
}

// join adds a rune to the cluster before the cursor, if it belongs there.
func (s *Screen) join(r rune, c class) bool {
	x, ok := s.before()
	if !ok || (c.width() > 0 && !s.last.fresh) {
		return false
	}
	row := s.grid.rows[s.grid.y]
	cell := row.cells[x]
	if c&follows == 0 && cell.glyph < clusterBase && !mayContinue(rune(cell.glyph), r) {
		return false
	}
	was := s.Glyph(cell)
	text := was + string(r)
	if c.width() > 0 && !oneCluster(text) {
		return false
	}
	if len(text) > maxClusterBytes || utf8.RuneCountInString(text) > maxClusterRunes {
		return c.width() == 0
	}
	base, _ := utf8.DecodeRuneInString(text)
	wide := c.width() > 0 || displaywidth.String(text) > 1 // programs count what has a width of its own
	if wide && cell.Flags&Wide == 0 {
		return s.widen(x, text, base)
	}
	row.cells[x].glyph = s.clusterID(text, base)
	return true
}

// widen writes a cluster that has become wide in place of its narrow beginning at column x.
func (s *Screen) widen(x int, text string, base rune) bool {
	g := s.grid
	r := g.rows[g.y]
	glyph := s.clusterID(text, base)
	s.aside = s.pen
	s.pen = pen{id: r.cells[x].style, style: s.styles.get(r.cells[x].style)}
	r.cells[x] = Cell{style: s.pen.id}
	g.x, g.pend = x, false
	insert := s.mode.insert
	s.mode.insert = false
	s.place(glyph, 2)
	s.mode.insert = insert
	s.pen, s.aside = s.aside, pen{}
	return true
}

// repeat writes the last character n more times (REP), only right after it, and at most as often as there are cells.
func (s *Screen) repeat(n int) {
	switch r := s.last.r; {
	case r == 0 || !s.last.fresh:
	case r < utf8.RuneSelf:
		s.printASCII(bytes.Repeat([]byte{byte(r)}, min(n, max(s.cols*s.rows, 1024))))
	default: // slower, so less of it
		for range min(n, 2*s.cols) {
			s.printRune(r)
		}
	}
}
