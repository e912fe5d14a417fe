package screen

import "sallyport/console/keys"

// modes are what the remote switched on or off.
type modes struct {
	keys          keys.Modes
	autowrap      bool
	insert        bool
	origin        bool
	reverse       bool
	reverseWrap   bool
	columnMargins bool // DECLRMM
	synchronized  bool
	cursorVisible bool
	shape         CursorShape
	blink         bool
}

var initialModes = modes{autowrap: true, cursorVisible: true}

// reset is RIS. The scrollback stays.
func (s *Screen) reset() {
	s.grid = &s.main
	s.pen = pen{}
	s.softReset()
	s.mode = initialModes
	s.resetTabs()
	s.eraseRows(0, s.rows)
	s.grid.x, s.grid.y = 0, 0
	s.last = lastGlyph{}
	s.title, s.titles = "", nil
}

// softReset is DECSTR.
func (s *Screen) softReset() {
	s.mode.insert, s.mode.origin, s.mode.autowrap = false, false, true
	s.mode.cursorVisible, s.mode.keys.AppCursor, s.mode.keys.AppKeypad = true, false, false
	s.mode.columnMargins = false
	s.resetMargins()
	s.pen, s.charset = pen{}, charsets{}
	s.main.saved, s.alt.saved = saved{}, saved{}
	s.grid.pend = false
}

// ansiModes handles SM and RM.
func (s *Screen) ansiModes(t *Token, on bool) {
	for i := range t.Params() {
		switch t.Param(i, 0) {
		case 4:
			s.mode.insert = on
		case 20:
			s.mode.keys.NewLine = on
		}
	}
}

// flag returns the private modes that are nothing but a flag.
func (s *Screen) flag(n int) *bool {
	m := &s.mode
	switch n {
	case 1:
		return &m.keys.AppCursor
	case 5:
		return &m.reverse
	case 7:
		return &m.autowrap
	case 12:
		return &m.blink
	case 25:
		return &m.cursorVisible
	case 45:
		return &m.reverseWrap
	case 66:
		return &m.keys.AppKeypad
	case 67:
		return &m.keys.BackArrow
	case 1004:
		return &m.keys.Focus
	case 1006:
		return &m.keys.MouseSGR
	case 2004:
		return &m.keys.BracketedPaste
	}
	return nil
}

// mouseModes are the private modes that choose what the mouse reports.
var mouseModes = map[int]keys.Mouse{1000: keys.MouseClick, 1002: keys.MouseDrag, 1003: keys.MouseMotion}

// setMode handles DECSET and DECRST.
func (s *Screen) setMode(n int, on bool) {
	if f := s.flag(n); f != nil {
		*f = on
		return
	}
	if m, ok := mouseModes[n]; ok {
		s.setMouse(m, on)
		return
	}
	switch n {
	case 3:
		s.columnMode()
	case 6:
		s.mode.origin = on
		s.home()
	case 47, 1047:
		s.switchScreen(on, n == 1047)
	case 69:
		s.mode.columnMargins = on
		s.left, s.right = 0, s.cols
	case 1048:
		s.saveOrRestore(on)
	case 1049:
		s.altScreen1049(on)
	case 2026:
		s.synchronize(on)
	}
}

func (s *Screen) setMouse(m keys.Mouse, on bool) {
	switch {
	case on:
		s.mode.keys.Mouse = m
	default:
		s.mode.keys.Mouse = keys.MouseOff
	}
}

// columnMode is DECCOLM without the change of width: it clears the screen.
func (s *Screen) columnMode() {
	s.resetMargins()
	s.eraseRows(0, s.rows)
	s.home()
}

func (s *Screen) saveOrRestore(save bool) {
	if save {
		s.saveCursor()
		return
	}
	s.restoreCursor()
}

// switchScreen shows the alternate screen or the main one; the cursor stays where it is.
func (s *Screen) switchScreen(alt, clear bool) {
	if alt == s.AltScreen() {
		return
	}
	from := s.grid
	if !alt && clear {
		s.eraseRows(0, s.rows)
	}
	s.grid = &s.main
	if alt {
		s.grid = &s.alt
	}
	s.grid.x, s.grid.y, s.grid.pend = from.x, from.y, from.pend
}

// altScreen1049 saves the cursor and shows a cleared alternate screen, and the way back. As in xterm the way back restores the cursor
// even on the main screen.
func (s *Screen) altScreen1049(on bool) {
	switch {
	case !on:
		s.switchScreen(false, false)
		s.restoreSaved()
	case !s.AltScreen():
		s.saveCursor()
		s.switchScreen(true, false)
		s.eraseRows(0, s.rows)
	}
}

func (s *Screen) synchronize(on bool) {
	if on && !s.mode.synchronized {
		s.frozen = s.now()
	}
	s.mode.synchronized = on
}

// reportMode answers DECRQM for the modes that are known here: 1 set, 2 reset. The number in the answer is one of these.
func (s *Screen) reportMode(t *Token) {
	n := t.Param(0, 0)
	if t.Private != '?' {
		if on := s.ansiModeState(n); on != 0 {
			s.reply("\x1b[%d;%d$y", n, on)
		}
		return
	}
	if on := s.modeState(n); on != 0 {
		s.reply("\x1b[?%d;%d$y", n, on)
	}
}

// ansiModeState and modeState give 0 for a mode that is not known.
func (s *Screen) ansiModeState(n int) int {
	switch n {
	case 4:
		return state(s.mode.insert)
	case 20:
		return state(s.mode.keys.NewLine)
	}
	return 0
}

func (s *Screen) modeState(n int) int {
	if f := s.flag(n); f != nil {
		return state(*f)
	}
	if m, ok := mouseModes[n]; ok {
		return state(s.mode.keys.Mouse == m)
	}
	switch n {
	case 6:
		return state(s.mode.origin)
	case 47, 1047, 1049:
		return state(s.AltScreen())
	case 69:
		return state(s.mode.columnMargins)
	case 2026:
		return state(s.mode.synchronized)
	}
	return 0
}

func state(on bool) int {
	if on {
		return 1
	}
	return 2
}
