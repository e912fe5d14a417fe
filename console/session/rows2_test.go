package session_test

import (
	"math/rand"
	"os"
	"strings"
	"testing"
	"time"

	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/session"
	"sallyport/policy"
)

// Row 5.
func TestNoEditorIsOpenedOnTheLine(t *testing.T) {
	for _, tt := range []struct{ shell, name, setup, keys string }{
		{"bash", "emacs", "", "<C-x><C-e>"},
		{"bash", "vi", "set -o vi", "<Escape>v"},
		{"bash", "bound by the account", "", "<C-g>"},
		{"zsh", "emacs", "autoload -Uz edit-command-line; zle -N edit-command-line; bindkey '^X^E' edit-command-line", "<C-x><C-e>"},
		{"zsh", "another name", "autoload -Uz edit-command-line; zle -N mine edit-command-line; bindkey '^X^E' mine", "<C-x><C-e>"},
		{"fish", "emacs", "", "<A-e>"},
		{"fish", "preview", "", "<A-o>"},
		{"fish", "manual", "", "<A-h>"},
	} {
		t.Run(tt.shell+" "+tt.name, func(t *testing.T) {
			need(t, tt.shell)
			r := start(t, setup{shell: tt.shell, files: map[string]string{
				"ed.sh": "#!/bin/sh\ntouch ~/opened\n", "man": "#!/bin/sh\ntouch ~/opened\n", ".inputrc": "\"\\C-g\": edit-and-execute-command\n",
			}})
			for _, name := range []string{"ed.sh", "man"} {
				if err := os.Chmod(r.path(name), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			r.judge.permits("export EDITOR")
			r.run("export EDITOR=~/ed.sh VISUAL=~/ed.sh PAGER=~/ed.sh PATH=~:$PATH; true")
			if tt.setup != "" {
				r.run(tt.setup)
			}
			r.state(session.Prompt)
			r.typed("echo x" + tt.keys)
			r.until("it is said that none is opened", func() bool {
				ref := r.s.View().Refused
				return ref != nil && strings.Contains(ref.Reason, "no editor")
			})
			r.quiet()
			if exists(r.path("opened")) {
				t.Error("it was opened")
			}
			r.typed("<C-c>")
			if c := r.run("echo after"); c.Line != "echo after" {
				t.Errorf("got %+v", c)
			}
		})
	}
}

// Row 5.
func TestViMode(t *testing.T) {
	shells(t, nightly(integrated, "bz"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		r.run(map[string]string{"bash": "set -o vi", "zsh": "bindkey -v", "fish": "set -g fish_key_bindings fish_vi_key_bindings"}[shell])
		r.state(session.Prompt)
		r.typed("touch " + f + " DENYME<Enter>")
		r.refused()
		r.typed("<Escape>")
		r.quiet()
		n := r.judged()
		r.typed("<Enter>")
		r.until("asked in command mode", func() bool { return r.judged() > n && r.s.View().State == session.Prompt })
		if exists(f) {
			t.Error("ran")
		}
		if shell != "fish" { // a key that makes a comment of the line and would run it
			n := len(r.records("command.intent"))
			r.typed("#")
			r.quiet()
			if exists(f) || len(r.records("command.intent")) != n {
				t.Error("a comment was run, or what stood in it")
			}
			r.state(session.Prompt)
			r.typed("<Escape>")
			r.quiet()
		}
		r.typed("0Di")
		r.quiet()
		if c := r.run("touch " + f); !exists(f) || c.Line != "touch "+f {
			t.Errorf("got %+v", c)
		}
	})
}

func (r *rig) judged() int {
	r.judge.mu.Lock()
	defer r.judge.mu.Unlock()
	return len(r.judge.seen)
}

// Row 17.
func TestBackgroundOutputDisturbsNothing(t *testing.T) {
	shells(t, nightly(all, "bd"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		r.run("sh -c 'i=0; while [ $i -lt 400 ]; do echo spam$i; sleep 0.01; i=$((i+1)); done' &")
		for i := range 4 {
			want := "echo n" + string(rune('0'+i))
			if c := r.run(want); c.Line != want {
				t.Errorf("got %+v", c)
			}
		}
		r.state(session.Prompt)
		r.typed("echo DENYME<Enter>")
		r.refused()
		if r.s.View().Alarms > 0 {
			t.Errorf("alarm: %s", r.s.View().Alarm)
		}
	})
}

// Row 17: what the other rows say holds while something prints.
func TestTheRowsHoldBesideOutput(t *testing.T) {
	shells(t, nightly(all, "z"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell, files: map[string]string{"spam": ""}})
		r.judge.permits("rm ")
		r.run("sh -c 'while [ -e " + r.path("spam") + " ]; do echo spam; sleep 0.01; done' &")
		f := r.path("made")
		if c := r.run("echo hi; cd /tmp; sh -c 'exit 7'"); c.Exit == nil || *c.Exit != 7 || c.Cwd != "/tmp" {
			t.Errorf("row 1: %+v", c)
		}
		r.state(session.Prompt)
		r.typed("touch " + f + "2 DENYME<Enter>")
		r.refused()
		r.typed(backspaces(7))
		if c := r.run(""); strings.TrimSpace(c.Line) != "touch "+f+"2" || !exists(f+"2") {
			t.Errorf("row 2: %+v", c)
		}
		r.askedBeside(f + "3")
		r.state(session.Prompt)
		r.typed("touch " + f + `8 DEN\<Enter>`)
		r.typed("YME<Enter>")
		if r.refused(); exists(f + "8") {
			t.Error("row 8: it ran")
		}
		r.typed("<C-c>")
		r.state(session.Prompt)
		n := len(r.s.Journal())
		wait, end := r.waiting()
		r.typed(wait + "<Enter>")
		r.state(session.Running)
		r.typed("touch " + f + "10<Enter>")
		end()
		if c := r.ended(n + 1); c.Line != "touch "+f+"10" || !exists(f+"10") {
			t.Errorf("row 10: %+v", c)
		}
		if c := r.send("echo 'a  b' $HOME", "echo 'a  b' $HOME"); c.Line != "echo 'a  b' $HOME" || c.Origin != policy.Copilot {
			t.Errorf("row 18: %+v", c)
		}
		if c := r.run("rm " + r.path("spam")); c.Status != session.Completed || r.s.View().Alarms > 0 || r.s.View().Degraded != "" && !composed(shell) {
			t.Errorf("%+v, view %+v", c, r.s.View())
		}
	})
}

