package durabletest

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// Again is this test binary once more, as the process that dies: its TestMain
// knows by env, KEY=VALUE, what it is to do. Prefix is a command that runs it.
func Again(t testing.TB, env []string, prefix ...string) *exec.Cmd {
	t.Helper()
	bin, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := append(prefix, bin)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// Need is the path of a tool that a test cannot do without.
func Need(t testing.TB, tool string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err == nil {
		return path
	}
	if os.Getenv("SALLYPORT_NO_SKIP") != "" {
		t.Fatalf("needs: %s", tool)
	}
	t.Skipf("needs: %s", tool)
	return ""
}

// NeedRoot skips a test that asks the kernel for what only root may have.
func NeedRoot(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs: root")
	}
}

// patience is how long a test waits for what another process or goroutine does.
const patience = 20 * time.Second

// WaitFor returns when cond holds, and fails the test if it does not in time.
func WaitFor(t testing.TB, what string, cond func() bool) {
	t.Helper()
	WaitWithin(t, patience, what, cond)
}

// WaitWithin is WaitFor with a patience of the caller's; who has more looks less often.
func WaitWithin(t testing.TB, patience time.Duration, what string, cond func() bool) {
	t.Helper()
	look := time.NewTicker(patience / 5000)
	defer look.Stop()
	late := time.NewTimer(patience)
	defer late.Stop()
	for !cond() {
		select {
		case <-look.C:
		case <-late.C:
			t.Fatalf("no %s within %s", what, patience)
		}
	}
}
