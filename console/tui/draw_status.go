package tui

import (
	"fmt"
	"slices"
	"strings"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/safetext"
	"sallyport/console/session"
	"sallyport/console/tty"
	"sallyport/policy"
)

// narrowStatus is the width below which the status line is shortened.
const narrowStatus = 100

func (m *Model) drawStatus(c *tty.Canvas) {
	r := m.lay.status
	if m.leading {
		m.leaderHints(r.Dx()-2).draw(c, r.Min.X+1, r.Min.Y, r.Dx()-2)
		return
	}
	hints := m.hints()
	left := m.statusLine(r.Dx() - 2 - hints[len(hints)-1].width() - 2)
	right := fitting(hints, r.Dx()-2-left.width()-2)
	right.drawRight(c, r.Min.X+1, r.Max.X-1, r.Min.Y)
	left.draw(c, r.Min.X+1, r.Min.Y, r.Dx()-2-right.width()-1)
}

// fitting joins hints from the last, the most important one, to the first, as
// far as there is room. The last is always there.
func fitting(hints []line, room int) line {
	var out line
	for i := len(hints) - 1; i >= 0; i-- {
		next := hints[i]
		if out != nil {
			next = append(append(line{}, next...), append(line{{"   ", next[0].style}}, out...)...)
		}
		if out != nil && next.width() > room {
			break
		}
		out = next
	}
	return out
}

// statusLine is the longest form of the status that has room; the short one on
// a narrow screen.
func (m *Model) statusLine(room int) line {
	if m.w < narrowStatus {
		return m.statusShort()
	}
	for _, version := range []bool{true, false} {
		if l := m.statusLong(version); l.width() <= room {
			return l
		}
	}
	return m.statusShort()
}

// statusLong is copilot, log, collector, policy and evidence.
func (m *Model) statusLong(version bool) line {
	t := m.tab()
	gap := span{"   ", m.theme.dim}
	l := m.copilotState(t, true)
	l = append(append(l, gap), m.logState()...)
	if c := m.log.Collector; c != nil {
		l = append(append(l, gap), m.collectorState(c)...)
	}
	l = append(l, gap, span{"policy " + m.policyName(version), m.theme.dim})
	if t != nil && t.sess != nil {
		l = append(append(l, gap), m.evidence(t)...)
		l = append(l, m.tainted(t, true)...)
	}
	return l
}

func (m *Model) policyName(version bool) string {
	if version {
		return policyName(m.policy)
	}
	return leading(strings.Split(m.policy.ID, "+"))
}

// policyName is the policy that matters most, how many more are in force, and
// the version.
func policyName(p policy.Identity) string {
	ids := strings.Split(p.ID, "+")
	name := leading(ids)
	if n := len(ids) - 1; n > 0 {
		name += fmt.Sprintf(" +%d", n)
	}
	if p.Version != "" {
		versions := strings.Split(p.Version, "+")
		name += " " + safetext.Line(versions[len(versions)-1])
	}
	return name
}

// leading is the last policy that is not shipped with the console, since later
// files are the organisation's and the operator's; or the first one.
func leading(ids []string) string {
	for _, id := range slices.Backward(ids) {
		if !strings.HasPrefix(id, "sallyport.") {
			return safetext.Line(id)
		}
	}
	return safetext.Line(ids[0])
}

func (m *Model) copilotState(t *tab, long bool) line {
	var l line
	switch {
	case t == nil || t.host.Copilot() == nil || !t.ai.Configured:
		l = line{{"– no copilot", m.theme.dim}}
		if !long {
			l = line{{"–", m.theme.dim}}
		}
		return l
	case t.ai.Online:
		l = line{{"●", m.theme.low}, {" linus", m.theme.dim}}
	default:
		l = line{{"○", m.theme.warn}, {" linus " + lasting(m.frame.Sub(t.ai.Since)), m.theme.warn}}
	}
	if !long {
		return l[:1]
	}
	switch t.ai.Sends {
	case copilot.SendChat:
		l = append(l, span{" (chat only)", m.theme.dim})
	case copilot.SendNone:
		l = append(l, span{" (is sent nothing)", m.theme.dim})
	}
	return l
}

func (m *Model) logState() line {
	if m.log.Refusing != "" {
		return line{{"log ✕ refusing sends", m.theme.high}}
	}
	if m.log.Glass {
		return line{{"log ✕ glass broken", m.theme.high}}
	}
	return line{{"log " + count(m.log.Records) + " ", m.theme.dim}, {"✓", m.theme.low}}
}

func (m *Model) collectorState(c *Collector) line {
	st := m.theme.dim
	text := fmt.Sprintf("collector %s behind", count(c.Behind))
	if c.Behind > 0 {
		text += " " + lasting(c.Age)
	}
	if c.Err != "" {
		st = m.theme.warn
	}
	return line{{text, st}}
}

