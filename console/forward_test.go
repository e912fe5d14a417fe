package console

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh/agent"

	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/remote"
	"sallyport/console/remote/sshdtest"
	"sallyport/console/session"
	"sallyport/console/socks"
	"sallyport/policies"
	"sallyport/policy"
)

// forwards is a console on a real sshd whose configuration asks for
// forwardings.
type forwards struct {
	*testing.T
	c   *Console
	h   *Host
	dir string // of the log
	org string // of the policy
}

func startForwards(t *testing.T, channels string, sshd []string, config ...string) *forwards {
	t.Helper()
	s := sshdtest.Start(t, sshdtest.Options{Shell: "bash", Config: sshd})
	base, err := os.ReadFile(s.SSHConfig)
	if err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(t.TempDir(), "config")
	write(t, conf, "Host *\n  "+strings.Join(config, "\n  ")+"\n"+string(base))
	org := t.TempDir()
	write(t, filepath.Join(org, "org.toml"), "schema = 1\n[policy]\nid = \"org\"\nversion = \"1\"\n[channels]\n"+channels)
	f := &forwards{T: t, dir: t.TempDir(), org: org}
	f.c, err = New(Config{
		AuditDir: f.dir, SSH: remote.Options{ConfigFile: conf}, Asker: approver{}, Prompter: func(string) remote.Prompter { return nil },
		Policy: policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, OrgDir: org, OrgOwner: os.Getuid()},
		Warn:   func(s string) { t.Log(s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.c.Close(context.Background()) })
	if f.h, err = f.c.Open(s.User + "@" + s.Addr); err != nil {
		t.Fatal(err)
	}
	if err := f.h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f
}

// approver consents to everything.
type approver struct{}

func (approver) Ask(_ context.Context, q gate.Question) (gate.Answer, error) {
	return gate.Answer{Send: true, Typed: q.Phrase}, nil
}

// run types a line at the session's prompt and gives its exit code.
func (f *forwards) run(line string) int {
	f.Helper()
	sh := f.h.Session()
	f.await("a prompt", func() bool { sh = f.h.Session(); return sh != nil && sh.View().State == session.Prompt })
	n := len(sh.Journal())
	for _, r := range line {
		sh.Key(keys.Rune(r))
	}
	sh.Key(keys.Press(keys.Enter, 0))
	f.await("the end of "+line, func() bool { j := sh.Journal(); return len(j) > n && j[n].Status != session.InProgress })
	if e := sh.Journal()[n].Exit; e != nil {
		return *e
	}
	return -1
}

func (f *forwards) await(what string, ok func() bool) {
	f.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(30 * time.Second); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			f.Fatalf("never: %s", what)
		}
	}
}

// dial connects to a port of this machine as soon as something listens there.
func (f *forwards) dial(port int) net.Conn {
	f.Helper()
	var c net.Conn
	f.await("somebody listens on port "+strconv.Itoa(port), func() (ok bool) {
		var err error
		c, err = net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		return err == nil
	})
	f.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	return c
}

// channels are the records about channels: "KIND DETAIL EFFECT".
func (f *forwards) channels() []string {
	f.Helper()
	var out []string
	files, _ := filepath.Glob(filepath.Join(f.dir, "*.jsonl"))
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(b) {
			var r struct {
				Event string
				Data  struct{ Channel, Detail, Origin, Effect, Command string }
			}
			if json.Unmarshal(line, &r) != nil {
				continue
			}
			switch {
			case r.Event == "channel.open" && r.Data.Channel != "env":
				out = append(out, strings.Join([]string{r.Data.Channel, r.Data.Detail, r.Data.Origin, r.Data.Effect}, " "))
			case r.Event == "command.refused":
				out = append(out, r.Data.Command+" refused as a command")
			}
		}
	}
	return out
}

// serve answers each connection until the listener is closed.
func serve(l net.Listener, answer func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() { defer c.Close(); answer(c) }()
	}
}

// echoes answers every connection with what it sends.
func echoes(t *testing.T) (port int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go serve(l, func(c net.Conn) { _, _ = io.Copy(c, c) })
	return l.Addr().(*net.TCPAddr).Port
}

// freePorts are ports where nothing listens, below those that connections get
// of their own: what else runs here takes none of them by chance.
func freePorts(t *testing.T, n int) (out []int) {
	t.Helper()
	for _, p := range rand.Perm(10_000) {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(20_000+p)))
		if err != nil {
			continue
		}
		l.Close()
		if out = append(out, 20_000+p); len(out) == n {
			return out
		}
	}
	t.Fatal("no free ports")
	return nil
}

