package recording

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"sallyport/audit"
	"sallyport/audit/auditors"
	"sallyport/audit/durable"
	"sallyport/audit/layout"
	"sallyport/redact"
)

// Appender takes the records of chunks; *audit.Scope is one.
type Appender interface {
	Append(ctx context.Context, ev ...audit.Event) ([]audit.Receipt, error)
}

// Config says what is recorded where. Dir, Session and Log are needed.
type Config struct {
	Dir        string // the folder of the logs
	Session    string
	Cols, Rows int
	Term       string
	Recipients []string // age public keys; none: what is redacted is recorded
	Log        Appender
	OnFailure  func(error) // called once; may be nil

	FS    durable.FS       // nil: the real one
	Now   func() time.Time // nil: the real clock
	Every time.Duration    // how often what there is becomes a chunk; 0: a second
}

const (
	chunkBytes = 256 << 10 // of plaintext, after which a chunk is due
	maxWaiting = 1 << 20   // of plaintext; then the disk is waited for
)

// Recorder records one session. It is safe for concurrent use.
type Recorder struct {
	cfg   Config
	began time.Time
	file  durable.File
	name  redact.Text
	to    auditors.Keys // none: chunks are not encrypted

	wake chan struct{}
	stop chan struct{}
	done chan struct{}

	mu      sync.Mutex
	room    *sync.Cond
	partial []byte       // the beginning of a character
	waiting bytes.Buffer // asciicast lines for the next chunk
	err     error
	closed  bool

	// owned by the goroutine
	full   bytes.Buffer // the lines of the chunk at hand
	index  int
	offset int64
}

// New begins a recording.
func New(c Config) (*Recorder, error) {
	if c.FS == nil {
		c.FS = durable.OS{}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Every <= 0 {
		c.Every = time.Second
	}
	r := &Recorder{cfg: c, began: c.Now(), wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	r.room = sync.NewCond(&r.mu)
	if err := r.open(); err != nil {
		return nil, fmt.Errorf("recording of session %s: %w", c.Session, err)
	}
	r.header()
	go r.run()
	return r, nil
}

func (r *Recorder) open() (err error) {
	name := layout.RecordingFile(r.cfg.Session, r.verbatim())
	if r.name, err = redact.ID(name); err != nil {
		return err
	}
	if r.to, err = auditors.Parse(r.cfg.Recipients); err != nil {
		return err
	}
	path := filepath.Join(r.cfg.Dir, filepath.FromSlash(name))
	if _, err := r.cfg.FS.Folder(filepath.Dir(path), layout.Written); err != nil {
		return err
	}
	if r.file, err = r.cfg.FS.Create(path); err != nil {
		return err
	}
	return r.cfg.FS.SyncDir(filepath.Dir(path))
}

func (r *Recorder) verbatim() bool { return len(r.cfg.Recipients) > 0 }

// Output is what the operator saw next, for a recording that is encrypted. It
// does not wait for the disk unless very much waits already.
func (r *Recorder) Output(p []byte) {
	if !r.verbatim() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.event("o", r.whole(p))
	r.nudge()
}

// Redacted is what the operator saw next, as the redactor's stream view gives
// it, for a recording that is not encrypted.
func (r *Recorder) Redacted(t redact.Text) {
	if r.verbatim() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.event("o", t.String())
	r.nudge()
}

// Input is what was typed and echoed by the remote.
func (r *Recorder) Input(text redact.Text) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.event("i", text.String())
}

// Mark is the point at which the command of record seq was sent.
func (r *Recorder) Mark(seq uint64, command redact.Text) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.event("m", fmt.Sprintf("%d %s", seq, command))
}

// Resize is a new size of the window.
func (r *Recorder) Resize(cols, rows int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.event("r", fmt.Sprintf("%dx%d", cols, rows))
}

// Err is why the recording ended early, or nil.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Close writes what is left and waits until it is on disk and in the log.
func (r *Recorder) Close() error {
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		r.rest()
		close(r.stop)
	}
	r.mu.Unlock()
	<-r.done
	return r.Err()
}

// rest is a half character that was still held.
func (r *Recorder) rest() {
	if len(r.partial) > 0 {
		r.event("o", string(r.partial))
		r.partial = nil
	}
}

// run writes chunks until Close or the first failure.
func (r *Recorder) run() {
	defer close(r.done)
	defer r.file.Close()
	tick := time.NewTicker(r.cfg.Every)
	defer tick.Stop()
	for {
		final := false
		select {
		case <-tick.C:
		case <-r.wake:
		case <-r.stop:
			final = true
		}
		if err := r.flush(final); err != nil {
			r.fail(err)
			return
		}
		if final {
			return
		}
	}
}

// flush makes a chunk of what waits and records it.
func (r *Recorder) flush(final bool) error {
	p, err := r.chunk()
	if err != nil || len(p) == 0 && !final {
		return err
	}
	if err := r.file.Check(r.offset); err != nil {
		return err
	}
	if _, err := r.file.Write(p); err != nil {
		return err
	}
	if err := r.file.Sync(); err != nil {
		return err
	}
	ev := audit.RecordingChunk[redact.Text]{
		File: r.name, Index: r.index, Offset: r.offset, Bytes: int64(len(p)), Digest: sha256.Sum256(p), Final: final,
	}
	r.index++
	r.offset += int64(len(p))
	_, err = r.cfg.Log.Append(context.Background(), ev)
	return err
}

// chunk takes what waits, as it is to stand in the file.
func (r *Recorder) chunk() ([]byte, error) {
	r.mu.Lock()
	r.waiting, r.full = r.full, r.waiting
	r.waiting.Reset()
	r.room.Broadcast()
	r.mu.Unlock()
	lines := r.full.Bytes()
	if len(r.to) == 0 || len(lines) == 0 {
		return lines, nil
	}
	return r.to.Frame(padded(lines))
}

// fail ends the recording, and says so where it can.
func (r *Recorder) fail(err error) {
	r.mu.Lock()
	r.err = fmt.Errorf("recording: %w", err)
	r.room.Broadcast()
	r.mu.Unlock()
	why := redact.Literal("the recording could not be written")
	var full *audit.Unwritable
	if errors.As(err, &full) {
		why = redact.Literal("the log did not take the recording's digest")
	}
	r.cfg.Log.Append(context.Background(), audit.RecordingChunk[redact.Text]{File: r.name, Index: r.index, Offset: r.offset, Error: why})
	if r.cfg.OnFailure != nil {
		r.cfg.OnFailure(r.Err())
	}
}
