package screen

// RowID names a row's content. The zero RowID names none.
type RowID uint64

// row is one row of a grid or of the scrollback. Cells beyond len(cells) are blank, and zero in the backing array.
type row struct {
	id      RowID
	cells   []Cell
	wrapped bool // continues on the next row
}

// grow makes the row at least n cells long, in a grid of cols columns.
func (r *row) grow(n, cols int) {
	if n <= len(r.cells) {
		return
	}
	if n > cap(r.cells) {
		c := make([]Cell, n, min(max((n+31)&^31, 2*cap(r.cells)), max(cols, n)))
		copy(c, r.cells)
		r.cells = c
		return
	}
	r.cells = r.cells[:n]
}

// cut blanks everything from column x on.
func (r *row) cut(x int) {
	if x < len(r.cells) {
		clear(r.cells[x:])
		r.cells = r.cells[:x]
	}
}

// at returns cell x; blank beyond what was written.
func (r *row) at(x int) Cell {
	if x >= 0 && x < len(r.cells) {
		return r.cells[x]
	}
	return Cell{}
}

// trimmed returns the cells up to the last that was written.
func (r *row) trimmed() []Cell {
	n := len(r.cells)
	for n > 0 && r.cells[n-1].Blank() {
		n--
	}
	return r.cells[:n]
}

// history is the scrollback: a ring of rows, oldest first.
type history struct {
	rows    []*row
	start   int // of the oldest, once the ring is full
	limit   int
	evicted int // rows that fell out
}

func (h *history) len() int { return len(h.rows) }

// row returns row i, 0 being the oldest.
func (h *history) row(i int) *row {
	i += h.start
	if i >= len(h.rows) {
		i -= len(h.rows)
	}
	return h.rows[i]
}

// push adds a row and returns the one that fell out for it, or nil. With no room at all it returns r itself.
func (h *history) push(r *row) *row {
	if h.limit <= 0 {
		h.evicted++
		return r
	}
	if len(h.rows) < h.limit {
		h.rows = append(h.rows, r)
		return nil
	}
	old := h.rows[h.start]
	h.rows[h.start] = r
	h.evicted++
	if h.start++; h.start == len(h.rows) {
		h.start = 0
	}
	return old
}

// clear forgets all rows; their line numbers are not used again.
func (h *history) clear() {
	h.evicted += len(h.rows)
	clear(h.rows)
	h.rows, h.start = h.rows[:0], 0
}

// replace sets the rows after a resize, keeping the newest that fit.
func (h *history) replace(rows []*row) {
	drop := max(0, len(rows)-max(h.limit, 0))
	h.evicted += drop
	h.rows = append(make([]*row, 0, len(rows)-drop), rows[drop:]...)
	h.start = 0
}
