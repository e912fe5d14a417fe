package screen

import "sallyport/console/keys"

// Leftovers gives what a program that ended in order would have written before its end: the way back from the alternate screen, and out
// of modes, margins, character sets and looks that make no sense at a prompt. It is nil where nothing was left on. What the
// shell sets for its own line editor (cursor and keypad modes, bracketed paste) is not in it.
func (s *Screen) Leftovers() []byte {
	var p []byte
	add := func(on bool, sequence string) {
		if on {
			p = append(p, sequence...)
		}
	}
	m := &s.mode
	add(m.synchronized, "\x1b[?2026l")
	add(s.AltScreen(), "\x1b[?1049l")
	add(m.keys.Mouse != keys.MouseOff, "\x1b[?1000l")
	add(m.keys.MouseSGR, "\x1b[?1006l")
	add(m.keys.Focus, "\x1b[?1004l")
	add(m.reverse, "\x1b[?5l")
	add(m.keys.NewLine, "\x1b[20l")
	add(s.softened(), "\x1b[!p")
	return p
}

// softened tells whether anything is set that DECSTR resets.
func (s *Screen) softened() bool {
	m := &s.mode
	margins := m.columnMargins || s.top != 0 || s.bottom != s.rows || s.left != 0 || s.right != s.cols
	return m.insert || m.origin || !m.autowrap || !m.cursorVisible || margins || s.charset.other() || s.pen.style != Style{}
}

// other tells whether anything but ASCII is in use.
func (c charsets) other() bool {
	set := c.g[c.gl]
	return c.single != 0 || set != 0 && set != 'B'
}
