package ship

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/redact"
)

// Appender takes what is to be recorded of shipping; *audit.Log is one.
type Appender interface {
	Append(ctx context.Context, ev ...audit.Event) ([]audit.Receipt, error)
}

// Config says what is shipped where. Dir and Endpoint are needed.
type Config struct {
	Dir      string
	Endpoint Endpoint
	Resource Resource
	Log      Appender           // ship.rejected and ship.cursor_reset; may be nil
	Shipped  func(audit.Cursor) // hears how far the newest log has got; may be nil
	Warn     func(string)       // may be nil

	IgnoresEnv bool // OTEL_EXPORTER_OTLP_* is set and does not count: recorded once

	MaxRecords int           // of a batch; 512 if 0
	MaxBytes   int64         // of a batch's lines; 1 MiB if 0
	Poll       time.Duration // how often Follow looks; 500 ms if 0
	Backoff    time.Duration // first wait after a failure; 1 s if 0, doubled up to a minute

	FS  durable.FS       // nil: the real one
	Now func() time.Time // nil: the real clock
}

// Status is what a status line shows.
type Status struct {
	Backlog uint64        // records that no collector has yet
	Age     time.Duration // of the oldest of them
	Shipped uint64        // records accepted since the start
	Error   error         // the last failure, nil after a success
}

// Shipper ships the logs of a folder.
type Shipper struct {
	cfg        Config
	client     client
	attributes []*common.KeyValue
	queues     map[string]*queue
	done       map[string]bool // closed logs that the collector has whole
	told       sync.Once       // of what is ignored

	mu     sync.Mutex
	status Status
}

// New makes a shipper; nothing is sent yet.
func New(c Config) (*Shipper, error) {
	if c.FS == nil {
		c.FS = durable.OS{}
	}
	if c.MaxRecords <= 0 {
		c.MaxRecords = 512
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = 1 << 20
	}
	if c.Poll <= 0 {
		c.Poll = 500 * time.Millisecond
	}
	if c.Backoff <= 0 {
		c.Backoff = time.Second
	}
	cl, err := newClient(c.Endpoint)
	if err != nil {
		return nil, err
	}
	return &Shipper{cfg: c, client: cl, attributes: c.Resource.encode(), queues: map[string]*queue{}, done: map[string]bool{}}, nil
}

// Close gives the connection up.
func (s *Shipper) Close() { s.client.close() }

// Status is cheap.
func (s *Shipper) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

func (s *Shipper) now() time.Time {
	if s.cfg.Now != nil {
		return s.cfg.Now()
	}
	return time.Now()
}

func (s *Shipper) warn(msg string) {
	if s.cfg.Warn != nil {
		s.cfg.Warn(msg)
	}
}

// Once ships what there is and returns when the collector has all of it, or
// ctx ends.
func (s *Shipper) Once(ctx context.Context) error {
	if err := s.pass(ctx); err != nil {
		return err
	}
	owing := false
	for _, q := range s.queues {
		owing = q.repay(s.now(), 0) || owing
	}
	if !owing {
		return nil
	}
	return s.pass(ctx)
}

