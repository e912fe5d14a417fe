package tui

import (
	"image"

	"sallyport/console/tty"
)

// Patch brings the canvas of the last frame up to date where nothing but rows
// of the shell's screen can look different, as after most keys. It says which
// rows of the canvas it drew; ok is false where all is to be drawn.
func (m *Model) Patch(c *tty.Canvas) (from, to int, ok bool) {
	t := m.tab()
	if m.stale || m.opts.ASCII || m.modal != nil || t == nil || !m.plainShell(t) {
		return 0, 0, false
	}
	f := t.fitted
	if f.shift != m.shift(t, f.height) {
		return 0, 0, false
	}
	r := m.lay.term
	rows := r.Dy() - min(f.height, r.Dy())
	c.Bell = m.bell
	if m.focus == shellArea {
		c.Cursor = tty.Cursor{}
	}
	from, to = max(t.grid.from-f.shift, 0), min(t.grid.to-f.shift, rows)
	if from < to {
		c.Blank(image.Rect(m.lay.gutter.Min.X, r.Min.Y+from, r.Max.X, r.Min.Y+to))
	}
	for y := from; y < to; y++ {
		m.drawRow(c, t, y+f.shift, r.Min.Y+y)
	}
	m.shellCursor(c, t, f.shift, rows)
	return r.Min.Y + from, r.Min.Y + to, true
}

// fit is how the remote's screen was drawn above the strip.
type fit struct {
	height int // of the strip, which stays until more than the shell's screen changes
	shift  int // rows of the screen that had no room
}

// noteFit notes how the frame fits that was drawn now.
func (m *Model) noteFit(t *tab, whole bool) {
	if whole || !m.plainShell(t) {
		t.fitted.height = m.strip(t).height()
	}
	t.fitted.shift = m.shift(t, t.fitted.height)
}

// plainShell tells whether the shell's area shows the shell's screen and nothing
// in front of it.
func (m *Model) plainShell(t *tab) bool {
	switch {
	case m.lay.small, m.open != shellArea && !m.lay.beside:
	case t.dialog != nil, t.draft != nil, t.copying != nil, t.drag != nil, t.field != nil:
	case t.view.Compose != nil, t.scroll != 0, t.grid.of == nil, t.link.Phase != Connected:
	default:
		return true
	}
	return false
}
