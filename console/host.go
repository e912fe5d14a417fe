package console

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"sallyport/audit"
	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/console/session"
	"sallyport/console/x11"
	"sallyport/policy"
	"sallyport/redact"
)

// Phase is where a connection stands.
type Phase uint8

// The phases.
const (
	Connecting Phase = iota
	Connected
	Lost   // it was connected, or never got there; Err says why
	Closed // the remote shell ended
)

// Link is the state of a connection.
type Link struct {
	Name   string
	Target policy.Target
	Phase  Phase
	Step   string    // while Connecting
	Since  time.Time // when the phase began
	Up     time.Time // when it was connected; zero: never
	Err    error     // why it is Lost
	Exit   *int      // once Closed: the shell's exit status; nil: it has none
}

// Host is one connection with its shell. Reconnecting makes another session
// of the same Host.
type Host struct {
	id   string
	dest string
	c    *Console

	mu      sync.Mutex
	link    Link
	attempt *attempt // the present one
	started chan struct{}
}

// attempt is one connection from its first step to its end.
type attempt struct {
	session     string // id
	resumes     string
	scope       *audit.Scope
	conn        *remote.Conn
	display     *x11.Display  // whose X11 is forwarded; nil: none is
	channel     *remote.Shell // the last one; set and read by the attempt's own goroutines, in turn
	shell       *session.Session
	watch       *watcher
	copilot     *copilot.Session
	record      *recorder
	refused     atomic.Pointer[noPolicy] // set: nothing may leave any more
	refusals    atomic.Int64             // that were recorded
	fingerprint string
	cancel      context.CancelFunc
	over        chan struct{}
}

// Open begins to connect to dest, which is as on ssh's command line, and
// returns. The error is a *remote.Error and says why dest is no destination.
func (c *Console) Open(dest string) (*Host, error) {
	d, err := remote.ParseDest(dest)
	if err != nil {
		return nil, err
	}
	h := &Host{id: newID(), dest: dest, c: c, started: make(chan struct{})}
	h.link = Link{Name: dest, Target: policy.Target{Asked: d.Host, Account: d.User, Port: d.Port}}
	c.mu.Lock()
	c.hosts = append(c.hosts, h)
	c.mu.Unlock()
	h.begin("", "")
	return h, nil
}

// newID gives an id that nobody can guess.
func newID() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// ID is the host's for its whole life; each attempt's session has its own.
func (h *Host) ID() string { return h.id }

// Link is the state of the connection.
func (h *Host) Link() Link {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.link
}

// Session is the shell, or nil while there is none yet.
func (h *Host) Session() *session.Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.attempt == nil {
		return nil
	}
	return h.attempt.shell
}

// Copilot is Linus' side of this host, or nil before it was connected.
func (h *Host) Copilot() *copilot.Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.attempt == nil {
		return nil
	}
	return h.attempt.copilot
}

// learn passes what Linus suggested on to the present session.
func (h *Host) learn() {
	h.mu.Lock()
	a := h.attempt
	var w *watcher
	if a != nil {
		w = a.watch
	}
	h.mu.Unlock()
	if w != nil {
		w.learn()
	}
}

// Ready waits until the host is connected, and says why it is not.
func (h *Host) Ready(ctx context.Context) error {
	h.mu.Lock()
	started := h.started
	h.mu.Unlock()
	select {
	case <-started:
	case <-ctx.Done():
		return ctx.Err()
	}
	if l := h.Link(); l.Phase == Lost {
		return l.Err
	}
	return nil
}

// Over is closed when the present attempt has ended.
func (h *Host) Over() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.attempt.over
}

// ErrAlive says that a connection which still lives cannot be made again.
var ErrAlive = errors.New("the connection is still up")

// Reconnect begins a new connection that resumes the lost one: the host must
// show the same key.
func (h *Host) Reconnect() error {
	h.mu.Lock()
	last, phase := h.attempt, h.link.Phase
	h.mu.Unlock()
	if phase == Connecting || phase == Connected {
		return ErrAlive
	}
	h.begin(last.session, last.fingerprint)
	return nil
}

