package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"sallyport/audit"
	"sallyport/audit/wire"
	"sallyport/redact"
)

// Config of a daemon. Log is needed.
type Config struct {
	Log      *audit.Log
	Redactor *redact.Redactor // nil: a new one
	Warn     func(string)     // may be nil

	MaxConnections int           // of one uid; 64 if 0
	RecordsPerS    int           // of one uid, sustained; 200 if 0
	Burst          int           // of one uid at once; 1000 if 0
	FrameTimeout   time.Duration // for a frame that has begun; 30 s if 0
}

// Server serves consoles.
type Server struct {
	cfg Config

	mu       sync.Mutex
	conns    map[net.Conn]bool
	users    map[uint32]*account
	sessions map[string]*session
	closed   bool
	work     sync.WaitGroup
	programs *programs
}

// account is what all connections of a uid share.
type account struct {
	connections int
	tokens      float64
	at          time.Time
}

// session is whose it is, and which of its intents have no outcome.
type session struct {
	uid   uint32
	owner *conn
	open  map[ref]bool
	lost  map[ref]uint64 // the outcome "unobserved" that the daemon wrote
}

type ref struct {
	log audit.LogID
	seq uint64
}

// New makes a server.
func New(c Config) *Server {
	if c.Redactor == nil {
		c.Redactor = redact.New(redact.Config{DigestKey: c.Log.DigestKey()})
	}
	if c.MaxConnections <= 0 {
		c.MaxConnections = 64
	}
	if c.RecordsPerS <= 0 {
		c.RecordsPerS = 200
	}
	if c.Burst <= 0 {
		c.Burst = 1000
	}
	if c.FrameTimeout <= 0 {
		c.FrameTimeout = 30 * time.Second
	}
	return &Server{
		cfg: c, conns: map[net.Conn]bool{}, users: map[uint32]*account{}, sessions: map[string]*session{}, programs: newPrograms(),
	}
}

func (s *Server) warn(format string, args ...any) {
	if s.cfg.Warn != nil {
		s.cfg.Warn(fmt.Sprintf(format, args...))
	}
}

// Serve takes connections until ctx ends; then it waits for those that are
// there to have their answers.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { l.Close(); s.shut() })
	defer stop()
	for {
		nc, err := l.Accept()
		if err != nil {
			s.shut()
			s.work.Wait()
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("accept: %w", err)
		}
		s.work.Go(func() { s.handle(nc) })
	}
}

// shut ends all connections.
func (s *Server) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for c := range s.conns {
		c.Close()
	}
}

// enter counts a connection of a uid, or says that there are too many.
func (s *Server) enter(nc net.Conn, uid uint32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.users[uid]
	if u == nil {
		u = &account{tokens: float64(s.cfg.Burst), at: time.Now()}
		s.users[uid] = u
	}
	switch {
	case s.closed:
		return errors.New("the daemon is ending")
	case u.connections >= s.cfg.MaxConnections:
		return fmt.Errorf("uid %d has %d connections already", uid, u.connections)
	}
	u.connections++
	s.conns[nc] = true
	return nil
}

func (s *Server) leave(c *conn) {
	s.mu.Lock()
	delete(s.conns, c.net)
	s.users[c.uid].connections--
	var orphans []orphan
	for id, x := range s.sessions {
		if x.owner != c {
			continue
		}
		x.owner = nil
		for r := range x.open {
			orphans = append(orphans, orphan{id, r})
		}
		if len(x.open) == 0 {
			delete(s.sessions, id)
		}
	}
	s.mu.Unlock()
	for _, o := range orphans {
		c.unobserved(o)
	}
}

type orphan struct {
	session string
	ref
}

// pace says how long a uid that sends n records now has to wait.
func (s *Server) pace(uid uint32, n int) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, now := s.users[uid], time.Now()
	rate := float64(s.cfg.RecordsPerS)
	u.tokens = min(float64(s.cfg.Burst), u.tokens+rate*now.Sub(u.at).Seconds())
	u.at = now
	u.tokens -= float64(n)
	if u.tokens >= 0 {
		return 0
	}
	return time.Duration(-u.tokens / rate * float64(time.Second))
}

// conn is one console.
type conn struct {
	s     *Server
	net   net.Conn
	uid   uint32
	actor audit.Actor

	writing sync.Mutex
}

func (s *Server) handle(nc net.Conn) {
	defer nc.Close()
	peer, err := audit.PeerOf(nc)
	if err != nil {
		s.warn("a connection without a known peer: %v", err)
		return
	}
	if err := s.enter(nc, peer.Uid); err != nil {
		s.warn("%v", err)
		_ = wire.Write(nc, wire.Welcome{V: wire.Version, Error: err.Error()}) // a courtesy
		return
	}
	c := &conn{s: s, net: nc, uid: peer.Uid}
	defer s.leave(c)
	if err := c.greet(peer); err != nil {
		s.warn("uid %d: %v", peer.Uid, err)
		return
	}
	if err := c.serve(); err != nil {
		s.warn("uid %d: %v", peer.Uid, err)
	}
}

// serve reads asks; each is answered on its own, so that one that waits for
// the disk holds up none behind it.
func (c *conn) serve() error {
	r := bufio.NewReader(c.net)
	var answers sync.WaitGroup
	defer answers.Wait()
	inFlight := make(chan struct{}, maxInFlight)
	for {
		ask, err := c.read(r)
		if err != nil {
			return quiet(err)
		}
		time.Sleep(c.s.pace(c.uid, len(ask.Messages))) // too fast: read more slowly
		inFlight <- struct{}{}
		answers.Go(func() {
			c.answer(c.do(ask))
			<-inFlight
		})
	}
}