// askedBeside is row 3: keys wait, a refusal lets nothing through, a yes does.
func (r *rig) askedBeside(f string) {
	answers := make(chan gate.Answer)
	r.asks.answer(func(gate.Question) (gate.Answer, error) { return <-answers, nil })
	defer r.asks.answer(nil)
	r.state(session.Prompt)
	n := len(r.s.Journal())
	r.typed("touch " + f + " #CONFIRM<Enter>")
	r.state(session.Confirm)
	r.typed("x<Enter>")
	r.until("keys are held", func() bool { return r.s.View().Held == 2 })
	answers <- gate.Answer{}
	r.state(session.Prompt)
	if exists(f) {
		r.t.Error("row 3: a refusal let something through")
	}
	r.typed("<Enter>")
	answers <- gate.Answer{Send: true}
	if r.ended(n); !exists(f) {
		r.t.Error("row 3: approved and not run")
	}
}

// Row 19.
func TestCompletionRunsNothing(t *testing.T) {
	shells(t, nightly(integrated, "zf"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		for i, k := range []string{"<Tab>", "<M-C-e>", "<C-x>*", "<C-x>g", "<M-*>"} {
			f := r.path("made" + string(rune('0'+i)))
			r.state(session.Prompt)
			sub := "$(touch " + f + ")"
			if shell == "fish" {
				sub = "(touch " + f + ")"
			}
			r.typed("echo " + sub + k + k)
			r.quiet()
			if exists(f) {
				t.Errorf("ran on %s", k)
			}
			r.typed("<C-c>")
			r.state(session.Prompt)
		}
	})
}

// Row 19.
func TestAbbreviationsAndCorrectionAreSeen(t *testing.T) {
	r := start(t, setup{shell: "fish"})
	r.run("abbr -a gg touch " + r.path("made"))
	if c := r.run("gg"); c.Line != "touch "+r.path("made") {
		t.Errorf("abbreviation: %+v", c)
	}
}