// evidence says how surely the console knows what runs.
func (m *Model) evidence(t *tab) line {
	switch {
	case t.view.State == session.Boot:
		return line{{"starting", m.theme.dim}}
	case t.view.Degraded != "":
		return line{{"degraded: no shell integration", m.theme.warn}}
	case t.view.Evidence == gate.EvidenceShell:
		return line{{"exact", m.theme.dim}}
	case t.view.Evidence == "":
		return nil
	}
	return line{{string(t.view.Evidence), m.theme.dim}}
}

// tainted says that text which nobody sees may run: a trap, a bound key, a
// sourced file.
func (m *Model) tainted(t *tab, long bool) line {
	n := len(t.view.Tainted)
	switch {
	case n == 0:
		return nil
	case !long:
		return line{{" tainted", m.theme.warn}}
	case n == 1:
		return line{{", tainted by " + safetext.Line(cut(t.view.Tainted[0], taintColumns)), m.theme.warn}}
	}
	return line{{fmt.Sprintf(", tainted by %d commands", n), m.theme.warn}}
}

// taintColumns is what the status line has for one reason.
const taintColumns = 24

// statusShort is the same in a few columns.
func (m *Model) statusShort() line {
	t := m.tab()
	l := append(m.copilotState(t, false), span{" ", m.theme.dim})
	switch {
	case m.log.Refusing != "":
		l = append(l, span{"log✕", m.theme.high})
	case m.log.Glass:
		l = append(l, span{"glass✕", m.theme.high})
	default:
		l = append(l, span{"log", m.theme.dim}, span{"✓", m.theme.low})
	}
	if c := m.log.Collector; c != nil {
		st := m.theme.dim
		if c.Err != "" {
			st = m.theme.warn
		}
		l = append(l, span{fmt.Sprintf(" %d↑", c.Behind), st})
	}
	l = append(l, span{" " + m.policyName(false) + " ", m.theme.dim})
	if t == nil || t.sess == nil {
		return l
	}
	if t.view.Degraded != "" {
		l = append(l, span{"degraded", m.theme.warn})
	} else {
		l = append(l, m.evidence(t)...)
	}
	return append(l, m.tainted(t, false)...)
}

// hints are what is worth knowing at this moment, the most important last.
func (m *Model) hints() []line {
	lead := label(m.leader)
	hint := func(key, does string) line { return line{{key, m.theme.accent}, {" " + does, m.theme.dim}} }
	keys := hint(lead+" ?", "keys")
	t := m.tab()
	switch {
	case t == nil || t.dialog != nil || t.draft != nil || t.host.Copilot() == nil:
		return []line{keys}
	case m.focus == suggestArea:
		return []line{hint("y", "copy"), hint("d", "dismiss"), hint("Tab", "next panel"), hint("Esc", "shell"), hint("Enter", "open")}
	case m.focus == chatArea:
		out := []line{hint("Tab", "next panel"), hint("Esc", "shell"), hint("Enter", "send")}
		if n := len(t.ai.Suggestions); n > 0 && !m.lay.beside {
			out[0] = hint("S-Tab", plural(n, "suggestion", "suggestions"))
		}
		return out
	case m.focus == intentArea:
		return []line{hint("Tab", "next panel"), hint("Esc", "shell")}
	}
	return append(m.linusHints(t, lead, hint), keys)
}

// linusHints say what Linus has for the operator, and how to get at it.
func (m *Model) linusHints(t *tab, lead string, hint func(string, string) line) []line {
	var out []line
	n, unread := len(t.ai.Suggestions), t.chat.unread(t.ai.Chat)
	switch {
	case m.lay.beside && n > 0:
		out = append(out, hint(lead+" 1", "send suggestion"))
	case !m.lay.beside && n > 0:
		out = append(out, hint(lead+" s", plural(n, "suggestion", "suggestions")))
	}
	switch {
	case unread > 0 && !m.lay.beside:
		out = append(out, hint(lead+" c", plural(unread, "new message", "new messages")))
	case n == 0 || !m.lay.beside:
		out = append([]line{hint(lead+" c", "ask Linus")}, out...)
	}
	return out
}

// leaderHints are shown between the leader and what follows: what is possible
// now, in the order of the table, as far as there is room.
func (m *Model) leaderHints(room int) line {
	head := line{{label(m.leader) + " ", m.theme.bold}}
	room -= head.width()
	hints := make([]line, len(leaderKeys))
	for _, i := range byRank(leaderKeys) {
		b := leaderKeys[i]
		hint := line{{b.shortKey(), m.theme.accent}, {" " + b.word + "  ", m.theme.dim}}
		if b.blocked(m) != "" || hint.width() > room {
			continue
		}
		room -= hint.width()
		hints[i] = hint
	}
	return slices.Concat(append([]line{head}, hints...)...)
}

// byRank are the places in table of what has a word, those first that stay where
// there is little room.
func byRank(table []binding) []int {
	var out []int
	for i, b := range table {
		if b.word != "" {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b int) int { return table[a].rank - table[b].rank })
	return out
}

// shortKey is the key in the row behind the leader.
func (b binding) shortKey() string {
	if len(b.keys) > 4 {
		return b.keys[0] + "-" + b.keys[len(b.keys)-1]
	}
	return b.keys[0]
}
