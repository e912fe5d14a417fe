package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"

	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/remote"
)

// dialog is a question that is being asked. It takes no key until it was drawn
// and the keyboard was quiet since, for as long as that takes.
type dialog struct {
	q       *question
	drawnAt time.Time // zero: not drawn yet, or another tab was in front
	ready   bool
	top     int  // first row of its text in view
	edit    edit // a phrase, or the line of a secretQuestion
	wrong   string
	times   []time.Time // of the last keys of a phrase
	yes     alone       // a key that approves
}

// A burst is faster than a person types a phrase.
const (
	burstKeys = 8
	burstTime = 50 * time.Millisecond
)

// syncDialogs gives each tab its oldest open question. One that was withdrawn
// goes away with what was typed.
func (m *Model) syncDialogs() {
	waiting := m.dialogs.waiting()
	for i, t := range m.tabs {
		t.syncDialog(waiting)
		if t.dialog != nil && i != m.front {
			t.dialog.drawnAt, t.dialog.ready, t.dialog.yes = time.Time{}, false, alone{}
		}
	}
}

func (t *tab) syncDialog(waiting []*question) {
	for _, q := range waiting {
		if !t.owns(q) {
			continue
		}
		if t.dialog == nil || t.dialog.q != q {
			t.endDialog()
			t.dialog = &dialog{q: q}
		}
		return
	}
	if t.local == nil {
		t.endDialog()
	} else if t.dialog == nil || t.dialog.q != t.local {
		t.endDialog()
		t.dialog = &dialog{q: t.local}
	}
}

func (t *tab) owns(q *question) bool {
	if q.host != "" {
		return q.host == t.host.ID()
	}
	return q.session == t.view.ID
}

func (t *tab) endDialog() {
	if t.dialog != nil {
		t.dialog.edit.wipe()
		t.dialog = nil
	}
}

// readyAt is when the dialog takes keys if nothing is pressed until then.
func (d *dialog) readyAt(m *Model) time.Time {
	if d.drawnAt.IsZero() {
		return m.now().Add(quietTime)
	}
	return latest(d.drawnAt, m.lastKey).Add(quietTime)
}

// approves tells whether the dialog allows something: then it waits for quiet.
func (d *dialog) approves() bool {
	_, secret := d.q.ask.(secretQuestion)
	return !secret
}

// settle makes the dialog ready when it has been quiet.
func (d *dialog) settle(m *Model) bool {
	if !d.ready && !d.drawnAt.IsZero() && (!d.approves() || !m.now().Before(d.readyAt(m))) {
		d.ready = true
	}
	return d.ready
}

func (t *tab) dialogKey(m *Model, k keys.Event) tea.Cmd {
	d := t.dialog
	if d.yes.held() {
		d.yes, d.wrong = alone{}, notAlone
		return nil
	}
	if t.scrollDialog(m, k) || !d.settle(m) || d.approves() && k.Key != keys.Escape && !m.read(t) {
		return nil
	}
	if !d.approval(k) {
		return t.answerDialog(m, k)
	}
	if m.now().Sub(m.lastKey) < aloneTime {
		d.wrong = notAlone
		return nil
	}
	d.yes.hold(k, m.now())
	d.wrong = ""
	return nil
}

// approval tells whether k alone allows something.
func (d *dialog) approval(k keys.Event) bool {
	switch q := d.q.ask.(type) {
	case gate.Question:
		return q.Phrase == "" && k.String() == "y"
	case remote.HostKeyQuestion:
		return k.String() == "y" || k.String() == "o"
	case clipboardQuestion:
		return k.String() == "y"
	}
	return false
}

// settleHeld takes a key that approves once it has stayed alone.
func (t *tab) settleHeld(m *Model) tea.Cmd {
	if t.dialog == nil || !t.dialog.yes.stayed(m.now()) {
		return nil
	}
	return t.answerDialog(m, t.dialog.yes.release())
}

