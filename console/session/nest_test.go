package session_test

import (
	"os"
	"strings"
	"testing"

	"sallyport/console/gate"
	"sallyport/console/session"
)

// Row 20.
func TestANestedShellIsFramedAndPopped(t *testing.T) {
	shells(t, integrated, func(t *testing.T, shell string) {
		for _, inner := range []string{"bash", "zsh", "fish"} {
			if nightly("y", "") == "" && inner != map[string]string{"bash": "zsh", "zsh": "fish", "fish": "bash"}[shell] {
				continue
			}
			t.Run(inner, func(t *testing.T) {
				need(t, inner)
				r := start(t, setup{shell: shell})
				f := r.path("made")
				r.state(session.Prompt)
				r.typed(inner + "<Enter>")
				r.until("framed", func() bool { v := r.s.View(); return v.State == session.Prompt && len(v.Frames) == 2 })
				if v := r.s.View(); v.Shell != inner || v.Evidence != gate.EvidenceShell {
					t.Errorf("view %+v", v)
				}
				r.typed("touch " + f + " DENYME<Enter>")
				r.refused()
				if exists(f) {
					t.Error("ran inside")
				}
				r.typed("<C-u>")
				if c := r.run("cd /; sh -c 'exit 5'"); c.Exit == nil || *c.Exit != 5 || c.Cwd != "/" {
					t.Errorf("inside: %+v", c)
				}
				r.state(session.Prompt)
				r.typed("exit<Enter>")
				r.until("popped", func() bool { v := r.s.View(); return v.State == session.Prompt && len(v.Frames) == 1 })
				if c := r.run("echo back"); c.Line != "echo back" || r.s.View().Shell != shell {
					t.Errorf("after: %+v", c)
				}
				if j := r.s.Journal(); j[0].Line != inner || j[0].Status != session.Completed {
					t.Errorf("the nesting command: %+v", j[0])
				}
			})
		}
	})
}

// Row 20.
func TestSudoAndSuAreFramedWithTheirAccount(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs: root (for sudo and su without a password)")
	}
	lines := map[string]string{"sudo -u daemon -s": "daemon"}
	if os.Getenv("SALLYPORT_NIGHTLY") != "" { // with root's own start files, which can be slow
		lines["sudo -i"], lines["su -"], lines["sudo su -"] = "root", "root", "root"
	}
	for line, account := range lines {
		t.Run(line, func(t *testing.T) {
			need(t, strings.Fields(line)[0])
			r := start(t, setup{shell: "bash", env: map[string]string{"HOME": t.TempDir()}})
			r.state(session.Prompt)
			r.typed(line + "<Enter>")
			r.until("framed", func() bool { v := r.s.View(); return v.State == session.Prompt && len(v.Frames) == 2 })
			in := r.s.View().Frames[1]
			if in.Account != account || !in.Verified || in.Asked != r.s.View().Frames[0].Asked {
				t.Errorf("target %+v", in)
			}
			r.typed("echo DENYME<Enter>")
			r.refused()
			r.typed("<C-u>")
			r.run("true")
			if q := r.judge.last(); len(q.Targets) != 2 || q.Targets[1].Account != account {
				t.Errorf("targets %+v", q.Targets)
			}
			r.state(session.Prompt)
			r.typed("exit<Enter>")
			r.until("popped", func() bool { v := r.s.View(); return v.State == session.Prompt && len(v.Frames) == 1 })
		})
	}
}

// Row 20.
func TestAShellThatCannotBeFramedIsHeld(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	f := r.path("made")
	r.state(session.Prompt)
	r.typed("env FOO=1 bash --norc<Enter>")
	r.state(session.Running)
	r.quiet()
	r.typed("touch " + f + "<Enter>")
	r.quiet()
	if exists(f) {
		t.Error("a nested shell got keys")
	}
	r.typed("<C-d>")
	r.until("left", func() bool { return r.s.View().State == session.Prompt })
}
