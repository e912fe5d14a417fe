package sshdtest

import (
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"
	"time"
)

// ssh runs OpenSSH's client against s and gives its output.
func runSSH(t *testing.T, s *Server, args ...string) string {
	t.Helper()
	args = append([]string{"-F", s.SSHConfig, "-o", "BatchMode=yes"}, args...)
	out, err := exec.Command(Need(t, "ssh"), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("ssh: %v\n%s\n%s", err, out, s.Log())
	}
	return string(out)
}

func TestShellIsWhatWasAskedFor(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "dash", "mksh"} {
		t.Run(shell, func(t *testing.T) {
			Need(t, shell)
			s := Start(t, Options{Shell: shell, Env: map[string]string{"STORY": "two words"}})
			got := runSSH(t, s, "host", `echo "$SHELL:$HOME:$STORY:$SSH_ORIGINAL_COMMAND:"; pwd`)
			if want := Need(t, shell) + ":" + s.Home + ":two words::\n" + s.Home + "\n"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestShellIsALoginShell(t *testing.T) {
	s := Start(t, Options{Shell: "bash", Files: map[string]string{
		".bash_profile": "echo \"profile was read by $0\"; exit\n",
		".bashrc":       "echo rc was read too early\n",
	}})
	got := runSSH(t, s, "-tt", "host")
	if !strings.Contains(got, "profile was read by -bash") || strings.Contains(got, "too early") {
		t.Errorf("got %q", got)
	}
}

func TestForceCommand(t *testing.T) {
	s := Start(t, Options{ForceCommand: "echo forced"})
	if got := runSSH(t, s, "host", "echo asked"); got != "forced\n" {
		t.Errorf("got %q", got)
	}
}

func TestLatency(t *testing.T) {
	s := Start(t, Options{Latency: 150 * time.Millisecond})
	begin := time.Now()
	if got := runSSH(t, s, "host", "echo hi"); strings.TrimSpace(got) != "hi" {
		t.Errorf("got %q", got)
	}
	if took := time.Since(begin); took < 450*time.Millisecond {
		t.Errorf("several round trips of 150 ms took only %v", took)
	}
}

// TestInterruptReachesPrograms: a test that runs in the background of a
// script has SIGINT ignored, and must not hand that on.
func TestInterruptReachesPrograms(t *testing.T) {
	signal.Ignore(os.Interrupt)
	defer signal.Reset(os.Interrupt)
	s := Start(t, Options{Shell: "bash"})
	got := runSSH(t, s, "host", `trap 'echo caught' INT; kill -INT $$; echo on`)
	if got != "caught\non\n" {
		t.Errorf("got %q", got)
	}
}
