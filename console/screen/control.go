package screen

// control handles a C0 control.
func (s *Screen) control(b byte) {
	s.last.fresh = false
	switch b {
	case '\a':
		s.bells++
	case '\b':
		s.backspace()
	case '\t':
		s.tab(1)
	case '\n', '\v', '\f':
		s.lineFeed()
	case '\r':
		s.carriageReturn()
	case 0x0e:
		s.charset.gl = 1
	case 0x0f:
		s.charset.gl = 0
	}
}

func (s *Screen) backspace() {
	g := s.grid
	reverse := s.mode.reverseWrap && s.mode.autowrap
	switch {
	case g.pend && reverse:
	case g.x > 0 && g.x != s.left:
		g.x--
	case reverse:
		s.wrapBack()
	}
	g.pend = false
}

// wrapBack goes from the start of a row to the end of the one before, and from the first to the last (mode 45, as in xterm).
func (s *Screen) wrapBack() {
	g := s.grid
	g.x = s.right - 1
	if g.y > s.top {
		g.y--
		return
	}
	g.y = s.bottom - 1
}

func (s *Screen) lineFeed() {
	s.grid.rows[s.grid.y].wrapped = false
	s.grid.pend = false
	s.index()
	if s.mode.keys.NewLine {
		s.carriageReturn()
	}
}

func (s *Screen) carriageReturn() {
	s.grid.pend = false
	if s.grid.x >= s.left {
		s.grid.x = s.left
		return
	}
	s.grid.x = 0
}

// index goes down a row, and scrolls the region at its bottom.
func (s *Screen) index() {
	g := s.grid
	switch {
	case g.y == s.bottom-1:
		if s.grid.x >= s.left && s.grid.x < s.right {
			s.scrollUp(s.top, 1, true)
		}
	case g.y < s.rows-1:
		g.y++
	}
}

// reverseIndex goes up a row, and scrolls the region at its top.
func (s *Screen) reverseIndex() {
	g := s.grid
	g.pend = false
	switch {
	case g.y == s.top:
		if s.grid.x >= s.left && s.grid.x < s.right {
			s.scrollDown(s.top, 1)
		}
	case g.y > 0:
		g.y--
	}
}

// tab goes to the n-th next tab stop, or the margin.
func (s *Screen) tab(n int) {
	g := s.grid
	end := s.limit() - 1
	for ; n > 0 && g.x < end; n-- {
		for g.x++; g.x < end && !s.tabs[g.x]; g.x++ {
		}
	}
}

// backTab goes to the n-th tab stop before. As in xterm, a character after it still wraps if one before it would have.
func (s *Screen) backTab(n int) {
	g := s.grid
	for ; n > 0 && g.x > 0; n-- {
		for g.x--; g.x > 0 && !s.tabs[g.x]; g.x-- {
		}
	}
}

func (s *Screen) resetTabs() {
	s.tabs = make([]bool, s.cols)
	for x := 8; x < s.cols; x += 8 {
		s.tabs[x] = true
	}
}

// escape handles an escape sequence.
func (s *Screen) escape(t *Token) {
	s.last.fresh = false
	if t.Inter != 0 {
		s.escapeInter(t.Inter, t.Final)
		return
	}
	switch t.Final {
	case '7':
		s.saveCursor()
	case '8':
		s.restoreCursor()
	case 'D':
		s.grid.pend = false
		s.index()
	case 'E':
		s.grid.pend = false
		s.index()
		s.carriageReturn()
	case 'H':
		s.tabs[s.grid.x] = true
	case 'M':
		s.reverseIndex()
	case 'N':
		s.charset.single = 2
	case 'O':
		s.charset.single = 3
	case 'Z':
		s.deviceAttributes()
	case 'c':
		s.reset()
	case 'n':
		s.charset.gl = 2
	case 'o':
		s.charset.gl = 3
	case '=':
		s.mode.keys.AppKeypad = true
	case '>':
		s.mode.keys.AppKeypad = false
	}
}

func (s *Screen) escapeInter(inter, final byte) {
	switch {
	case inter >= '(' && inter <= '+':
		s.charset.designate(inter, final)
	case inter == '#' && final == '8':
		s.alignment()
	}
}

// alignment fills the grid with E (DECALN). The cursor stays, as in alacritty.
func (s *Screen) alignment() {
	s.resetMargins()
	for y := range s.rows {
		r := s.grid.rows[y]
		r.wrapped = false
		r.cut(0)
		r.grow(s.cols, s.cols)
		for x := range r.cells {
			r.cells[x] = Cell{glyph: 'E'}
		}
	}
}

func (s *Screen) saveCursor() {
	g := s.grid
	g.saved = saved{x: g.x, y: g.y, pend: g.pend, pen: s.pen, origin: s.mode.origin, charset: s.charset}
}

// restoreCursor is DECRC. A cursor that was saved behind the last column comes back there on the alternate screen, as in alacritty, and
// in the last column on the main one, as in xterm.js.
func (s *Screen) restoreCursor() {
	s.restoreSaved()
	s.grid.pend = s.grid.pend && s.AltScreen()
}

func (s *Screen) restoreSaved() {
	g := s.grid
	v := g.saved
	g.x, g.y = min(v.x, s.cols-1), min(v.y, s.rows-1)
	g.pend = v.pend && g.x == s.cols-1
	s.pen, s.mode.origin, s.charset = v.pen, v.origin, v.charset
}

// home goes to the top left corner, of the margins in origin mode.
func (s *Screen) home() { s.moveTo(0, 0) }

// moveTo goes to a place, in origin mode one within the margins.
func (s *Screen) moveTo(x, y int) {
	g := s.grid
	g.pend = false
	if s.mode.origin {
		g.x = min(max(x+s.left, s.left), s.right-1)
		g.y = min(max(y+s.top, s.top), s.bottom-1)
		return
	}
	g.x = min(max(x, 0), s.cols-1)
	g.y = min(max(y, 0), s.rows-1)
}

func (s *Screen) resetMargins() {
	s.top, s.bottom, s.left, s.right = 0, s.rows, 0, s.cols
}

// up, down, right and left stop at the margins, when they begin within them.
func (s *Screen) up(n int) {
	g := s.grid
	g.pend = false
	stop := 0
	if g.y >= s.top {
		stop = s.top
	}
	g.y = max(g.y-n, stop)
}

func (s *Screen) down(n int) {
	g := s.grid
	g.pend = false
	stop := s.rows - 1
	if g.y < s.bottom {
		stop = s.bottom - 1
	}
	g.y = min(g.y+n, stop)
}

func (s *Screen) forward(n int) {
	g := s.grid
	g.pend = false
	g.x = min(g.x+n, s.limit()-1)
}

func (s *Screen) backward(n int) {
	g := s.grid
	g.pend = false
	stop := 0
	if g.x >= s.left {
		stop = s.left
	}
	g.x = max(g.x-n, stop)
}
