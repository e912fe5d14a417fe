package audit

import (
	"context"
	"errors"
	"fmt"
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
	Refusing error         // why new records are refused, or nil
	Since    time.Time     // when that began
	Anchor   Anchor        // what the log's key rests on
	LastSync time.Duration // how long the last sync took
}

// Log appends records. It is safe for concurrent use: callers that arrive
// while a sync runs share the next one.
type Log struct {
	cfg Config
	key *digestKey
}

// Open opens a new log in c.Dir, after it has tried the folder, and records
// what earlier writers left behind.
func Open(c Config) (*Log, error) {
	return nil, fmt.Errorf("audit %s: %w", c.Dir, errors.ErrUnsupported)
}

// Append writes the records and returns when they are on disk. All of them
// are, or none is acknowledged.
func (l *Log) Append(ctx context.Context, ev ...Event) ([]Receipt, error) {
	return nil, errors.ErrUnsupported
}

// In gives a scope whose records carry session and target.
func (l *Log) In(session string, t Target) *Scope {
	return &Scope{log: l, session: SessionID(session), target: &t}
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
func (l *Log) Status() Status { return Status{} }

// Close writes log.close and the last checkpoint, and gives the file up.
func (l *Log) Close(ctx context.Context) error { return errors.ErrUnsupported }

// Scope appends records of one session.
type Scope struct {
	log     *Log
	session SessionID
	target  *Target
	trace   TraceParent
}

// Append is [Log.Append] with the scope's session, target and trace.
func (s *Scope) Append(ctx context.Context, ev ...Event) ([]Receipt, error) {
	return s.log.Append(ctx, ev...)
}

// At gives a scope of the same session with another target, for instance
// when its address and host key are known.
func (s *Scope) At(t Target) *Scope {
	n := *s
	n.target = &t
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

// Log is the scope's log.
func (s *Scope) Log() *Log { return s.log }

