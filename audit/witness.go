package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sallyport/audit/layout"
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

// Error names the record and its log.
func (e *Lost) Error() string {
	return fmt.Sprintf("record %d of log %s was acknowledged and is not there", e.Seq, e.Log)
}

// witness remembers what was looked up for receipts: after a daemon's crash
// every console comes back with one of the same log. What a receipt names its
// bearer chooses, so both memories are bounded.
type witness struct {
	mu      sync.Mutex
	looked  map[LogID]*lookup
	telling sync.Mutex // held while one is recorded; guards told
	told    map[IntentRef]bool
}

// Bounds of a witness's memory. What is forgotten is looked up, or recorded,
// again.
const (
	maxLooked = 16
	maxTold   = 4096
)

// lookup reads a log once, for all who ask.
type lookup struct {
	once sync.Once
	log  *ended
	err  error
}

// ended is a log that nobody writes any more.
type ended struct {
	link   Link
	closed bool   // or pruned, which only closed ones are
	leaves []Hash // of a log that was not closed
}

// Witness holds a receipt that somebody shows against the logs of the folder.
// What it names and is not there is damage that no crash explains: it is
// recorded, as the word of who, in a log.recovered, and the error is a *[Lost].
// A log that was pruned is not lost.
func (l *Log) Witness(ctx context.Context, who Actor, log LogID, seq uint64, leaf Hash) error {
	found, damage, err := l.look(log, seq, leaf)
	if err != nil || damage == DamageNone {
		return err
	}
	if err := l.tell(ctx, who, IntentRef{Log: log, Seq: seq}, found, damage); err != nil {
		return err
	}
	return &Lost{log, seq}
}

// tell records that a record is lost, if that is not on disk yet.
func (l *Log) tell(ctx context.Context, who Actor, ref IntentRef, found Link, damage Damage) error {
	w := &l.witness
	w.telling.Lock()
	defer w.telling.Unlock()
	if w.told[ref] {
		return nil
	}
	sc, err := (&Scope{log: l}).By(who)
	if err != nil {
		return err
	}
	_, err = sc.append(ctx, []Event{LogRecovered[redact.Text]{
		Found: found, Damage: damage, At: ref.Seq, Receipt: true,
	}})
	if err != nil {
		return err
	}
	w.told = remember(w.told, ref, true, maxTold)
	return nil
}

// remember adds to a memory of at most that many; any other makes room.
func remember[K comparable, V any](m map[K]V, k K, v V, most int) map[K]V {
	if m == nil {
		m = map[K]V{}
	}
	for old := range m {
		if len(m) < most {
			break
		}
		delete(m, old)
	}
	m[k] = v
	return m
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

// lookUp reads a log, not holding up who asks for another.
func (w *witness) lookUp(cfg *Config, log LogID) (*ended, error) {
	look := w.lookupOf(log)
	look.once.Do(func() { look.log, look.err = findEnded(cfg, log) })
	if look.err != nil {
		w.forget(log, look)
	}
	return look.log, look.err
}

func (w *witness) lookupOf(log LogID) *lookup {
	w.mu.Lock()
	defer w.mu.Unlock()
	look := w.looked[log]
	if look == nil {
		look = &lookup{}
		w.looked = remember(w.looked, log, look, maxLooked)
	}
	return look
}

func (w *witness) forget(log LogID, look *lookup) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.looked[log] == look {
		delete(w.looked, log)
	}
}

// findEnded looks for a log in the folder, and then among what was pruned
// there. Of one that is neither, nothing is left.
func findEnded(cfg *Config, log LogID) (*ended, error) {
	names, _, err := listLogs(cfg)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		if !strings.HasSuffix(string(n), "-"+string(log[:8])) {
			continue
		}
		e, err := readEnded(cfg, n)
		if err != nil {
			return nil, err
		}
		if e.link.Log == log || e.link.Log == "" { // not one line of it may be left
			e.link.Log = log
			return e, nil
		}
	}
	for _, n := range names {
		if link := prunedBy(cfg, n, log); link != nil {
			return &ended{link: *link, closed: true}, nil
		}
	}
	return &ended{link: Link{Log: log}}, nil
}

// prunedBy is what a log says of another in a log.pruned, if it is whole and
// does. These are at the beginning: who prunes has a log of its own for that.
func prunedBy(cfg *Config, n Name, log LogID) *Link {
	f, err := cfg.FS.Open(filepath.Join(cfg.Dir, string(n)+layout.Log))
	if err != nil {
		return nil
	}
	defer f.Close()
	lines := NewLines(io.NewSectionReader(f, 0, math.MaxInt64))
	for {
		line, err := lines.Next()
		if err != nil {
			return nil
		}
		links, ok := prunedIn(line)
		if !ok {
			return nil
		}
		i := slices.IndexFunc(links, func(l Link) bool { return l.Log == log })
		if i >= 0 && examine(cfg, n).damage == DamageNone {
			return &links[i]
		}
	}
}

// prunedIn gives the logs that a line says were pruned; not ok is a line
// after which no log.pruned follows.
func prunedIn(line []byte) (links []Link, ok bool) {
	h, err := ParseHead(line)
	if err != nil {
		return nil, false
	}
	switch h.Event {
	case KindLogOpen, KindLogRecovered, KindCommandOutcome, KindCheckpoint, KindKeyRotate:
		return nil, true
	case KindLogPruned:
		var r struct{ Data struct{ Logs []Link } }
		return r.Data.Logs, json.Unmarshal(line, &r) == nil
	}
	return nil, false
}

func readEnded(cfg *Config, n Name) (*ended, error) {
	x := examine(cfg, n)
	e := &ended{link: x.link, closed: x.damage == DamageNone && brief(cfg, n).closed}
	if e.closed {
		return e, nil
	}
	f, err := cfg.FS.Open(filepath.Join(cfg.Dir, string(n)+layout.Log))
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
