package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sallyport/console/gate"
	"sallyport/console/session"
	"sallyport/policy"
)

// shells runs a test in each shell named by its letter.
func shells(t *testing.T, letters string, f func(t *testing.T, shell string)) {
	names := map[rune]string{'b': "bash", 'z': "zsh", 'f': "fish", 'd': "dash"}
	for _, c := range letters {
		t.Run(names[c], func(t *testing.T) { f(t, names[c]) })
	}
}

var integrated = "b"
var all = "bd"

func (r *rig) path(name string) string { return filepath.Join(r.host.Home, name) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func backspaces(n int) string { return strings.Repeat("<Backspace>", n) }

// quiet waits until nothing has changed for a while: what was going to happen
// has happened.
func (r *rig) quiet() {
	for {
		select {
		case <-r.kick:
		case <-time.After(250 * time.Millisecond):
			return
		}
	}
}

// Row 1.
func TestLineExitCwdAndOutputAreExact(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		c := r.run("echo hi; cd /tmp; sh -c 'exit 7'")
		if c.Line != "echo hi; cd /tmp; sh -c 'exit 7'" || c.Exit == nil || *c.Exit != 7 || c.Cwd != "/tmp" {
			t.Errorf("got %+v", c)
		}
		if shell != "dash" && c.OutputBytes != 4 {
			t.Errorf("output %d bytes, want 4", c.OutputBytes)
		}
		r.until("outcome recorded", func() bool { return len(r.records("command.outcome")) == 1 })
		if in := r.records("command.intent"); len(in) != 1 || in[0]["command"] != c.Line {
			t.Errorf("intents %v", in)
		}
	})
}

// Row 2.
func TestDeniedLineStaysToBeEdited(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		r.state(session.Prompt)
		r.typed("touch " + f + " DENYME<Enter>")
		if ref := r.refused(); ref.By != gate.ByPolicy {
			t.Errorf("refused by %s", ref.By)
		}
		if exists(f) {
			t.Error("ran")
		}
		r.typed(backspaces(7))
		if c := r.run(""); strings.TrimSpace(c.Line) != "touch "+f || !exists(f) {
			t.Errorf("after the edit: %+v", c)
		}
	})
}

// Row 3.
func TestKeysWaitWhileAQuestionIsOpen(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		answers := make(chan gate.Answer)
		r.asks.answer(func(gate.Question) (gate.Answer, error) { return <-answers, nil })
		r.state(session.Prompt)
		r.typed("touch " + f + " #CONFIRM<Enter>")
		r.state(session.Confirm)
		r.typed("x<Enter>")
		r.until("keys are held", func() bool { return r.s.View().Held == 2 })
		answers <- gate.Answer{}
		r.state(session.Prompt)
		if exists(f) || r.s.View().Held != 0 {
			t.Error("a refusal let something through")
		}
		r.typed("<Enter>")
		answers <- gate.Answer{Send: true}
		r.ended(0)
		if !exists(f) {
			t.Error("approved and not run")
		}
	})
}

// Row 4.
func TestEveryKeyThatAcceptsALineAsks(t *testing.T) {
	shells(t, integrated, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		for _, k := range []string{"<C-j>", "<C-o>", "<M-Enter>", "<C-x><C-j>", "<M-a>"} {
			r.state(session.Prompt)
			r.typed("<C-u>touch " + f + " DENYME" + k)
			r.quiet()
			if exists(f) {
				t.Fatalf("ran on %s", k)
			}
		}
		r.typed("<C-c>")
		if c := r.run("echo ok"); c.Line != "echo ok" {
			t.Errorf("after: %+v", c)
		}
	})
}

// Row 6.
func TestRecalledAndExpandedLinesAreJudgedWhole(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	r.run("echo one two")
	if c := r.run("echo !$ !!"); c.Line != "echo two echo one two" {
		t.Errorf("expanded to %q", c.Line)
	}
	if c := r.run("^echo^printf %s_"); !strings.HasPrefix(c.Line, "printf %s_ two") {
		t.Errorf("caret gave %q", c.Line)
	}
	r.state(session.Prompt)
	r.typed("echo !nosuchevent<Enter>")
	if ref := r.refused(); !strings.Contains(ref.Reason, "event") {
		t.Errorf("refusal %v", ref)
	}
	r.typed("<C-c>")
	r.state(session.Prompt)
	r.typed("<Up>")
	if c := r.run(""); c.Line != "printf %s_ two echo one two" {
		t.Errorf("recalled %q", c.Line)
	}
	r.state(session.Prompt)
	r.typed("<C-r>one t")
	r.quiet()
	if c := r.run(""); !strings.Contains(c.Line, "one two") {
		t.Errorf("searched %q", c.Line)
	}
}

