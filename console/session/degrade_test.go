package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sallyport/console/gate"
	"sallyport/console/session"
)

// Row 24.
func TestAForceCommandGetsComposedLines(t *testing.T) {
	p := newPeer(t, need(t, "bash"))
	p.force = "PS1='forced$ ' exec bash --norc --noprofile -i"
	r := start(t, setup{shell: "bash", peer: p, timing: session.Timing{Loader: 700 * time.Millisecond}})
	r.state(session.Prompt)
	v := r.s.View()
	if v.Degraded == "" || v.Evidence != gate.EvidenceScreen || v.Compose == nil {
		t.Errorf("view %+v", v)
	}
	f := "/tmp/sallyport-forced-" + strings.ToLower(t.Name())
	r.typed("ls -d " + f + " DENYME<Enter>")
	r.refused()
	r.typed(backspaces(7))
	c := r.run("")
	if c.Exit != nil || c.Evidence != gate.EvidenceScreen || !strings.HasPrefix(c.Line, "ls -d") {
		t.Errorf("got %+v", c)
	}
	r.until("degraded recorded", func() bool { return len(r.records("session.degraded")) == 1 })
}

// Row 24.
func TestStartFilesThatReplaceTheShell(t *testing.T) {
	r := start(t, setup{
		shell: "bash", files: map[string]string{".bash_profile": "PS1='dashed$ ' exec dash -i\n"},
		timing: session.Timing{FirstMark: time.Second},
	})
	r.until("degraded", func() bool { return r.s.View().Degraded != "" })
	r.state(session.Prompt)
	if c := r.run("echo a"); c.Line != "echo a" || c.Evidence != gate.EvidenceScreen {
		t.Errorf("got %+v", c)
	}
}

// Row 24.
func TestALineEditorThatIsTurnedOff(t *testing.T) {
	r := start(t, setup{shell: "bash", timing: session.Timing{Answer: 300 * time.Millisecond}})
	f := r.path("made")
	r.judge.permits("set +o")
	r.run("set +o emacs; set +o vi")
	r.state(session.Prompt)
	r.typed("touch " + f + "<Enter>")
	r.state(session.Waiting)
	r.quiet()
	if exists(f) {
		t.Error("ran unseen")
	}
	r.s.Choose(session.Compose)
	r.state(session.Prompt)
	if v := r.s.View(); v.Degraded == "" || v.Compose == nil {
		t.Errorf("view %+v", v)
	}
	r.typed("touch " + f + "<Enter>")
	r.until("composed line ran", func() bool { return exists(f) })
	r.state(session.Prompt)
	r.s.Choose(session.Retry)
	r.until("exact again", func() bool { v := r.s.View(); return v.State == session.Prompt && v.Evidence == gate.EvidenceShell })
	if c := r.run("echo exact"); c.Evidence != gate.EvidenceShell {
		t.Errorf("got %+v", c)
	}
}

// Row 24: the loader cannot keep what it reads from being echoed.
func TestAHostWithoutSttyIsComposed(t *testing.T) {
	shells(t, nightly(integrated, "b"), func(t *testing.T, shell string) {
		bin := t.TempDir()
		if err := os.Symlink(need(t, "sh"), filepath.Join(bin, "sh")); err != nil {
			t.Fatal(err)
		}
		r := start(t, setup{shell: shell, env: map[string]string{"PATH": bin}})
		r.state(session.Prompt)
		if v := r.s.View(); v.Degraded == "" || v.Evidence != gate.EvidenceScreen || v.Compose == nil {
			t.Errorf("view %+v", v)
		}
		f := r.path("made")
		r.typed("touch " + f + " DENYME<Enter>")
		r.refused()
		r.quiet()
		if exists(f) {
			t.Error("ran unseen")
		}
		r.typed(backspaces(7))
		if c := r.run(""); c.Evidence != gate.EvidenceScreen || c.Exit != nil {
			t.Errorf("got %+v", c)
		}
		r.until("degraded recorded", func() bool { return len(r.records("session.degraded")) == 1 })
	})
}

func TestTheShellsEndIsTheSessionsEnd(t *testing.T) {
	shells(t, all, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		r.state(session.Prompt)
		r.typed("exit 3<Enter>")
		r.state(session.Dead)
		if err := r.s.View().Error; err != nil {
			t.Errorf("error %v", err)
		}
	})
}

func TestComposedLinesAreCompletedOnTheSideChannel(t *testing.T) {
	r := start(t, setup{shell: "dash", files: map[string]string{"passengers": "", "with space": ""}})
	r.state(session.Prompt)
	r.until("the side channel is there", func() bool {
		r.typed("<C-u>ls passen<Tab>")
		r.quiet()
		return r.s.View().Compose.Lines[0] == "ls passengers "
	})
	r.typed("<C-u>cat wi<Tab>")
	r.until("quoted", func() bool { return r.s.View().Compose.Lines[0] == `cat with\ space ` })
}

// Shells without a line editor that can be asked, other than dash.
func TestOtherPOSIXShellsAreComposed(t *testing.T) {
	shells(t, "ak", func(t *testing.T, shell string) { composedRows(t, start(t, setup{shell: shell})) })
}

// A bash without the hooks of 5.1 is composed. It answers with an older version.
func TestAnOlderBashIsComposed(t *testing.T) {
	r := start(t, setup{shell: olderBash})
	r.state(session.Prompt)
	if v := r.s.View(); v.Shell != "posix" || v.Evidence != gate.EvidenceComposed || v.Degraded == "" {
		t.Errorf("view %+v", v)
	}
	composedRows(t, r)
}

func composedRows(t *testing.T, r *rig) {
	c := r.run("echo hi; cd /tmp; sh -c 'exit 7'")
	if c.Line != "echo hi; cd /tmp; sh -c 'exit 7'" || c.Exit == nil || *c.Exit != 7 || c.Cwd != "/tmp" || c.Evidence != gate.EvidenceComposed {
		t.Errorf("got %+v", c)
	}
	f := filepath.Join(t.TempDir(), "made")
	r.state(session.Prompt)
	r.typed("touch " + f + " DENYME<Enter>")
	r.refused()
	r.typed(backspaces(7) + "<Enter>")
	if r.ended(1); !exists(f) {
		t.Error("the edited line did not run")
	}
	c = r.run("for i in 1 2; do<Enter>touch " + f + "$i<Enter>done")
	if !exists(f+"1") || !exists(f+"2") || c.Status != session.Completed {
		t.Errorf("loop: %+v", c)
	}
	if c := r.run("printf '%s\\n' 'x!y' \"$((1+2))\" `echo z`"); c.Exit == nil || *c.Exit != 0 {
		t.Errorf("got %+v", c)
	}
	if v := r.s.View(); v.Alarms > 0 {
		t.Errorf("alarm: %s", v.Alarm)
	}
}
