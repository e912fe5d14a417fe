package ship

import (
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/layout"
	"sallyport/audit/seal"
)

// queue is one log as a queue: lines behind a cursor.
type queue struct {
	fs     durable.FS
	path   string
	cursor audit.Cursor // what the collector has

	next   place      // where reading goes on
	leaf   audit.Hash // of the line before it
	recent []mark     // of the last minute before next, one a second
	sealed audit.Cursor
	log    audit.LogID

	owed   *place    // from here on is to be sent again, soon
	repaid time.Time // when that was done last

	counted place // how far waiting has counted the lines
}

// place is between two lines: the next one's number and where it begins.
type place struct {
	seq    uint64
	offset int64
}

// mark is a place and the time of the line that begins there.
type mark struct {
	place
	ts time.Time
}

// again is how much is sent again after a start or a lost connection.
const again = time.Minute

// reset is a cursor that was not believed.
type reset struct {
	log      audit.LogID
	from, to audit.Cursor
	reason   string
}

// openQueue reads the log up to its cursor. One that is ahead of the log, or
// does not fit it, is set back to the last that a checkpoint sealed.
func openQueue(fs durable.FS, path string) (*queue, *reset, error) {
	q := &queue{fs: fs, path: path}
	c, err := audit.ReadCursor(fs, q.cursorPath())
	if err != nil && !durable.NotThere(err) {
		c = audit.Cursor{}
	}
	q.cursor = c
	fits, err := q.seek(c)
	if err != nil {
		return nil, nil, err
	}
	if fits {
		q.rewind()
		return q, nil, nil
	}
	r := &reset{q.log, c, q.sealed, "the cursor is ahead of the log or does not fit it"}
	q.cursor = q.sealed
	if fits, err = q.seek(q.sealed); err != nil || !fits {
		q.cursor, r.to = audit.Cursor{}, audit.Cursor{}
		if _, err := q.seek(audit.Cursor{}); err != nil {
			return nil, nil, err
		}
	}
	q.rewind()
	return q, r, nil
}

func (q *queue) cursorPath() string {
	return q.path[:len(q.path)-len(filepath.Ext(q.path))] + layout.Cursor
}

// seek goes to the line after the cursor's, and says whether that is there.
func (q *queue) seek(c audit.Cursor) (fits bool, err error) {
	q.next, q.recent, q.leaf = place{}, nil, audit.Hash{}
	for q.next.seq < c.Seq {
		lines, err := q.read(1<<20, c.Seq-q.next.seq)
		if err != nil {
			return false, err
		}
		if len(lines) == 0 {
			return false, nil
		}
		q.took(lines)
	}
	return c.Seq == 0 || q.leaf == c.Leaf, nil
}

// took moves the place of reading behind lines.
func (q *queue) took(lines []line) {
	for _, l := range lines {
		q.note(l)
		if n := len(q.recent); n == 0 || l.ts.Sub(q.recent[n-1].ts) >= time.Second {
			q.recent = append(q.recent, mark{place{l.seq, l.end - l.size}, l.ts})
		}
		q.next, q.leaf = place{l.seq + 1, l.end}, l.leaf
	}
	newest := lines[len(lines)-1].ts
	for len(q.recent) > 1 && newest.Sub(q.recent[1].ts) >= again {
		q.recent = q.recent[1:]
	}
}

// note keeps what checkpoints say of the cursor, and the log's id.
func (q *queue) note(l line) {
	h, err := audit.ParseHead(l.raw)
	if err != nil {
		return
	}
	q.log = h.Log
	if h.Event != audit.KindCheckpoint {
		return
	}
	var r struct {
		Data struct{ Cursor *audit.Cursor }
	}
	if json.Unmarshal(l.raw, &r) == nil && r.Data.Cursor != nil {
		q.sealed = *r.Data.Cursor
	}
}

// owe notes that the connection was lost: what the collector accepted in the
// last minute may be lost with it.
func (q *queue) owe() {
	if q.owed == nil && len(q.recent) > 0 {
		first := q.recent[0].place
		q.owed = &first
	}
}

// repay goes back to what is owed, though not more often than every so long:
// a collector that comes and goes must not keep us in one place.
func (q *queue) repay(now time.Time, every time.Duration) bool {
	if q.owed == nil || now.Sub(q.repaid) < every {
		return false
	}
	q.next = *q.owed
	q.recent, q.owed, q.repaid = nil, nil, now
	return true
}

// rewind goes back by a minute.
func (q *queue) rewind() {
	if len(q.recent) == 0 {
		return
	}
	q.next, q.recent = q.recent[0].place, nil
}

// read gives the next lines, at most so many and of so many bytes in all, but
// one.
func (q *queue) read(bytes int64, count uint64) (out []line, err error) {
	f, err := q.fs.Open(q.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Sync(); err != nil { // nothing is shipped that is not on disk
		return nil, err
	}
	lines := audit.NewLines(io.NewSectionReader(f, q.next.offset, math.MaxInt64-q.next.offset))
	at, total := q.next, int64(0)
	for uint64(len(out)) < count {
		raw, err := lines.Next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		if total += int64(len(raw)); len(out) > 0 && total > bytes {
			return out, nil
		}
		l := lineOf(raw, at.seq, q.next.offset+lines.Offset())
		l.size = l.end - at.offset
		out = append(out, l)
		at = place{at.seq + 1, l.end}
	}
	return out, nil
}

// waiting counts the complete lines that the collector does not have. It reads
// what came since it was asked last.
func (q *queue) waiting() (uint64, error) {
	f, err := q.fs.Open(q.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if q.counted.seq < q.next.seq {
		q.counted = q.next
	}
	from := q.counted.offset
	lines := audit.NewLines(io.NewSectionReader(f, from, math.MaxInt64-from))
	for {
		if _, err := lines.Next(); err != nil {
			break
		}
		q.counted = place{q.counted.seq + 1, from + lines.Offset()}
	}
	return q.counted.seq - min(q.cursor.Seq, q.counted.seq), nil
}

// unshipped is the time of the first of lines that the collector does not
// have; zero if it has them all, and they are sent again.
func (q *queue) unshipped(lines []line) (at time.Time) {
	for _, l := range lines {
		if l.seq >= q.cursor.Seq {
			return l.ts
		}
	}
	return at
}

func lineOf(raw []byte, seq uint64, end int64) line {
	l := line{seq: seq, leaf: audit.Hash(seal.Leaf(raw)), raw: append([]byte(nil), raw...), end: end}
	if h, err := audit.ParseHead(raw); err == nil {
		l.ts = h.Time
	}
	return l
}

// accepted moves the cursor behind the lines, on disk too. It never goes back.
func (q *queue) accepted(lines []line) error {
	last := lines[len(lines)-1]
	if last.seq+1 <= q.cursor.Seq {
		return nil
	}
	q.cursor = audit.Cursor{Seq: last.seq + 1, Leaf: last.leaf}
	b, err := json.Marshal(q.cursor)
	if err != nil {
		return err
	}
	if err := q.fs.Replace(q.cursorPath(), append(b, '\n')); err != nil {
		return err
	}
	return nil
}
