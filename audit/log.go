package audit

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Receipt says that a record is durable. Only [Log] and [Scope] make valid
// ones; the zero value is not.
type Receipt struct {
	log  LogID
	seq  uint64
	leaf Hash
}

// Valid is false for the zero value.
func (r Receipt) Valid() bool { return r.log != "" }

// Seq is the record's number in its log.
func (r Receipt) Seq() uint64 { return r.seq }

// Log is the id of the log that holds the record.
func (r Receipt) Log() LogID { return r.log }

// Leaf is the record's leaf hash in the log's tree.
func (r Receipt) Leaf() Hash { return r.leaf }

// Status is what a status line shows of the log.
type Status struct {
	Log      LogID
	Path     string
	Records  uint64        // durable in this log
	Refusing error         // why what would leave for a host is refused, or nil
	Since    time.Time     // when that began
	Anchor   Anchor        // what the log's first key rests on
	LastSync time.Duration // how long the last commit took
	Glass    bool          // broken: the second sink holds the records
}

// Log appends records. It is safe for concurrent use: callers that arrive
// while a sync runs share the next one.
type Log struct {
	cfg      Config
	key      *digestKey
	actor    []byte // encoded
	requests chan *request
	// free has requests whose callers heard of their end: done is empty, and the
	// writer has let go of them.
	free    sync.Pool
	closing chan chan error
	glass   chan glassRequest
	done    chan struct{} // the writer has ended
	status  atomic.Pointer[Status]
	remote  *client // of a daemon; nil: this process is the writer
	cursor  atomic.Pointer[Cursor]
	witness witness // of receipts
}

// ErrClosed says that the log was closed.
var ErrClosed = errors.New("the log is closed")

// maxBatch bounds the requests that share a sync.
const maxBatch = 1024

// Open opens a new log in c.Dir, after it has tried the folder, and records
// what earlier writers left behind. It refuses to open a log that it cannot
// write and read back.
func Open(c Config) (*Log, error) {
	c = c.withDefaults()
	l := &Log{
		cfg: c, requests: make(chan *request, maxBatch),
		closing: make(chan chan error), glass: make(chan glassRequest), done: make(chan struct{}),
	}
	w, err := l.start()
	if err != nil {
		return nil, fmt.Errorf("audit log in %s: %w", c.Dir, err)
	}
	w.publish()
	go w.run()
	return l, nil
}

func (l *Log) start() (_ *writer, err error) {
	if l.cfg.RequireAnchor && l.cfg.HostKey.IsZero() {
		return nil, errors.New("an anchor is required and there is no host key")
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return nil, fmt.Errorf("make the digest key: %w", err)
	}
	l.key = newDigestKey(secret)
	if l.actor, err = appendJSON(nil, l.cfg.Actor); err != nil {
		return nil, err
	}
	w := &writer{log: l, cfg: &l.cfg, open: map[IntentRef]bool{}}
	return w, w.begin()
}

// run is the writer goroutine.
func (w *writer) run() {
	defer close(w.log.done)
	timer := time.NewTimer(w.tick())
	defer timer.Stop()
	batch := make([]*request, 0, maxBatch)
	for {
		select {
		case r := <-w.log.requests:
			batch = w.collect(append(batch[:0], r), cap(batch), len(batch))
			w.serve(batch)
			if w.hurt() {
				timer.Reset(retryEvery)
			}
		case <-timer.C:
			timer.Reset(w.tick())
		case g := <-w.log.glass:
			g.answer <- w.breakGlass(g.reason)
			timer.Reset(retryEvery)
		case answer := <-w.log.closing:
			answer <- w.close()
			return
		}
	}
}

// collect takes what else is waiting. Where callers shared the last sync they
// are about to come again: it yields to them a little before it goes on
// without them.
func (w *writer) collect(batch []*request, limit, last int) []*request {
	yields := 0
	for len(batch) < limit {
		select {
		case r := <-w.log.requests:
			batch = append(batch, r)
			continue
		default:
		}
		if last < 2 || len(batch) >= last || yields >= 4*last {
			break
		}
		yields++
		runtime.Gosched()
	}
	return batch
}

// Append writes the records and returns when they are on disk. All of them
// are, or an error says why not; then nothing may be sent on their account.
func (l *Log) Append(ctx context.Context, ev ...Event) ([]Receipt, error) {
	sc := Scope{log: l}
	return sc.Append(ctx, ev...)
}

// Append is [Log.Append] with the scope's session, target and trace.
func (s *Scope) Append(ctx context.Context, ev ...Event) ([]Receipt, error) {
	for _, e := range ev {
		if own(e) {
			return nil, fmt.Errorf("%s is written by the log itself", e.Kind())
		}
	}
	return s.append(ctx, ev)
}

// append is for the log's own events too.
func (l *Log) append(ctx context.Context, ev ...Event) ([]Receipt, error) {
	sc := Scope{log: l}
	return sc.append(ctx, ev)
}

func (s *Scope) append(ctx context.Context, ev []Event) ([]Receipt, error) {
	if s.log.remote != nil {
		return s.log.remote.append(ctx, s, ev)
	}
	r, err := s.request(ctx, ev)
	if err != nil {
		return nil, err
	}
	if err := s.log.send(ctx, r); err != nil {
		return nil, err
	}
	receipts := make([]Receipt, len(r.records))
	for i := range r.records {
		receipts[i] = r.records[i].receipt
		r.records[i] = pending{body: r.records[i].body} // exact bytes are not kept
	}
	s.log.free.Put(r)
	return receipts, nil
}

