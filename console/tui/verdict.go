package tui

import (
	tea "charm.land/bubbletea/v2"

	"sallyport/console/copilot"
	"sallyport/policy"
)

// judgeNew asks for the verdict on each suggestion that has none.
func (t *tab) judgeNew(m *Model) tea.Cmd {
	if t.digest != m.policy.Digest {
		t.digest = m.policy.Digest
		t.verdicts = map[uint64]policy.Decision{}
		t.judging = map[uint64]bool{}
		t.judgedVersion++
	}
	var todo []copilot.Suggestion
	for _, s := range t.ai.Suggestions {
		if _, known := t.verdicts[s.Seq]; !known && !t.judging[s.Seq] {
			t.judging[s.Seq] = true
			todo = append(todo, s)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	host, digest := t.host, t.digest
	return func() tea.Msg {
		r := judged{host: host.ID(), digest: digest, verdicts: map[uint64]policy.Decision{}}
		for _, s := range todo {
			r.verdicts[s.Seq] = host.Judge(s, string(s.Command))
		}
		return r
	}
}

// judged holds verdicts by the Seq of their suggestions.
type judged struct {
	host, digest string
	verdicts     map[uint64]policy.Decision
}

func (r judged) apply(m *Model) tea.Cmd {
	t := m.byHost(r.host)
	if t == nil || t.digest != r.digest {
		return nil
	}
	for seq, d := range r.verdicts {
		t.verdicts[seq] = d
		delete(t.judging, seq)
	}
	t.judgedVersion++
	return nil
}

func (m *Model) byHost(id string) *tab {
	for _, t := range m.tabs {
		if t.host.ID() == id {
			return t
		}
	}
	return nil
}

// shownRisk is the larger of what Linus and the console say.
func shownRisk(s copilot.Suggestion, d policy.Decision) policy.Risk {
	if s.Hidden {
		return policy.High
	}
	return max(s.Claimed, d.Risk)
}

// reason is the first rule's message, or why nothing could be analyzed.
func reason(d policy.Decision) (rule, message, instead string) {
	var best *policy.Match
	for i := range d.Rules {
		if r := &d.Rules[i]; best == nil || r.Effect > best.Effect || r.Effect == best.Effect && r.Risk > best.Risk {
			best = r
		}
	}
	if best != nil {
		return best.ID, best.Message, best.Alternative
	}
	return "", d.Why, ""
}
