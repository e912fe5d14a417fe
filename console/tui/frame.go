package tui

import (
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/screen"
	"sallyport/console/session"
)

// onFrame looks at everything that changed outside, once a frame.
func (m *Model) onFrame(at time.Time) tea.Cmd {
	m.frame = at
	m.lookAround()
	m.syncTabs()
	m.lay = place(m.w, m.h, len(m.tabs), m.panels && m.hasCopilot())
	for _, t := range m.tabs {
		m.stale = t.look(m) || m.stale
	}
	m.syncDialogs()
	closed := m.settleClosing()
	t := m.tab()
	if t == nil {
		return tea.Batch(closed, m.clock(at))
	}
	t.lookClosely(m)
	m.sayTainted(t)
	if t.local != nil && t.dialog == nil {
		m.syncDialogs()
	}
	m.welcome(t)
	t.settle(m)
	held := t.settleHeld(m)
	t.settleEscape(m.now())
	t.settleSlow(m.now())
	m.fillPanels(t)
	return tea.Batch(closed, held, t.settleGone(m), t.judgeNew(m), t.judgeDraft(m), m.clock(at))
}

func (m *Model) hasCopilot() bool {
	c, ok := m.console.(companion)
	return !ok || c.HasCopilot()
}

// lookAround reads what belongs to no host.
func (m *Model) lookAround() {
	log, identity := m.console.Log(), m.console.Policy()
	m.stale = m.stale || !log.same(m.log) || identity != m.policy
	m.log, m.policy = log, identity
}

// settle lets what waited for quiet take keys.
func (t *tab) settle(m *Model) {
	if t.dialog != nil {
		t.dialog.settle(m)
	}
	if t.draft != nil {
		t.draft.settle(m)
	}
}

// sayTainted says it once when a command made it possible that text which
// nobody sees runs; the status line says so from then on.
func (m *Model) sayTainted(t *tab) {
	n := len(t.view.Tainted)
	if n > t.taintSaid {
		m.complain("From now on this shell may run what nobody sees: " + cut(t.view.Tainted[n-1], 60) + ". It is in the record.")
	}
	t.taintSaid = n
}

// welcome says once which key is the console's, where no panel says it.
func (m *Model) welcome(t *tab) {
	if !m.greet || t.view.State != session.Prompt {
		return
	}
	m.greet, m.stale = false, true
	text := spelled(m.leader) + " is the console’s own key: then c asks Linus, ? shows all keys."
	switch {
	case t.host.Copilot() == nil:
		text = spelled(m.leader) + " is the console’s own key: then ? shows all keys."
	case m.lay.beside:
		return // the chat says so
	}
	m.note = note{text: text, mild: true, until: m.now().Add(welcomeTime)}
}

const welcomeTime = 20 * time.Second

// syncTabs makes the tabs equal to the console's hosts. A new host comes to the
// front.
func (m *Model) syncTabs() {
	hosts := m.console.Hosts()
	if slices.EqualFunc(hosts, m.tabs, func(h Host, t *tab) bool { return h.ID() == t.host.ID() }) {
		return
	}
	m.stale = true
	front := m.tab()
	old := map[string]*tab{}
	for _, t := range m.tabs {
		old[t.host.ID()] = t
	}
	m.tabs = m.tabs[:0:0]
	for _, h := range hosts {
		t := old[h.ID()]
		if t == nil {
			t = newTab(h)
			front = t
		}
		m.tabs = append(m.tabs, t)
	}
	m.toFront(front)
}

func (m *Model) toFront(want *tab) {
	for i, t := range m.tabs {
		if t == want {
			m.front = i
			return
		}
	}
	m.front = min(m.front, max(len(m.tabs)-1, 0))
}

// look reads what the tab bar and the dialogs need of every host, and tells
// whether anything is new.
func (t *tab) look(m *Model) bool {
	link, view := t.link, t.view
	t.link = t.host.Link()
	changed := false
	if s := t.host.Session(); s != t.sess {
		t.sess, t.size, t.alarm = s, [2]int{}, alarm{}
		t.local, t.noClipboard = nil, false
		changed = true
	}
	t.view = session.View{}
	if t.sess != nil {
		t.view = t.sess.View()
		t.syncAlarm()
		t.syncRefused()
		t.resize(m)
	}
	return changed || !link.same(t.link) || !view.Same(t.view)
}

// resize tells the shell the size of its area, also when it is not in front. A
// screen that is too small to show the shell leaves it as it was.
func (t *tab) resize(m *Model) {
	size := [2]int{m.lay.term.Dx(), m.lay.term.Dy()}
	if m.lay.small || size == t.size || m.w == 0 {
		return
	}
	t.size = size
	t.sess.Resize(size[0], size[1])
}

