package screen

// Resize changes the size of the grid. On the main screen logical lines are laid out anew and nothing is lost, as far as the scrollback
// reaches; the alternate screen, whose program draws again, is cut or extended.
func (s *Screen) Resize(cols, rows int) {
	cols, rows = clampSize(cols, rows)
	if cols == s.cols && rows == s.rows {
		return
	}
	f := s.newFlow(cols)
	s.resizeAlt(cols, rows)
	s.cols, s.rows = cols, rows
	s.settle(f)
	s.resetMargins()
	s.resizeTabs()
	s.version++
	s.damage.all()
}

func (s *Screen) resizeTabs() {
	old := s.tabs
	s.resetTabs()
	copy(s.tabs, old)
}

// resizeAlt keeps the rows around the cursor.
func (s *Screen) resizeAlt(cols, rows int) {
	g := &s.alt
	if cut := g.y - rows + 1; cut > 0 {
		g.rows = g.rows[cut:]
		g.y -= cut
	}
	g.rows = g.rows[:min(len(g.rows), rows)]
	for _, r := range g.rows {
		r.cutWide(cols)
		r.cut(cols)
		r.wrapped = false
	}
	g.rows = append(g.rows[:len(g.rows):len(g.rows)], s.freshRows(rows-len(g.rows))...)
	g.clamp(cols, rows)
}

func (g *grid) clamp(cols, rows int) {
	g.x, g.y = min(g.x, cols-1), min(g.y, rows-1)
	g.pend = g.pend && g.x == cols-1
	g.saved.x, g.saved.y = min(g.saved.x, cols-1), min(g.saved.y, rows-1)
}

// mark is a place that has to be found again after lines were laid out anew.
type mark struct {
	row, col int // before, counted over scrollback and grid; then after
	done     bool
}

// flow is the main screen's content, laid out for another width.
type flow struct {
	s      *Screen
	cols   int
	rows   []*row // scrollback and grid
	cursor mark
	saved  mark
	top    mark // the first row of the grid
	full   bool // the last row of the grid was in use
}

func (s *Screen) newFlow(cols int) *flow {
	g := &s.main
	history := s.past.len()
	used := s.lastUsed(g)
	f := &flow{
		s: s, cols: cols, full: used == len(g.rows)-1,
		cursor: mark{row: history + g.y, col: g.x},
		saved:  mark{row: history + g.saved.y, col: g.saved.x},
		top:    mark{row: history},
	}
	if g.pend {
		f.cursor.col++
	}
	all := make([]*row, 0, history+used+1)
	for i := range history {
		all = append(all, s.past.row(i))
	}
	all = append(all, g.rows[:used+1]...)
	f.layOut(all)
	return f
}

// layOut cuts rows into logical lines and lays each out.
func (f *flow) layOut(all []*row) {
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to-1].wrapped {
			to++
		}
		f.line(all[from:to], from)
		from = to
	}
}

// line lays out one logical line, whose first row is number base.
func (f *flow) line(rows []*row, base int) {
	if len(rows) == 1 && len(rows[0].trimmed()) <= f.cols {
		f.keep(rows[0], base)
		return
	}
	cells, starts := f.join(rows)
	out := f.cut(cells, rows, starts)
	for _, m := range []*mark{&f.cursor, &f.saved, &f.top} {
		if !m.done && m.row >= base && m.row < base+len(rows) {
			m.place(starts[m.row-base]+m.col, len(f.rows), out)
		}
	}
	for _, o := range out {
		f.rows = append(f.rows, o.row)
	}
}

// keep takes a logical line of one row that fits as it is.
func (f *flow) keep(r *row, number int) {
	for _, m := range []*mark{&f.cursor, &f.saved, &f.top} {
		if !m.done && m.row == number {
			m.row, m.done = len(f.rows), true
		}
	}
	r.cut(f.cols)
	r.wrapped = false
	f.rows = append(f.rows, r)
}

// join returns the cells of a logical line, and the offset at which each row began.
func (f *flow) join(rows []*row) (cells []Cell, starts []int) {
	for i, r := range rows {
		starts = append(starts, len(cells))
		part := r.trimmed()
		if i < len(rows)-1 {
			r.grow(f.s.cols, f.s.cols)
			part = r.cells[:f.s.cols]
			if part[len(part)-1].Flags&Spacer != 0 {
				part = part[:len(part)-1]
			}
		}
		cells = append(cells, part...)
	}
	return cells, starts
}

// piece is a new row and the offset of its first cell in the logical line.
type piece struct {
	row   *row
	start int
}

// cut makes rows of the new width. A new row gets the ID of the first old row that began in it.
func (f *flow) cut(cells []Cell, old []*row, starts []int) []piece {
	var out []piece
	for at := 0; at < len(cells) || at == 0; {
		n := min(f.cols, len(cells)-at)
		spacer := n == f.cols && at+n < len(cells) && cells[at+n-1].Flags&Wide != 0 && n > 1
		if spacer {
			n--
		}
		r := &row{cells: make([]Cell, n, n+1), wrapped: at+n < len(cells)}
		copy(r.cells, cells[at:at+n])
		if spacer {
			r.cells = append(r.cells, Cell{Flags: Spacer})
		}
		for len(starts) > 0 && starts[0] < at+max(n, 1) {
			if r.id == 0 {
				r.id = old[0].id
			}
			old, starts = old[1:], starts[1:]
		}
		if r.id == 0 {
			f.s.lastID++
			r.id = f.s.lastID
		}
		out = append(out, piece{row: r, start: at})
		at += max(n, 1)
	}
	return out
}

// place finds the row and column of an offset in a logical line that was laid out from row number base on.
func (m *mark) place(offset, base int, out []piece) {
	i := len(out) - 1
	for i > 0 && out[i].start > offset {
		i--
	}
	m.row, m.col, m.done = base+i, offset-out[i].start, true
}

// settle puts the rows back: the grid at the end, the rest into the scrollback.
func (s *Screen) settle(f *flow) {
	start := f.top.row
	below := len(f.rows) - start
	switch {
	case below > s.rows:
		start = len(f.rows) - s.rows
	case f.full:
		start = max(0, len(f.rows)-s.rows)
	}
	start = min(start, f.cursor.row)
	s.past.replace(f.rows[:start])
	g := &s.main
	g.rows = append(make([]*row, 0, s.rows), f.rows[start:min(len(f.rows), start+s.rows)]...)
	g.rows = append(g.rows, s.freshRows(s.rows-len(g.rows))...)
	g.x, g.y, g.pend = f.cursor.col, f.cursor.row-start, f.cursor.col >= s.cols
	if f.saved.done {
		g.saved.x, g.saved.y = f.saved.col, max(f.saved.row-start, 0)
	}
	g.clamp(s.cols, s.rows)
}