// Row 7.
func TestSeveralLinesAreJudgedJoined(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	f := r.path("made")
	r.state(session.Prompt)
	r.typed("for i in 1 2; do<Enter>")
	r.state(session.Continuation)
	r.typed("touch " + f + "$i<Enter>")
	r.until("the shell reads on", func() bool { return r.s.View().State == session.Continuation })
	r.typed("done<Enter>")
	c := r.ended(0)
	if c.Line != "for i in 1 2; do\ntouch "+f+"$i\ndone" || !exists(f+"1") || !exists(f+"2") {
		t.Errorf("loop: %+v", c)
	}
	r.state(session.Prompt)
	r.typed("cat <<X<Enter>a!b<Enter>X<Enter>")
	if c := r.ended(1); c.Line != "cat <<X\na!b\nX" || c.OutputBytes != 5 {
		t.Errorf("heredoc: %+v", c)
	}
	if in := r.records("command.intent"); len(in) != 2 {
		t.Errorf("%d intents, want 2", len(in))
	}
}

// Row 8.
func TestAContinuedWordIsJudgedJoined(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		r.state(session.Prompt)
		r.typed("touch " + f + ` DEN\<Enter>`)
		r.typed("YME<Enter>")
		if ref := r.refused(); ref.By != gate.ByPolicy {
			t.Errorf("refused by %s", ref.By)
		}
		if exists(f) {
			t.Error("ran")
		}
		r.typed("<C-c>")
		r.state(session.Prompt)
		if c := r.run("echo ok"); c.Line != "echo ok" {
			t.Errorf("after: %+v", c)
		}
	})
}

// Row 9.
func TestAPasteOfLinesIsOneCleanedRequest(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		r.state(session.Prompt)
		r.s.Paste("touch " + f + "a\ntouch " + f + "b\x1b[201~\r\nrm -f /nonexistent\x07\n")
		r.quiet()
		if exists(f + "a") {
			t.Fatal("a paste ran")
		}
		if shell == "dash" {
			r.judge.set(func(q policy.Request) (policy.Decision, bool) {
				return policy.Decision{Effect: policy.Deny}, strings.Contains(q.Text, "rm -f")
			})
		} else {
			r.judge.set(func(q policy.Request) (policy.Decision, bool) {
				return policy.Decision{Effect: policy.Deny}, q.Origin == policy.Paste
			})
		}
		r.typed("<Enter>")
		if ref := r.refused(); ref.By != gate.ByPolicy {
			t.Errorf("refused by %s: %s", ref.By, ref.Reason)
		}
		if exists(f + "a") {
			t.Error("a part of the paste ran")
		}
		r.judge.set(nil)
		r.typed("<Enter>")
		c := r.ended(0)
		want := "touch " + f + "a\ntouch " + f + "b\nrm -f /nonexistent"
		if got := strings.TrimSuffix(strings.TrimPrefix(c.Line, "{\n"), "\n}"); got != want || !exists(f+"b") {
			t.Errorf("line %q", c.Line)
		}
	})
}

// Row 10.
func TestKeysTypedWhileSomethingRunsAreHeldThenJudged(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		f := r.path("made")
		r.state(session.Prompt)
		r.typed("sleep 1<Enter>")
		r.state(session.Running)
		r.typed("touch " + f + "1<Enter>touch " + f + "2 DENYME<Enter>")
		r.until("held", func() bool { return r.s.View().Held > 20 })
		r.ended(1)
		r.refused()
		if !exists(f+"1") || exists(f+"2") {
			t.Errorf("1 %v, 2 %v", exists(f+"1"), exists(f+"2"))
		}
	})
}

// Row 16.
func TestInterrupts(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	r.state(session.Prompt)
	r.typed("sleep 20<Enter>")
	r.state(session.Running)
	r.quiet()
	r.typed("<C-c>")
	if c := r.ended(0); c.Exit == nil || *c.Exit != 130 || c.Status != session.Interrupted {
		t.Errorf("^C: %+v", c)
	}
	r.state(session.Prompt)
	r.typed("sleep 20<Enter>")
	r.state(session.Running)
	r.quiet()
	r.typed("<C-z>")
	if c := r.ended(1); c.Exit == nil || *c.Exit != 148 {
		t.Errorf("^Z: %+v", c)
	}
	r.state(session.Prompt)
	r.typed("touch nothing<C-c>")
	if c := r.run("echo ok"); c.Line != "echo ok" {
		t.Errorf("after ^C: %+v", c)
	}
	r.run("kill %1")
}
