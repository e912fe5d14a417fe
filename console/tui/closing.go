package tui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/keys"
	"sallyport/console/safetext"
	"sallyport/console/tty"
)

// closing asks whether a session that is alive may end. As with every consent,
// its y counts after quiet and alone.
type closing struct {
	host  string
	name  string
	yes   alone
	wrong string
}

func (m *Model) askClose() tea.Cmd {
	t := m.tab()
	if t == nil {
		return tea.Quit
	}
	if t.link.Phase != Connected {
		return m.closeTab(t)
	}
	m.modal = &closing{host: t.host.ID(), name: t.link.Name}
	return nil
}

func (q *closing) key(m *Model, k keys.Event) tea.Cmd {
	first := !q.yes.held() && m.now().Sub(m.lastKey) >= quietTime
	q.yes, q.wrong = alone{}, ""
	switch k.String() {
	case "y":
		if !first {
			q.wrong = notAlone
			return nil
		}
		q.yes.hold(k, m.now())
	case "n", "Escape", "C-c":
		m.modal = nil
	default:
		q.wrong = "y and n answer"
	}
	return nil
}

// paste takes a y back: it did not come alone.
func (q *closing) paste(*Model, string) { q.yes, q.wrong = alone{}, notAlone }

// settleClosing closes the session when the y has stayed alone.
func (m *Model) settleClosing() tea.Cmd {
	q, ok := m.modal.(*closing)
	if !ok || m.burst.open || !q.yes.stayed(m.now()) {
		return nil
	}
	m.modal, m.answered = nil, q.yes.release()
	if t := m.byHost(q.host); t != nil {
		return m.closeTab(t)
	}
	return nil
}

func (q *closing) draw(m *Model, c *tty.Canvas) {
	foot := "y closes   Esc goes back"
	if q.wrong != "" {
		foot = q.wrong
	}
	r := m.frameBox(c, 64, 6, "Close "+safetext.Line(q.name)+"?", foot)
	text := "Its shell and what runs in it get a hangup."
	if len(m.tabs) == 1 {
		text += " It is the last session: the console ends too."
	}
	drawLines(c, image.Rect(r.Min.X, r.Min.Y+1, r.Max.X, r.Max.Y), wrap(line{{text, m.theme.text}}, r.Dx(), ""))
}