// Row 19.
func TestCorrectionCannotChangeAnApprovedLine(t *testing.T) {
	r := start(t, setup{shell: "zsh"})
	r.run("setopt correct")
	if c := r.run("ehco hi"); c.Exit == nil || *c.Exit != 127 {
		t.Errorf("correction: %+v", c)
	}
}

// Row 25.
func TestRandomKeysRunNothing(t *testing.T) {
	shells(t, nightly(all, "bz"), func(t *testing.T, shell string) {
		for _, vi := range []bool{false, true} {
			if vi && (composed(shell) || nightly("y", "") == "") {
				continue
			}
			t.Run(map[bool]string{false: "emacs", true: "vi"}[vi], func(t *testing.T) { randomKeys(t, shell, vi) })
		}
	})
}

func randomKeys(t *testing.T, shell string, vi bool) {
	r := start(t, setup{shell: shell, timing: session.Timing{Answer: 600 * time.Millisecond}})
	f := r.path("made")
	if vi {
		r.run(map[string]string{"bash": "set -o vi", "zsh": "bindkey -v", "fish": "set -g fish_key_bindings fish_vi_key_bindings"}[shell])
	}
	r.state(session.Prompt)
	r.judge.set(func(policy.Request) (policy.Decision, bool) { return policy.Decision{Effect: policy.Deny}, true })
	rng := rand.New(rand.NewSource(int64(len(shell)) + 7))
	n := 60
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		n = 600
	}
	for i := range n {
		if i%12 == 0 {
			r.typed("<C-u>touch " + f + " ")
		}
		r.s.Key(randomKey(rng))
		if r.s.View().State == session.Waiting {
			r.s.Choose(session.DropLine)
		}
		if r.s.View().State == session.Dead {
			break
		}
		if exists(f) {
			t.Fatalf("ran after key %d", i)
		}
	}
	r.quiet()
	if exists(f) {
		t.Error("ran")
	}
}

func randomKey(rng *rand.Rand) keys.Event {
	named := []keys.Key{keys.Enter, keys.Up, keys.Down, keys.Left, keys.Right, keys.Home, keys.End, keys.Delete, keys.Tab, keys.Escape, keys.KPEnter, keys.Backspace}
	switch n := rng.Intn(10); {
	case n < 3:
		if r := 'a' + rune(rng.Intn(26)); r != 'd' {
			return keys.Event{Rune: r, Mod: keys.Ctrl}
		}
		return keys.Press(keys.Enter, 0)
	case n < 5:
		return keys.Event{Rune: rune(33 + rng.Intn(94)), Mod: keys.Alt}
	case n < 8:
		return keys.Press(named[rng.Intn(len(named))], 0)
	}
	return keys.Rune(rune(33 + rng.Intn(94)))
}

// Row 26: what failed in koko, a line reader of this kind.
func TestWhatAReaderOfTheScreenGetsWrong(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell, files: map[string]string{"passengers": ""}})
		r.state(session.Prompt)
		r.s.Paste("echo pasted")
		r.typed(" <Enter>")
		if c := r.ended(0); c.Line != "echo pasted " {
			t.Errorf("paste, space, Enter: %q", c.Line)
		}
		r.state(session.Prompt)
		r.typed("ssh <C-c>")
		r.state(session.Prompt)
		if c := r.run("echo x"); c.Line != "echo x" {
			t.Errorf("after ^C: %q", c.Line)
		}
		r.becomes("echo python<Left><Left>X", "echo pythXon")
		r.becomes("ls passen<Tab>", "ls passengers")
		r.state(session.Prompt)
		r.typed("ls<Enter>")
		if c := r.ended(4); c.Line != "ls" {
			t.Errorf("Enter before the echo: %q", c.Line)
		}
	})
}

// Row 26: keys to a pager belong to no line.
func TestAPagersSpaceIsNoLine(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		need(t, "more")
		r := start(t, setup{shell: shell, files: map[string]string{"long": strings.Repeat("line\n", 90)}})
		r.judge.keysTo("more")
		r.state(session.Prompt)
		r.typed("more long<Enter>")
		r.state(session.Keys)
		r.typed(" q")
		r.ended(0)
		if c := r.run("echo x"); c.Line != "echo x" {
			t.Errorf("after a pager: %q", c.Line)
		}
		closed := r.records("keys.close")
		if len(closed) != 1 || closed[0]["keys"] != 2.0 {
			t.Errorf("keys.close %v", closed)
		}
	})
}

