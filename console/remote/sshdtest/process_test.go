package sshdtest

import (
	"os/exec"
	"testing"
)

// TestStopLeavesNobody: what outlives its session, and has no parent any more, ends with its server, before the folder goes.
func TestStopLeavesNobody(t *testing.T) {
	ssh := Need(t, "ssh")
	Need(t, "setsid")
	s := Start(t, Options{})
	line := `setsid sh -c 'while :; do : >"$HOME/f"; rm "$HOME/f"; done' </dev/null >/dev/null 2>&1 & exit`
	if out, err := exec.Command(ssh, "-F", s.SSHConfig, "host", line).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if len(inside(s.Dir)) == 0 {
		t.Fatal("nothing was left behind")
	}
	s.stop()
	if left := inside(s.Dir); len(left) > 0 {
		t.Errorf("still there: %v", left)
	}
}
