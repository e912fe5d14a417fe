package remote_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/policy"
	"sallyport/redact"
)

// lets is a policy that allows channels.
type lets struct{}

func (lets) Decide(policy.Request) policy.Decision { return policy.Decision{} }
func (lets) Digest() [32]byte                      { return [32]byte{} }
func (lets) Channel(string, string) policy.Effect  { return policy.Permit }

// same is the wire of a text that leaves as it is.
type same struct{}

func (same) Step(n int, text string) []byte {
	if n != 0 {
		return nil
	}
	return []byte(text)
}

// channelFor clears a channel in a slot of its own.
func channelFor(t *testing.T, detail string) (*gate.Slot, gate.Cleared) {
	t.Helper()
	log, err := audit.Open(audit.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close(context.Background()) })
	s := gate.NewSlot(gate.SlotConfig{
		Session: "test", Recorder: log.In("test", audit.Target{}), Judge: func() gate.Judge { return lets{} }, Redactor: redact.New(redact.Config{}),
	})
	s.Enter(gate.State{Phase: gate.SideChannel})
	c, err := (&gate.Gate{}).Submit(t.Context(), s, gate.Request{
		Kind: gate.Channel, Origin: policy.Human, Operation: "remote_forward", Text: detail, Dialect: policy.Text, Evidence: gate.EvidenceNone, Wire: same{},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// Nothing is forwarded without a clearance of kind channel, spent once.
func TestNothingIsForwardedWithoutAClearance(t *testing.T) {
	t.Parallel()
	r := record(t)
	c := r.connect(t)
	here, there := net.Pipe()
	defer there.Close()
	s, once := channelFor(t, "127.0.0.1:9")
	if err := c.Forward(t.Context(), s, gate.Cleared{}, here, func(error) {}); !errors.Is(err, gate.ErrNotCleared) {
		t.Errorf("no clearance: %v", err)
	}
	if _, err := there.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the program's end is still open: %v", err)
	}
	if err := c.Listen(t.Context(), slotIn(gate.SideChannel), once, func(*remote.Incoming) {}); !errors.Is(err, gate.ErrWrongSlot) {
		t.Errorf("another slot: %v", err)
	}
	side := slotIn(gate.SideChannel)
	if err := c.Listen(t.Context(), side, cleared(t, side, gate.ProbeData("127.0.0.1:9")), func(*remote.Incoming) {}); !errors.Is(err, gate.ErrNotCleared) {
		t.Errorf("another kind: %v", err)
	}
	for _, at := range []string{"0.0.0.0:9", "*:9", "10.0.0.1:9", "localhost:0", "localhost", "/sock:1"} {
		s, c2 := channelFor(t, at)
		if err := c.Listen(t.Context(), s, c2, func(*remote.Incoming) {}); err == nil {
			t.Errorf("the host was asked to listen at %s", at)
		}
	}
	if asked, _ := r.seen(); len(asked) != 0 {
		t.Errorf("the host was asked for %q", asked)
	}
}

// A host opens what was asked for and nothing beside it; each channel needs a
// clearance of its own.
func TestAHostOpensOnlyWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	server := make(chan *ssh.ServerConn, 1)
	p := startPeer(t, &ssh.ServerConfig{NoClientAuth: true}, func(sc *ssh.ServerConn, chans <-chan ssh.NewChannel, reqs <-chan *ssh.Request) {
		server <- sc
		go func() {
			for q := range reqs {
				_ = q.Reply(q.Type == "tcpip-forward", nil)
			}
		}()
		for n := range chans {
			_ = n.Reject(ssh.Prohibited, "")
		}
	})
	told := make(chan string, 16)
	cfg := p.by(&person{})
	cfg.Refused = func(kind string) { told <- kind }
	c := connect(t, cfg)
	host := <-server
	s, at := channelFor(t, "localhost:9")
	answers := make(chan error, 4)
	err := c.Listen(t.Context(), s, at, func(in *remote.Incoming) {
		here, there := net.Pipe()
		go func() { _, _ = io.Copy(there, there) }()
		// What was spent on asking is not good for a channel.
		if err := in.Join(t.Context(), s, at, here); !errors.Is(err, gate.ErrSpent) {
			answers <- err
		}
		answers <- nil
	})
	if err != nil {
		t.Fatal(err)
	}
	open := func(kind string, port uint32) ssh.RejectionReason {
		ch, _, err := host.OpenChannel(kind, ssh.Marshal(struct {
			At     string
			Port   uint32
			From   string
			FromAt uint32
		}{"localhost", port, "10.0.0.9", 1}))
		var rejected *ssh.OpenChannelError
		if err == nil {
			ch.Close()
			return 0
		}
		if !errors.As(err, &rejected) {
			t.Fatal(err)
		}
		return rejected.Reason
	}
	for _, tt := range []struct {
		kind string
		port uint32
	}{{"forwarded-tcpip", 10}, {"forwarded-tcpip", 0}, {"auth-agent@openssh.com", 0}, {"x11", 9}, {"direct-tcpip", 9}} {
		if got := open(tt.kind, tt.port); got != ssh.Prohibited {
			t.Errorf("%s %d: %v", tt.kind, tt.port, got)
		}
		if got := <-told; got != "channel "+tt.kind {
			t.Errorf("told %q", got)
		}
	}
	if got := open("forwarded-tcpip", 9); got != ssh.Prohibited {
		t.Errorf("a spent clearance opened it: %v", got)
	}
	if err := <-answers; err != nil {
		t.Error(err)
	}
}

