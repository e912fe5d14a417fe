package audit

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"sallyport/audit/wire"
)

// DialConfig says which daemon keeps the log.
type DialConfig struct {
	Socket  string
	PeerUID int           // that the daemon must run as: root-owned configuration names it
	Actor   Actor         // recorded as claimed
	Timeout time.Duration // of a connection and of an answer; 10 s if 0
}

// Dial connects to the daemon that keeps this machine's log. The Log appends
// there; while the daemon is away everything is refused ([Unwritable]), as if
// the disk were full, and each call tries to reach it again.
func Dial(ctx context.Context, c DialConfig) (*Log, error) {
	if c.Timeout <= 0 {
		c.Timeout = 10 * time.Second
	}
	l := &Log{remote: &client{cfg: c, waiting: map[uint64]chan wire.Answer{}}}
	l.remote.log = l
	l.status.Store(&Status{Path: c.Socket})
	if err := l.remote.connect(ctx); err != nil {
		return nil, fmt.Errorf("audit daemon: %w", err)
	}
	return l, nil
}

// client is a console's end of a connection.
type client struct {
	cfg DialConfig
	log *Log

	dialing sync.Mutex // one at a time
	writing sync.Mutex // frames; apart from mu, so that answers are taken while a frame waits for the daemon
	mu      sync.Mutex
	conn    net.Conn
	waiting map[uint64]chan wire.Answer
	closed  bool
	next    atomic.Uint64
	last    atomic.Pointer[wire.Receipt]
	tried   time.Time
}

// redialEvery bounds how often an absent daemon is looked for.
const redialEvery = time.Second

func (c *client) connect(ctx context.Context) error {
	conn, err := c.knock(ctx)
	if err != nil {
		return c.away(err)
	}
	if err := c.greet(conn); err != nil {
		conn.Close()
		return c.away(err)
	}
	c.mu.Lock()
	c.conn = conn
	c.mu.Unlock()
	go c.listen(conn)
	return nil
}

// knock connects to the socket. While its queue is full (EAGAIN: somebody
// floods it) it tries again, as long as it may take.
func (c *client) knock(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for {
		conn, err := new(net.Dialer).DialContext(ctx, "unix", c.cfg.Socket)
		if !errors.Is(err, unix.EAGAIN) {
			return conn, err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, err
		}
	}
}

// greet checks who listens, and says who we are.
func (c *client) greet(conn net.Conn) error {
	peer, err := PeerOf(conn)
	if err != nil {
		return err
	}
	if int(peer.Uid) != c.cfg.PeerUID {
		return fmt.Errorf("it runs as uid %d, not as %d", peer.Uid, c.cfg.PeerUID)
	}
	if err := conn.SetDeadline(time.Now().Add(c.cfg.Timeout)); err != nil {
		return err
	}
	actor, err := appendJSON(nil, c.cfg.Actor)
	if err != nil {
		return err
	}
	if err := wire.Write(conn, wire.Hello{V: wire.Version, Actor: actor, Last: c.last.Load()}); err != nil {
		return err
	}
	var w wire.Welcome
	if err := wire.Read(conn, &w); err != nil {
		return err
	}
	switch {
	case w.Error != "":
		return errors.New(w.Error)
	case w.V != wire.Version:
		return fmt.Errorf("it speaks version %d, not %d", w.V, wire.Version)
	}
	if c.log.key == nil { // the first one stays: the redactor has it
		c.log.key = &digestKey{key: w.Key, id: KeyID(w.KeyID)}
	}
	c.log.status.Store(&Status{Log: LogID(w.Log), Path: w.Path, Anchor: Anchor(w.Anchor)})
	return conn.SetDeadline(time.Time{})
}

// PeerOf asks the kernel who is at the other end of a unix socket.
func PeerOf(conn net.Conn) (*unix.Ucred, error) {
	u, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, errors.New("not a unix socket")
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return nil, err
	}
	var cred *unix.Ucred
	var credErr error
	if err := raw.Control(func(fd uintptr) { cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return nil, err
	}
	return cred, credErr
}

// listen passes answers on until the connection ends.
func (c *client) listen(conn net.Conn) {
	r := bufio.NewReader(conn)
	for {
		var a wire.Answer
		if err := wire.Read(r, &a); err != nil {
			c.lost(conn, err)
			return
		}
		c.mu.Lock()
		ch := c.waiting[a.ID]
		delete(c.waiting, a.ID)
		c.mu.Unlock()
		if ch != nil {
			ch <- a
		}
	}
}