func (s *Scope) request(ctx context.Context, ev []Event) (*request, error) {
	r, ok := s.log.free.Get().(*request)
	if !ok {
		r = &request{done: make(chan struct{}, 1)}
	}
	r.ctx, r.scope, r.err = ctx, *s, nil
	if cap(r.records) < len(ev) {
		r.records = make([]pending, len(ev))
	}
	r.records = r.records[:len(ev)]
	for i, e := range ev {
		p := &r.records[i]
		*p = pending{event: e, body: p.body}
		if err := p.encode(s, s.log.key, s.who()); err != nil {
			return nil, fmt.Errorf("record %s: %w", e.Kind(), err)
		}
	}
	return r, nil
}

// send hands the request to the writer and waits for it. A caller that gives
// up must not send: whether its records became durable is not known then.
func (l *Log) send(ctx context.Context, r *request) error {
	select {
	case l.requests <- r:
	case <-l.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-r.done:
		return r.err
	case <-l.done:
		return l.ended(r)
	case <-ctx.Done():
		return fmt.Errorf("the record may be on disk or not: %w", ctx.Err())
	}
}

// ended is for a request that met the log's end.
func (l *Log) ended(r *request) error {
	select {
	case <-r.done:
		return r.err
	default:
		return ErrClosed
	}
}

// In gives a scope whose records carry session and target. A session id that
// is none makes Append fail.
func (l *Log) In(session string, t Target) *Scope {
	s := &Scope{log: l, session: SessionID(session)}
	return s.At(t)
}

// Digest digests a body that is at hand; findings is how many secrets the
// redactor found in it.
func (l *Log) Digest(p []byte, findings int) Digest { return l.key.digest(p, findings) }

// Digester digests a body as it passes by.
func (l *Log) Digester() *Digester { return l.key.digester() }

// DigestKey is the key for the redactor's own digests of findings. It stays
// the same for the life of the Log.
func (l *Log) DigestKey() []byte { return l.key.key }

// Status is cheap enough for every frame of a screen.
func (l *Log) Status() Status { return *l.status.Load() }

// Shipped tells the log how far its shipping has got; checkpoints record it.
func (l *Log) Shipped(c Cursor) { l.cursor.Store(&c) }

// Close writes log.close and the last checkpoint, and gives the file up.
// Later calls of Append say ErrClosed.
func (l *Log) Close(ctx context.Context) error {
	if l.remote != nil {
		return l.remote.close()
	}
	answer := make(chan error, 1)
	select {
	case l.closing <- answer:
		return <-answer
	case <-l.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ownBody encodes a record of the log's own, which holds nothing that could
// be refused.
func (l *Log) ownBody(ev Event) []byte {
	p := pending{event: ev}
	if err := p.encode(&Scope{}, l.key, l.actor); err != nil {
		panic("audit: " + string(ev.Kind()) + ": " + err.Error())
	}
	return p.body
}

func (w *writer) publish() {
	s := &Status{Glass: w.glass != nil, Since: w.since, Anchor: w.anchor(), LastSync: w.lastSync, Path: w.cfg.Dir}
	if w.cur != nil {
		s.Log, s.Path, s.Records = w.cur.id, w.cur.path, w.cur.chain.Tree.Size()
	}
	switch {
	case w.refusing != nil:
		s.Refusing = w.refusing
	case w.unsealed != nil:
		s.Refusing = w.unsealed
	default:
		s.Since = time.Time{}
	}
	w.log.status.Store(s)
}

func (w *writer) anchor() Anchor {
	if w.cfg.HostKey.IsZero() {
		return AnchorNone
	}
	return AnchorHost
}

// Scope appends records of one session.
type Scope struct {
	log     *Log
	session SessionID
	target  []byte // encoded; nil: none
	invalid error  // why the target cannot be recorded
	trace   TraceParent
	actor   []byte // encoded; nil: the log's
}

// By gives a scope whose records say another actor: for the daemon, which
// speaks for many.
func (s *Scope) By(a Actor) (*Scope, error) {
	n := *s
	var err error
	n.actor, err = appendJSON(nil, a)
	return &n, err
}

// At gives a scope of the same session with another target, for instance
// when its address and host key are known.
func (s *Scope) At(t Target) *Scope {
	n := *s
	n.target, n.invalid = appendJSON(nil, t)
	return &n
}

// Traced gives a scope whose records carry the caller's trace context; what
// is no valid traceparent is left out.
func (s *Scope) Traced(traceparent string) *Scope {
	n := *s
	n.trace = ""
	if traceShape.MatchString(traceparent) {
		n.trace = TraceParent(traceparent)
	}
	return &n
}

func (s *Scope) who() []byte {
	if s.actor != nil {
		return s.actor
	}
	return s.log.actor
}

// Stopped is since when, and why, what would leave for a host is refused.
func (s *Scope) Stopped() (since time.Time, why error) {
	st := s.log.Status()
	return st.Since, st.Refusing
}

// Log is the scope's log.
func (s *Scope) Log() *Log { return s.log }