// Row 19: what a person's own code on keys and completion is, is said at the
// start.
func TestCodeBoundToKeysIsListed(t *testing.T) {
	for shell, c := range map[string]struct{ file, code, lists string }{
		"bash": {".bash_profile", "mine() { :; }\nbind -x '\"\\C-g\": mine'\n_c() { :; }\ncomplete -F _c cmd\n", "mine|complete _c"},
		"zsh":  {".zshrc", "mine() { :; }\nzle -N mine\nbindkey '^G' mine\n", "widget mine"},
		"fish": {".config/fish/config.fish", "function fish_user_key_bindings; bind \\cg mine; end\n", "mine"},
	} {
		t.Run(shell, func(t *testing.T) {
			r := start(t, setup{shell: shell, files: map[string]string{c.file: c.code}})
			r.state(session.Prompt)
			r.until("the list", func() bool { return len(r.s.View().UserCode) > 0 })
			list := strings.Join(r.s.View().UserCode, "\n")
			for want := range strings.SplitSeq(c.lists, "|") {
				if !strings.Contains(list, want) {
					t.Errorf("%q is not in the list:\n%s", want, list)
				}
			}
		})
	}
}

// Row 29.
func TestASlowLink(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell, latency: 150 * time.Millisecond})
		f := r.path("made")
		if c := r.run("echo hi; cd /tmp; sh -c 'exit 7'"); c.Exit == nil || *c.Exit != 7 || c.Cwd != "/tmp" {
			t.Errorf("got %+v", c)
		}
		r.state(session.Prompt)
		r.typed("touch " + f + " DENYME<Enter>")
		r.refused()
		r.typed("<C-c>")
		r.state(session.Prompt)
		wait, end := r.waiting()
		r.typed(wait + "<Enter>touch " + f + "<Enter>")
		end()
		if c := r.ended(2); c.Line != "touch "+f || !exists(f) {
			t.Errorf("typed ahead: %+v", c)
		}
		if v := r.s.View(); v.Degraded != "" || v.Alarms > 0 {
			t.Errorf("view %+v", v)
		}
	})
}

// slowly are start files with a completion that takes three seconds.
var slowly = map[string]map[string]string{
	"bash": {".bash_profile": "_slow() { sleep 3; COMPREPLY=(done); }\ncomplete -F _slow slowly\nslowly() { echo ran >> ~/count; }\n"},
	"zsh":  {".zshrc": "autoload -Uz compinit; compinit -D -u\n_slow() { sleep 3; compadd done; }\ncompdef _slow slowly\nslowly() { echo ran >> ~/count; }\n"},
	"fish": {".config/fish/config.fish": "function slowly; echo ran >> ~/count; end\ncomplete -f -c slowly -a '(sleep 3; echo done)'\n"},
}

// Row 29.
func TestEnterBehindASlowCompletionRunsOnce(t *testing.T) {
	shells(t, nightly(integrated, "bz"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell, files: slowly[shell]})
		r.state(session.Prompt)
		r.typed("slowly <Tab><Enter>")
		c := r.ended(0)
		if b, _ := os.ReadFile(r.path("count")); string(b) != "ran\n" || strings.TrimSpace(c.Line) != "slowly done" {
			t.Errorf("ran %q, line %q", b, c.Line)
		}
		if v := r.s.View(); v.Degraded != "" {
			t.Errorf("degraded: %s", v.Degraded)
		}
	})
}

// Row 29.
func TestAHostThatAnswersLateWaitsOrComposesAsTold(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell, timing: session.Timing{Answer: 300 * time.Millisecond}, noProbe: true})
		r.run("true")
		r.state(session.Prompt)
		r.typed("echo late")
		r.quiet()
		r.host.Proxy.Freeze()
		r.typed("<Enter>")
		r.state(session.Waiting)
		r.s.Choose(session.Wait)
		r.host.Proxy.Thaw()
		if c := r.ended(1); c.Line != "echo late" {
			t.Errorf("got %+v", c)
		}
		if v := r.s.View(); v.Degraded != "" {
			t.Errorf("degraded: %s", v.Degraded)
		}
	})
}
