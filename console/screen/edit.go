package screen

// freshRows returns n blank rows.
func (s *Screen) freshRows(n int) []*row {
	rows := make([]*row, n)
	for i := range rows {
		rows[i] = s.freshRow()
	}
	return rows
}

// freshRow returns a blank row with an ID of its own.
func (s *Screen) freshRow() *row {
	s.lastID++
	if n := len(s.spare); n > 0 {
		r := s.spare[n-1]
		s.spare = s.spare[:n-1]
		r.id, r.wrapped = s.lastID, false
		return r
	}
	return &row{id: s.lastID}
}

// maxSpare is how many rows wait to be used again.
const maxSpare = 64

// discard takes a row that nobody needs any more.
func (s *Screen) discard(r *row) {
	if r == nil || len(s.spare) >= maxSpare {
		return
	}
	r.cut(0)
	s.spare = append(s.spare, r)
}

// blank returns a cell as erasing leaves it: no glyph, the pen's background.
func (s *Screen) blank() Cell {
	if s.pen.style.BG == 0 {
		return Cell{}
	}
	return Cell{style: s.styleID(Style{BG: s.pen.style.BG})}
}

// erase blanks columns from … to-1 of a row.
func (s *Screen) erase(r *row, from, to int) {
	s.splitWide(r, from, to)
	s.wipe(r, from, to)
}

// wipe is erase where no wide glyph is cut.
func (s *Screen) wipe(r *row, from, to int) {
	c := s.blank()
	if c == (Cell{}) {
		if to >= len(r.cells) {
			r.cut(from)
			return
		}
		clear(r.cells[from:to])
		return
	}
	r.grow(to, s.cols)
	for x := from; x < to; x++ {
		r.cells[x] = c
	}
}

// cutWide blanks a wide glyph that stands on both sides of column x.
func (r *row) cutWide(x int) {
	if x > 0 && r.at(x).Flags&Tail != 0 {
		r.cells[x-1] = Cell{style: r.cells[x-1].style}
		r.cells[x] = Cell{style: r.cells[x].style}
	}
}

// eraseLine handles EL. A cursor behind the last column stays there, and to its right is nothing to erase.
func (s *Screen) eraseLine(what int) {
	g := s.grid
	r := g.rows[g.y]
	switch what {
	case 0:
		if !g.pend || g.x < s.limit()-1 {
			s.erase(r, g.x, s.cols)
			r.wrapped = false
		}
	case 1:
		s.erase(r, 0, g.x+1)
	case 2:
		s.erase(r, 0, s.cols)
		r.wrapped = false
	}
}

// eraseDisplay handles ED.
func (s *Screen) eraseDisplay(what int) {
	g := s.grid
	switch what {
	case 0:
		s.eraseLine(0)
		s.eraseRows(g.y+1, s.rows)
	case 1:
		s.eraseRows(0, g.y)
		s.eraseLine(1)
	case 2:
		s.retire()
		s.eraseRows(0, s.rows)
	case 3:
		if g == &s.main {
			s.past.clear()
		}
	}
}

// retire moves what stands on the main screen into the scrollback before it is cleared, as tmux and alacritty do.
func (s *Screen) retire() {
	if s.AltScreen() {
		return
	}
	rows := s.grid.rows
	used := len(rows)
	for used > 0 && len(rows[used-1].trimmed()) == 0 {
		used--
	}
	for y := range used {
		s.discard(s.past.push(rows[y]))
		rows[y] = s.erasedRow()
	}
}

// eraseRows blanks whole rows; what is written there later is another row.
func (s *Screen) eraseRows(from, to int) {
	for y := from; y < to; y++ {
		r := s.grid.rows[y]
		s.erase(r, 0, s.cols)
		s.lastID++
		r.id, r.wrapped = s.lastID, false
	}
}

// scrollUp moves rows top … bottom of the region up by n. With keep, rows that leave the top of the main screen go into the scrollback.
func (s *Screen) scrollUp(top, n int, keep bool) {
	n = min(n, s.bottom-top)
	if n <= 0 {
		return
	}
	s.damage.all()
	if s.left > 0 || s.right < s.cols {
		s.scrollBlock(top, n)
		return
	}
	keep = keep && s.grid == &s.main && top == 0
	for range n {
		gone := s.takeRow(top)
		if keep {
			gone = s.past.push(gone)
		}
		s.discard(gone)
		s.grid.rows[s.bottom-1] = s.erasedRow()
	}
}

// takeRow takes row top out of the scroll region, and moves those below it up. The last one is for the caller to set.
func (s *Screen) takeRow(top int) *row {
	if top == 0 && s.bottom == s.rows {
		return s.grid.slide()
	}
	rows := s.grid.rows
	gone := rows[top]
	copy(rows[top:s.bottom-1], rows[top+1:s.bottom])
	return gone
}

// slideRoom is how many screens of rows a grid slides over before it moves.
const slideRoom = 8