// maxInFlight bounds the asks of a connection that wait for the disk.
const maxInFlight = 64

// read waits for a frame as long as it likes to come, but once it has begun
// it must end in time.
func (c *conn) read(r *bufio.Reader) (ask wire.Ask, err error) {
	if err := c.net.SetReadDeadline(time.Time{}); err != nil {
		return ask, err
	}
	if _, err := r.Peek(1); err != nil {
		return ask, err
	}
	if err := c.net.SetReadDeadline(time.Now().Add(c.s.cfg.FrameTimeout)); err != nil {
		return ask, err
	}
	return ask, wire.Read(r, &ask)
}

func (c *conn) answer(a wire.Answer) {
	c.writing.Lock()
	defer c.writing.Unlock()
	err := c.net.SetWriteDeadline(time.Now().Add(c.s.cfg.FrameTimeout))
	if err == nil {
		err = wire.Write(c.net, a)
	}
	if err != nil {
		c.net.Close()
	}
}

// do makes the records of an ask durable.
func (c *conn) do(ask wire.Ask) wire.Answer {
	receipts, err := c.append(ask)
	a := wire.Answer{ID: ask.ID}
	var full *audit.Unwritable
	if errors.As(err, &full) {
		a.Refused = &wire.Refused{Path: full.Path, Free: full.Free, Total: full.Total}
	}
	if err != nil {
		a.Error = err.Error()
		return a
	}
	for _, r := range receipts {
		a.Receipts = append(a.Receipts, wire.Receipt{Log: string(r.Log()), Seq: r.Seq(), Leaf: r.Leaf().String()})
	}
	return a
}

func (c *conn) append(ask wire.Ask) ([]audit.Receipt, error) {
	if len(ask.Messages) == 0 {
		return nil, errors.New("no records")
	}
	sc, err := c.scope(ask)
	if err != nil {
		return nil, err
	}
	var events []audit.Event
	for _, m := range ask.Messages {
		ev, err := audit.Unpack(m, c.s.clean)
		if err != nil {
			return nil, err
		}
		events = append(events, ev)
	}
	if err := c.s.admit(c, ask.Session, events); err != nil {
		return nil, err
	}
	receipts, err := sc.Append(context.Background(), events...)
	if err == nil {
		c.s.note(ask.Session, events, receipts)
	}
	return receipts, err
}

func (c *conn) scope(ask wire.Ask) (*audit.Scope, error) {
	var target audit.Target
	if len(ask.Target) > 0 {
		var err error
		if target, err = audit.UnpackTarget(ask.Target, c.s.clean); err != nil {
			return nil, fmt.Errorf("target: %w", err)
		}
	}
	return c.s.cfg.Log.In(ask.Session, target).Traced(ask.Trace).By(c.actor)
}

// clean redacts what a console sent as redacted.
func (s *Server) clean(field, words string) redact.Text {
	switch field {
	case "Command", "Suggested", "Text", "Echo", "Edit", "Words":
		t, _ := s.cfg.Redactor.CommandText(words)
		return t
	}
	t, _ := s.cfg.Redactor.Text(words)
	return t
}

// quiet drops the errors by which connections end in the ordinary way.
func quiet(err error) error {
	var op *net.OpError
	if errors.Is(err, net.ErrClosed) || err.Error() == "EOF" || errors.As(err, &op) && !op.Timeout() {
		return nil
	}
	return err
}

// greet reads who the console says it is, beside what the kernel says.
func (c *conn) greet(peer *cred) error {
	h, err := c.hello()
	if err != nil {
		return fmt.Errorf("hello: %w", err)
	}
	claimed, err := audit.UnpackActor(h.Actor, c.s.clean)
	if err != nil {
		return fmt.Errorf("hello: %w", err)
	}
	c.actor = c.s.actorOf(peer, claimed)
	if h.Last != nil {
		c.compare(h.Last)
	}
	return c.welcome()
}

// hello must come whole within the time of a frame.
func (c *conn) hello() (h wire.Hello, err error) {
	if err := c.net.SetReadDeadline(time.Now().Add(c.s.cfg.FrameTimeout)); err != nil {
		return h, err
	}
	if err := wire.Read(c.net, &h); err != nil {
		return h, err
	}
	if h.V != wire.Version {
		return h, fmt.Errorf("it speaks version %d", h.V)
	}
	return h, nil
}

// welcome has a deadline of its own: what we took to find out who the peer is
// (a large program is read for its digest) is no fault of the console.
func (c *conn) welcome() error {
	key, id, err := c.s.cfg.Log.ConnectionKey()
	if err != nil {
		return err
	}
	st := c.s.cfg.Log.Status()
	w := wire.Welcome{V: wire.Version, Log: string(st.Log), Path: st.Path, Anchor: string(st.Anchor), Key: key, KeyID: string(id)}
	if err := c.net.SetWriteDeadline(time.Now().Add(c.s.cfg.FrameTimeout)); err != nil {
		return err
	}
	return wire.Write(c.net, w)
}

// compare holds a console's last receipt against the logs: what was
// acknowledged must be there, and what is not is recorded.
func (c *conn) compare(last *wire.Receipt) {
	leaf, err := audit.ParseHash(last.Leaf)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), c.s.cfg.FrameTimeout)
		defer cancel()
		err = c.s.cfg.Log.Witness(ctx, c.actor, audit.LogID(last.Log), last.Seq, leaf)
	}
	if err != nil {
		c.s.warn("uid %d shows a receipt: %v", c.uid, err)
	}
}
