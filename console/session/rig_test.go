package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/remote"
	"sallyport/console/remote/sshdtest"
	"sallyport/console/screen"
	"sallyport/console/session"
	"sallyport/policy"
	"sallyport/redact"
)

// rig is a session on a real shell behind a real sshd, with a real log.
type rig struct {
	t     *testing.T
	s     *session.Session
	host  *sshdtest.Server
	conn  *remote.Conn
	wire  *wiretap
	judge *judge
	asks  *asks
	log   *audit.Log
	dir   string
	red   *redact.Redactor
	done  chan error
	kick  chan struct{}
	shell string
	waits int // how many commands waited

	latency time.Duration
}

type setup struct {
	shell   string
	latency time.Duration
	files   map[string]string
	config  []string
	force   string
	plain   bool
	timing  session.Timing
	env     map[string]string
	noProbe bool
	peer    *peer
	inside  sshdtest.Options // accounts and private files
	rules   func(*judge)
	answer  func(gate.Question) (gate.Answer, error)
	tweak   func(*session.Config)
	alone   bool // not beside other tests: it measures time
}

func start(t *testing.T, o setup) *rig {
	t.Helper()
	if !o.alone {
		t.Parallel()
	}
	if o.latency == 0 && slow(t) {
		o.latency = roundTrip
	}
	if o.shell == olderBash && o.peer == nil {
		o.peer = peerOf(t, o.shell)
	}
	path := program(t, o.shell)
	if o.timing.FirstMark == 0 { // machines under test are slow
		o.timing.FirstMark = 40 * time.Second
	}
	if o.timing.Loader == 0 {
		o.timing.Loader = 20 * time.Second
	}
	r := &rig{t: t, judge: &judge{}, asks: &asks{}, dir: t.TempDir(), done: make(chan error, 1), kick: make(chan struct{}, 1), shell: o.shell, latency: o.latency}
	if o.rules != nil {
		o.rules(r.judge)
	}
	r.asks.answer(o.answer)
	if o.peer != nil {
		r.host = &sshdtest.Server{Addr: o.peer.addr, User: "root", Home: o.peer.home, SSHConfig: o.peer.config}
	} else {
		r.host = sshdtest.Start(t, sshdtest.Options{Shell: path, Files: o.files, Latency: o.latency, ForceCommand: o.force, Config: o.config, Env: o.env, Accounts: o.inside.Accounts, Private: o.inside.Private, Setup: o.inside.Setup})
	}
	r.red = redact.New(redact.Config{})
	r.openLog()
	r.dial()
	slot := gate.NewSlot(gate.SlotConfig{
		Session: "s-1", Recorder: r.log.In("s-1", audit.Target{}), Asker: r.asks,
		Judge: func() gate.Judge { return r.judge }, Redactor: r.red, Targets: []policy.Target{r.conn.Target()},
	})
	cfg := session.Config{
		ID: "s-1", Gate: &gate.Gate{}, Slot: slot, Host: r, Redactor: r.red, Recorder: r.log.In("s-1", audit.Target{}),
		Targets: []policy.Target{r.conn.Target()}, Cols: 100, Rows: 30, Plain: o.plain, Timing: o.timing,
		OnChange: r.changed, Rules: func() session.Rules { return r.judge },
	}
	r.withProbe(&cfg, o)
	if o.tweak != nil {
		o.tweak(&cfg)
	}
	r.s = session.New(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { r.done <- r.s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case <-r.done:
		case <-time.After(10 * time.Second):
			t.Error("Run did not end")
		}
		r.conn.Close()
		r.log.Close(context.Background())
		r.balanced()
	})
	return r
}

func (r *rig) openLog() {
	log, err := audit.Open(audit.Config{Dir: r.dir})
	if err != nil {
		r.t.Fatal(err)
	}
	r.log = log
}