// roundTrip sends a text and an end of file, and wants the same back.
func roundTrip(t *testing.T, c net.Conn) {
	t.Helper()
	text := strings.Repeat("ping", 100_000)
	go func() {
		_, _ = io.WriteString(c, text)
		_ = c.(*net.TCPConn).CloseWrite()
	}()
	if got, err := io.ReadAll(c); err != nil || string(got) != text {
		t.Errorf("%d of %d bytes came back, %v", len(got), len(text), err)
	}
}

func socksTo(t *testing.T, c net.Conn, port int) (code byte) {
	t.Helper()
	_, _ = c.Write([]byte{5, 1, 0})
	b := make([]byte, 12)
	if _, err := io.ReadFull(c, b[:2]); err != nil {
		t.Fatal(err)
	}
	_, _ = c.Write(append([]byte{5, 1, 0, 3, 9}, append([]byte("127.0.0.1"), byte(port>>8), byte(port))...))
	if _, err := io.ReadFull(c, b[:10]); err != nil {
		t.Fatal(err)
	}
	return b[1]
}

// Ports are forwarded where [channels] lists what they lead to; each connection
// is judged and recorded.
func TestPortsAreForwardedWhereThePolicyAllowsThem(t *testing.T) {
	ports := freePorts(t, 5)
	echo, here, proxy, there, wide, silent := echoes(t), ports[0], ports[1], ports[2], ports[3], ports[4]
	to := fmt.Sprintf("127.0.0.1:%d", echo)
	f := startForwards(t, fmt.Sprintf("local_forward = [\"dynamic\", %q, \"127.0.0.1:%d\", \"also:1\"]\nremote_forward = [%q]\n", to, silent, to), nil,
		fmt.Sprintf("LocalForward %d %s", here, to),
		fmt.Sprintf("DynamicForward 127.0.0.1:%d", proxy),
		fmt.Sprintf("RemoteForward %d %s", there, to),
		fmt.Sprintf("LocalForward *:%d also:1", wide),
		"LocalForward 127.0.0.1:1 elsewhere:1",
	)
	roundTrip(t, f.dial(here))
	roundTrip(t, f.dial(there))
	c := f.dial(proxy)
	if code := socksTo(t, c, echo); code != 0 {
		t.Errorf("SOCKS answers %d", code)
	}
	roundTrip(t, c)
	if code := socksTo(t, f.dial(proxy), 22); code != byte(socks.NotAllowed) {
		t.Errorf("a destination that is not listed: SOCKS answers %d", code)
	}
	if code := socksTo(t, f.dial(proxy), silent); code != byte(socks.Refused) {
		t.Errorf("a port where nobody listens: SOCKS answers %d", code)
	}
	if c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(wide))); err == nil {
		c.Close()
		t.Error("it listens at every address")
	}
	got := strings.Join(f.channels(), "\n")
	lo := func(port int) string { return fmt.Sprintf("localhost:%d", port) }
	via := fmt.Sprintf("127.0.0.1:%d → ", proxy)
	for _, want := range []string{
		"local_forward " + lo(here) + " → " + to + " (request) human permit", "local_forward " + lo(here) + " → " + to + " (connection) human permit",
		"remote_forward " + lo(there) + " → " + to + " (request) human permit", "remote_forward " + lo(there) + " → " + to + " (connection) host permit",
		"local_forward " + via + "dynamic (request) human permit", "local_forward " + via + to + " (connection) human permit",
		"local_forward " + via + "127.0.0.1:22 (connection) human deny", "local_forward 127.0.0.1:1 → elsewhere:1 human deny",
		"also:1: a forwarding listens on a loopback address",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("not recorded: %s\nin\n%s", want, got)
		}
	}
	if strings.Contains(got, "as a command") {
		t.Errorf("a channel is no command:\n%s", got)
	}
	f.h.end()
	if c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(here))); err == nil {
		c.Close()
		t.Error("it still listens after the connection's end")
	}
}

