package remote_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/crypto/ssh"

	"sallyport/console/remote"
	"sallyport/console/remote/sshdtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// person answers what a connection asks, and remembers what that was.
type person struct {
	hostKey remote.HostKeyAnswer
	secrets []string // answers in order; "leave" leaves

	mu      sync.Mutex
	asked   []remote.HostKeyQuestion
	prompts []string
	echoed  []bool
	learned []string
}

func (p *person) HostKey(_ context.Context, q remote.HostKeyQuestion) (remote.HostKeyAnswer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, q)
	return p.hostKey, nil
}

func (p *person) Secret(_ context.Context, prompt string, echo bool) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.prompts, p.echoed = append(p.prompts, prompt), append(p.echoed, echo)
	if len(p.secrets) == 0 || p.secrets[0] == "leave" {
		return nil, remote.ErrLeft
	}
	s := p.secrets[0]
	p.secrets = p.secrets[1:]
	return []byte(s), nil
}

func (p *person) learn(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.learned = append(p.learned, string(b))
}

// to is the configuration to connect to s as p.
func (p *person) to(s *sshdtest.Server, set ...string) remote.Config {
	return remote.Config{
		Dest: s.Addr, Prompter: p, Learn: p.learn,
		Options: remote.Options{ConfigFile: s.SSHConfig, Set: set},
	}
}

// knownHosts is a known-hosts file with these lines.
func knownHosts(t *testing.T, lines ...string) string {
	t.Helper()
	return file(t, "known_hosts", strings.Join(lines, "\n")+"\n")
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func keyLine(k ssh.PublicKey) string { return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(k))) }

// patience is a step's time where a test is not about it: other tests may
// have the machine.
const patience = time.Minute

// connect fails the test where Dial does.
func connect(t *testing.T, cfg remote.Config) *remote.Conn {
	t.Helper()
	if cfg.Timeout == 0 {
		cfg.Timeout = patience
	}
	c, err := remote.Dial(t.Context(), cfg)
	if err != nil {
		t.Fatal(describe(err))
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func describe(err error) string {
	var e *remote.Error
	if errors.As(err, &e) {
		return fmt.Sprintf("%v [%s; try: %s]", e, e.Class, e.Hint)
	}
	return fmt.Sprint(err)
}

// refused wants Dial to fail at step, with a class, and words in its message.
func refused(t *testing.T, cfg remote.Config, step string, class remote.Class, words ...string) *remote.Error {
	t.Helper()
	if cfg.Timeout == 0 {
		cfg.Timeout = patience
	}
	c, err := remote.Dial(t.Context(), cfg)
	if err == nil {
		c.Close()
		t.Fatal("connected")
	}
	var e *remote.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *remote.Error", err)
	}
	if e.Step != step || e.Class != class {
		t.Errorf("got step %q, class %q: %s; want %q, %q", e.Step, e.Class, describe(err), step, class)
	}
	if e.Hint == "" {
		t.Errorf("no hint: %v", e)
	}
	for _, w := range words {
		if !strings.Contains(describe(err), w) {
			t.Errorf("%s: no %q", describe(err), w)
		}
	}
	return e
}

// keygen makes a key pair and gives the path of the private half.
func keygen(t *testing.T, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	if slices.Equal(args, []string{"-N", "", "-t", "ed25519"}) {
		sshdtest.Keypair(t, path)
		return path
	}
	if slices.Contains(args, "rsa") {
		args = append(args, "-b", "2048") // quicker to make
	}
	sshdtest.Keygen(t, append([]string{"-q", "-C", "test key", "-f", path}, args...)...)
	return path
}

// authorize makes s take the key at path.
func authorize(t *testing.T, s *sshdtest.Server, path string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(s.Dir, "authorized_keys"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(read(t, path+".pub")); err != nil {
		t.Fatal(err)
	}
}

// agent starts a real ssh-agent with the keys at paths.
func agent(t *testing.T, paths ...string) (socket string) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "agent")
	cmd := exec.Command(sshdtest.Need(t, "ssh-agent"), "-D", "-a", socket)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	waitFor(t, "the agent's socket", func() bool {
		c, err := net.Dial("unix", socket)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	for _, p := range paths {
		add := exec.Command(sshdtest.Need(t, "ssh-add"), "-q", p)
		add.Env = append(os.Environ(), "SSH_AUTH_SOCK="+socket)
		if out, err := add.CombinedOutput(); err != nil {
			t.Fatalf("ssh-add: %v\n%s", err, out)
		}
	}
	return socket
}

// skip skips a test for want of something, or fails it.
func skip(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("SALLYPORT_NO_SKIP") != "" {
		t.Fatalf("needs: %s", what)
	}
	t.Skipf("needs: %s", what)
}

// muteAgent listens at path, and says nothing.
func muteAgent(t *testing.T, path string) (stop func()) {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var held []net.Conn
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			held = append(held, c)
		}
	}()
	return func() {
		l.Close()
		<-done
		for _, c := range held {
			c.Close()
		}
	}
}
