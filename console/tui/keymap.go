package tui

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/keys"
	"sallyport/console/session"
)

// binding is one thing that a person can do: the only source of what keys do,
// of help and of the palette.
type binding struct {
	keys []string // names of keys; the first is shown
	name string
	word string // the name in a word, in the row behind the leader; empty: not there
	rank int    // which words stay there where there is little room: 1 is the first
	do   func(*Model) tea.Cmd
	// why says why it is not possible now; nil or empty: it is.
	why func(*Model) string
}

func (b binding) blocked(m *Model) string {
	if b.why == nil {
		return ""
	}
	return b.why(m)
}

// run does what a key means in a table.
func (m *Model) run(table []binding, k keys.Event) tea.Cmd {
	name := k.String()
	for _, b := range table {
		if !slices.Contains(b.keys, name) {
			continue
		}
		if n, err := strconv.Atoi(name); err == nil && !m.pick(n) {
			return nil
		}
		return m.perform(b)
	}
	return nil
}

// pick selects suggestion n, counted from 1.
func (m *Model) pick(n int) bool {
	t := m.tab()
	if t == nil || len(t.ai.Suggestions) == 0 {
		return true // what is run says why it is not possible
	}
	if n > len(t.ai.Suggestions) {
		m.complain(fmt.Sprintf("There is no suggestion %d.", n))
		return false
	}
	t.selected = t.ai.Suggestions[n-1].ID
	return true
}

func (m *Model) perform(b binding) tea.Cmd {
	if why := b.blocked(m); why != "" {
		m.complain(why)
		return nil
	}
	return b.do(m)
}

// leaderKeys come after the leader. Filled in by init, since help shows them.
var leaderKeys, suggestKeys, intentKeys []binding

func init() {
	leaderKeys = []binding{
		{keys: []string{"s"}, name: "suggestions", word: "suggest", rank: 3, do: panel(suggestArea), why: noCopilot},
		{keys: []string{"c"}, name: "chat with Linus", word: "chat", rank: 4, do: panel(chatArea), why: noCopilot},
		{keys: []string{"i"}, name: "intent", word: "intent", rank: 9, do: panel(intentArea), why: noCopilot},
		{keys: digits(), name: "open suggestion 1 to 9 to edit and send it", word: "send", rank: 5, do: openSelected, why: noSuggestion},
		{keys: []string{"v", "["}, name: "copy mode", word: "copy", rank: 10, do: func(m *Model) tea.Cmd { return m.tab().startCopy(m, false) }, why: noScreen},
		{keys: []string{"/"}, name: "search what was printed", word: "find", rank: 11, do: func(m *Model) tea.Cmd { return m.tab().startCopy(m, true) }, why: noScreen},
		{keys: []string{"n"}, name: "next session", word: "next", rank: 13, do: func(m *Model) tea.Cmd { m.next(1); return nil }, why: oneTab},
		{keys: []string{"p"}, name: "previous session", do: func(m *Model) tea.Cmd { m.next(-1); return nil }, why: oneTab},
		{keys: []string{"t"}, name: "list of sessions", word: "list", rank: 12, do: func(m *Model) tea.Cmd { m.modal = newTabList(m); return nil }, why: noTab},
		{keys: []string{"o"}, name: "open a host", word: "open", rank: 7, do: (*Model).askHost},
		{keys: []string{":"}, name: "palette: everything by name", word: "all", rank: 2, do: func(m *Model) tea.Cmd { m.modal = newPalette(m); return nil }},
		{keys: []string{"w"}, name: "panels on or off", word: "panels", rank: 14, do: togglePanels, why: noCopilot},
		{keys: []string{"r"}, name: "reconnect", word: "reconnect", rank: 8, do: func(m *Model) tea.Cmd { return m.reconnect(m.tab()) }, why: notLost},
		{keys: []string{"a"}, name: "ask for the shell’s integration again", do: askAgain, why: integrated},
		{keys: []string{"!"}, name: "break the glass: go on while the log cannot be written", word: "glass", rank: 15, do: (*Model).askReason, why: noGlass},
		{keys: []string{"?"}, name: "keys", word: "keys", rank: 1, do: func(m *Model) tea.Cmd { m.modal = &help{}; return nil }},
		{keys: []string{"q"}, name: "close this session", word: "close", rank: 6, do: (*Model).askClose},
	}
	suggestKeys = []binding{
		{keys: []string{"Down", "j"}, name: "next suggestion", do: moveSelection(1), why: noSuggestion},
		{keys: []string{"Up", "k"}, name: "previous suggestion", do: moveSelection(-1), why: noSuggestion},
		{keys: []string{"Enter", "e"}, name: "open it to edit and send", do: openSelected, why: noSuggestion},
		{keys: []string{"d"}, name: "dismiss it", do: dismissSelected, why: noSuggestion},
		{keys: []string{"y"}, name: "copy it to the clipboard", do: copySelected, why: noSuggestion},
		{keys: digits(), name: "open suggestion 1 to 9", do: openSelected, why: noSuggestion},
	}
	intentKeys = []binding{
		{keys: []string{"Down", "j"}, name: "read on", do: scrollIntent(1), why: noCopilot},
		{keys: []string{"Up", "k"}, name: "read back", do: scrollIntent(-1), why: noCopilot},
		{keys: []string{"PageDown", "Space"}, name: "five rows on", do: scrollIntent(5), why: noCopilot},
		{keys: []string{"PageUp"}, name: "five rows back", do: scrollIntent(-5), why: noCopilot},
	}
}

