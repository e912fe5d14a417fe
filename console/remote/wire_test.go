package remote_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/crypto/ssh"

	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/console/remote/sshdtest"
)

// slotIn gives a slot of its own in a phase.
func slotIn(p gate.Phase) *gate.Slot {
	s := gate.NewSlot(gate.SlotConfig{Session: "test"})
	s.Enter(gate.State{Phase: p})
	return s
}

func cleared(t *testing.T, s *gate.Slot, c gate.Control) gate.Cleared {
	t.Helper()
	out, err := (&gate.Gate{}).Control(s, c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// runOn runs a constant command on c. It stands in for what the gate's other
// kinds clear, which its own tests show.
func runOn(t *testing.T, c *remote.Conn, command string) string {
	t.Helper()
	s := slotIn(gate.SideChannel)
	e, err := c.Exec(t.Context(), s, cleared(t, s, gate.ProbeWith("exec xargs -0 -n 1 sh -c")))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	go func() { _, _ = io.Copy(io.Discard, e.Stderr()) }()
	if err := e.Send(cleared(t, s, gate.ProbeData(command))); err != nil {
		t.Fatal(err)
	}
	if err := e.CloseInput(); err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(e)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// plainShell starts the account's shell.
func plainShell(t *testing.T, c *remote.Conn) *remote.Shell {
	t.Helper()
	s := slotIn(gate.Booting)
	sh, err := c.Shell(t.Context(), s, cleared(t, s, gate.PlainShell()), remote.PTY{Term: "xterm", Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sh.Close() })
	return sh
}

// recorder is a peer that lets everyone in and writes down what it is asked.
type recorder struct {
	*peer
	mu    sync.Mutex
	asked []string // requests on channels, with their payload
	wrote bytes.Buffer
	conn  *ssh.ServerConn
}

func record(t *testing.T) *recorder {
	t.Helper()
	r := &recorder{}
	r.peer = startPeer(t, &ssh.ServerConfig{NoClientAuth: true}, r.handle)
	return r
}

func (r *recorder) handle(sc *ssh.ServerConn, chans <-chan ssh.NewChannel, reqs <-chan *ssh.Request) {
	r.mu.Lock()
	r.conn = sc
	r.mu.Unlock()
	go func() {
		for q := range reqs {
			r.note("global " + q.Type)
			if q.WantReply {
				_ = q.Reply(false, nil)
			}
		}
	}()
	for n := range chans {
		r.note("open " + n.ChannelType())
		ch, reqs, err := n.Accept()
		if err != nil {
			continue
		}
		go r.requests(reqs)
		go r.data(ch)
	}
}

func (r *recorder) requests(reqs <-chan *ssh.Request) {
	for q := range reqs {
		r.note(fmt.Sprintf("%s %q", q.Type, q.Payload))
		if q.WantReply {
			_ = q.Reply(true, nil)
		}
	}
}

func (r *recorder) data(ch ssh.Channel) {
	buf := make([]byte, 4096)
	for {
		n, err := ch.Read(buf)
		r.mu.Lock()
		r.wrote.Write(buf[:n])
		r.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (r *recorder) note(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, s)
}

func (r *recorder) seen() (asked []string, wrote string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.asked...), r.wrote.String()
}

// server is the host's side of the connection.
func (r *recorder) server(t *testing.T) (sc *ssh.ServerConn) {
	t.Helper()
	waitFor(t, "the connection", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		sc = r.conn
		return sc != nil
	})
	return sc
}

func (r *recorder) connect(t *testing.T) *remote.Conn {
	t.Helper()
	return connect(t, r.by(&person{}))
}

// TestOneWayOut shows that nothing is written without a clearance of this
// slot, this epoch and a fitting kind. What is sent last shows that what was
// refused never arrived.
func TestOneWayOut(t *testing.T) {
	t.Parallel()
	r := record(t)
	c := r.connect(t)
	s := slotIn(gate.Booting)
	sh, err := c.Shell(t.Context(), s, cleared(t, s, gate.PlainShell()), remote.PTY{Term: "xterm", Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := slotIn(gate.Booting)
	spent := cleared(t, s, gate.Press(gate.SignalStop))
	if err := sh.Send(spent); err != nil {
		t.Fatal(err)
	}
	stale := cleared(t, s, gate.Press(gate.SignalQuit))
	s.Enter(gate.State{Phase: gate.Booting})
	refusals := []struct {
		name string
		err  error
		want error
	}{
		{"the zero value", sh.Send(gate.Cleared{}), gate.ErrNotCleared},
		{"spent", sh.Send(spent), gate.ErrSpent},
		{"of an epoch that is over", sh.Send(stale), gate.ErrVoid},
		{"of another channel", sh.Send(cleared(t, elsewhere, gate.Press(gate.SignalQuit))), gate.ErrWrongSlot},
		{"a window size as text", sh.Send(cleared(t, s, gate.Window(80, 24))), gate.ErrNotCleared},
		{"text as a window size", sh.Resize(cleared(t, s, gate.Press(gate.SignalQuit))), gate.ErrNotCleared},
		{"the zero value as a window size", sh.Resize(gate.Cleared{}), gate.ErrNotCleared},
	}
	for _, tt := range refusals {
		if !errors.Is(tt.err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, tt.err, tt.want)
		}
	}
	if err := sh.Send(cleared(t, s, gate.Press(gate.SignalInterrupt))); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the last byte", func() bool { _, wrote := r.seen(); return strings.HasSuffix(wrote, "\x03") })
	if _, wrote := r.seen(); wrote != "\x1a\x03" {
		t.Errorf("the host received %q", wrote)
	}
}

func TestNoChannelStartsWithoutAClearance(t *testing.T) {
	t.Parallel()
	r := record(t)
	c := r.connect(t)
	s := slotIn(gate.Booting)
	if _, err := c.Shell(t.Context(), s, gate.Cleared{}, remote.PTY{}); !errors.Is(err, gate.ErrNotCleared) {
		t.Errorf("shell: got %v", err)
	}
	if _, err := c.Exec(t.Context(), s, gate.Cleared{}); !errors.Is(err, gate.ErrNotCleared) {
		t.Errorf("exec: got %v", err)
	}
	if _, err := c.Exec(t.Context(), s, cleared(t, s, gate.Press(gate.SignalEOF))); !errors.Is(err, gate.ErrNotCleared) {
		t.Errorf("exec of a key: got %v", err)
	}
	if _, err := c.Shell(t.Context(), nil, gate.Cleared{}, remote.PTY{}); err == nil {
		t.Error("a shell without a slot")
	}
	if _, err := c.Shell(t.Context(), s, cleared(t, s, gate.PlainShell()), remote.PTY{Env: []gate.Cleared{{}}}); !errors.Is(err, gate.ErrNotCleared) {
		t.Errorf("environment: got %v", err)
	}
	asked, wrote := r.seen()
	for _, a := range asked {
		if strings.HasPrefix(a, "shell") || strings.HasPrefix(a, "exec") || strings.HasPrefix(a, "env") {
			t.Errorf("the host was asked for %q", asked)
		}
	}
	if wrote != "" {
		t.Errorf("the host received %q", wrote)
	}
}

func TestWhatAShellAsksFor(t *testing.T) {
	t.Parallel()
	r := record(t)
	c := r.connect(t)
	s := slotIn(gate.Booting)
	sh, err := c.Shell(t.Context(), s, cleared(t, s, gate.PlainShell()), remote.PTY{Term: "xterm-256color", Cols: 120, Rows: 36, NoEcho: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := sh.Resize(cleared(t, s, gate.Window(80, 24))); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"open session",
		`pty-req "\x00\x00\x00\x0exterm-256color\x00\x00\x00x\x00\x00\x00$\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x065\x00\x00\x00\x00\x00"`,
		`shell ""`,
		`window-change "\x00\x00\x00P\x00\x00\x00\x18\x00\x00\x00\x00\x00\x00\x00\x00"`,
	}
	waitFor(t, "the window's size", func() bool { asked, _ := r.seen(); return len(asked) == len(want) })
	if asked, _ := r.seen(); strings.Join(asked, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(asked, "\n"), strings.Join(want, "\n"))
	}
}

// TestServerGetsNothingForwarded opens and asks for everything that a server
// can, with the operator's agent and display at hand.
func TestServerGetsNothingForwarded(t *testing.T) {
	t.Setenv("SSH_AUTH_SOCK", "/tmp/an-agent")
	t.Setenv("DISPLAY", ":0")
	var mu sync.Mutex
	var told []string
	r := record(t)
	cfg := r.by(&person{})
	cfg.Options.ConfigFile = file(t, "config", "ForwardAgent yes\nForwardX11 yes\nRemoteForward 9 127.0.0.1:9\nLocalForward 9998 127.0.0.1:9\nTunnel yes\nSendEnv *\n")
	cfg.Refused = func(kind string) { mu.Lock(); told = append(told, kind); mu.Unlock() }
	c := connect(t, cfg)
	plainShell(t, c)
	kinds := []string{"auth-agent@openssh.com", "x11", "forwarded-tcpip", "direct-tcpip", "tun@openssh.com", "session", "forwarded-streamlocal@openssh.com", "\x1b[31mred"}
	host := r.server(t)
	for _, kind := range kinds {
		ch, _, err := host.OpenChannel(kind, nil)
		var open *ssh.OpenChannelError
		if !errors.As(err, &open) || open.Reason != ssh.Prohibited {
			t.Errorf("%s: got %v", kind, err)
		}
		if err == nil {
			ch.Close()
		}
	}
	for _, kind := range []string{"tcpip-forward", "cancel-tcpip-forward", "streamlocal-forward@openssh.com", "keepalive@openssh.com", "hostkeys-00@openssh.com", "anything"} {
		if ok, _, err := host.SendRequest(kind, true, nil); ok || err != nil {
			t.Errorf("%s: got %v, %v", kind, ok, err)
		}
	}
	mu.Lock()
	if len(told) != len(kinds)+4 || strings.ContainsRune(strings.Join(told, ""), 0x1b) {
		t.Errorf("told %q", told)
	}
	mu.Unlock()
	asked, _ := r.seen()
	for _, a := range asked {
		for _, bad := range []string{"auth-agent-req", "x11-req", "env ", "tcpip-forward", "global", "direct-tcpip"} {
			if strings.HasPrefix(a, bad) || strings.HasPrefix(a, "open "+bad) {
				t.Errorf("offered: %q", asked)
			}
		}
	}
}

func TestServerThatGoesOnAsking(t *testing.T) {
	t.Parallel()
	var told atomic.Int32
	r := record(t)
	cfg := r.by(&person{})
	cfg.Refused = func(string) { told.Add(1) }
	connect(t, cfg)
	host := r.server(t)
	for range 500 {
		if _, _, err := host.OpenChannel("x11", nil); err == nil {
			t.Fatal("opened")
		}
		if ok, _, err := host.SendRequest("tcpip-forward", true, nil); ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if n := told.Load(); n < 2 || n > 40 {
		t.Errorf("told %d times of 1000", n)
	}
}

func TestExit(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{ForceCommand: "echo out; echo err >&2; exit 7"})
	c := connect(t, (&person{}).to(s))
	slot := slotIn(gate.SideChannel)
	e, err := c.Exec(t.Context(), slot, cleared(t, slot, gate.ProbeWith("x")))
	if err != nil {
		t.Fatal(err)
	}
	var stderr []byte
	var work sync.WaitGroup
	work.Go(func() { stderr, _ = io.ReadAll(e.Stderr()) })
	stdout, _ := io.ReadAll(e)
	work.Wait()
	exit, err := e.Wait()
	if string(stdout) != "out\n" || string(stderr) != "err\n" || exit != (remote.Exit{Code: 7}) || err != nil {
		t.Errorf("got %q, %q, %+v, %v", stdout, stderr, exit, err)
	}
}

func TestExitBySignal(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{ForceCommand: "kill -TERM $$"})
	c := connect(t, (&person{}).to(s))
	sh := plainShell(t, c)
	_, _ = io.Copy(io.Discard, sh)
	if exit, err := sh.Wait(); exit != (remote.Exit{Code: -1, Signal: "TERM"}) || err != nil {
		t.Errorf("got %+v, %v", exit, err)
	}
}

func TestCloseLetsReadersGo(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{ForceCommand: "sleep 600"})
	sh := plainShell(t, connect(t, (&person{}).to(s)))
	ended := make(chan error, 1)
	go func() {
		_, err := io.ReadAll(sh)
		ended <- err
	}()
	if err := sh.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("got %v", err)
	}
	<-sh.Done()
}

