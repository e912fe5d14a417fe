package tui

import (
	"testing"

	"sallyport/console/copilot"
)

// Whatever a panel shows of Linus' state, a change of it is drawn.
func TestEveryChangeOfLinusIsDrawn(t *testing.T) {
	for name, change := range map[string]func(*copilot.State){
		"summary": func(s *copilot.State) { s.Intent.Summary = "other" },
		"step": func(s *copilot.State) {
			s.Intent.Steps = append([]copilot.Step{{Status: copilot.Done, Text: "x"}}, s.Intent.Steps...)
		},
		"step state": func(s *copilot.State) {
			s.Intent.Steps = append([]copilot.Step{{Status: copilot.Pending, Text: s.Intent.Steps[0].Text}}, s.Intent.Steps[1:]...)
		},
		"offline":  func(s *copilot.State) { s.Online = false },
		"one less": func(s *copilot.State) { s.Suggestions = s.Suggestions[1:] },
		"command": func(s *copilot.State) {
			s.Suggestions = changed(s, func(x *copilot.Suggestion) { x.Command, x.Seq = "true", 77 })
		},
		"about": func(s *copilot.State) {
			s.Suggestions = changed(s, func(x *copilot.Suggestion) { x.Description = "true" })
		},
		"claimed":   func(s *copilot.State) { s.Suggestions = changed(s, func(x *copilot.Suggestion) { x.Claimed = 2 }) },
		"hidden":    func(s *copilot.State) { s.Suggestions = changed(s, func(x *copilot.Suggestion) { x.Hidden = true }) },
		"mentioned": func(s *copilot.State) { s.Suggestions = changed(s, func(x *copilot.Suggestion) { x.Mentioned = true }) },
		"sent":      func(s *copilot.State) { s.Suggestions = changed(s, func(x *copilot.Suggestion) { x.Sent = true }) },
		"withdrawn": func(s *copilot.State) { s.Suggestions = changed(s, func(x *copilot.Suggestion) { x.Withdrawn = true }) },
		"newer": func(s *copilot.State) {
			s.Suggestions = changed(s, func(x *copilot.Suggestion) { x.Newer = &copilot.Suggestion{} })
		},
		"injected": func(s *copilot.State) {
			s.Suggestions = changed(s, func(x *copilot.Suggestion) { x.Injected = []string{"x"} })
		},
		"message": func(s *copilot.State) {
			s.Chat = append(s.Chat, copilot.Message{Number: 9, From: copilot.Linus, Text: "more"})
		},
		"delivery": func(s *copilot.State) {
			s.Chat = append([]copilot.Message(nil), s.Chat...)
			s.Chat[0].Delivery, s.Chat[0].Reason = copilot.Failed, "timeout"
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 120, 60, Options{})
			h := work(w)
			before := w.settle()
			change(&h.linus.state)
			after := w.settle()
			if text(before)+looks(before) == text(after)+looks(after) {
				t.Error("the panels look the same")
			}
		})
	}
}

func changed(s *copilot.State, f func(*copilot.Suggestion)) []copilot.Suggestion {
	out := append([]copilot.Suggestion(nil), s.Suggestions...)
	f(&out[0])
	return out
}
