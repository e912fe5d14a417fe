package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/keys"
	"sallyport/console/session"
)

// onKey routes a key to what has it. Keys for the shell change nothing here:
// the echo does.
func (m *Model) onKey(k keys.Event) (bool, tea.Cmd) {
	now := m.now()
	redraw, cmd := true, tea.Cmd(nil)
	switch {
	case m.unseen():
		m.unseenKey(k)
	case m.burst.open:
		cmd = m.pasted(pastedKey(k))
	default:
		redraw, cmd = m.routeKey(k)
	}
	m.lastKey = now
	return redraw, cmd
}

// unseen tells whether nothing of the shell is shown, or not yet again.
func (m *Model) unseen() bool { return m.lay.small || tooSmall(m.w, m.h) }

// unseenKey drops a key that nobody could see the effect of. ^C still stops
// what runs.
func (m *Model) unseenKey(k keys.Event) {
	t := m.tab()
	if k.String() != "C-c" || t == nil || t.sess == nil || t.dialog != nil || t.draft != nil || m.modal != nil {
		m.bell++
		return
	}
	t.sess.Key(k)
}

func (m *Model) routeKey(pressed keys.Event) (bool, tea.Cmd) {
	k := own(pressed)
	if m.repeats(k) {
		return false, nil
	}
	t := m.tab()
	switch {
	case m.pending.canCancel(m.now()) && k.String() == "Escape":
		m.pending.cancel()
		return true, nil
	case m.leading:
		m.leading = false
		return true, m.leaderKey(k)
	case same(k, m.leader) && m.modal == nil:
		m.leading, m.note = true, note{}
		return true, nil
	case m.modal != nil:
		return true, m.modalKey(k)
	case t == nil:
		return true, m.emptyKey(k)
	case t.dialog != nil:
		return true, t.dialogKey(m, k)
	case t.draft != nil:
		return true, t.draftKey(m, k)
	case t.copying != nil:
		return true, t.copyKey(m, k)
	case m.focus != shellArea:
		return true, m.panelKey(t, k)
	}
	return t.shellKey(m, pressed)
}

// own is a key as everything here takes it but a remote program: Enter is Enter,
// wherever on the keyboard it stands.
func own(k keys.Event) keys.Event {
	switch {
	case k.Key == keys.KPEnter:
		k.Key = keys.Enter
	case k.Is("C-m"):
		return keys.Press(keys.Enter, 0)
	}
	return k
}

// modalKey is for what floats above all else.
func (m *Model) modalKey(k keys.Event) tea.Cmd {
	was := m.modal
	cmd := m.modal.key(m, k)
	if m.modal != was {
		m.noteAnswer(k)
	}
	return cmd
}

// noteAnswer notes that a key answered a question or sent something.
func (m *Model) noteAnswer(k keys.Event) {
	switch k.String() {
	case "y", "n", "o", "Enter":
		m.answered = k
	}
}

// repeatTime is longer than a keyboard waits before it repeats a key.
const repeatTime = 700 * time.Millisecond

// repeats tells whether k is the key that just answered, held down or struck
// twice: what comes behind the question must not get it.
func (m *Model) repeats(k keys.Event) bool {
	if m.answered == (keys.Event{}) {
		return false
	}
	limit := repeatTime
	if k.Key == keys.Enter { // what it sent may be there to be sent again
		limit = quietTime
	}
	if same(k, m.answered) && m.now().Sub(m.lastKey) < limit {
		return true
	}
	m.answered = keys.Event{}
	return false
}

func same(a, b keys.Event) bool { return a.Key == b.Key && a.Rune == b.Rune && a.Mod == b.Mod }

// shellKey is for the remote, unless the console asks something about it.
func (t *tab) shellKey(m *Model, k keys.Event) (bool, tea.Cmd) {
	changed := t.seeAlarm(m.now()) || t.scroll != 0
	t.scroll, t.anchored = 0, 0
	name := k.String()
	switch {
	case t.link.Phase != Connected || t.sess == nil || t.view.State == session.Dead:
		return true, t.goneKey(m, k)
	case t.field != nil:
		t.fieldKey(own(k))
		return true, nil
	case t.slowKey(m, k):
		return true, nil
	case t.view.Held > 0 && name == "Escape" && t.view.State != session.Boot:
		t.sess.DropHeld()
		return true, nil
	}
	t.noteEscape(m, name)
	redraw := changed || t.view.Refused != nil || t.view.Compose != nil
	t.sess.Key(k)
	return redraw, nil
}