func (r *rig) dial() {
	c, err := remote.Dial(r.t.Context(), remote.Config{
		Dest:    r.host.User + "@" + r.host.Addr,
		Options: remote.Options{ConfigFile: r.host.SSHConfig},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	r.conn = c
}

// Shell is session.Host: what is sent is kept.
func (r *rig) Shell(ctx context.Context, s *gate.Slot, boot gate.Cleared, p session.PTY) (session.Channel, error) {
	sh, err := r.conn.Shell(ctx, s, boot, remote.PTY{Term: p.Term, Cols: p.Cols, Rows: p.Rows, NoEcho: p.NoEcho})
	if err != nil {
		return nil, err
	}
	r.wire = &wiretap{Shell: sh}
	return r.wire, nil
}

// wiretap counts what was cleared for the channel.
type wiretap struct {
	*remote.Shell
	mu    sync.Mutex
	kinds []gate.Kind
}

func (w *wiretap) Send(c gate.Cleared) error {
	w.mu.Lock()
	w.kinds = append(w.kinds, c.Kind())
	w.mu.Unlock()
	return w.Shell.Send(c)
}

// count is how often something of a kind was sent.
func (w *wiretap) count(k gate.Kind) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, kind := range w.kinds {
		if kind == k {
			n++
		}
	}
	return n
}

func (w *wiretap) Read(p []byte) (int, error) { return w.Shell.Read(p) }

func (r *rig) changed() {
	select {
	case r.kick <- struct{}{}:
	default:
	}
}

// until waits for a condition on the session, which says when it changed.
func (r *rig) until(what string, ok func() bool) {
	r.t.Helper()
	deadline := time.After(40 * time.Second)
	for !ok() {
		select {
		case <-r.kick:
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			r.t.Fatalf("never: %s\nview %+v\nscreen:\n%s", what, r.s.View(), r.text())
		}
	}
}

func (r *rig) state(want session.State) {
	r.t.Helper()
	r.until("state "+want.String(), func() bool { return r.s.View().State == want })
	if want == session.Prompt { // the shell is there
		ran.note(r.t, r.shell)
	}
}

// waiting is a command that ends when end is called, and no sooner.
func (r *rig) waiting() (command string, end func()) {
	fifo := r.path(fmt.Sprintf("wait%d", r.waits))
	r.waits++
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		r.t.Fatal(err)
	}
	return "cat " + fifo, func() {
		r.t.Helper()
		r.until("it waits", func() bool {
			f, err := os.OpenFile(fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0)
			if err == nil {
				f.Close()
			}
			return err == nil
		})
	}
}

func (r *rig) text() string {
	var b strings.Builder
	r.s.Screen(func(s *screen.Screen) {
		_, rows := s.Size()
		for y := range rows {
			l := s.Line(s.Top() + y)
			var row strings.Builder
			for x := range 100 {
				g := s.Glyph(l.Cell(x))
				if g == "" {
					g = " "
				}
				row.WriteString(g)
			}
			b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
		}
	})
	return strings.TrimRight(b.String(), "\n")
}

// typed presses keys: plain text, and names in angle brackets.
func (r *rig) typed(text string) {
	r.t.Helper()
	for text != "" {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(text, "<"), ">"); ok && strings.HasPrefix(text, "<") {
			if e, err := keys.Parse(name); err == nil {
				r.s.Key(e)
				text = rest
				continue
			}
		}
		c := []rune(text)[0]
		r.s.Key(keys.Rune(c))
		text = text[len(string(c)):]
	}
}

// run types a line at the prompt and waits for its end.
func (r *rig) run(line string) session.Command {
	r.t.Helper()
	r.state(session.Prompt)
	n := len(r.s.Journal())
	r.typed(line + "<Enter>")
	return r.ended(n)
}

func (r *rig) ended(n int) session.Command {
	r.t.Helper()
	r.until("a command has ended", func() bool {
		j := r.s.Journal()
		return len(j) > n && j[n].Status != session.InProgress
	})
	return r.s.Journal()[n]
}

// refused waits for a refusal and gives it.
func (r *rig) refused() *gate.Refusal {
	r.t.Helper()
	r.until("a refusal", func() bool { return r.s.View().Refused != nil })
	return r.s.View().Refused
}

// records reads the log's records of one event.
func (r *rig) records(event string) []map[string]any {
	r.t.Helper()
	var out []map[string]any
	files, _ := filepath.Glob(filepath.Join(r.dir, "*.jsonl"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			r.t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			var rec struct {
				Event string
				Data  map[string]any
			}
			if json.Unmarshal([]byte(line), &rec) == nil && rec.Event == event {
				out = append(out, rec.Data)
			}
		}
	}
	return out
}

// asks answers questions as the test says. Where it says nothing, what the
// shipped policy asks is approved.
type asks struct {
	mu  sync.Mutex
	say func(gate.Question) (gate.Answer, error)
	n   int
}

func (a *asks) Ask(ctx context.Context, q gate.Question) (gate.Answer, error) {
	a.mu.Lock()
	say := a.say
	a.n++
	a.mu.Unlock()
	switch {
	case say != nil:
		return say(q)
	case testWords.MatchString(q.Text):
		<-ctx.Done()
		return gate.Answer{}, ctx.Err()
	}
	return gate.Answer{Send: true, Typed: q.Phrase}, nil
}

func (a *asks) answer(f func(gate.Question) (gate.Answer, error)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.say = f
}

func need(t *testing.T, program string) string { return sshdtest.Need(t, program) }