func (t *tab) answerDialog(m *Model, k keys.Event) tea.Cmd {
	d := t.dialog
	var cmd tea.Cmd
	switch q := d.q.ask.(type) {
	case gate.Question:
		d.consentKey(m, q, k)
	case remote.HostKeyQuestion:
		hostKeyKey(d, q, k)
	case secretQuestion:
		secretKey(d, k)
	case clipboardQuestion:
		cmd = t.clipboardKey(q, k)
	}
	if d.q.replied {
		m.noteAnswer(k)
	}
	return cmd
}

// scrollDialog moves the text of a dialog. What was not on the screen cannot be
// agreed to.
func (t *tab) scrollDialog(m *Model, k keys.Event) bool {
	by := map[string]int{"Down": 1, "Up": -1, "PageDown": m.pageRows(m.lay.consent), "PageUp": -m.pageRows(m.lay.consent)}[k.String()]
	if by == 0 {
		return false
	}
	rows := len(m.page(t, m.lay.consent.Dx()-4).text)
	t.dialog.top = min(max(t.dialog.top+by, 0), max(rows-m.pageRows(m.lay.consent), 0))
	return true
}

func (d *dialog) consentKey(m *Model, q gate.Question, k keys.Event) {
	switch {
	case k.String() == "Escape", q.Phrase == "" && k.String() == "n":
		d.q.reply(gate.Answer{})
	case q.Phrase == "" && k.String() == "y":
		d.q.reply(gate.Answer{Send: true})
	case q.Phrase != "":
		d.phraseKey(m, q.Phrase, k)
	default:
		d.wrong = "y and n answer"
	}
}

// phraseKey takes a phrase key by key; whatever is not typed empties the field.
func (d *dialog) phraseKey(m *Model, phrase string, k keys.Event) {
	d.wrong = ""
	if k.String() == "Enter" {
		if d.edit.String() == phrase {
			d.q.reply(gate.Answer{Send: true, Typed: phrase})
			return
		}
		d.wrong = "not yet the same"
		return
	}
	if d.tooFast(m.now()) || len(clusters(k.Typed())) > 1 {
		d.refill("too fast for a person: start again")
		return
	}
	d.edit.key(k)
}

func (d *dialog) refill(why string) {
	d.edit.wipe()
	d.times, d.wrong = nil, why
}

func (d *dialog) tooFast(now time.Time) bool {
	d.times = append(d.times, now)
	if len(d.times) > burstKeys+1 {
		d.times = d.times[1:]
	}
	return len(d.times) > burstKeys && now.Sub(d.times[0]) <= burstTime
}

func hostKeyKey(d *dialog, q remote.HostKeyQuestion, k keys.Event) {
	switch k.String() {
	case "y":
		if q.File != "" {
			d.q.reply(remote.Remember)
		}
	case "o":
		d.q.reply(remote.Once)
	case "n", "Escape":
		d.q.reply(remote.Leave)
	default:
		d.wrong = "y, o and n answer"
	}
}

func secretKey(d *dialog, k keys.Event) {
	switch k.String() {
	case "Enter":
		d.q.reply([]byte(d.edit.String()))
		d.edit.wipe()
	case "Escape", "C-c":
		d.q.reply(errLeft)
	default:
		d.edit.key(k)
	}
}

// pasteDialog: a secret may be pasted, consent may not.
func (t *tab) pasteDialog(m *Model, text string) {
	d := t.dialog
	switch q := d.q.ask.(type) {
	case secretQuestion:
		d.edit.insert(firstLine(text))
	case gate.Question:
		if q.Phrase != "" && d.settle(m) {
			d.refill("pasting does not count: type it")
		}
	}
}

// masked is a secret as it is drawn.
func masked(e *edit) string {
	out := make([]byte, 0, 3*len(e.text))
	for range e.text {
		out = append(out, "•"...)
	}
	return string(out)
}

func firstLine(s string) string {
	for i, r := range s {
		if r == '\n' || r == '\r' {
			return s[:i]
		}
	}
	return s
}

func columns(s string) int { return displaywidth.String(s) }