// Close ends the connection and forgets the host.
func (h *Host) Close() error {
	h.end()
	h.c.forget(h)
	h.c.notify()
	return nil
}

// end ends the present attempt and waits for its records.
func (h *Host) end() {
	h.mu.Lock()
	a := h.attempt
	h.mu.Unlock()
	a.cancel()
	<-a.over
}

// begin starts an attempt. The shell and the copilot's side of the last one
// stay visible until the new ones are there.
func (h *Host) begin(resumes, fingerprint string) {
	ctx, cancel := context.WithCancel(h.c.ctx)
	a := &attempt{session: newID(), resumes: resumes, fingerprint: fingerprint, cancel: cancel, over: make(chan struct{})}
	h.mu.Lock()
	if h.attempt != nil {
		a.shell, a.copilot = h.attempt.shell, h.attempt.copilot
		h.started = make(chan struct{})
	}
	h.attempt = a
	h.link.Phase, h.link.Err, h.link.Exit, h.link.Since = Connecting, nil, nil, h.c.cfg.Now()
	started := h.started
	h.mu.Unlock()
	h.c.work.Go(func() {
		defer close(a.over)
		defer cancel()
		h.live(ctx, a, sync.OnceFunc(func() { close(started) }))
	})
}

// live is an attempt's whole life.
func (h *Host) live(ctx context.Context, a *attempt, started func()) {
	defer started()
	if err := h.connect(ctx, a); err != nil {
		h.fail(a, err)
		return
	}
	defer a.conn.Close()
	h.enter(func(l *Link) {
		l.Phase, l.Target, l.Up = Connected, a.conn.Target(), h.c.cfg.Now()
		l.Name = l.Target.Account + "@" + l.Target.Asked
	})
	started()
	up := h.c.cfg.Now()
	end := h.forward(ctx, a)
	err := h.serve(ctx, a)
	end()
	h.c.append(a.scope, h.disconnected(a, up, err))
	h.leave(a, err)
}

// connect records the attempt, reaches the host and records that.
func (h *Host) connect(ctx context.Context, a *attempt) error {
	c := h.c
	a.scope = c.log.In(a.session, c.target(h.Link().Target))
	connecting := audit.SessionConnecting[redact.Text]{
		Destination: c.text(h.dest),
		Resumes:     audit.SessionID(a.resumes),
		Origin:      audit.Origin(policy.Human),
	}
	if _, err := a.scope.Append(ctx, connecting); err != nil {
		return &LogError{c.cfg.AuditDir, err}
	}
	begun := c.cfg.Now()
	conn, err := remote.Dial(ctx, h.dialConfig(a))
	if err != nil {
		return err
	}
	a.conn, a.fingerprint = conn, conn.Fingerprint()
	a.scope = a.scope.At(c.target(conn.Target()))
	_, err = a.scope.Append(ctx, h.connected(conn, begun))
	if err != nil {
		conn.Close()
		return &LogError{c.cfg.AuditDir, err}
	}
	return nil
}

func (h *Host) dialConfig(a *attempt) remote.Config {
	c := h.c
	return remote.Config{
		Dest:          h.dest,
		Options:       c.cfg.SSH,
		Prompter:      c.cfg.Prompter(h.id),
		Learn:         c.redactor.Learn,
		OnStep:        func(step, _ string) { h.enter(func(l *Link) { l.Step = step }) },
		Refused:       func(kind string) { c.refusedChannel(a.scope, kind) },
		RefuseUnknown: c.Rules().UnknownKey() == "refuse",
		Resume:        a.fingerprint,
		Timeout:       c.cfg.Timeout,
		KeepAlive:     c.cfg.Alive,
	}
}

// refusedChannel records what a server wanted to open and did not get.
func (c *Console) refusedChannel(scope *audit.Scope, kind string) {
	c.denied(scope, kind, "", audit.OriginHost)
}

