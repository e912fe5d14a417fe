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
	r := m.lay.term
	c.Bell = m.bell
	if m.focus == shellArea {
		c.Cursor = tty.Cursor{}
	}
	from, to = t.grid.from, min(t.grid.to, r.Dy())
	c.Blank(image.Rect(m.lay.gutter.Min.X, r.Min.Y+from, r.Max.X, r.Min.Y+to))
	for y := from; y < to; y++ {
		m.drawRow(c, t, y, r.Min.Y+y)
	}
	m.shellCursor(c, t, 0, r.Dy())
	return r.Min.Y + from, r.Min.Y + to, true
}

// plainShell tells whether the shell's area shows the shell's screen, whole and
// nothing else.
func (m *Model) plainShell(t *tab) bool {
	switch {
	case m.lay.small, m.open != shellArea && !m.lay.beside:
	case t.dialog != nil, t.draft != nil, t.copying != nil, t.drag != nil, t.field != nil:
	case t.view.Compose != nil, t.scroll != 0, t.grid.of == nil, t.link.Phase != Connected:
	default:
		return m.strip(t).height() == 0
	}
	return false
}
