package tui

import (
	"fmt"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/safetext"
	"sallyport/console/session"
	"sallyport/console/tty"
)

// narrowStatus is the width below which the status line is shortened.
const narrowStatus = 100

func (m *Model) drawStatus(c *tty.Canvas) {
	r := m.lay.status
	left, right := m.statusLong(), m.hints()
	if m.w < narrowStatus {
		left, right = m.statusShort(), m.shortHints()
	}
	if m.leading {
		left, right = m.leaderHints(), nil
	}
	room := r.Dx() - 2
	if right.width()+2 < room-left.width() {
		right.drawRight(c, r.Min.X, r.Max.X-1, r.Min.Y)
	} else if w := right.width(); left.width()+2+w > room && m.w >= narrowStatus {
		right = m.shortHints()
		right.drawRight(c, r.Min.X, r.Max.X-1, r.Min.Y)
		room -= right.width() + 2
	} else {
		right.drawRight(c, r.Min.X, r.Max.X-1, r.Min.Y)
		room -= right.width() + 1
	}
	left.draw(c, r.Min.X+1, r.Min.Y, room)
}

// statusLong is copilot, log, collector, policy and evidence.
func (m *Model) statusLong() line {
	t := m.tab()
	gap := span{"   ", m.theme.dim}
	l := m.copilotState(t, true)
	l = append(append(l, gap), m.logState()...)
	if c := m.log.Collector; c != nil {
		l = append(append(l, gap), m.collectorState(c)...)
	}
	l = append(l, gap, span{"policy " + m.policyName(true), m.theme.dim})
	if t != nil && t.sess != nil {
		l = append(append(l, gap), m.evidence(t)...)
	}
	return l
}

func (m *Model) policyName(version bool) string {
	name := safetext.Line(m.policy.ID)
	if version && m.policy.Version != "" {
		name += " " + safetext.Line(m.policy.Version)
	}
	return name
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

// statusShort is the same in a few columns.
func (m *Model) statusShort() line {
	t := m.tab()
	l := append(m.copilotState(t, false), span{" ", m.theme.dim})
	if m.log.Refusing != "" {
		l = append(l, span{"log✕", m.theme.high})
	} else {
		l = append(l, span{"log", m.theme.dim}, span{"✓", m.theme.low})
	}
	if c := m.log.Collector; c != nil {
		l = append(l, span{fmt.Sprintf(" %d↑", c.Behind), m.theme.dim})
	}
	l = append(l, span{" " + m.policyName(false) + " ", m.theme.dim})
	if t == nil || t.sess == nil {
		return l
	}
	if t.view.Degraded != "" {
		return append(l, span{"degraded", m.theme.warn})
	}
	return append(l, m.evidence(t)...)
}

func (m *Model) shortHints() line {
	return line{{label(m.leader) + "?", m.theme.dim}}
}

// hints are what is worth knowing at this moment.
func (m *Model) hints() line {
	k := m.theme.accent
	hint := func(key, does string) line { return line{{key, k}, {" " + does, m.theme.dim}} }
	t := m.tab()
	switch {
	case m.focus == suggestArea && (t == nil || t.draft == nil):
		return concat(hint("Enter", "open   "), hint("d", "dismiss   "), hint("y", "copy   "), hint("Tab", "next   "), hint("Esc", "shell"))
	case m.focus == chatArea:
		return concat(hint("Enter", "send   "), hint("Tab", "next   "), hint("Esc", "shell"))
	case m.focus == intentArea:
		return concat(hint("Tab", "next   "), hint("Esc", "shell"))
	case t != nil && t.chat.unread(t.ai.Chat) == 0 && len(t.ai.Suggestions) > 0 && t.draft == nil && t.dialog == nil:
		return concat(hint(label(m.leader)+" 1", "send suggestion   "), hint(label(m.leader)+" ?", "keys"))
	}
	return hint(label(m.leader)+" ?", "keys")
}

func concat(ls ...line) line {
	var out line
	for _, l := range ls {
		out = append(out, l...)
	}
	return out
}

// leaderHints are shown between the leader and what follows.
func (m *Model) leaderHints() line {
	l := line{{label(m.leader) + "  ", m.theme.accent}}
	short := map[string]string{
		"s": "suggestions", "c": "chat", "i": "intent", "1": "1-9 send", "v": "copy", "/": "search",
		"o": "open host", ":": "palette", "w": "panels", "?": "keys", "q": "close",
	}
	for _, b := range leaderKeys {
		word, ok := short[b.keys[0]]
		if !ok || b.blocked(m) != "" {
			continue
		}
		if b.keys[0] == "1" {
			l = append(l, span{"1-9", m.theme.accent}, span{" send  ", m.theme.dim})
			continue
		}
		l = append(l, span{b.keys[0], m.theme.accent}, span{" " + word + "  ", m.theme.dim})
	}
	return l
}
