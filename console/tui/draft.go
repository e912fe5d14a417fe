package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/policy"
)

// draft is a suggestion that was opened to be edited and sent.
type draft struct {
	number   uint64 // answers carry it
	from     copilot.Suggestion
	edit     edit
	openedAt time.Time
	ready    bool // the keyboard was quiet since it opened

	asked   string // text whose verdict is being found
	asking  bool
	judged  string // text that verdict is of
	known   bool
	verdict policy.Decision
	seen    string // text whose verdict was drawn
	wasSeen bool

	sending bool
	since   time.Time
	cancel  context.CancelFunc // of what is on its way
	refused *gate.Refusal
	failed  string
}

var draftNumber uint64

// openDraft opens the suggestion in place of the prompt. Linus cannot change it
// meanwhile.
func (t *tab) openDraft(m *Model, id string) tea.Cmd {
	c := t.host.Copilot()
	if c == nil || t.draft != nil {
		return nil
	}
	s, ok := c.Hold(id)
	if !ok {
		m.complain("Linus took this suggestion back.")
		return nil
	}
	draftNumber++
	t.draft = &draft{number: draftNumber, from: s, edit: newEdit(string(s.Command)), openedAt: m.now()}
	t.draft.edit.undos = nil
	m.focus, m.open = shellArea, shellArea
	return t.judgeDraft(m)
}

func (t *tab) closeDraft() {
	if t.draft == nil {
		return
	}
	if c := t.host.Copilot(); c != nil {
		c.Release(t.draft.from.ID)
	}
	t.draft = nil
}

// judgeDraft asks for the verdict on the draft as it stands, one question at a
// time.
func (t *tab) judgeDraft(m *Model) tea.Cmd {
	b := t.draft
	if b == nil || b.asking || b.known && b.judged == b.edit.String() && b.verdict.Policy.Digest == m.policy.Digest {
		return nil
	}
	b.asking, b.asked = true, b.edit.String()
	host, number, from, text := t.host, b.number, b.from, b.asked
	return func() tea.Msg {
		return draftJudged{host.ID(), number, text, host.Judge(from, text)}
	}
}

type draftJudged struct {
	host    string
	number  uint64
	text    string
	verdict policy.Decision
}

func (r draftJudged) apply(m *Model) tea.Cmd {
	t := m.byHost(r.host)
	if t == nil || t.draft == nil || t.draft.number != r.number {
		return nil
	}
	b := t.draft
	b.asking = false
	b.judged, b.verdict, b.known = r.text, r.verdict, true
	return nil // the next frame asks again if the text has changed
}

// drawn notes that the verdict on the draft as it stands was on the screen.
func (b *draft) drawn(time.Time) {
	if b.known && b.judged == b.edit.String() {
		b.seen, b.wasSeen = b.judged, true
	}
}

// sendable says why Enter does nothing; empty: it sends.
func (b *draft) sendable() string {
	text := b.edit.String()
	switch {
	case !b.ready:
		return "opening"
	case b.sending:
		return "already on its way"
	case !b.wasSeen || b.seen != text:
		return "the verdict is not there yet"
	case b.verdict.Effect >= policy.Second:
		return "it is denied. Edit it, or Esc"
	case blankCluster(text):
		return "there is nothing to send"
	}
	return ""
}

// settle lets Enter count once the keyboard was quiet since it opened.
func (b *draft) settle(m *Model) {
	if !b.ready && m.now().Sub(latest(b.openedAt, m.lastKey)) >= quietTime {
		b.ready = true
	}
}

func (t *tab) draftKey(m *Model, k keys.Event) tea.Cmd {
	b := t.draft
	b.settle(m)
	switch k.String() {
	case "Escape":
		t.leaveDraft(m)
	case "Enter":
		m.noteAnswer(k)
		return t.sendDraft(m)
	case "C-r":
		b.edit.set(string(b.from.Command))
	default:
		if b.sending {
			return nil
		}
		if k.Key == keys.Char || k.Key != keys.Escape {
			b.edit.key(k)
			b.failed = ""
		}
	}
	return t.judgeDraft(m)
}

// leaveDraft goes back to the shell. What is on its way is called off, as far
// as it has not left: its answer says so.
func (t *tab) leaveDraft(m *Model) {
	if b := t.draft; b.sending {
		b.cancel()
		return
	}
	t.closeDraft()
}

func (t *tab) sendDraft(m *Model) tea.Cmd {
	b := t.draft
	if why := b.sendable(); why != "" {
		b.failed = why
		return nil
	}
	b.sending, b.since, b.refused, b.failed = true, m.now(), nil, ""
	ctx, cancel := context.WithCancel(m.ctx)
	b.cancel = cancel
	host, number, from, text := t.host, b.number, b.from, b.edit.String()
	return func() tea.Msg {
		defer cancel()
		return draftSent{host.ID(), number, host.Send(ctx, from, text)}
	}
}

type draftSent struct {
	host   string
	number uint64
	err    error
}

func (r draftSent) apply(m *Model) tea.Cmd {
	t := m.byHost(r.host)
	if t == nil || t.draft == nil || t.draft.number != r.number {
		return nil
	}
	b := t.draft
	b.sending = false
	if r.err == nil {
		t.closeDraft()
		return nil
	}
	b.ready, b.openedAt = false, m.now()
	if !errors.As(r.err, &b.refused) {
		b.failed = r.err.Error()
	}
	return nil
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