// lost ends a connection: whether what waits became durable is not known, and
// it counts as refused.
func (c *client) lost(conn net.Conn, err error) {
	conn.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != conn {
		return
	}
	c.conn = nil
	for id, ch := range c.waiting {
		ch <- wire.Answer{ID: id, Error: "the daemon went away"}
		delete(c.waiting, id)
	}
	if !c.closed {
		c.refuse(err)
	}
}

func (c *client) away(err error) *Unwritable {
	u := &Unwritable{Path: c.cfg.Socket, Err: fmt.Errorf("%s: %w", c.cfg.Socket, err)}
	c.refuse(u)
	return u
}

func (c *client) refuse(err error) {
	s := c.log.Status()
	if s.Refusing == nil {
		s.Since = time.Now()
	}
	s.Refusing = err
	c.log.status.Store(&s)
}

// reach gives the connection, and looks for the daemon where there is none.
func (c *client) reach(ctx context.Context) (net.Conn, error) {
	c.dialing.Lock()
	defer c.dialing.Unlock()
	c.mu.Lock()
	conn, closed := c.conn, c.closed
	c.mu.Unlock()
	switch {
	case closed:
		return nil, ErrClosed
	case conn != nil:
		return conn, nil
	case time.Since(c.tried) < redialEvery:
		return nil, c.away(errors.New("the daemon is away"))
	}
	c.tried = time.Now()
	if err := c.connect(ctx); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn, nil
}

func (c *client) append(ctx context.Context, s *Scope, ev []Event) ([]Receipt, error) {
	ask := wire.Ask{Session: string(s.session), Trace: string(s.trace)}
	for _, e := range ev {
		m, err := message(e)
		if err != nil {
			return nil, fmt.Errorf("record %s: %w", e.Kind(), err)
		}
		ask.Messages = append(ask.Messages, m)
	}
	if s.invalid != nil {
		return nil, s.invalid
	}
	ask.Target = s.target
	a, err := c.ask(ctx, ask)
	if err != nil {
		return nil, err
	}
	return c.receipts(a, len(ev))
}

func (c *client) ask(ctx context.Context, ask wire.Ask) (a wire.Answer, err error) {
	conn, err := c.reach(ctx)
	if err != nil {
		return a, err
	}
	ask.ID = c.next.Add(1)
	ch := make(chan wire.Answer, 1)
	c.mu.Lock()
	c.waiting[ask.ID] = ch
	c.mu.Unlock()
	if err := c.write(conn, ask); err != nil {
		c.lost(conn, err)
		return a, c.away(err)
	}
	timeout := time.NewTimer(c.cfg.Timeout)
	defer timeout.Stop()
	select {
	case a = <-ch:
		return a, nil
	case <-ctx.Done():
		return a, fmt.Errorf("the record may be on disk or not: %w", ctx.Err())
	case <-timeout.C:
		c.lost(conn, errors.New("no answer"))
		return a, c.away(errors.New("no answer in time"))
	}
}

func (c *client) write(conn net.Conn, ask wire.Ask) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := conn.SetWriteDeadline(time.Now().Add(c.cfg.Timeout)); err != nil {
		return err
	}
	return wire.Write(conn, ask)
}

func (c *client) receipts(a wire.Answer, n int) ([]Receipt, error) {
	switch {
	case a.Refused != nil:
		u := &Unwritable{Path: a.Refused.Path, Free: a.Refused.Free, Total: a.Refused.Total, Err: errors.New(a.Error)}
		c.refuse(u)
		return nil, u
	case a.Error != "":
		return nil, fmt.Errorf("audit daemon: %s", a.Error)
	case len(a.Receipts) != n:
		return nil, errors.New("audit daemon: another number of receipts than of records")
	}
	out := make([]Receipt, n)
	for i, r := range a.Receipts {
		leaf, err := ParseHash(r.Leaf)
		if err != nil || !logShape.MatchString(r.Log) {
			return nil, errors.New("audit daemon: a receipt that is none")
		}
		out[i] = Receipt{LogID(r.Log), r.Seq, leaf}
	}
	last := a.Receipts[n-1]
	c.last.Store(&last)
	c.log.status.Store(&Status{Log: LogID(last.Log), Path: c.log.Status().Path, Anchor: c.log.Status().Anchor, Records: last.Seq + 1})
	return out, nil
}

func (c *client) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	c.closed = true
	if c.conn == nil {
		return nil
	}
	return c.conn.Close()
}

// ConnectionKey makes a digest key for one connection of a daemon.
func (l *Log) ConnectionKey() (key []byte, id KeyID, err error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return nil, "", err
	}
	id = KeyID(hex.EncodeToString(b[:]))
	return l.key.derived(id).key, id, nil
}
