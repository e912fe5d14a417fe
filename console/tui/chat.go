package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/copilot"
	"sallyport/console/keys"
)

// chatPanel is the conversation and the line being written.
type chatPanel struct {
	edit   edit
	up     int // lines scrolled above the end
	seen   int // number of the newest message when it was last at the end
	newest int
	failed string
}

// follow keeps count of what came while something else was being read.
func (p *chatPanel) follow(chat []copilot.Message) {
	if n := len(chat); n > 0 {
		p.newest = chat[n-1].Number
	}
	if p.up == 0 {
		p.seen = p.newest
	}
}

// unread is how many messages came since.
func (p *chatPanel) unread(chat []copilot.Message) int {
	n := 0
	for _, msg := range chat {
		if msg.Number > p.seen {
			n++
		}
	}
	return n
}

func (t *tab) chatKey(m *Model, k keys.Event) tea.Cmd {
	p := &t.chat
	switch k.String() {
	case "Enter":
		return t.say(p)
	case "C-r":
		return t.resend(m)
	case "Up", "C-p":
		p.up++
	case "Down", "C-n":
		p.up = max(p.up-1, 0)
	case "PageUp":
		p.up += 5
	case "PageDown":
		p.up = max(p.up-5, 0)
	case "End":
		if p.edit.empty() {
			p.up = 0
			return nil
		}
		p.edit.key(k)
	default:
		p.edit.key(k)
	}
	return nil
}

// resend sends the last message again that failed.
func (t *tab) resend(m *Model) tea.Cmd {
	for _, msg := range slices.Backward(t.ai.Chat) {
		if msg.From == copilot.Operator && msg.Delivery == copilot.Failed {
			host, c := t.host.ID(), t.host.Copilot()
			return func() tea.Msg { return said{host, "", c.Resend(msg.Number)} }
		}
	}
	m.complain("No message failed: there is nothing to send again.")
	return nil
}

func (t *tab) say(p *chatPanel) tea.Cmd {
	text := p.edit.String()
	if blankCluster(text) {
		return nil
	}
	p.edit, p.up, p.failed = edit{}, 0, ""
	host := t.host
	return func() tea.Msg { return said{host.ID(), text, host.Chat(text)} }
}

// said is what became of a message.
type said struct {
	host, text string
	err        error
}

func (r said) apply(m *Model) tea.Cmd {
	t := m.byHost(r.host)
	if t == nil || r.err == nil {
		return nil
	}
	if t.chat.edit.empty() {
		t.chat.edit.set(r.text)
	}
	t.chat.failed = r.err.Error()
	return nil
}