func digits() []string {
	out := make([]string, 9)
	for i := range out {
		out[i] = strconv.Itoa(i + 1)
	}
	return out
}

func panel(a area) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { m.toPanel(a); return nil }
}

// leaderKey does what comes after the leader; the leader twice is the key
// itself.
func (m *Model) leaderKey(k keys.Event) tea.Cmd {
	m.modal = nil
	switch {
	case same(k, m.leader):
		if t := m.tab(); t != nil && t.sess != nil && t.dialog == nil && t.draft == nil {
			t.sess.Key(k)
		}
		return nil
	case k.Key == keys.Escape:
		return nil
	case m.chooses(k):
		return nil
	case !bound(leaderKeys, k):
		m.complain(label(m.leader) + " " + label(k) + " means nothing. " + label(m.leader) + " ? shows the keys.")
		return nil
	}
	return m.run(leaderKeys, k)
}

// chooses answers a shell that is slow: its choices come before other meanings.
func (m *Model) chooses(k keys.Event) bool {
	t := m.tab()
	return t != nil && t.dialog == nil && t.draft == nil && m.waitLine(t) != nil && t.choose(k.String())
}

func bound(table []binding, k keys.Event) bool {
	return slices.ContainsFunc(table, func(b binding) bool { return slices.Contains(b.keys, k.String()) })
}

func openSelected(m *Model) tea.Cmd {
	t := m.tab()
	return t.openDraft(m, t.selected)
}

func dismissSelected(m *Model) tea.Cmd {
	t := m.tab()
	i := t.index(t.selected)
	t.host.Copilot().Dismiss(t.selected)
	if i+1 < len(t.ai.Suggestions) {
		t.selected = t.ai.Suggestions[i+1].ID
	}
	return nil
}

func moveSelection(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		t := m.tab()
		i := min(max(t.index(t.selected)+by, 0), len(t.ai.Suggestions)-1)
		t.selected = t.ai.Suggestions[i].ID
		return nil
	}
}

// scrollIntent is clamped by the next frame, which knows the rows.
func scrollIntent(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		t := m.tab()
		t.intentTop = max(t.intentTop+by, 0)
		return nil
	}
}

func togglePanels(m *Model) tea.Cmd {
	m.panels = !m.panels
	m.toShell()
	if m.w < wideWidth {
		m.say("Panels stand beside the shell from 120 columns on; here " + label(m.leader) + " s, c, i open one.")
	}
	return nil
}

// The reasons why something is not possible now.

func noTab(m *Model) string {
	if m.tab() == nil {
		return "No host is open: " + label(m.leader) + " o opens one."
	}
	return ""
}

func oneTab(m *Model) string {
	if len(m.tabs) < 2 {
		return "This is the only session: " + label(m.leader) + " o opens another."
	}
	return ""
}

func noScreen(m *Model) string {
	if t := m.tab(); t == nil || t.sess == nil {
		return "There is no shell yet."
	}
	return ""
}

func noCopilot(m *Model) string {
	if why := noTab(m); why != "" {
		return why
	}
	if m.tab().host.Copilot() == nil {
		return "No copilot is configured: [copilot] command or url in config.toml."
	}
	return ""
}

func noSuggestion(m *Model) string {
	if why := noCopilot(m); why != "" {
		return why
	}
	t := m.tab()
	switch {
	case len(t.ai.Suggestions) == 0:
		return "Linus suggests nothing now: ask with " + label(m.leader) + " c."
	case t.draft != nil:
		return "A suggestion is open already: Esc leaves it."
	case t.dialog != nil:
		return "Answer the question first."
	case t.sess == nil || t.link.Phase != Connected:
		return "There is no shell to send it to."
	case t.view.ReadOnly != "":
		return t.view.ReadOnly
	}
	return ""
}

// integrated is why a shell is not asked for its integration again.
func integrated(m *Model) string {
	if why := noScreen(m); why != "" {
		return why
	}
	t := m.tab()
	switch {
	case t.link.Phase != Connected || t.view.State == session.Dead:
		return "There is no shell to ask."
	case t.view.State == session.Boot:
		return "It is being asked."
	case t.view.Degraded == "" && t.view.State != session.Waiting:
		return "The shell is integrated."
	case t.dialog != nil:
		return "Answer the question first."
	case t.view.State != session.Prompt && t.view.State != session.Waiting:
		return "It is asked at a prompt: something runs, or a line is not ended."
	}
	return ""
}

func askAgain(m *Model) tea.Cmd {
	m.tab().sess.Choose(session.Retry)
	m.say("The shell is asked for its integration again.")
	return nil
}

func notLost(m *Model) string {
	if why := noTab(m); why != "" {
		return why
	}
	if p := m.tab().link.Phase; p == Connected || p == Connecting {
		return "It is connected: nothing to reconnect."
	}
	return ""
}