// noteEscape notes an Escape with nothing before it, while something runs.
func (t *tab) noteEscape(m *Model, name string) {
	t.escape = time.Time{}
	if name == "Escape" && t.view.State == session.Running {
		t.escape = m.now()
	}
}

// goneKey: there is no shell to type into. What somebody types on is no choice:
// r and q count alone, and after quiet since a key that was none.
func (t *tab) goneKey(m *Model, k keys.Event) tea.Cmd {
	if k.String() == "Escape" && t.link.Phase == Connecting {
		return m.closeTab(t)
	}
	before, now := t.gone.release(), m.now()
	alone := before == (keys.Event{}) || same(before, k)
	if !t.goneOffers(k.String()) || !alone || now.Sub(t.goneTyped) < quietTime {
		t.goneTyped = now
		return nil
	}
	t.gone.hold(k, now)
	return nil
}

// goneOffers tells whether name is a choice that there is without a shell.
func (t *tab) goneOffers(name string) bool {
	return t.link.Phase != Connecting && (name == "q" || name == "r" && t.link.Phase != Connected)
}

// settleGone takes a choice that has stayed alone.
func (t *tab) settleGone(m *Model) tea.Cmd {
	if !t.gone.stayed(m.now()) {
		return nil
	}
	switch name := t.gone.release().String(); {
	case !t.goneOffers(name):
	case name == "r":
		return m.reconnect(t)
	default:
		return m.closeTab(t)
	}
	return nil
}

func (m *Model) routePaste(text string) tea.Cmd {
	t := m.tab()
	switch {
	case m.modal != nil:
		m.modal.paste(m, text)
	case t == nil:
	case t.dialog != nil:
		t.pasteDialog(m, text)
	case t.draft != nil:
		if !t.draft.sending {
			t.draft.edit.insert(text)
		}
		return t.judgeDraft(m)
	case m.focus == chatArea:
		t.chat.edit.insert(text)
	case m.focus != shellArea || t.sess == nil || t.copying != nil:
	case t.field != nil:
		t.field.edit.insert(firstLine(text))
	default:
		t.typeHeld()
		t.sess.Paste(text)
	}
	return nil
}

// panelKey is for the panel that has the focus.
func (m *Model) panelKey(t *tab, k keys.Event) tea.Cmd {
	switch k.String() {
	case "Escape":
		m.toShell()
		return nil
	case "Tab":
		m.toPanel(m.focus%chatArea + 1)
		return nil
	case "S-Tab":
		m.toPanel((m.focus+1)%chatArea + 1)
		return nil
	}
	switch m.focus {
	case chatArea:
		return t.chatKey(m, k)
	case suggestArea:
		return m.run(suggestKeys, k)
	case intentArea:
		return m.run(intentKeys, k)
	}
	return nil
}

func (m *Model) toShell() { m.focus, m.open = shellArea, shellArea }

// toPanel gives a panel the focus, and opens it where it does not stand beside.
func (m *Model) toPanel(a area) {
	m.focus = a
	m.open = a
	if t := m.tab(); t != nil && a == chatArea {
		t.chat.up = 0
	}
}

// reconnect connects once, however often it is asked for before that shows.
func (m *Model) reconnect(t *tab) tea.Cmd {
	if t.again {
		return nil
	}
	t.again = true
	host := t.host
	return func() tea.Msg { return reconnected{t, told{"reconnect: ", host.Reconnect()}} }
}

// reconnected is what became of a reconnection that was asked for.
type reconnected struct {
	t *tab
	told
}

func (r reconnected) apply(m *Model) tea.Cmd {
	r.t.again, r.t.link = false, r.t.host.Link()
	return r.told.apply(m)
}

func (m *Model) closeTab(t *tab) tea.Cmd {
	last := len(m.tabs) <= 1
	host := t.host
	if last {
		m.quitting = true
	}
	return func() tea.Msg {
		err := host.Close()
		if last {
			return tea.QuitMsg{}
		}
		return told{"close: ", err}
	}
}

// told is the outcome of something whose success shows by itself.
type told struct {
	what string
	err  error
}

func (r told) apply(m *Model) tea.Cmd {
	if r.err != nil {
		m.complain(r.what + r.err.Error())
	}
	return nil
}

// emptyKey: no host is open.
func (m *Model) emptyKey(k keys.Event) tea.Cmd {
	switch k.String() {
	case "o":
		return m.askHost()
	case "q", "C-c", "C-d", "Escape":
		return tea.Quit
	}
	return nil
}

// next puts another tab in front.
func (m *Model) next(by int) {
	if n := len(m.tabs); n > 0 {
		m.front = ((m.front+by)%n + n) % n
	}
}
