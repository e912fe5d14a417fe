package session_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"sallyport/console/gate"
	"sallyport/console/session"
)

// holds is a line of a start file that waits as long as ~/hold is there.
const holds = "while [ -e ~/hold ]; do sleep 0.05; done\n"

// A login that takes longer than the waits for it is waited for: the operator
// is told, nothing is given up, and its late answer integrates the shell.
func TestASlowLoginIsWaitedFor(t *testing.T) {
	soon := session.Timing{Loader: 200 * time.Millisecond, FirstMark: 200 * time.Millisecond}
	for _, tt := range []struct{ name, shell, file, text string }{
		{"before the loader", "zsh", ".zshenv", holds},
		{"behind a line of the login's own", "zsh", ".zshenv", "[[ -o interactive ]] || print 'Authorized use only.'\n" + holds},
		{"in the start files", "bash", ".bash_profile", holds},
		{"in the start files of another shell", "fish", ".config/fish/config.fish", "status is-interactive; and while test -e ~/hold; sleep 0.05; end\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t, setup{shell: tt.shell, timing: soon, files: map[string]string{tt.file: tt.text, "hold": ""}})
			r.until("it is said that the login takes long", func() bool { return !r.s.View().Waiting.IsZero() })
			r.typed("echo typed early")
			r.s.Choose(session.Wait)
			r.until("the keys wait", func() bool { return r.s.View().Held == len("echo typed early") })
			r.release()
			r.state(session.Prompt)
			r.typed("<Enter>")
			c := r.ended(0)
			if v := r.s.View(); v.Degraded != "" || !v.Waiting.IsZero() || c.Evidence != gate.EvidenceShell || c.Line != "echo typed early" {
				t.Errorf("%+v, view %+v", c, v)
			}
			if n := len(r.records("session.degraded")); n != 0 {
				t.Errorf("%d times degraded", n)
			}
		})
	}
}

// release lets a login go on that holds waits in.
func (r *rig) release() {
	r.t.Helper()
	if err := os.Remove(r.path("hold")); err != nil {
		r.t.Fatal(err)
	}
}

// What asks for something in place of the hook is given up after its time, and
// a new handshake makes the session exact again.
func TestASlowLoginCanBeComposedAndIntegratedAgain(t *testing.T) {
	r := start(t, setup{
		shell: "bash", files: map[string]string{".bash_profile": "PS1='$ '\n" + holds, "hold": ""},
		timing: session.Timing{Loader: 200 * time.Millisecond, FirstMark: 200 * time.Millisecond},
	})
	r.until("it is said that the login takes long", func() bool { return !r.s.View().Waiting.IsZero() })
	r.s.Choose(session.Compose)
	r.until("lines are composed", func() bool { return r.s.View().Degraded != "" })
	r.release()
	if c := r.run("echo composed"); c.Evidence != gate.EvidenceScreen {
		t.Errorf("got %+v", c)
	}
	r.state(session.Prompt)
	r.s.Choose(session.Retry)
	r.until("the shell is asked again", func() bool {
		v := r.s.View()
		return v.State == session.Prompt && v.Evidence == gate.EvidenceShell
	})
	if c := r.run("echo exact"); c.Evidence != gate.EvidenceShell || c.Line != "echo exact" {
		t.Errorf("got %+v", c)
	}
}

// A login that never says anything is given up in the end.
func TestALoginThatSaysNothingIsGivenUpInTheEnd(t *testing.T) {
	r := start(t, setup{
		shell: "bash", files: map[string]string{".bash_profile": "PS1='$ '\n[ -n \"$__c_m$ENV\" ] || [ -e ~/again ] || { touch ~/again\n" + holds + "}\n", "hold": ""},
		timing: session.Timing{FirstMark: 100 * time.Millisecond, Login: 600 * time.Millisecond},
	})
	r.until("lines are composed", func() bool { return r.s.View().Degraded != "" })
	if c := r.run("echo composed"); c.Evidence != gate.EvidenceScreen {
		t.Errorf("got %+v", c)
	}
}

// A shell inside that says nothing is given up after its time: nothing could be
// composed for it meanwhile.
func TestASilentShellInsideIsGivenUpAfterItsTime(t *testing.T) {
	r := start(t, setup{shell: "bash", files: map[string]string{".bash_profile": "PS1='$ '\n", ".bashrc": holds}, timing: session.Timing{FirstMark: time.Second, Login: time.Hour}})
	r.run("touch ~/hold")
	r.state(session.Prompt)
	r.typed("bash<Enter>")
	r.until("it is given up", func() bool { return strings.Contains(r.s.View().Alarm, "did not take the integration") })
	r.release()
}
