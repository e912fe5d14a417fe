package ship

import (
	"context"
	"encoding/json"
	"io"
	"math"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/seal"
)

// Holder says what a receiver holds. Few can be asked: OTLP has no question.
type Holder interface {
	// Held gives, for a log, the leaf hashes of the records that are there, and
	// how often each is.
	Held(ctx context.Context, log audit.LogID) (map[audit.Hash]int, error)
}

// Balance compares a log with what a receiver holds of it.
type Balance struct {
	Path     string      `json:"path"`
	Log      audit.LogID `json:"log"`
	Records  uint64      `json:"records"`  // on disk
	Held     uint64      `json:"held"`     // of these, in the receiver
	Waiting  uint64      `json:"waiting"`  // behind the cursor: not accepted yet
	Rejected uint64      `json:"rejected"` // that the receiver would not take: ship.rejected names them
	Repeated uint64      `json:"repeated"` // held more than once
	Foreign  uint64      `json:"foreign"`  // held, with this log's id, and not in the log

	// Missing are the numbers of the records that were accepted and are not
	// there: the first thousand; MissingAll is how many there are.
	Missing    []uint64 `json:"missing,omitempty"`
	MissingAll uint64   `json:"missing_all"`
}

// Good is false where accepted records are not there, or records are there
// that this log does not have.
func (b Balance) Good() bool { return b.MissingAll == 0 && b.Foreign == 0 }

const maxMissing = 1000

// Reconcile compares each log of dir with what h holds. fsys may be nil.
func Reconcile(ctx context.Context, fsys durable.FS, dir string, h Holder) (out []Balance, err error) {
	if fsys == nil {
		fsys = durable.OS{}
	}
	paths, err := logsIn(fsys, dir)
	if err != nil {
		return nil, err
	}
	rejected := map[audit.Hash]bool{}
	for _, p := range paths {
		if err := eachLine(fsys, p, func(_ uint64, raw []byte) bool { noteRejected(rejected, raw); return true }); err != nil {
			return nil, err
		}
	}
	for _, p := range paths {
		b, err := balance(ctx, fsys, p, h, rejected)
		if err != nil {
			return out, err
		}
		out = append(out, b)
	}
	return out, nil
}

func balance(ctx context.Context, fsys durable.FS, path string, h Holder, rejected map[audit.Hash]bool) (b Balance, err error) {
	b.Path = path
	if b.Log, err = idOf(fsys, path); err != nil || b.Log == "" {
		return b, err
	}
	q := &queue{fs: fsys, path: path}
	cursor, err := audit.ReadCursor(fsys, q.cursorPath())
	if err != nil && !durable.NotThere(err) {
		return b, err
	}
	held, err := h.Held(ctx, b.Log)
	if err != nil {
		return b, err
	}
	err = eachLine(fsys, path, func(seq uint64, raw []byte) bool {
		leaf := audit.Hash(seal.Leaf(raw))
		b.add(seq, held[leaf], seq >= cursor.Seq, rejected[leaf])
		delete(held, leaf)
		return true
	})
	b.Foreign = uint64(len(held))
	return b, err
}

// add counts a record.
func (b *Balance) add(seq uint64, times int, waits, rejected bool) {
	b.Records++
	if times > 1 {
		b.Repeated++
	}
	switch {
	case times > 0:
		b.Held++
	case waits:
		b.Waiting++
	case rejected:
		b.Rejected++
	default:
		if b.MissingAll++; len(b.Missing) < maxMissing {
			b.Missing = append(b.Missing, seq)
		}
	}
}

func noteRejected(rejected map[audit.Hash]bool, raw []byte) {
	h, err := audit.ParseHead(raw)
	if err != nil || h.Event != audit.KindShipRejected {
		return
	}
	var r audit.Record
	if json.Unmarshal(raw, &r) != nil {
		return
	}
	if ev, err := audit.Decode[audit.ShipRejected[string]](r); err == nil {
		rejected[ev.Leaf] = true
	}
}

// idOf reads the log's id off its first record.
func idOf(fsys durable.FS, path string) (id audit.LogID, err error) {
	err = eachLine(fsys, path, func(_ uint64, raw []byte) bool {
		if h, err := audit.ParseHead(raw); err == nil {
			id = h.Log
		}
		return false
	})
	return id, err
}

// eachLine calls f with each complete line of a log, as long as it returns true.
func eachLine(fsys durable.FS, path string, f func(seq uint64, raw []byte) bool) error {
	file, err := fsys.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := audit.NewLines(io.NewSectionReader(file, 0, math.MaxInt64))
	for seq := uint64(0); ; seq++ {
		raw, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !f(seq, raw) {
			return nil
		}
	}
}