func TestNoMoreSessions(t *testing.T) {
	t.Parallel()
	s := sshdtest.Start(t, sshdtest.Options{Config: []string{"MaxSessions 1"}})
	c := connect(t, (&person{}).to(s))
	plainShell(t, c)
	slot := slotIn(gate.Booting)
	_, err := c.Shell(t.Context(), slot, cleared(t, slot, gate.PlainShell()), remote.PTY{Term: "xterm"})
	var e *remote.Error
	if !errors.As(err, &e) || e.Step != remote.StepChannel || !strings.Contains(e.Hint, "MaxSessions") {
		t.Errorf("got %v", err)
	}
}

// How a shell exited may come behind the end of its output: a session that ends
// there has ended by itself, and was not lost.
func TestAShellsExitMayComeBehindItsOutput(t *testing.T) {
	t.Parallel()
	closing := make(chan struct{})
	p := startPeer(t, &ssh.ServerConfig{NoClientAuth: true}, func(_ *ssh.ServerConn, chans <-chan ssh.NewChannel, reqs <-chan *ssh.Request) {
		go ssh.DiscardRequests(reqs)
		for n := range chans {
			ch, asked, err := n.Accept()
			if err != nil {
				return
			}
			for r := range asked {
				_ = r.Reply(true, nil)
				if r.Type == "shell" {
					break
				}
			}
			go ssh.DiscardRequests(asked)
			_ = ch.CloseWrite()
			<-closing
			_, _ = ch.SendRequest("exit-status", false, []byte{0, 0, 0, 7})
			_ = ch.Close()
		}
	})
	c := connect(t, p.by(&person{}))
	s := slotIn(gate.Booting)
	sh, err := c.Shell(t.Context(), s, cleared(t, s, gate.PlainShell()), remote.PTY{Term: "xterm", Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(sh); err != nil {
		t.Fatal(err)
	}
	closed := make(chan error, 1)
	go func() { closed <- sh.Close() }()
	close(closing)
	within(t, closed)
	if e, err := sh.Wait(); err != nil || e.Code != 7 {
		t.Errorf("exit %+v, %v", e, err)
	}
}
