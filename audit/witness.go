package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"sallyport/audit/seal"
	"sallyport/redact"
)

// ErrReceipt says that a receipt does not fit a log that proves itself whole:
// the receipt is wrong, not the log.
var ErrReceipt = errors.New("the receipt is not one of this log")

// Lost says that a record which was acknowledged is not there any more, or
// another is there in its place.
type Lost struct {
	Log LogID
	Seq uint64
}

func (e *Lost) Error() string {
	return fmt.Sprintf("record %d of log %s was acknowledged and is not there", e.Seq, e.Log)
}

// witness remembers what was looked up for receipts: after a daemon's crash
// every console comes back with one of the same log.
type witness struct {
	mu    sync.Mutex
	ended map[LogID]*ended
	told  map[IntentRef]bool
}

// ended is a log that nobody writes any more.
type ended struct {
	link   Link
	closed bool
	leaves []Hash // of a log that was not closed
}

// Witness holds a receipt that somebody shows against the logs of the folder.
// What it names and is not there is damage that no crash explains: it is
// recorded, as the word of who, in a log.recovered, and the error is a *[Lost].
func (l *Log) Witness(ctx context.Context, who Actor, log LogID, seq uint64, leaf Hash) error {
	found, damage, err := l.look(log, seq, leaf)
	if err != nil || damage == DamageNone {
		return err
	}
	if l.witness.toldOf(log, seq) {
		return &Lost{log, seq}
	}
	sc, err := (&Scope{log: l}).By(who)
	if err != nil {
		return err
	}
	_, err = sc.append(ctx, []Event{LogRecovered[redact.Text]{
		Found: found, Damage: damage, At: seq, Receipt: true,
	}})
	if err != nil {
		return err
	}
	return &Lost{log, seq}
}

// toldOf says that it was recorded already; from now on it was.
func (w *witness) toldOf(log LogID, seq uint64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	ref := IntentRef{Log: log, Seq: seq}
	again := w.told[ref]
	if w.told == nil {
		w.told = map[IntentRef]bool{}
	}
	w.told[ref] = true
	return again
}

// look finds out what became of a record.
func (l *Log) look(log LogID, seq uint64, leaf Hash) (Link, Damage, error) {
	if !logShape.MatchString(string(log)) {
		return Link{}, "", ErrReceipt
	}
	if st := l.Status(); st.Log == log { // this writer's own
		if seq >= st.Records {
			return Link{}, "", ErrReceipt
		}
		return Link{}, DamageNone, nil
	}
	e, err := l.witness.lookUp(&l.cfg, log)
	switch {
	case err != nil:
		return Link{}, "", err
	case e.closed && seq >= e.link.Records:
		return Link{}, "", ErrReceipt
	case e.closed:
		return e.link, DamageNone, nil
	case seq >= e.link.Records:
		return e.link, DamageShorter, nil
	case e.leaves[seq] != leaf:
		return e.link, DamageEdited, nil
	}
	return e.link, DamageNone, nil
}

// lookUp reads a log once. Of one that is not there, nothing is left.
func (w *witness) lookUp(cfg *Config, log LogID) (*ended, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e := w.ended[log]; e != nil {
		return e, nil
	}
	names, err := logNames(cfg)
	if err != nil {
		return nil, err
	}
	e := &ended{link: Link{Log: log}}
	for _, n := range names {
		if strings.HasSuffix(string(n), "-"+string(log[:8])) {
			e, err = readEnded(cfg, n)
		}
	}
	if err != nil {
		return nil, err
	}
	if w.ended == nil {
		w.ended = map[LogID]*ended{}
	}
	w.ended[log] = e
	return e, nil
}

func readEnded(cfg *Config, n Name) (*ended, error) {
	x := examine(cfg, n)
	e := &ended{link: x.link, closed: x.damage == DamageNone && brief(cfg, n).closed}
	if e.closed {
		return e, nil
	}
	f, err := cfg.FS.Open(filepath.Join(cfg.Dir, string(n)+suffix))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := NewLines(io.NewSectionReader(f, 0, x.link.Size))
	for range x.link.Records {
		line, err := lines.Next()
		if err != nil {
			return nil, err
		}
		e.leaves = append(e.leaves, Hash(seal.Leaf(line)))
	}
	return e, nil
}
