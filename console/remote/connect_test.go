package remote_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"sallyport/console/remote"
	"sallyport/console/remote/sshdtest"
)

// oddServer accepts connections and does with them what speak does.
func oddServer(t *testing.T, speak func(net.Conn)) (addr string) {
	t.Helper()
	l := listen(t)
	var work sync.WaitGroup
	var mu sync.Mutex
	var conns []net.Conn
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns = append(conns, c)
			mu.Unlock()
			work.Go(func() { speak(c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for _, c := range conns {
			c.Close()
		}
		mu.Unlock()
		work.Wait()
	})
	return l.Addr().String()
}

func says(words string) func(net.Conn) {
	return func(c net.Conn) { _, _ = io.WriteString(c, words) }
}

func saysAndCloses(words string) func(net.Conn) {
	return func(c net.Conn) {
		_, _ = io.WriteString(c, words)
		c.Close()
	}
}

func TestOddServers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		speak func(net.Conn)
		step  string
		words []string
	}{
		{"silence", func(net.Conn) {}, remote.StepBanner, []string{"no answer for 2s", "said nothing"}},
		{"web server", saysAndCloses("HTTP/1.1 400 Bad Request\r\nServer: nginx\r\n\r\n"), remote.StepBanner, []string{"not an SSH server", "HTTP/1.1 400 Bad Request", "check the port"}},
		{"hostile words", saysAndCloses("\x1b]0;owned\x07\u202ehello\r\n"), remote.StepBanner, []string{"not an SSH server", "hello"}},
		{"binary", saysAndCloses("\x00\x01\xff\xfe\x80"), remote.StepBanner, []string{"not an SSH server"}},
		{"closes at once", saysAndCloses(""), remote.StepBanner, []string{"closed the connection before it said anything", "MaxStartups"}},
		{"a line without end", func(c net.Conn) {
			for {
				if _, err := io.WriteString(c, strings.Repeat("x", 4096)); err != nil {
					return
				}
			}
		}, remote.StepBanner, []string{"not an SSH server", "xxx"}},
		{"lines without end", func(c net.Conn) {
			for {
				if _, err := io.WriteString(c, "hello\r\n"); err != nil {
					return
				}
			}
		}, remote.StepBanner, []string{"not an SSH server", "hello"}},
		{"half a banner", says("SSH-2.0-Half"), remote.StepExchange, []string{"no answer for 2s"}},
		{"protocol 1", saysAndCloses("SSH-1.5-Old\r\n"), remote.StepExchange, nil},
		{"silence after the banner", says("SSH-2.0-Mute\r\n"), remote.StepExchange, []string{"no answer for 2s"}},
		{"garbage after the banner", saysAndCloses("SSH-2.0-Odd\r\n" + strings.Repeat("garbage!", 100)), remote.StepExchange, nil},
		{"closes after the banner", saysAndCloses("SSH-2.0-Shy\r\n"), remote.StepExchange, []string{"closed the connection"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute // the others must not need it
			if strings.Contains(strings.Join(tt.words, ""), "no answer for 2s") {
				limit = 2 * time.Second
			}
			cfg := remote.Config{Dest: oddServer(t, tt.speak), Options: remote.Options{ConfigFile: "none"}, Timeout: limit}
			e := refused(t, cfg, tt.step, remote.ClassConnect, tt.words...)
			if strings.ContainsAny(describe(e), "\x1b\x07\x00\u202e") {
				t.Errorf("a host's words came through: %q", describe(e))
			}
		})
	}
}

func TestServerThatKnowsOnlyUnsafeMethods(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{Config: []string{"KexAlgorithms diffie-hellman-group1-sha1"}})
	refused(t, (&person{}).to(s), remote.StepExchange, remote.ClassConnect, "no key exchange that both sides know", "diffie-hellman-group1-sha1", "update it")
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	closed := listen(t)
	addr := closed.Addr().String()
	closed.Close()
	tests := []struct {
		name, dest, step string
		set              []string
		words            []string
	}{
		{"nobody listens", addr, remote.StepConnect, nil, []string{"connection refused", "check the port"}},
		{"no such name", "no-such-host.invalid", remote.StepResolve, nil, []string{"no-such-host.invalid", "check the name"}},
		{"no address of that family", "127.0.0.1", remote.StepResolve, []string{"AddressFamily=inet6"}, []string{"AddressFamily"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := remote.Config{Dest: tt.dest, Options: remote.Options{ConfigFile: "none", Set: tt.set}, Timeout: time.Minute}
			refused(t, cfg, tt.step, remote.ClassConnect, tt.words...)
		})
	}
}

func TestSilenceDuringAuthentication(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	c := &ssh.ServerConfig{PasswordCallback: func(ssh.ConnMetadata, []byte) (*ssh.Permissions, error) {
		<-over
		return nil, errors.New("no")
	}}
	srv := startPeer(t, c, nil)
	t.Cleanup(func() { close(over) })
	cfg := srv.by(&person{secrets: []string{good}})
	cfg.Timeout = 4 * time.Second
	refused(t, cfg, remote.StepAuth, remote.ClassAuth, "no answer for 4s")
}

