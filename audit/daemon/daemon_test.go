package daemon

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/verify"
	"sallyport/audit/wire"
	"sallyport/redact"
)

// running is a daemon in this process.
type running struct {
	socket, dir string
	log         *audit.Log
	server      *Server
	stop        func()
}

func start(t *testing.T, c Config) *running {
	t.Helper()
	r := &running{dir: filepath.Join(t.TempDir(), "audit"), socket: filepath.Join(t.TempDir(), "s")}
	r.begin(t, c)
	return r
}

func (r *running) begin(t *testing.T, c Config) {
	t.Helper()
	var err error
	if r.log, err = audit.Open(audit.Config{Dir: r.dir, Actor: audit.Actor{User: redact.Literal("auditd")}}); err != nil {
		t.Fatal(err)
	}
	c.Log = r.log
	l, err := Listen(r.socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	r.server = New(c)
	go func() { done <- r.server.Serve(ctx, l) }()
	var once sync.Once
	r.stop = func() {
		once.Do(func() {
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
			r.log.Close(context.Background())
		})
	}
	t.Cleanup(func() { r.stop() })
}

func (r *running) dial(t *testing.T) *audit.Log {
	t.Helper()
	l, err := audit.Dial(t.Context(), audit.DialConfig{
		Socket: r.socket, PeerUID: os.Geteuid(),
		Timeout: 5 * time.Minute, // these tests load the machine
		Actor:   audit.Actor{User: redact.Literal("somebody-else"), UID: 4242, TTY: redact.Literal("pts/3")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close(context.Background()) })
	return l
}

func (r *running) records(t *testing.T) (out []audit.Record) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(r.dir, "*.jsonl"))
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			var rec audit.Record
			if err := json.Unmarshal([]byte(line), &rec); err != nil {
				t.Fatal(err)
			}
			out = append(out, rec)
		}
	}
	return out
}

func (r *running) verified(t *testing.T) {
	t.Helper()
	rs, err := verify.Dirs(verify.Options{FS: durable.OS{}}, r.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range rs {
		if !v.Good() {
			t.Errorf("%s", v)
		}
	}
}

func intent(line redact.Text) audit.Intent[redact.Text] {
	return audit.Intent[redact.Text]{Command: line, CommandDigest: audit.NewExact([]byte(line.String()), 0), Origin: audit.OriginHuman}
}

func TestTheDaemonRecordsWhoTheKernelSaysItIs(t *testing.T) {
	r := start(t, Config{})
	l := r.dial(t)
	sc := l.In("s1", audit.Target{Host: redact.Literal("prod-web-03")})
	rs, err := sc.Append(t.Context(), intent(redact.Literal("mysql -p"+"hunter2hunter2"+" db")))
	if err != nil {
		t.Fatal(err)
	}
	zero := 0
	body := strings.Repeat("x", 100)
	d := l.Digest([]byte(body), 0)
	if _, err := sc.Append(t.Context(), audit.Outcome[redact.Text]{Intent: rs[0].Seq(), Status: audit.Completed, ExitCode: &zero, OutputDigest: d, OutputBytes: d.Bytes()}); err != nil {
		t.Fatal(err)
	}
	if st := l.Status(); st.Records == 0 || st.Refusing != nil || st.Log != rs[0].Log() {
		t.Errorf("%+v", st)
	}
	l.Close(t.Context())
	r.stop()
	recs := r.records(t)
	in := recs[1]
	if in.Event != audit.KindCommandIntent || in.Session != "s1" || in.Target.Host != "prod-web-03" {
		t.Errorf("%+v", in)
	}
	a := in.Actor
	if a.UID != os.Geteuid() || a.PID != os.Getpid() || a.User == "somebody-else" || !a.Claimed || a.TTY != "pts/3" || a.Executable == (audit.Hash{}) || a.Started.IsZero() {
		t.Errorf("actor %+v", a)
	}
	got, err := audit.Decode[audit.Intent[string]](in)
	if err != nil || strings.Contains(got.Command, "hunter") || got.CommandDigest.IsZero() {
		t.Errorf("%q: it was not redacted again (%v)", got.Command, err)
	}
	r.verified(t)
}

func TestWhatAConsoleMayNotDo(t *testing.T) {
	r := start(t, Config{})
	one, two := r.dial(t), r.dial(t)
	if _, err := one.In("s1", audit.Target{}).Append(t.Context(), intent(redact.Literal("ls"))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"write into another console's session", func() error {
			_, err := two.In("s1", audit.Target{}).Append(t.Context(), intent(redact.Literal("ls")))
			return err
		}},
		{"write the log's own events", func() error {
			_, err := one.Append(t.Context(), audit.LogClose[redact.Text]{Reason: audit.ClosedDone})
			return err
		}},
		{"write what the shipper writes", func() error {
			_, err := one.Append(t.Context(), audit.ShipRejected[redact.Text]{})
			return err
		}},
		{"end an intent that is none", func() error {
			_, err := two.In("s2", audit.Target{}).Append(t.Context(), audit.Outcome[redact.Text]{Intent: 1, Status: audit.Completed})
			return err
		}},
		{"end an intent twice", func() error {
			sc := two.In("s3", audit.Target{})
			rs, err := sc.Append(t.Context(), intent(redact.Literal("ls")))
			if err != nil {
				t.Fatal(err)
			}
			out := audit.Outcome[redact.Text]{Intent: rs[0].Seq(), Status: audit.Completed}
			if _, err := sc.Append(t.Context(), out); err != nil {
				t.Fatal(err)
			}
			_, err = sc.Append(t.Context(), out)
			return err
		}},
	} {
		if c.do() == nil {
			t.Errorf("it may %s", c.name)
		}
	}
	r.stop()
	r.verified(t)
}

