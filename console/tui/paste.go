package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/keys"
)

// A paste may hold the sequence that ends a bracketed paste; not every terminal
// takes it out, and what stands behind it then arrives as keys. So a paste is
// not over until the keyboard has been quiet for pasteQuiet: what comes sooner
// is part of it, and the whole is one paste.
const pasteQuiet = 50 * time.Millisecond

// burst is a paste that is not over yet.
type burst struct {
	text string
	open bool
	id   int // of the last piece
}

// pastedMsg comes when a burst has been quiet since piece id.
type pastedMsg struct{ id int }

func (m *Model) onPaste(text string) (bool, tea.Cmd) {
	m.lastKey = m.now()
	if t := m.tab(); t != nil && t.dialog != nil {
		t.dialog.yes = alone{}
	}
	if m.unseen() {
		m.bell++
		return true, nil
	}
	return true, m.pasted(text)
}

// pasted adds a piece to the burst and waits for quiet.
func (m *Model) pasted(text string) tea.Cmd {
	m.burst.text += text
	m.burst.open = true
	m.burst.id++
	return m.after(pasteQuiet, pastedMsg{m.burst.id})
}

// pastedKey is the text of a key that came in a burst; keys without one are
// dropped, as controls in a paste are.
func pastedKey(k keys.Event) string {
	switch k = own(k); {
	case k.Is("Enter"), k.Is("C-j"):
		return "\n"
	case k.Is("Tab"):
		return "\t"
	case k.Mod&^keys.Shift != 0:
		return ""
	}
	return k.Typed()
}

func (p pastedMsg) apply(m *Model) tea.Cmd {
	if !m.burst.open || p.id != m.burst.id {
		return nil
	}
	text := m.burst.text
	m.burst.text, m.burst.open = "", false
	return m.routePaste(text)
}
