package audit

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

	"sallyport/audit/durable"
	"sallyport/audit/layout"
	"sallyport/redact"
)

// Sink is a second place that can hold records: a collector, another
// machine's daemon.
type Sink interface {
	// Name is how the record calls it.
	Name() redact.Text
	// Accept returns when the lines, each with its newline, are kept there.
	Accept(ctx context.Context, log LogID, lines []byte) error
}

// Reasons not to break the glass.
var (
	ErrNoGlass = errors.New("there is no second sink to hold the record")
	ErrWorks   = errors.New("the log works; there is nothing to break")
)

type glassRequest struct {
	reason redact.Text
	answer chan error
}

// BreakGlass lets records be acknowledged by the second sink alone while the
// log, or what is sealed beside it, cannot be written; exact texts are not kept
// meanwhile. break_glass.opened, with the reason that the operator
// typed, is there before it returns. When the log works again the glass mends
// by itself, and what only the second sink held is written beside the logs.
func (l *Log) BreakGlass(ctx context.Context, reason redact.Text) error {
	if l.remote != nil {
		return ErrNoGlass
	}
	g := glassRequest{reason, make(chan error, 1)}
	select {
	case l.glass <- g:
		return <-g.answer
	case <-l.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pane is the log that lives in the second sink: to its writer it is a file.
type pane struct {
	sink   Sink
	id     LogID
	name   Name
	kept   []byte // what the sink has
	staged []byte
}

// acceptIn bounds how long the second sink may take.
const acceptIn = 10 * time.Second

func (p *pane) Write(b []byte) (int, error) {
	p.staged = append(p.staged, b...)
	return len(b), nil
}

func (p *pane) Sync() error {
	ctx, cancel := context.WithTimeout(context.Background(), acceptIn)
	defer cancel()
	if err := p.sink.Accept(ctx, p.id, p.staged); err != nil {
		return err
	}
	p.kept = append(p.kept, p.staged...)
	p.staged = nil
	return nil
}

func (p *pane) ReadAt(b []byte, off int64) (int, error) {
	if off >= int64(len(p.kept)) {
		return 0, io.EOF
	}
	return copy(b, p.kept[off:]), nil
}

func (p *pane) Check(int64) error    { return nil }
func (p *pane) Size() (int64, error) { return int64(len(p.kept) + len(p.staged)), nil }
func (p *pane) Close() error         { return nil }

var _ durable.File = (*pane)(nil)

func (w *writer) breakGlass(reason redact.Text) error {
	switch {
	case w.cfg.Second == nil:
		return ErrNoGlass
	case w.glass != nil:
		return nil
	case w.refusing == nil && w.unsealed == nil:
		return ErrWorks
	}
	defer w.publish()
	cause := cmp.Or(w.refusing, w.unsealed)
	if w.cur != nil { // on the reserve, or it only seals nothing
		w.sealOff(ClosedFailed)
		if err := w.commit(nil); err != nil {
			w.lose(err)
		} else {
			w.leave()
		}
	}
	if err := w.openGlass(reason, cause); err != nil {
		w.fail(err)
		return w.refusing
	}
	w.refusing, w.unsealed = nil, nil
	return nil
}

func (w *writer) openGlass(reason redact.Text, cause *Unwritable) error {
	s, err := newSegment(w.cfg)
	if err != nil {
		return err
	}
	p := &pane{sink: w.cfg.Second, id: s.id, name: s.name}
	s.file = p
	if err := w.stageOpen(s, &leftovers{previous: w.prev}); err != nil {
		return err
	}
	why := redact.Literal("the log cannot be written")
	if cause.Total > 0 {
		why = redact.Literal("no space, or the disk fails")
	}
	s.stage(w.log.ownBody(BreakGlassOpened[redact.Text]{Reason: reason, Cause: why, Sink: p.sink.Name()}), nil)
	if err := s.commit(); err != nil {
		s.release()
		return err
	}
	w.cur, w.glass = s, p
	return nil
}

// mendGlass goes back to files as soon as a log can be opened.
func (w *writer) mendGlass() {
	if w.glass == nil || !w.diskIsBack() {
		return
	}
	w.owed = append(w.owed, w.glass)
	w.cur.stage(w.log.ownBody(BreakGlassClosed[redact.Text]{Records: w.cur.next.Tree.Size()}), nil)
	w.sealOff(ClosedDone)
	if err := w.commit(nil); err != nil {
		w.lose(err)
		return
	}
	w.leave()
	w.glass, w.low = nil, false
	w.reopen()
}

// diskIsBack says that there is space for a reserve and more, or that a small
// disk has some again, and that exact texts can be sealed.
func (w *writer) diskIsBack() bool {
	free, _, err := w.cfg.FS.Space(w.cfg.Dir)
	if !(err == nil && free > 2*Reserve || w.roomy()) {
		return false
	}
	return w.vault == nil || w.vault.probe() == nil
}

// shatter is the end of the second sink: nothing holds records now.
func (w *writer) shatter() {
	w.cfg.warn("the second sink failed: sends are refused")
	w.owed = append(w.owed, w.glass)
	w.glass = nil
}

// bring writes what only the second sink held beside the logs, once there is
// a log again.
func (w *writer) bring() {
	var still []*pane
	for _, p := range w.owed {
		if err := p.bring(w.cfg); err != nil {
			w.cfg.warn("what the second sink holds could not be brought here: " + err.Error())
			still = append(still, p)
		}
	}
	w.owed = still
}

func (p *pane) bring(cfg *Config) error {
	path := filepath.Join(cfg.Dir, string(p.name)+layout.Log)
	f, err := cfg.FS.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(p.kept); err != nil {
		return errors.Join(err, cfg.FS.Remove(path))
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, cfg.FS.Remove(path))
	}
	return cfg.FS.SyncDir(cfg.Dir)
}