func TestAConsoleThatGoesAwayLeavesUnobservedOutcomes(t *testing.T) {
	r := start(t, Config{})
	l := r.dial(t)
	rs, err := l.In("s1", audit.Target{}).Append(t.Context(), intent(redact.Literal("reboot")))
	if err != nil {
		t.Fatal(err)
	}
	l.Close(t.Context())
	durabletest.WaitFor(t, "records", func() bool { return r.log.Status().Records >= 3 })
	again := r.dial(t)
	if _, err := again.In("s1", audit.Target{}).Append(t.Context(), audit.Outcome[redact.Text]{Intent: rs[0].Seq(), Status: audit.Completed}); err != nil {
		t.Errorf("the real outcome, later: %v", err)
	}
	r.stop()
	seen := ""
	for _, rec := range r.records(t) {
		if rec.Event == audit.KindCommandOutcome {
			o, _ := audit.Decode[audit.Outcome[string]](rec)
			seen += string(o.Status) + " "
			if o.Status == audit.Completed && (o.Supersedes == nil || *o.Supersedes != rec.Seq-1) {
				t.Errorf("the real outcome supersedes %v, it is record %d", o.Supersedes, rec.Seq)
			}
		}
	}
	if seen != "unobserved completed " {
		t.Errorf("outcomes: %s", seen)
	}
}

func TestWithoutTheDaemonEverythingIsRefused(t *testing.T) {
	r := start(t, Config{})
	l := r.dial(t)
	sc := l.In("s1", audit.Target{})
	if _, err := sc.Append(t.Context(), intent(redact.Literal("ls"))); err != nil {
		t.Fatal(err)
	}
	r.stop()
	durabletest.WaitFor(t, "refusal", func() bool { return l.Status().Refusing != nil })
	_, err := sc.Append(t.Context(), intent(redact.Literal("ls")))
	var full *audit.Unwritable
	if !errors.As(err, &full) || full.Path != r.socket {
		t.Errorf("%v", err)
	}
	r.begin(t, Config{})
	durabletest.WaitFor(t, "daemon again", func() bool {
		_, err := sc.Append(t.Context(), intent(redact.Literal("ls")))
		return err == nil
	})
	if l.Status().Refusing != nil {
		t.Errorf("%+v", l.Status())
	}
}

func TestTheClientDemandsTheDaemonsUser(t *testing.T) {
	r := start(t, Config{})
	_, err := audit.Dial(t.Context(), audit.DialConfig{Socket: r.socket, PeerUID: os.Geteuid() + 1})
	if err == nil || !strings.Contains(err.Error(), "uid") {
		t.Errorf("%v", err)
	}
}