// Follow ships until ctx ends.
func (s *Shipper) Follow(ctx context.Context) error {
	tick := time.NewTicker(s.cfg.Poll)
	defer tick.Stop()
	for {
		if err := s.pass(ctx); err != nil && ctx.Err() == nil {
			s.failed(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// From begins at record seq of the log at path, whatever its cursor says.
func (s *Shipper) From(path string, seq uint64) error {
	q, _, err := openQueue(s.cfg.FS, path)
	if err != nil {
		return err
	}
	if _, err := q.seek(audit.Cursor{}); err != nil {
		return err
	}
	for q.next.seq < seq {
		lines, err := q.read(s.cfg.MaxBytes, seq-q.next.seq)
		if err != nil || len(lines) == 0 {
			return errors.Join(err, fmt.Errorf("%s has no record %d", path, seq))
		}
		q.took(lines)
	}
	s.queues[path] = q
	return nil
}

// pass goes over the logs, oldest first.
func (s *Shipper) pass(ctx context.Context) error {
	s.told.Do(func() { s.tell(ctx) })
	paths, err := s.logs()
	if err != nil {
		return err
	}
	for _, p := range paths {
		if s.done[p] {
			continue
		}
		if err := s.drain(ctx, p); err != nil {
			return err
		}
	}
	s.clearBacklog()
	return nil
}

// tell records that somebody set a collector that does not count.
func (s *Shipper) tell(ctx context.Context) {
	if !s.cfg.IgnoresEnv {
		return
	}
	const what = "OTEL_EXPORTER_OTLP_* is set and does not count: the organisation's configuration names the collector"
	s.warn(what)
	s.record(ctx, audit.SessionError[redact.Text]{Step: redact.Literal(audit.StepShipping), Reason: redact.Literal(what)})
}

func (s *Shipper) logs() ([]string, error) { return logsIn(s.cfg.FS, s.cfg.Dir) }

// logsIn are the logs of a folder, oldest first.
func logsIn(fsys durable.FS, dir string) (paths []string, err error) {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("logs: %w", err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".jsonl") && e.Type().IsRegular() {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(paths)
	return paths, nil
}

// drain ships one log to the end that it has now.
func (s *Shipper) drain(ctx context.Context, path string) error {
	q, err := s.queue(ctx, path)
	if err != nil {
		return err
	}
	for {
		q.repay(s.now(), again)
		lines, err := q.read(s.cfg.MaxBytes, uint64(s.cfg.MaxRecords))
		if err != nil {
			return err
		}
		if len(lines) == 0 {
			break
		}
		if err := s.deliver(ctx, q, lines); err != nil {
			return err
		}
		if s.cfg.Shipped != nil {
			s.cfg.Shipped(q.cursor)
		}
	}
	if q.owed != nil {
		return nil // later
	}
	if unlock, err := s.cfg.FS.Lock(path); err == nil { // its writer is gone: nothing more will come
		unlock()
		s.done[path] = true
		delete(s.queues, path)
	}
	return nil
}

func (s *Shipper) queue(ctx context.Context, path string) (*queue, error) {
	if q := s.queues[path]; q != nil {
		return q, nil
	}
	q, r, err := openQueue(s.cfg.FS, path)
	if err != nil {
		return nil, err
	}
	if r != nil {
		s.warn("the shipping cursor of " + filepath.Base(path) + " was set back: " + r.reason)
		s.record(ctx, audit.ShipCursorReset[redact.Text]{
			Log: r.log, From: r.from, To: r.to, Reason: redact.Literal("the cursor is ahead of the log or does not fit it"),
		})
	}
	s.queues[path] = q
	return q, nil
}

// deliver sends lines until the collector has them or they were skipped.
func (s *Shipper) deliver(ctx context.Context, q *queue, lines []line) error {
	wait := s.cfg.Backoff
	for {
		rejected, f := s.client.send(ctx, s.request(lines))
		if rejected < 0 {
			f = &failure{reason: "its answer makes no sense", retry: true}
		}
		switch {
		case f == nil && rejected == 0:
			return s.accept(q, lines)
		case f == nil || f.smaller:
			return s.split(ctx, q, lines, f)
		}
		s.failed(f)
		s.measure(ctx, q.unshipped(lines))
		if f.lost {
			q.owe()
		}
		if err := pause(ctx, max(f.after, jitter(wait))); err != nil {
			return err
		}
		wait = min(2*wait, time.Minute)
	}
}

// split halves a batch that would not go as a whole.
func (s *Shipper) split(ctx context.Context, q *queue, lines []line, f *failure) error {
	if len(lines) > 1 {
		half := len(lines) / 2
		if err := s.deliver(ctx, q, lines[:half]); err != nil {
			return err
		}
		return s.deliver(ctx, q, lines[half:])
	}
	s.reject(ctx, q, lines[0], f)
	return s.accept(q, lines)
}

// reject names a record that the collector will not take.
func (s *Shipper) reject(ctx context.Context, q *queue, l line, f *failure) {
	code := 0
	if f != nil {
		code = f.code
	}
	s.warn(fmt.Sprintf("the collector does not take record %d of %s", l.seq, filepath.Base(q.path)))
	if h, err := audit.ParseHead(l.raw); err == nil && h.Event == audit.KindShipRejected {
		return // not a rejection of a rejection, for ever
	}
	s.record(ctx, audit.ShipRejected[redact.Text]{Seq: l.seq, Log: q.log, Leaf: l.leaf, Code: code})
}

func (s *Shipper) record(ctx context.Context, ev audit.Event) {
	if s.cfg.Log == nil {
		return
	}
	if _, err := s.cfg.Log.Append(ctx, ev); err != nil {
		s.warn(err.Error())
	}
}

func (s *Shipper) accept(q *queue, lines []line) error {
	q.took(lines)
	if err := q.accepted(lines); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Shipped += uint64(len(lines))
	s.status.Error = nil
	return nil
}

func (s *Shipper) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Error = err
}

// clearBacklog notes that nothing waits: drain went to the end of each log.
func (s *Shipper) clearBacklog() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Backlog, s.status.Age = 0, 0
}

// measure says how much waits in all logs, while the collector does not take
// it. first is when the oldest of it arrived.
func (s *Shipper) measure(ctx context.Context, first time.Time) {
	var n uint64
	paths, err := s.logs()
	if err != nil {
		return
	}
	for _, p := range paths {
		if s.done[p] {
			continue
		}
		q, err := s.queue(ctx, p)
		if err != nil {
			continue
		}
		if w, err := q.waiting(); err == nil {
			n += w
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Backlog, s.status.Age = n, 0
	if !first.IsZero() {
		s.status.Age = s.now().Sub(first)
	}
}

// Probe sends one record of its own and says whether the collector takes it.
func (s *Shipper) Probe(ctx context.Context) error {
	now := s.now()
	l := line{ts: now, raw: []byte(`{"event":"sallyport.probe"}`)}
	r := s.request([]line{l})
	rec := r.ResourceLogs[0].ScopeLogs[0].LogRecords[0]
	rec.EventName, rec.Attributes = "sallyport.probe", []*common.KeyValue{text("event.name", "sallyport.probe")}
	rejected, f := s.client.send(ctx, r)
	if f != nil {
		return f
	}
	if rejected > 0 {
		return &failure{reason: "it rejected a diagnostics record"}
	}
	return nil
}

// jitter is a wait between a half and the whole of d.
func jitter(d time.Duration) time.Duration {
	return d/2 + time.Duration(rand.Int64N(int64(d/2)+1))
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
