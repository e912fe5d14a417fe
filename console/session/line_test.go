package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"sallyport/console/gate"
	"sallyport/console/session"
)

func TestTypedLineIsExact(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	c := r.run("echo hi; cd /tmp; sh -c 'exit 7'")
	if c.Line != "echo hi; cd /tmp; sh -c 'exit 7'" || c.Exit == nil || *c.Exit != 7 || c.Cwd != "/tmp" || c.OutputBytes != 4 {
		t.Errorf("got %+v", c)
	}
}

func TestDeniedLineStaysAndRunsAfterTheEdit(t *testing.T) {
	r := start(t, setup{shell: "bash"})
	f := filepath.Join(r.host.Home, "made")
	r.state(session.Prompt)
	r.typed("touch " + f + " DENYME<Enter>")
	if ref := r.refused(); ref.By != gate.ByPolicy {
		t.Errorf("refused by %s", ref.By)
	}
	absent(t, f)
	r.typed("<Backspace><Backspace><Backspace><Backspace><Backspace><Backspace><Backspace>")
	c := r.run("")
	if c.Line != "touch "+f {
		t.Errorf("line %q", c.Line)
	}
	if _, err := os.Stat(f); err != nil {
		t.Error(err)
	}
}

func absent(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		t.Errorf("%s was made", path)
	}
}
