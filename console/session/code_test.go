package session_test

import (
	"slices"
	"strings"
	"testing"

	"sallyport/console/gate"
	"sallyport/console/session"
	"sallyport/policy"
)

// bound are start files that bind code to keys.
var bound = map[string]map[string]string{
	"bash": {".bash_profile": "mine() { touch ~/ran; }\nbind -x '\"\\C-g\": mine'\n"},
	"zsh":  {".zshrc": "mine() { touch ~/ran; }\nzle -N mine\nbindkey '^G' mine\n"},
	"fish": {".config/fish/config.fish": "function fish_user_key_bindings; bind \\cg 'touch ~/ran'; end\n"},
}

// Row 19: what start files bind to keys is let stay, asked about or refused,
// before the first key can reach it, and recorded.
func TestCodeBoundToKeysIsHeldToThePolicy(t *testing.T) {
	shells(t, nightly(integrated, "bz"), func(t *testing.T, shell string) {
		for _, c := range []struct {
			code string
			yes  bool
			stay bool
		}{{"allow", false, true}, {"ask", true, true}, {"ask", false, false}, {"deny", true, false}} {
			name := c.code
			if c.code == "ask" {
				name += map[bool]string{true: ", yes", false: ", no"}[c.yes]
			}
			t.Run(name, func(t *testing.T) {
				var asked gate.Question
				r := start(t, setup{shell: shell, files: bound[shell], rules: func(j *judge) { j.code = c.code }, answer: func(q gate.Question) (gate.Answer, error) {
					asked = q
					return gate.Answer{Send: c.yes}, nil
				}})
				r.typed("<C-g>") // typed ahead
				r.state(session.Prompt)
				r.until("it is known", func() bool { return (r.s.View().Degraded == "") == c.stay })
				boots := 0
				for _, b := range r.records("session.boot") {
					if b["stage"] == "code" {
						boots++
					}
				}
				if (boots == 1) != c.stay {
					t.Errorf("%d records of the code that stays", boots)
				}
				if asks := asked.Kind == gate.Code; asks != (c.code == "ask") || asks && !strings.Contains(asked.Text, "mine") && shell != "fish" {
					t.Errorf("asked %+v", asked)
				}
				if !c.stay && len(r.records("command.refused")) != 1 {
					t.Error("the refusal is not recorded")
				}
				r.asks.answer(nil)
				if c := r.run("echo ok"); c.Line != "echo ok" {
					t.Errorf("got %+v", c)
				}
			})
		}
	})
}

// Lines that bind code are held to the same table, and leave a mark on the
// session.
func TestALineThatBindsCodeIsHeldToThePolicyAndTaints(t *testing.T) {
	for shell, lines := range map[string][]string{
		"bash": {`bind -x '"\C-g": ls'`, "trap 'true' DEBUG", "PS1='$(date)> '", "complete -F _x ls", "alias cd='cd -P'", ". ./rc"},
		"zsh":  {"bindkey '^G' kill-line", "precmd() { true; }", "zle -N x", "PROMPT='$(date)> '", "alias cd='cd -P'", ". ./rc"},
		"fish": {"bind \\cg 'ls'", "function x --on-event fish_prompt; end"},
	} {
		t.Run(shell, func(t *testing.T) {
			r := start(t, setup{shell: shell, files: map[string]string{"rc": "true\n"}})
			for _, line := range lines {
				only := strings.HasPrefix(line, "alias") || strings.HasPrefix(line, ".") // marks the session, and is judged as any line
				r.state(session.Prompt)
				if !only {
					r.judge.userCode("deny")
					r.typed(line + "<Enter>")
					if ref := r.refused(); ref.By != gate.ByPolicy || !strings.Contains(ref.Reason, "user_code") {
						t.Errorf("%s: %v", line, ref)
					}
					r.typed("<C-c>")
					r.state(session.Prompt)
				}
				r.judge.userCode("ask")
				n := len(r.s.View().Tainted)
				c := r.run(line)
				if in := r.intent(c); !only && in["effect"] == "permit" {
					t.Errorf("%s: nobody was asked: %v", line, in)
				}
				if len(r.s.View().Tainted) == n {
					t.Errorf("%s left no mark: %v", line, r.s.View().Tainted)
				}
			}
			if c := r.run("echo plain"); r.intent(c)["risk"] != "low" {
				t.Errorf("got %+v", c)
			}
			marks := 0
			for _, b := range r.records("session.boot") {
				if b["stage"] == "tainted" {
					marks++
				}
			}
			if marks != len(r.s.View().Tainted) {
				t.Errorf("%d marks recorded of %v", marks, r.s.View().Tainted)
			}
		})
	}
}

