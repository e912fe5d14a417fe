package tui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/keys"
	"sallyport/console/screen"
)

// drag is a selection with the mouse.
type drag struct {
	from, to screen.Point
	moved    bool
}

const wheelLines = 3

// onMouse: the wheel scrolls, dragging selects; what the remote asked for goes
// to the remote, unless Shift is held.
func (m *Model) onMouse(msg tea.MouseMsg) (bool, tea.Cmd) {
	t := m.tab()
	if t == nil || t.dialog != nil || m.modal != nil || m.lay.small {
		return false, nil
	}
	e := msg.Mouse()
	inside := image.Pt(e.X, e.Y).In(m.lay.term) && !m.covered(t, e.X, e.Y)
	switch {
	case !inside && t.drag == nil:
		return m.panelMouse(t, msg)
	case inside && t.remoteMouse(m, msg):
		return false, nil
	}
	return t.shellMouse(m, msg)
}

// covered tells whether an open panel stands over a place of the shell.
func (m *Model) covered(t *tab, x, y int) bool {
	return !m.lay.beside && m.open != shellArea && t.host.Copilot() != nil && image.Pt(x, y).In(m.lay.overlay)
}

// remoteMouse passes on what the remote asked for.
func (t *tab) remoteMouse(m *Model, msg tea.MouseMsg) bool {
	e := msg.Mouse()
	remote, ok := t.sess.(mouser)
	if !ok || t.modes.Mouse == keys.MouseOff || e.Mod&tea.ModShift != 0 || t.copying != nil || t.scroll > 0 || t.draft != nil {
		return false
	}
	out := keys.MouseEvent{X: e.X - m.lay.term.Min.X, Y: e.Y - m.lay.term.Min.Y, Button: button(e.Button), Mod: modifiers(e.Mod)}
	switch msg.(type) {
	case tea.MouseReleaseMsg:
		out.Release = true
	case tea.MouseMotionMsg:
		out.Motion = true
	}
	remote.Mouse(out)
	return true
}

func button(b tea.MouseButton) keys.Button {
	switch b {
	case tea.MouseLeft:
		return keys.LeftButton
	case tea.MouseMiddle:
		return keys.MiddleButton
	case tea.MouseRight:
		return keys.RightButton
	case tea.MouseWheelUp:
		return keys.WheelUp
	case tea.MouseWheelDown:
		return keys.WheelDown
	case tea.MouseWheelLeft:
		return keys.WheelLeft
	case tea.MouseWheelRight:
		return keys.WheelRight
	}
	return keys.NoButton
}

func (t *tab) shellMouse(m *Model, msg tea.MouseMsg) (bool, tea.Cmd) {
	e := msg.Mouse()
	at := screen.Point{Line: t.grid.first + m.shift(t, m.strip(t).height()) + e.Y - m.lay.term.Min.Y, Col: min(max(e.X-m.lay.term.Min.X, 0), max(t.grid.w-1, 0))}
	switch msg.(type) {
	case tea.MouseWheelMsg:
		return true, t.wheel(e.Button)
	case tea.MouseClickMsg:
		if e.Button == tea.MouseLeft {
			m.toShell()
			t.drag = &drag{from: at, to: at}
		}
		return true, nil
	case tea.MouseMotionMsg:
		if t.drag == nil {
			return false, nil
		}
		t.drag.to, t.drag.moved = at, true
		return true, nil
	case tea.MouseReleaseMsg:
		return true, t.drop(m)
	}
	return false, nil
}

// wheel scrolls what was printed; a program on the alternate screen gets arrow
// keys.
func (t *tab) wheel(b tea.MouseButton) tea.Cmd {
	by := wheelLines
	if b == tea.MouseWheelDown {
		by = -wheelLines
	}
	switch {
	case t.copying != nil:
		t.copying.at.Line -= by
		t.copying.clamp()
	case t.grid.alt && t.sess != nil:
		k := keys.Press(keys.Up, 0)
		if by < 0 {
			k = keys.Press(keys.Down, 0)
		}
		for range wheelLines {
			t.sess.Key(k)
		}
	default:
		t.scrollBy(by)
	}
	return nil
}

func (t *tab) scrollBy(by int) {
	t.scroll = min(max(t.scroll+by, 0), t.grid.above)
	t.anchored = 0
}

// drop ends a selection: it is copied at once.
func (t *tab) drop(m *Model) tea.Cmd {
	d := t.drag
	t.drag = nil
	if d == nil || !d.moved || t.sess == nil {
		return nil
	}
	return t.copyOut(m, screen.Select(d.from, d.to, false))
}

// panelMouse gives the panel under the pointer the focus.
func (m *Model) panelMouse(t *tab, msg tea.MouseMsg) (bool, tea.Cmd) {
	e := msg.Mouse()
	if t.host.Copilot() == nil {
		return false, nil
	}
	for _, p := range m.panelAreas(t) {
		if !image.Pt(e.X, e.Y).In(p.r) {
			continue
		}
		switch msg.(type) {
		case tea.MouseClickMsg:
			m.toPanel(p.area)
			return true, nil
		case tea.MouseWheelMsg:
			return true, m.panelWheel(t, p.area, e.Button == tea.MouseWheelUp)
		}
	}
	return false, nil
}

func (m *Model) panelWheel(t *tab, a area, up bool) tea.Cmd {
	by := -wheelLines
	if up {
		by = wheelLines
	}
	switch {
	case a == chatArea:
		t.chat.up = max(t.chat.up+by, 0)
	case a == suggestArea && len(t.ai.Suggestions) > 0:
		return moveSelection(-by / wheelLines)(m)
	}
	return nil
}

// onFocus tells the program in front that the operator's window got or lost
// the focus.
func (m *Model) onFocus(in bool) tea.Cmd {
	if t := m.tab(); t != nil {
		if s, ok := t.sess.(focuser); ok {
			s.Focus(in)
		}
	}
	return nil
}