// What a host opens goes to who asked for that address and port.
func TestAnOfferIsOfAnAddressAndAPort(t *testing.T) {
	t.Parallel()
	server := make(chan *ssh.ServerConn, 1)
	p := startPeer(t, &ssh.ServerConfig{NoClientAuth: true}, func(sc *ssh.ServerConn, _ <-chan ssh.NewChannel, reqs <-chan *ssh.Request) {
		server <- sc
		for q := range reqs {
			var at struct {
				Address string
				Port    uint32
			}
			_ = ssh.Unmarshal(q.Payload, &at)
			_ = q.Reply(q.Type == "tcpip-forward" && at.Port != 7, nil)
		}
	})
	c := connect(t, p.by(&person{}))
	host := <-server
	got := make(chan string, 1)
	for _, at := range []string{"127.0.0.1:9", "[::1]:9", "localhost:10", "127.0.0.1:7"} {
		s, cleared := channelFor(t, at)
		err := c.Listen(t.Context(), s, cleared, func(in *remote.Incoming) { got <- at; in.Refuse() })
		if (err != nil) != (at == "127.0.0.1:7") {
			t.Fatalf("%s: %v", at, err)
		}
	}
	for _, tt := range []struct {
		address string
		port    uint32
		want    string
	}{{"127.0.0.1", 9, "127.0.0.1:9"}, {"::1", 9, "[::1]:9"}, {"127.0.0.1", 10, "localhost:10"}, {"localhost", 9, ""}, {"127.0.0.1", 7, ""}} {
		_, _, err := host.OpenChannel("forwarded-tcpip", ssh.Marshal(struct {
			At     string
			Port   uint32
			From   string
			FromAt uint32
		}{tt.address, tt.port, "10.0.0.9", 1}))
		if err == nil {
			t.Fatal("it was opened")
		}
		who := ""
		select {
		case who = <-got:
		default:
		}
		if who != tt.want {
			t.Errorf("%s %d went to %q, want %q", tt.address, tt.port, who, tt.want)
		}
	}
}

// A refused port has nothing to do with sessions.
func TestARefusedForwardSaysWhatToDo(t *testing.T) {
	t.Parallel()
	reasons := make(chan ssh.RejectionReason, 1)
	p := startPeer(t, &ssh.ServerConfig{NoClientAuth: true}, func(_ *ssh.ServerConn, chans <-chan ssh.NewChannel, reqs <-chan *ssh.Request) {
		go ssh.DiscardRequests(reqs)
		for n := range chans {
			_ = n.Reject(<-reasons, "no")
		}
	})
	c := connect(t, p.by(&person{}))
	for reason, hint := range map[ssh.RejectionReason]string{ssh.Prohibited: "PermitOpen", ssh.ConnectionFailed: "does not reach it"} {
		reasons <- reason
		here, there := net.Pipe()
		defer there.Close()
		s, cleared := channelFor(t, "db:5432")
		var heard error
		err := c.Forward(t.Context(), s, cleared, here, func(err error) { heard = err })
		var e *remote.Error
		if !errors.As(err, &e) || !strings.Contains(e.Hint, hint) || heard != err {
			t.Errorf("%v: %+v, heard %v", reason, err, heard)
		}
	}
}

// What asks an agent for a signature that waits for a person ends with its
// channel: no goroutine and no socket is left.
func TestAnAgentThatHangsEndsWithItsChannel(t *testing.T) {
	t.Parallel()
	sock := filepath.Join(t.TempDir(), "agent")
	l, err := net.Listen("unix", sock)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	left := make(chan error, 1)
	asked := make(chan struct{})
	go func() {
		a, err := l.Accept()
		if err != nil {
			return
		}
		defer a.Close()
		_, _ = a.Read(make([]byte, 5))
		close(asked)
		_, err = a.Read(make([]byte, 1)) // and never answers
		left <- err
	}()
	server := make(chan *ssh.ServerConn, 1)
	p := startPeer(t, &ssh.ServerConfig{NoClientAuth: true}, func(sc *ssh.ServerConn, _ <-chan ssh.NewChannel, reqs <-chan *ssh.Request) {
		server <- sc
		ssh.DiscardRequests(reqs)
	})
	conf := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(conf, []byte("Host *\n  ForwardAgent "+sock+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := p.by(&person{})
	cfg.Options.ConfigFile = conf
	c := connect(t, cfg)
	over := make(chan error, 1)
	c.TakeAgent(func(in *remote.Incoming) {
		s, cleared := channelFor(t, "")
		over <- in.JoinAgent(t.Context(), s, cleared)
	})
	ch, reqs, err := (<-server).OpenChannel("auth-agent@openssh.com", nil)
	if err != nil {
		t.Fatal(err)
	}
	go ssh.DiscardRequests(reqs)
	_, _ = ch.Write([]byte{0, 0, 0, 1, 11})
	within(t, asked)
	ch.Close()
	if err := within(t, over); err != nil {
		t.Error(err)
	}
	if err := within(t, left); err != io.EOF {
		t.Errorf("the agent's socket: %v", err)
	}
}

// within is what comes next, and it comes.
func within[T any](t *testing.T, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(20 * time.Second):
		t.Fatal("it never came")
	}
	return v
}
