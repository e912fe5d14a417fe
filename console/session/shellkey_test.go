package session_test

import (
	"strings"
	"testing"

	"sallyport/console/session"
)

// TestAShellsOwnQuestionIsAnswered: what a shell asks before it goes on takes y or n, recorded, and no other key.
func TestAShellsOwnQuestionIsAnswered(t *testing.T) {
	for _, c := range []struct{ name, shell, line, question string }{
		{"star", "zsh", "rm dir/*", "sure you want to delete"},
		{"query", "zsh", "read -q 'x?sure? ' && rm dir/a", "sure?"},
		{"one", "bash", "read -n1 -p 'sure? ' x; [[ $x == y ]] && rm dir/a", "sure?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			need(t, c.shell)
			r := start(t, setup{shell: c.shell, files: map[string]string{"dir/a": ""}})
			for i, answer := range []string{"n", "y"} {
				r.state(session.Prompt)
				r.typed(c.line + "<Enter>")
				r.until("the question", func() bool { return strings.Count(r.text(), c.question) > i && r.s.View().State == session.Running })
				r.typed(answer)
				r.ended(i)
				if gone := !exists(r.path("dir/a")); gone != (answer == "y") {
					t.Errorf("answered %s: deleted %v", answer, gone)
				}
			}
			r.until("both answers are recorded", func() bool { return len(r.records("input.line")) == 2 })
			for _, in := range r.records("input.line") {
				if prompt, _ := in["prompt"].(string); !strings.Contains(prompt, c.question) {
					t.Errorf("recorded as %v", in)
				}
			}
		})
	}
}