// The agent can be asked for its keys and for signatures, and for nothing else.
func TestTheAgentIsForwardedWhereThePolicyAllowsIt(t *testing.T) {
	sshdtest.Need(t, "ssh-add")
	ring := agent.NewKeyring()
	_, key, _ := ed25519.GenerateKey(nil)
	if err := ring.Add(agent.AddedKey{PrivateKey: key, Comment: "a-made-up-key"}); err != nil {
		t.Fatal(err)
	}
	sock := filepath.Join(t.TempDir(), "agent")
	l, err := net.Listen("unix", sock)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go serve(l, func(c net.Conn) { _ = agent.ServeAgent(ring, c) })
	f := startForwards(t, "agent_forward = true\n", []string{"AllowAgentForwarding yes"}, "ForwardAgent "+sock)
	if code := f.run("ssh-add -l | grep -q a-made-up-key"); code != 0 {
		t.Errorf("the key is not listed: exit %d", code)
	}
	if code := f.run("ssh-add -D"); code == 0 {
		t.Error("the host emptied the agent")
	}
	if have, _ := ring.List(); len(have) != 1 {
		t.Errorf("%d keys are left", len(have))
	}
	if n := strings.Count(strings.Join(f.channels(), "\n"), "agent_forward "); n < 3 { // the request, two programs
		t.Errorf("recorded %q", f.channels())
	}
}

// An X11 client on the host reaches the display only with the cookie of this
// connection, and the display gets its own.
func TestX11IsForwardedWhereThePolicyAllowsIt(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "xauth")
	write(t, script, "#!/bin/sh\ncat >>"+dir+"/given\n")
	if err := os.Chmod(script, 0o700); err != nil {
		t.Fatal(err)
	}
	seen := make(chan []byte, 4)
	number := x11Server(t, seen)
	real := bytes.Repeat([]byte{0xab}, 16)
	me, _ := os.Hostname()
	authority := filepath.Join(dir, "authority")
	write(t, authority, "\x00\x00\x00\x01x\x00\x01"+"7"+"\x00\x12"+cookieName+"\x00\x01x"+
		"\x01\x00"+string([]byte{0, byte(len(me))})+me+string([]byte{0, byte(len(number))})+number+"\x00\x12"+cookieName+"\x00\x10"+string(real))
	t.Setenv("DISPLAY", "127.0.0.1:"+number+".0")
	t.Setenv("XAUTHORITY", authority)
	f := startForwards(t, "x11 = true\n", []string{"X11Forwarding yes", "X11UseLocalhost yes", "X11DisplayOffset 40", "XAuthLocation " + script}, "ForwardX11 yes", "ForwardX11Trusted yes")
	f.run("true")
	b, _ := os.ReadFile(filepath.Join(dir, "given"))
	var at int
	var cookie string
	for line := range strings.Lines(string(b)) {
		if _, rest, ok := strings.Cut(line, "add unix:"); ok {
			_, _ = fmt.Sscanf(rest, "%d.0 "+cookieName+" %s", &at, &cookie)
		}
	}
	fake, err := hex.DecodeString(cookie)
	if err != nil || len(fake) != 16 || bytes.Equal(fake, real) {
		t.Fatalf("sshd was given %q", b)
	}
	c := f.dial(6000 + at)
	_, _ = c.Write(x11Setup(fake))
	if got := next(t, seen); !bytes.Equal(got, x11Setup(real)) {
		t.Errorf("the display got %q", got)
	}
	wrong := f.dial(6000 + at)
	_, _ = wrong.Write(x11Setup(make([]byte, 16)))
	if n, err := wrong.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("a wrong cookie: %d, %v", n, err)
	}
	if got := next(t, seen); len(got) != 0 {
		t.Errorf("the display got %q of a client with a wrong cookie", got)
	}
	if n := strings.Count(strings.Join(f.channels(), "\n"), "x11 "); n < 3 {
		t.Errorf("recorded %q", f.channels())
	}
}

// next is what comes next, and it comes.
func next[T any](t *testing.T, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(30 * time.Second):
		t.Fatal("it never came")
	}
	return v
}

const cookieName = "MIT-MAGIC-COOKIE-1"

// x11Setup is how a client begins: byte order, version, cookie.
func x11Setup(cookie []byte) []byte {
	return append([]byte("l\x00\x0b\x00\x00\x00\x12\x00\x10\x00\x00\x00"+cookieName+"\x00\x00"), cookie...)
}

// x11Server stands for a display: it tells how each client began.
func x11Server(t *testing.T, seen chan<- []byte) (number string) {
	t.Helper()
	for n := 100; n < 160; n++ {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(6000+n)))
		if err != nil {
			continue
		}
		t.Cleanup(func() { l.Close() })
		go serve(l, func(c net.Conn) {
			b := make([]byte, len(x11Setup(make([]byte, 16))))
			n, _ := io.ReadFull(c, b)
			seen <- b[:n]
			_, _ = io.Copy(io.Discard, c)
		})
		return strconv.Itoa(n)
	}
	t.Fatal("no port for a display")
	return ""
}
