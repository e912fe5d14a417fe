package screen

// Line is a row as the reader sees it. It is valid until the next Write or Resize.
type Line struct {
	ID      RowID
	Cells   []Cell // at most as many as there are columns; the rest is blank
	Wrapped bool   // the text goes on in the next line
}

// Cell returns cell x; blank beyond what was written.
func (l Line) Cell(x int) Cell {
	if x >= 0 && x < len(l.Cells) {
		return l.Cells[x]
	}
	return Cell{}
}

// Lines returns the line numbers that there are: from first up to, not including, end. On the alternate screen these are the grid's.
func (s *Screen) Lines() (first, end int) {
	top := s.Top()
	if s.AltScreen() {
		return top, top + s.rows
	}
	return s.past.evicted, top + s.rows
}

// Top returns the line number of the grid's first row.
func (s *Screen) Top() int { return s.past.evicted + s.past.len() }

// Scrollback returns how many rows stand above the grid.
func (s *Screen) Scrollback() int {
	first, _ := s.Lines()
	return s.Top() - first
}

// Line returns the line with number n; a blank one without ID if there is none.
func (s *Screen) Line(n int) Line {
	r := s.rowAt(n)
	if r == nil {
		return Line{}
	}
	return Line{ID: r.id, Cells: r.cells[:min(len(r.cells), s.cols)], Wrapped: r.wrapped}
}

func (s *Screen) rowAt(n int) *row {
	first, end := s.Lines()
	switch top := s.Top(); {
	case n < first || n >= end:
		return nil
	case n >= top:
		return s.grid.rows[n-top]
	default:
		return s.past.row(n - s.past.evicted)
	}
}

// Find returns the line number of the row with the given ID.
func (s *Screen) Find(id RowID) (line int, ok bool) {
	first, end := s.Lines()
	for n := end - 1; n >= first; n-- {
		if s.rowAt(n).id == id {
			return n, true
		}
	}
	return 0, false
}

// Cell returns the cell at column x and row y of the grid.
func (s *Screen) Cell(x, y int) Cell { return s.Line(s.Top() + y).Cell(x) }

// Glyph returns the text of a cell: one grapheme cluster, a space for a blank cell, nothing for the second half of a wide one.
func (s *Screen) Glyph(c Cell) string {
	switch {
	case c.Flags&Tail != 0:
		return ""
	case c.glyph == 0:
		return " "
	case c.glyph < clusterBase:
		return runeString(rune(c.glyph))
	}
	return s.clusters.text(c.glyph)
}

// Style returns the style with the given ID.
func (s *Screen) Style(id StyleID) Style { return s.styles.get(id) }

// Link returns the target of a style's hyperlink: an http or https address in printable ASCII; empty if there is none. It is to be shown,
// not to be sent to a terminal as a link.
func (s *Screen) Link(st Style) string { return s.links.target(st.Link) }

// asciiStrings saves an allocation for almost every cell.
var asciiStrings = makeASCII()

func makeASCII() (t [128]string) {
	for i := range t {
		t[i] = string(rune(i))
	}
	return t
}

func runeString(r rune) string {
	if r < 128 {
		return asciiStrings[r]
	}
	return string(r)
}