// Row 23: an editor that something else started, an alias or a function, gets keys without its shell only, or with consent.
func TestAnEditorThatAnotherNameStartedAsks(t *testing.T) {
	need(t, "vi")
	rc := "alias e=vi; alias safe='vi -Z'; f() { vi text; }\n"
	shells(t, nightly(integrated, "bz"), func(t *testing.T, shell string) {
		r := start(t, setup{
			shell: shell, files: map[string]string{"text": "a line\n", ".bashrc": rc, ".bash_profile": rc, ".zshrc": rc, ".config/fish/config.fish": "alias e=vi; alias safe='vi -Z'; function f; vi text; end\n"},
			rules: func(j *judge) { j.how = true },
		})
		var by []string
		r.asks.answer(func(q gate.Question) (gate.Answer, error) {
			if q.Kind == gate.Keys {
				by = append(by, q.Decision.By)
			}
			return gate.Answer{Send: true}, nil
		})
		for i, line := range []string{"e text", "safe text", "f"} {
			r.state(session.Prompt)
			r.typed(line + "<Enter>")
			r.state(session.Keys)
			r.typed(":q<Enter>")
			r.ended(i)
		}
		if want := []string{"interactive.start", "interactive.start"}; !slices.Equal(by, want) {
			t.Errorf("asked by %q, want %q", by, want)
		}
	})
}

// Row 23: an editor without its shell is offered in place of one with it.
func TestAProgramIsStartedAsThePolicySays(t *testing.T) {
	need(t, "vi")
	shells(t, nightly(all, "bzd"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell, files: map[string]string{"text": strings.Repeat("line\n", 80)}, rules: func(j *judge) { j.how, j.also = true, "view" }})
		for i, c := range []struct{ typed, sent string }{
			{"vi text", "vi -Z text"},
			{"cat text | less", "cat text | env LESSSECURE=1 less"},
			{"nice vi text", "nice vi -Z text"},
			{`v\i text`, "vi -Z text"},
			{`v"i" text`, "vi -Z text"},
			{"'vi' text", "vi -Z text"},
			{"view text", "view -Z text"},
			{"/usr/bin/vi text", "/usr/bin/vi -Z text"},
			{"command vi text", "command vi -Z text"},
			{"env X=1 vi text", "env X=1 vi -Z text"},
			{"vi -- -Z", "vi -Z -- -Z"},
			{"vi -c -Z text", "vi -Z -c -Z text"},
		} {
			r.state(session.Prompt)
			r.typed(c.typed + "<Enter>")
			if ref := r.refused(); ref.By != gate.ByPolicy || ref.Instead != c.sent {
				t.Errorf("%s: %v, instead %q", c.typed, ref, ref.Instead)
			}
			r.state(session.Prompt)
			r.typed("<Enter>")
			r.state(session.Keys)
			r.typed(map[bool]string{true: "q", false: ":q<Enter>"}[strings.Contains(c.sent, "less")])
			if got := r.ended(i); got.Line != c.sent || got.Origin != policy.Human {
				t.Errorf("%s: sent %+v", c.typed, got)
			}
		}
	})
}