// lookClosely reads what is drawn of the host in front.
func (t *tab) lookClosely(m *Model) {
	if c := t.host.Copilot(); c != nil {
		state := c.State()
		if !sameState(t.ai, state) {
			t.aiVersion++
			m.stale = true
		}
		t.ai = state
		t.follow()
	}
	t.syncField()
	if t.sess == nil {
		return
	}
	if t.readJournal(m.frame) {
		m.stale = true
	}
	if t.view.State == session.Boot && t.grid.of != nil {
		return // the last screen stays until the new shell speaks
	}
	t.sess.Screen(func(s *screen.Screen) { t.takeGrid(m, s) })
}

// readJournal reads the marks of rows when a command can have begun or ended,
// and once a second in any case: the journal of a long session is not copied
// for every frame. It tells whether a mark looks different.
func (t *tab) readJournal(at time.Time) bool {
	v := t.view
	key := journalKey{sess: t.sess, state: v.State, running: v.Running, since: v.Since, cwd: v.Cwd, alarms: v.Alarms, exit: -1}
	if v.LastExit != nil {
		key.exit = *v.LastExit
	}
	if key == t.journal && at.Sub(t.journalAt) < time.Second {
		return false
	}
	t.journal, t.journalAt = key, at
	marks := marksOf(t.sess.Journal())
	same := maps.EqualFunc(marks, t.marks, mark.looksAs)
	t.marks = marks
	return !same
}

type journalKey struct {
	sess    Session
	state   session.State
	running string
	since   time.Time
	cwd     string
	alarms  int
	exit    int
}

func (t *tab) takeGrid(m *Model, s *screen.Screen) {
	w, h := m.lay.term.Dx(), m.lay.term.Dy()
	t.modes = s.Modes()
	if s.Bells() > 0 {
		m.bell++
	}
	t.takeClipboard(m, s)
	switch {
	case t.copying != nil:
		t.copying.refresh(s, w, h-m.strip(t).height())
		t.scroll = max(s.Top()-t.copying.top, 0)
	case t.scroll > 0 && t.anchored > 0: // what is read stays where it is while output comes
		t.scroll = max(s.Top()-t.anchored, 0)
	}
	t.scroll = min(t.scroll, s.Scrollback())
	t.anchored = s.Top() - t.scroll
	t.grid.setLight(m.light)
	t.grid.take(s, t.scroll, w, h)
}

// onDrawn notes what a person can have seen: only that may be answered. whole says that more than the
// shell's screen was drawn.
func (m *Model) onDrawn(at time.Time, whole bool) {
	t := m.tab()
	if t == nil || m.lay.small {
		return
	}
	m.noteFit(t, whole)
	if d := t.dialog; d != nil && d.drawnAt.IsZero() {
		d.drawnAt = at
	}
	if b := t.draft; b != nil && t.dialog == nil {
		b.drawn(at)
	}
	if m.focus != shellArea || m.modal != nil || t.dialog != nil || t.draft != nil {
		return
	}
	if t.alarm.drawn.IsZero() {
		t.alarm.drawn = at
	}
	if m.waitLine(t) == nil {
		t.slow.drawnAt = time.Time{}
	} else if t.slow.drawnAt.IsZero() {
		t.slow.drawnAt = at
	}
}

// clock asks for the next frame where the screen shows the time passing.
func (m *Model) clock(at time.Time) tea.Cmd {
	next := earliest{}
	if m.note.text != "" {
		next.add(m.note.until)
		if !at.Before(m.note.until) || m.note.mild && m.tab() != nil && m.tab().view.State == session.Keys {
			m.note, m.stale = note{}, true
		}
	}
	if q, ok := m.modal.(*closing); ok {
		q.yes.wake(&next)
	}
	if t := m.tab(); t != nil {
		t.clock(m, at, &next)
	}
	return m.wakeAt(next.at)
}

type earliest struct{ at time.Time }

func (e *earliest) add(t time.Time) {
	if e.at.IsZero() || t.Before(e.at) {
		e.at = t
	}
}

func (t *tab) clock(m *Model, at time.Time, next *earliest) {
	if d := t.dialog; d != nil && !d.ready {
		next.add(d.readyAt(m).Add(time.Millisecond))
	}
	if d := t.dialog; d != nil {
		d.yes.wake(next)
	}
	t.slow.choice.wake(next)
	t.gone.wake(next)
	if b := t.draft; b != nil && !b.ready {
		next.add(b.openedAt.Add(quietTime + time.Millisecond))
	}
	if !t.escape.IsZero() {
		next.add(t.escape.Add(escapeTime + time.Millisecond))
	}
	if m.pending != nil || t.link.Phase == Connecting || t.waiting() || t.grid.of != nil && t.grid.of.Frozen() {
		next.add(at.Add(slowTime))
	}
	next.add(at.Add(time.Second)) // durations: offline, running, collector
}