// slide moves the whole grid down by a row, and gives the one that left it at the top. The rows stand in a larger array, so that they
// stay where they are nearly every time.
func (g *grid) slide() *row {
	n := len(g.rows)
	gone := g.rows[0]
	if g.at+n >= len(g.room) || &g.room[g.at] != &g.rows[0] {
		if len(g.room) != n*slideRoom {
			g.room = make([]*row, n*slideRoom)
		}
		copy(g.room, g.rows)
		clear(g.room[n:])
		g.at = 0
	}
	g.room[g.at] = nil
	g.at++
	g.rows = g.room[g.at : g.at+n : g.at+n]
	return gone
}

// scrollDown moves rows top … bottom of the region down by n.
func (s *Screen) scrollDown(top, n int) {
	n = min(n, s.bottom-top)
	if n <= 0 {
		return
	}
	s.damage.all()
	if s.left > 0 || s.right < s.cols {
		s.scrollBlock(top, -n)
		return
	}
	rows := s.grid.rows
	for range n {
		s.discard(rows[s.bottom-1])
		copy(rows[top+1:s.bottom], rows[top:s.bottom-1])
		rows[top] = s.erasedRow()
	}
	if top > 0 {
		rows[top-1].wrapped = false
	}
	rows[s.bottom-1].wrapped = false
}

// erasedRow returns a row for a place that scrolling uncovers.
func (s *Screen) erasedRow() *row {
	r := s.freshRow()
	if s.pen.style.BG != 0 {
		s.erase(r, 0, s.cols)
	}
	return r
}

// scrollBlock moves the cells between the left and right margins up by n rows, or down by -n.
func (s *Screen) scrollBlock(top, n int) {
	for _, r := range s.grid.rows[top:s.bottom] {
		r.cutWide(s.left)
		r.cutWide(s.right)
		r.wrapped = false
	}
	for i := range s.bottom - top {
		y := top + i
		if n < 0 {
			y = s.bottom - 1 - i
		}
		s.copyBlock(y, y+n, top)
	}
}

// copyBlock copies the cells between the margins from one row to another, or blanks them when the source is outside the region.
func (s *Screen) copyBlock(to, from, top int) {
	dst := s.grid.rows[to]
	if from < top || from >= s.bottom {
		s.wipe(dst, s.left, s.right)
		return
	}
	src := s.grid.rows[from]
	src.grow(s.right, s.cols)
	dst.grow(s.right, s.cols)
	copy(dst.cells[s.left:s.right], src.cells[s.left:s.right])
}

// inMargins reports whether the cursor is where lines and columns can be inserted.
func (s *Screen) inMargins() bool {
	g := s.grid
	return g.y >= s.top && g.y < s.bottom && g.x >= s.left && g.x < s.right
}

func (s *Screen) insertLines(n int) {
	if s.inMargins() {
		s.scrollDown(s.grid.y, n)
		s.carriageReturn()
	}
}

func (s *Screen) deleteLines(n int) {
	if s.inMargins() {
		s.scrollUp(s.grid.y, n, false)
		s.carriageReturn()
	}
}

// insertCells shifts the rest of the cursor's row to the right by n (ICH).
func (s *Screen) insertCells(n int) {
	if x := s.grid.x; x < s.right && x >= s.left {
		s.shift(s.grid.rows[s.grid.y], x, n)
	}
}

// deleteCells shifts the rest of the cursor's row to the left by n (DCH).
func (s *Screen) deleteCells(n int) {
	if x := s.grid.x; x < s.right && x >= s.left {
		s.shift(s.grid.rows[s.grid.y], x, -n)
	}
	s.grid.pend = false
}

// shift moves the cells of columns x … right-1 by n columns and blanks what is uncovered.
func (s *Screen) shift(r *row, x, n int) {
	if x >= len(r.cells) && s.pen.style.BG == 0 {
		return
	}
	r.grow(s.right, s.cols)
	r.cutWide(x)
	r.cutWide(s.right)
	part := r.cells[x:s.right]
	switch {
	case n > 0:
		n = min(n, len(part))
		r.cutWide(s.right - n)
		copy(part[n:], part)
		s.wipe(r, x, x+n)
	case n < 0:
		n = min(-n, len(part))
		r.cutWide(x + n)
		copy(part, part[n:])
		s.wipe(r, s.right-n, s.right)
	}
	if s.right == s.cols {
		r.wrapped = false
	}
}

// eraseCells blanks n cells from the cursor on (ECH).
func (s *Screen) eraseCells(n int) {
	g := s.grid
	s.erase(g.rows[g.y], g.x, min(g.x+n, s.cols))
	g.pend = false
}

// shiftColumns handles DECIC, DECDC, SL and SR: all rows between the margins, from column x, if the cursor is there too.
func (s *Screen) shiftColumns(x, n int) {
	if !s.inMargins() {
		return
	}
	for y := s.top; y < s.bottom; y++ {
		s.shift(s.grid.rows[y], x, n)
	}
}