// slowPerson takes longer for an answer than the network may.
type slowPerson struct {
	person
	takes time.Duration
}

func (p *slowPerson) think() {
	done := make(chan struct{})
	time.AfterFunc(p.takes, func() { close(done) })
	<-done
}

func (p *slowPerson) HostKey(ctx context.Context, q remote.HostKeyQuestion) (remote.HostKeyAnswer, error) {
	p.think()
	return p.person.HostKey(ctx, q)
}

func (p *slowPerson) Secret(ctx context.Context, prompt string, echo bool) ([]byte, error) {
	p.think()
	return p.person.Secret(ctx, prompt, echo)
}

func TestAPersonMayTakeTime(t *testing.T) {
	t.Parallel()
	srv := passwordPeer(t, "password")
	p := &slowPerson{person{hostKey: remote.Once, secrets: []string{good}}, 4500 * time.Millisecond}
	cfg := srv.by(&p.person, "UserKnownHostsFile=/nonexistent/known_hosts")
	cfg.Options.Set = cfg.Options.Set[1:] // the file without the key counts
	cfg.Prompter = p
	cfg.Timeout = 4 * time.Second
	connect(t, cfg)
}

func TestDialEndsWithItsContext(t *testing.T) {
	t.Parallel()
	addr := oddServer(t, func(net.Conn) {})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	_, err := remote.Dial(ctx, remote.Config{Dest: addr, Options: remote.Options{ConfigFile: "none"}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestConnectionOutlivesTheContextOfDial(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	c, err := remote.Dial(ctx, (&person{}).to(s))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	cancel()
	if got := runOn(t, c, "echo alive"); got != "alive\n" {
		t.Errorf("got %q", got)
	}
}

func TestSteps(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	var steps []string
	cfg := (&person{}).to(s)
	cfg.OnStep = func(step, host string) { steps = append(steps, step) }
	connect(t, cfg)
	want := []string{remote.StepConfig, remote.StepResolve, remote.StepConnect, remote.StepBanner, remote.StepHostKey, remote.StepAuth}
	if strings.Join(steps, ",") != strings.Join(want, ",") {
		t.Errorf("got %v", steps)
	}
}

func TestDeadPeerIsNoticed(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	cfg := (&person{}).to(s, "ServerAliveInterval=1", "ServerAliveCountMax=2")
	c := connect(t, cfg)
	sh := plainShell(t, c)
	s.Proxy.Freeze()
	defer s.Proxy.Thaw()
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, sh)
		ended <- err
	}()
	select {
	case <-c.Done():
	case <-time.After(time.Minute):
		t.Fatal("a dead peer is not noticed")
	}
	var e *remote.Error
	if err := c.Err(); !errors.Is(err, remote.ErrDead) || !errors.As(err, &e) || e.Class != remote.ClassConnect || e.Hint == "" {
		t.Errorf("got %v", err)
	}
	<-ended // its reader is let go
	if _, err := sh.Wait(); err == nil {
		t.Error("a lost shell exited well")
	}
}

func TestQuietPeerStaysAlive(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	cfg := (&person{}).to(s)
	cfg.KeepAlive = remote.KeepAlive{Interval: 100 * time.Millisecond, Count: 50}
	c := connect(t, cfg)
	select {
	case <-c.Done():
		t.Fatal(c.Err())
	case <-time.After(time.Second):
	}
	if got := runOn(t, c, "echo alive"); got != "alive\n" {
		t.Errorf("got %q", got)
	}
}

func TestCutConnection(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	c := connect(t, (&person{}).to(s))
	if c.Err() != nil {
		t.Errorf("alive, but %v", c.Err())
	}
	s.Proxy.Cut()
	<-c.Done()
	if err := c.Err(); err == nil || errors.Is(err, remote.ErrDead) || errors.Is(err, remote.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{})
	c := connect(t, (&person{}).to(s))
	if err := errors.Join(c.Close(), c.Close()); err != nil {
		t.Error(err)
	}
	<-c.Done()
	if !errors.Is(c.Err(), remote.ErrClosed) {
		t.Errorf("got %v", c.Err())
	}
}

// TestWithoutOpenSSH connects where no ssh is installed: the configuration is
// read by the parser.
func TestWithoutOpenSSH(t *testing.T) {
	s := sshdtest.Start(t, sshdtest.Options{})
	t.Setenv("PATH", "")
	cfg := (&person{}).to(s)
	cfg.Dest = "some-name"
	if c := connect(t, cfg); c.Target().Port != s.Port || c.Target().Asked != "some-name" || c.Target().Account != s.User {
		t.Errorf("got %+v", c.Target())
	}
	cfg.Options.ConfigFile = file(t, "config", "Match exec true\n User eve\n")
	refused(t, cfg, remote.StepConfig, remote.ClassConfig, "Match", "OpenSSH")
}