func TestGarbageAndStallsHarmNobody(t *testing.T) {
	r := start(t, Config{FrameTimeout: 100 * time.Millisecond, RecordsPerS: 1 << 20, Burst: 1 << 20})
	good := r.dial(t)
	for _, c := range []struct {
		name string
		send func(net.Conn)
	}{
		{"garbage", func(n net.Conn) { n.Write([]byte("GET / HTTP/1.1\r\n\r\n")) }},
		{"a huge frame", func(n net.Conn) { n.Write(binary.BigEndian.AppendUint32(nil, 1<<31)) }},
		{"half a frame", func(n net.Conn) { n.Write([]byte{0, 0, 1, 0, '{'}) }},
		{"an unknown field", func(n net.Conn) { wire.Write(n, map[string]any{"v": 1, "actor": map[string]any{"root": true}}) }},
		{"another version", func(n net.Conn) { wire.Write(n, wire.Hello{V: 9, Actor: []byte(`{}`)}) }},
		{"an unknown event", func(n net.Conn) {
			greeted(n)
			wire.Write(n, wire.Ask{ID: 1, Messages: []wire.Message{{Event: "log.close", Data: []byte(`{}`)}}})
		}},
		{"a field that the event has not", func(n net.Conn) {
			greeted(n)
			wire.Write(n, wire.Ask{ID: 1, Messages: []wire.Message{{Event: "input.eof", Data: []byte(`{"password":"x"}`)}}})
		}},
		{"a word that is not in the list", func(n net.Conn) {
			greeted(n)
			wire.Write(n, wire.Ask{ID: 1, Messages: []wire.Message{{Event: "command.refused", Data: []byte(`{"by":"me","reason":""}`)}}})
		}},
	} {
		nc, err := net.Dial("unix", r.socket)
		if err != nil {
			t.Fatal(err)
		}
		c.send(nc)
		if strings.HasPrefix(c.name, "an unknown event") || strings.HasPrefix(c.name, "a field") || strings.HasPrefix(c.name, "a word") {
			var a wire.Answer
			if err := wire.Read(nc, &a); err != nil || a.Error == "" {
				t.Errorf("%s: %+v %v, want an answer that refuses", c.name, a, err)
			}
		} else {
			nc.SetReadDeadline(time.Now().Add(10 * time.Second))
			var buf [1]byte
			if _, err := nc.Read(buf[:]); err == nil || os.IsTimeout(err) {
				t.Errorf("%s: the connection stays (%v)", c.name, err)
			}
		}
		nc.Close()
		if _, err := good.In("s1", audit.Target{}).Append(t.Context(), intent(redact.Literal("ls"))); err != nil {
			t.Errorf("after %s a good console is refused: %v", c.name, err)
		}
	}
}

// Finding out who a peer is can take longer than a frame may: a large program
// is read, on a busy machine.
func TestAConsoleIsNotBlamedForItsProgramsSize(t *testing.T) {
	const frame = 50 * time.Millisecond
	r := start(t, Config{FrameTimeout: frame})
	reading := r.server.programs.turn(uint32(os.Geteuid()))
	reading.Lock()
	time.AfterFunc(4*frame, reading.Unlock)
	l := r.dial(t)
	if _, err := l.In("s1", audit.Target{}).Append(t.Context(), intent(redact.Literal("ls"))); err != nil {
		t.Error(err)
	}
}

func TestDigestsOfProgramsAreKeptInBounds(t *testing.T) {
	p := newPrograms()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want := p.digest(1, self)
	if want == (audit.Hash{}) {
		t.Fatal("no digest")
	}
	for i := range uint64(3 * maxPrograms) {
		p.keep(program{ino: i}, audit.Hash{1})
	}
	if len(p.known) > maxPrograms {
		t.Errorf("%d are kept", len(p.known))
	}
	if again := p.digest(2, self); again != want {
		t.Errorf("%s, then %s", want, again)
	}
	if p.digest(1, filepath.Join(t.TempDir(), "none")) != (audit.Hash{}) {
		t.Error("a program that is not there has a digest")
	}
}

func greeted(n net.Conn) {
	wire.Write(n, wire.Hello{V: wire.Version, Actor: []byte(`{"user":"x","uid":1}`)})
	var w wire.Welcome
	wire.Read(n, &w)
}

func TestTooManyConnectionsOfOneUserAreRefused(t *testing.T) {
	r := start(t, Config{MaxConnections: 2})
	r.dial(t)
	r.dial(t)
	if _, err := audit.Dial(t.Context(), audit.DialConfig{Socket: r.socket, PeerUID: os.Geteuid()}); err == nil {
		t.Error("a third is taken")
	}
}

func TestManyConsolesLoseNothing(t *testing.T) {
	r := start(t, Config{MaxConnections: 1000, RecordsPerS: 1 << 20, Burst: 1 << 20})
	const consoles, each = 40, 25
	var wg sync.WaitGroup
	for c := range consoles {
		l := r.dial(t)
		wg.Add(1)
		go func() {
			defer wg.Done()
			sc := l.In(fmt.Sprintf("s%d", c), audit.Target{})
			for range each {
				if _, err := sc.Append(t.Context(), intent(redact.Literal("ls"))); err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	wg.Wait()
	if n := r.log.Status().Records; n < consoles*each {
		t.Errorf("%d records of %d", n, consoles*each)
	}
	r.stop()
	r.verified(t)
}

func TestASocketOfAnotherDaemonIsNotTaken(t *testing.T) {
	r := start(t, Config{})
	if _, err := Listen(r.socket); err == nil {
		t.Error("taken")
	}
	file := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(file); err == nil {
		t.Error("a file was replaced by a socket")
	}
}
