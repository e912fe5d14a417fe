package screen

// csi handles a control sequence.
func (s *Screen) csi(t *Token) {
	if t.Private == 0 && t.Inter == 0 {
		if t.Final == 'm' {
			s.sgr(t)
			return
		}
		fresh := s.last.fresh
		s.last.fresh = false
		if !s.cursorMove(t) && !s.editing(t) {
			s.otherCSI(t, fresh)
		}
		return
	}
	s.last.fresh = false
	switch {
	case t.Private == '?' && t.Inter == 0:
		s.privateCSI(t)
	case t.Inter == '$' && t.Final == 'p':
		s.reportMode(t)
	case t.Private == 0:
		s.interCSI(t)
	}
}

// count returns the first parameter as a repeat count: at least 1, at most what could matter on the largest grid.
func count(t *Token) int { return min(max(t.Param(0, 1), 1), max(maxCols, maxRows)) }

// cursorMove handles the sequences that only move the cursor.
func (s *Screen) cursorMove(t *Token) bool {
	n := count(t)
	switch t.Final {
	case 'A':
		s.up(n)
	case 'B':
		s.down(n)
	case 'e':
		s.grid.y = min(s.grid.y+n, s.rows-1)
		s.grid.pend = false
	case 'C', 'a':
		s.forward(n)
	case 'D':
		s.backward(n)
	case 'E':
		s.down(n)
		s.carriageReturn()
	case 'F':
		s.up(n)
		s.carriageReturn()
	case 'G', '`':
		s.column(n - 1)
	case 'd':
		s.line(n - 1)
	case 'H', 'f':
		s.moveTo(max(t.Param(1, 1), 1)-1, n-1)
	case 'I':
		s.tab(n)
	case 'Z':
		s.backTab(n)
	default:
		return false
	}
	return true
}

// column goes to a column of the same row.
func (s *Screen) column(x int) {
	y := s.grid.y
	if s.mode.origin {
		y -= s.top
	}
	s.moveTo(x, y)
}

// line goes to a row, in the same column.
func (s *Screen) line(y int) {
	x := s.grid.x
	if s.mode.origin {
		x -= s.left
	}
	s.moveTo(x, y)
}

// editing handles the sequences that change cells and rows.
func (s *Screen) editing(t *Token) bool {
	n := count(t)
	switch t.Final {
	case '@':
		s.grid.pend = false
		s.insertCells(n)
	case 'P':
		s.deleteCells(n)
	case 'X':
		s.eraseCells(n)
	case 'J':
		s.eraseDisplay(t.Param(0, 0))
	case 'K':
		s.eraseLine(t.Param(0, 0))
	case 'L':
		s.insertLines(n)
	case 'M':
		s.deleteLines(n)
	case 'S':
		s.scrollUp(s.top, n, true)
	case 'T', '^':
		if t.Params() <= 1 {
			s.scrollDown(s.top, n)
		}
	default:
		return false
	}
	return true
}

func (s *Screen) otherCSI(t *Token, fresh bool) {
	switch t.Final {
	case 'b':
		s.last.fresh = fresh
		s.repeat(max(t.Param(0, 1), 1))
	case 'c':
		if t.Param(0, 0) == 0 {
			s.deviceAttributes()
		}
	case 'g':
		s.clearTabs(t.Param(0, 0))
	case 'h', 'l':
		s.ansiModes(t, t.Final == 'h')
	case 'n':
		s.statusReport(t)
	case 'r':
		s.setMargins(t)
	case 's':
		s.saveOrSetColumns(t)
	case 'u':
		s.restoreCursor()
	}
}

func (s *Screen) interCSI(t *Token) {
	switch {
	case t.Inter == '!' && t.Final == 'p':
		s.softReset()
	case t.Inter == ' ' && t.Final == 'q':
		s.cursorStyle(t.Param(0, 0))
	case t.Inter == ' ' && t.Final == '@':
		s.shiftColumns(s.left, -count(t))
	case t.Inter == ' ' && t.Final == 'A':
		s.shiftColumns(s.left, count(t))
	case t.Inter == '\'' && t.Final == '}':
		s.shiftColumns(s.grid.x, count(t))
	case t.Inter == '\'' && t.Final == '~':
		s.shiftColumns(s.grid.x, -count(t))
	}
}

// privateCSI handles CSI ? sequences: DECSET and DECRST.
func (s *Screen) privateCSI(t *Token) {
	if t.Final != 'h' && t.Final != 'l' {
		return
	}
	for i := range t.Params() {
		s.setMode(t.Param(i, 0), t.Final == 'h')
	}
}

func (s *Screen) clearTabs(what int) {
	switch what {
	case 0:
		s.tabs[s.grid.x] = false
	case 3:
		clear(s.tabs)
	}
}

// deviceAttributes answers DA1 as a VT220 with ANSI colour.
func (s *Screen) deviceAttributes() { s.reply("\x1b[?62;22c") }

func (s *Screen) statusReport(t *Token) {
	switch t.Param(0, 0) {
	case 5:
		s.reply("\x1b[0n")
	case 6:
		x, y := s.reportedCursor()
		s.reply("\x1b[%d;%dR", y, x)
	}
}

func (s *Screen) reportedCursor() (x, y int) {
	x, y = s.grid.x+1, s.grid.y+1
	if s.mode.origin {
		x, y = x-s.left, y-s.top
	}
	return x, y
}

// setMargins handles DECSTBM.
func (s *Screen) setMargins(t *Token) {
	top := max(t.Param(0, 1), 1) - 1
	bottom := t.Param(1, 0)
	if bottom == 0 || bottom > s.rows {
		bottom = s.rows
	}
	if top >= bottom-1 {
		return
	}
	s.top, s.bottom = top, bottom
	s.home()
}

// saveOrSetColumns handles CSI s: DECSLRM when left and right margins are enabled, SCOSC otherwise.
func (s *Screen) saveOrSetColumns(t *Token) {
	if !s.mode.columnMargins {
		s.saveCursor()
		return
	}
	left := max(t.Param(0, 1), 1) - 1
	right := t.Param(1, 0)
	if right == 0 || right > s.cols {
		right = s.cols
	}
	if left >= right-1 {
		return
	}
	s.left, s.right = left, right
	s.home()
}

func (s *Screen) cursorStyle(n int) {
	shapes := [...]CursorShape{DefaultCursor, BlockCursor, BlockCursor, UnderlineCursor, UnderlineCursor, BarCursor, BarCursor}
	if n < len(shapes) {
		s.mode.shape = shapes[n]
		s.mode.blink = n%2 == 1 || n == 0
	}
}