func (h *Host) connected(conn *remote.Conn, begun time.Time) audit.SessionConnected[redact.Text] {
	c, t := h.c, conn.Target()
	ev := audit.SessionConnected[redact.Text]{
		Address:     audit.Address(t.Address),
		Port:        t.Port,
		Account:     c.text(t.Account),
		Fingerprint: audit.Fingerprint(t.Fingerprint),
		Method:      c.text(conn.Authenticated()),
		DurationMS:  c.cfg.Now().Sub(begun).Milliseconds(),
	}
	for _, v := range conn.Via() {
		ev.Via = append(ev.Via, c.text(v.Asked))
	}
	return ev
}

// serve runs the shell until it, the connection or ctx ends.
func (h *Host) serve(ctx context.Context, a *attempt) error {
	slot, targets := gate.NewSlot(h.c.slotConfig(a)), []policy.Target{a.conn.Target()}
	h.install(a, slot, targets)
	defer a.copilot.Close()
	defer a.record.close()
	a.copilot.Event(copilot.Connected)
	defer a.copilot.Event(copilot.Disconnected)
	err := a.shell.Run(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if cause := a.lost(); cause != nil {
		return cause
	}
	return err
}

// slotConfig says whose channel a slot of this attempt is.
func (c *Console) slotConfig(a *attempt) gate.SlotConfig {
	return gate.SlotConfig{
		Session:  a.session,
		User:     account(),
		Recorder: counting{a.scope, &a.refusals},
		Asker:    c.cfg.Asker,
		Judge:    func() gate.Judge { return c.judgeOf(a) },
		Redactor: c.redactor,
		Targets:  []policy.Target{a.conn.Target()},
		Clock:    c.cfg.Now,
	}
}

// install makes the session and the copilot's side of it, and shows them.
func (h *Host) install(a *attempt, slot *gate.Slot, targets []policy.Target) {
	a.record = h.record(a)
	w := &watcher{host: h, record: a.record, redactor: h.c.redactor.Target(a.fingerprint), targets: targets}
	shell := session.New(h.sessionConfig(a, slot, targets, w))
	cop := h.c.copilot.Session(w.config(a))
	a.record.shell = shell
	w.attach(shell, cop)
	h.mu.Lock()
	a.shell, a.copilot, a.watch = shell, cop, w
	h.mu.Unlock()
	h.c.notify()
}

func (h *Host) disconnected(a *attempt, up time.Time, err error) audit.SessionDisconnected[redact.Text] {
	ev := audit.SessionDisconnected[redact.Text]{
		DurationMS: h.c.cfg.Now().Sub(up).Milliseconds(),
		Commands:   len(a.shell.Journal()),
		Refused:    int(a.refusals.Load()),
	}
	if err != nil {
		ev.Reason = h.c.text(err.Error())
	}
	return ev
}

func (h *Host) fail(a *attempt, err error) {
	h.c.recordFailure(a.scope, err)
	if cop := a.copilot; cop != nil {
		cop.Event(failureEvent(err))
	}
	h.enter(func(l *Link) { l.Phase, l.Err, l.Step = Lost, err, "" })
}

func failureEvent(err error) copilot.Event {
	var e *remote.Error
	if errors.As(err, &e) && e.Class == remote.ClassAuth {
		return copilot.AuthenticationFailed
	}
	return copilot.ConnectionError
}

func (h *Host) leave(a *attempt, err error) {
	h.enter(func(l *Link) {
		l.Phase, l.Err, l.Step, l.Exit = Closed, nil, "", a.exit()
		if err != nil {
			l.Phase, l.Err = Lost, err
		}
	})
}

// enter changes the link; a change of phase begins a new Since.
func (h *Host) enter(change func(*Link)) {
	h.mu.Lock()
	before := h.link.Phase
	change(&h.link)
	if h.link.Phase != before {
		h.link.Since = h.c.cfg.Now()
	}
	h.mu.Unlock()
	h.c.notify()
}
