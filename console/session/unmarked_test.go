package session_test

import (
	"strings"
	"testing"
	"time"

	"sallyport/console/session"
)

// TestAShellInTheShellsPlaceIsIntegrated: exec of a shell is framed as a shell inside is.
func TestAShellInTheShellsPlaceIsIntegrated(t *testing.T) {
	shells(t, nightly("bz", "b"), func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		for i := range 2 {
			r.state(session.Prompt)
			r.typed("exec " + shell + "<Enter>")
			r.until("the new shell", func() bool {
				return r.s.View().State == session.Prompt && len(r.s.Journal()) == i+1 && len(r.records("session.boot")) >= 2*(i+2)
			})
		}
		if n := len(r.s.View().Frames); n != 1 {
			t.Errorf("%d frames, want 1", n)
		}
		r.typed("echo DENYME<Enter>")
		r.refused()
		r.typed("<C-u>exec dash<Enter>")
		r.until("composed lines", func() bool { v := r.s.View(); return v.State == session.Prompt && v.Shell == "posix" })
		r.typed("echo DENYME<Enter>")
		r.refused()
	})
}

// TestAShellWhoseMarksAreLostIsAsked: a shell that took the place of ours unknown to us, or whose marks go nowhere, leaves nobody without
// a way on. It is asked for its line, and where it does not answer, or not say that it took one, the operator chooses.
func TestAShellWhoseMarksAreLostIsAsked(t *testing.T) {
	for _, c := range []struct{ shell, line, then string }{
		{"bash", "exec bash --norc", ""},
		{"zsh", "exec zsh -f", ""},
		{"fish", "exec fish --no-config", ""},
		{"bash", "exec 2>/dev/null", "echo one<Enter>"},
	} {
		t.Run(c.line, func(t *testing.T) {
			need(t, c.shell)
			r := start(t, setup{shell: c.shell})
			r.state(session.Prompt)
			r.typed(c.line + "<Enter>")
			r.state(session.Running)
			r.typed(c.then)
			r.state(session.Waiting)
			r.s.Choose(session.Retry)
			r.until("an integrated shell", func() bool { v := r.s.View(); return v.State == session.Prompt && v.Degraded == "" })
			r.typed("echo DENYME<Enter>")
			r.refused()
		})
	}
}

// TestNothingHasEndedBeforeTheFirstPrompt: a fresh shell shows no exit code.
func TestNothingHasEndedBeforeTheFirstPrompt(t *testing.T) {
	shells(t, integrated, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		r.state(session.Prompt)
		if exit := r.s.View().LastExit; exit != nil {
			t.Errorf("exit %d before any command", *exit)
		}
		r.run("true")
		r.until("its exit code", func() bool { v := r.s.View(); return v.LastExit != nil && *v.LastExit == 0 })
	})
}

// TestAShellThatReadsAKeyIsNotAsked: what a shell reads without exec is no prompt whose mark was lost; no byte of ours answers it.
func TestAShellThatReadsAKeyIsNotAsked(t *testing.T) {
	need(t, "zsh")
	r := start(t, setup{shell: "zsh"})
	r.state(session.Prompt)
	r.typed("read -q 'x?sure? '<Enter>")
	r.until("the question", func() bool { return strings.Contains(r.text(), "sure? ") })
	r.typed("x")
	r.until("it was looked at for longer than a mark takes", func() bool {
		v := r.s.View()
		return !v.Since.IsZero() && time.Since(v.Since) > 5*time.Second
	})
	if v := r.s.View(); v.State != session.Running || v.Held != 1 {
		t.Errorf("state %v, %d keys held", v.State, v.Held)
	}
	r.typed("<C-c>")
	r.state(session.Prompt)
}
