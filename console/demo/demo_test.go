package demo_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/crypto/ssh"

	"sallyport/console/demo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, cfg demo.Config) *demo.Server {
	t.Helper()
	s, err := demo.Start(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func connect(t *testing.T, s *demo.Server) *ssh.Client {
	t.Helper()
	key, err := os.ReadFile(s.Identity)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.ParsePrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ssh.Dial("tcp", s.Addr, &ssh.ClientConfig{
		User: s.User, Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, HostKeyCallback: ssh.FixedHostKey(s.HostKey),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func session(t *testing.T, c *ssh.Client) *ssh.Session {
	t.Helper()
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// need gives the path of a program, or skips the test.
func need(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err == nil {
		return path
	}
	if os.Getenv("SALLYPORT_NO_SKIP") != "" {
		t.Fatalf("needs: %s", program)
	}
	t.Skipf("needs: %s", program)
	return ""
}

func TestExec(t *testing.T) {
	s := start(t, demo.Config{Shell: need(t, "bash"), Env: []string{"STORY=told"}})
	c := connect(t, s)
	tests := []struct {
		command, stdin, stdout, stderr string
		code                           int
		signal                         string
	}{
		{command: "echo out; echo err >&2; exit 7", stdout: "out\n", stderr: "err\n", code: 7},
		{command: "cat", stdin: "through\n", stdout: "through\n"},
		{command: "kill -TERM $$", signal: "TERM"},
		{command: "pwd; echo $HOME $USER $LOGNAME $SHELL $STORY", stdout: s.Home + "\n" + s.Home + " " + s.User + " " + s.User + " " + s.Shell + " told\n"},
		{command: "tty", stdout: "not a tty\n", code: 1},
		{command: "set -- $SSH_CONNECTION; echo $1 $3 $#", stdout: "127.0.0.1 127.0.0.1 4\n"},
		{command: "nonexistent-program 2>/dev/null", code: 127},
	}
	for _, tt := range tests {
		t.Run(tt.command, func(t *testing.T) {
			ss := session(t, c)
			var stdout, stderr bytes.Buffer
			ss.Stdin, ss.Stdout, ss.Stderr = strings.NewReader(tt.stdin), &stdout, &stderr
			err := ss.Run(tt.command)
			code, signal := 0, ""
			var exit *ssh.ExitError
			if errors.As(err, &exit) {
				code, signal = exit.ExitStatus(), exit.Signal()
			} else if err != nil {
				t.Fatal(err)
			}
			if tt.signal != "" {
				code = 0
			}
			if stdout.String() != tt.stdout || stderr.String() != tt.stderr || code != tt.code || signal != tt.signal {
				t.Errorf("got %q, %q, %d, %q", stdout.String(), stderr.String(), code, signal)
			}
		})
	}
}

// screen collects what a terminal shows.
type screen struct {
	mu  sync.Mutex
	got strings.Builder
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got.Write(p)
}

func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for {
		s.mu.Lock()
		got := s.got.String()
		s.mu.Unlock()
		if strings.Contains(got, text) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("no %q in %q", text, got)
		}
	}
}

func terminal(t *testing.T, c *ssh.Client, modes ssh.TerminalModes) (*ssh.Session, io.Writer, *screen) {
	t.Helper()
	ss := session(t, c)
	if err := ss.RequestPty("xterm", 24, 80, modes); err != nil {
		t.Fatal(err)
	}
	out := &screen{}
	ss.Stdout = out
	in, err := ss.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	return ss, in, out
}

func TestTerminal(t *testing.T) {
	s := start(t, demo.Config{Shell: need(t, "bash")})
	ss, in, out := terminal(t, connect(t, s), nil)
	if err := ss.Shell(); err != nil {
		t.Fatal(err)
	}
	enter := func(line string) { _, _ = io.WriteString(in, line+"\r") }
	enter(`echo shell:$0 term:$TERM flags:$-; shopt -q login_shell && echo a-log"in"-shell`)
	out.await(t, "shell:-bash term:xterm")
	out.await(t, "a-login-shell")
	enter("stty size; test \"$(tty)\" = \"$SSH_TTY\" && echo same-$((40+2))")
	out.await(t, "24 80")
	out.await(t, "same-42")
	if err := ss.WindowChange(36, 120); err != nil {
		t.Fatal(err)
	}
	enter("for i in {1..1000}; do [[ $(stty size) == 36' '120 ]] && break; done; stty size") // a change of size and data are not in order
	out.await(t, "36 120")
	enter("sh -c \"echo wait''ing; exec sleep 100\"")
	out.await(t, "waiting")
	_, _ = in.Write([]byte{3})
	enter("echo back-$((2+2))")
	out.await(t, "back-4")
	enter("exit 3")
	var exit *ssh.ExitError
	if err := ss.Wait(); !errors.As(err, &exit) || exit.ExitStatus() != 3 {
		t.Errorf("got %v", err)
	}
}

func TestTerminalModes(t *testing.T) {
	s := start(t, demo.Config{Shell: need(t, "sh")})
	ss, in, out := terminal(t, connect(t, s), ssh.TerminalModes{ssh.ECHO: 0, ssh.VINTR: 7})
	if err := ss.Start("stty -a; read line; echo read:$line"); err != nil {
		t.Fatal(err)
	}
	out.await(t, "-echo ")
	out.await(t, "intr = ^G")
	_, _ = io.WriteString(in, "invisible\r")
	out.await(t, "read:invisible")
	if n := strings.Count(out.got.String(), "invisible"); n != 1 {
		t.Errorf("shown %d times: %q", n, out.got.String())
	}
}

func TestEveryShell(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "dash", "mksh"} {
		t.Run(shell, func(t *testing.T) {
			s := start(t, demo.Config{Shell: need(t, shell)})
			ss, in, out := terminal(t, connect(t, s), nil)
			if err := ss.Shell(); err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(in, "echo me''too\r")
			out.await(t, "metoo")
		})
	}
}

func TestSignal(t *testing.T) {
	s := start(t, demo.Config{Shell: need(t, "bash")})
	ss := session(t, connect(t, s))
	out := &screen{}
	ss.Stdout = out
	if err := ss.Start("trap 'echo caught; exit 5' TERM; echo ready; while :; do sleep 0.05; done"); err != nil {
		t.Fatal(err)
	}
	out.await(t, "ready")
	if err := ss.Signal(ssh.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var exit *ssh.ExitError
	if err := ss.Wait(); !errors.As(err, &exit) || exit.ExitStatus()&^128 == 0 {
		t.Errorf("got %v", err)
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SERVER_SECRET", "stays here")
	s := start(t, demo.Config{Shell: need(t, "bash")})
	ss := session(t, connect(t, s))
	for name, taken := range map[string]bool{"LANG": true, "LC_ALL": true, "LD_PRELOAD": false, "PATH": false, "BASH_ENV": false} {
		if err := ss.Setenv(name, "C"); (err == nil) != taken {
			t.Errorf("%s: got %v", name, err)
		}
	}
	got, err := ss.Output("env")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(got), "LANG=C\n") || !strings.Contains(string(got), "LC_ALL=C\n") || strings.Contains(string(got), "SERVER_SECRET") {
		t.Errorf("got %s", got)
	}
}

func TestRefused(t *testing.T) {
	s := start(t, demo.Config{})
	c := connect(t, s)
	if err := session(t, c).RequestSubsystem("sftp"); err == nil {
		t.Error("sftp is served")
	}
	for _, request := range []string{"auth-agent-req@openssh.com", "x11-req", "anything"} {
		if ok, err := session(t, c).SendRequest(request, true, nil); ok || err != nil {
			t.Errorf("%s: got %v, %v", request, ok, err)
		}
	}
	if conn, err := c.Dial("tcp", s.Addr); err == nil {
		conn.Close()
		t.Error("direct-tcpip is served")
	}
	if l, err := c.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.Close()
		t.Error("tcpip-forward is served")
	}
}

func TestOnlyItsKeyGetsIn(t *testing.T) {
	s, another := start(t, demo.Config{}), start(t, demo.Config{})
	key, err := os.ReadFile(another.Identity)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.ParsePrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string][]ssh.AuthMethod{
		"nothing":     nil,
		"another key": {ssh.PublicKeys(signer)},
		"a password":  {ssh.Password("")},
	}
	for name, auth := range ways {
		if c, err := ssh.Dial("tcp", s.Addr, &ssh.ClientConfig{User: s.User, Auth: auth, HostKeyCallback: ssh.FixedHostKey(s.HostKey)}); err == nil {
			c.Close()
			t.Errorf("%s gets in", name)
		}
	}
}

func TestOnLoopbackOnly(t *testing.T) {
	s := start(t, demo.Config{})
	host, _, err := net.SplitHostPort(s.Addr)
	if err != nil || host != "127.0.0.1" {
		t.Errorf("listens on %s", s.Addr)
	}
	for _, path := range []string{s.Identity, s.KnownHosts, s.Home} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// TestNothingIsLeft looks for the shell and the files after Close.
func TestNothingIsLeft(t *testing.T) {
	s, err := demo.Start(context.Background(), demo.Config{Shell: need(t, "bash")})
	if err != nil {
		t.Fatal(err)
	}
	ss, in, out := terminal(t, connect(t, s), nil)
	if err := ss.Shell(); err != nil {
		t.Fatal(err)
	}
	pids := filepath.Join(t.TempDir(), "pids")
	_, _ = io.WriteString(in, "trap '' HUP; sleep 1000 & echo $$ $! > "+pids+"; echo don''e; sleep 1001\r")
	out.await(t, "done")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(s.Identity)); !os.IsNotExist(err) {
		t.Errorf("files are left: %v", err)
	}
	b, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	shell := strings.Fields(string(b))[0]
	if syscall.Kill(atoi(t, shell), 0) == nil {
		t.Errorf("the shell %s is left", shell)
	}
	_ = syscall.Kill(atoi(t, strings.Fields(string(b))[1]), syscall.SIGKILL) // it ignored SIGHUP, as nohup does
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n := 0
	for _, r := range s {
		if r < '0' || r > '9' {
			t.Fatalf("%q is no pid", s)
		}
		n = n*10 + int(r-'0')
	}
	return n
}

func TestDrop(t *testing.T) {
	s := start(t, demo.Config{})
	c := connect(t, s)
	s.Drop()
	if err := c.Wait(); err == nil {
		t.Error("the connection ended well")
	}
	connect(t, s) // the server goes on
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s, err := demo.Start(ctx, demo.Config{})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	deadline := time.Now().Add(time.Minute)
	for {
		c, err := net.Dial("tcp", s.Addr)
		if err != nil {
			break
		}
		c.Close()
		if time.Now().After(deadline) {
			t.Fatal("it goes on")
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestShellIsFound(t *testing.T) {
	t.Setenv("SHELL", "/nonexistent/shell")
	s := start(t, demo.Config{})
	if !filepath.IsAbs(s.Shell) || s.Shell == "/nonexistent/shell" {
		t.Errorf("got %q", s.Shell)
	}
	if _, err := demo.Start(context.Background(), demo.Config{Shell: "/nonexistent/shell"}); err == nil {
		t.Error("a shell that is not there was started")
	}
}

func TestKnownHostsFile(t *testing.T) {
	s := start(t, demo.Config{Host: "demo-host"})
	b, err := os.ReadFile(s.KnownHosts)
	if err != nil {
		t.Fatal(err)
	}
	_, hosts, key, _, _, err := ssh.ParseKnownHosts(b)
	if err != nil || len(hosts) != 2 || !bytes.Equal(key.Marshal(), s.HostKey.Marshal()) {
		t.Errorf("got %q, %v", hosts, err)
	}
}
