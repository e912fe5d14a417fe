package verify

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"io"
	"math"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/seal"
)

// scan is one pass over one log.
type scan struct {
	log    audit.LogID
	chain  seal.Chain
	size   int64            // bytes of complete lines
	tail   int64            // bytes that follow them
	marked map[uint64]state // states at the sizes that somebody made a statement about

	limited bool // a log of the same writer says where this one ends
	limit   uint64

	open    opening
	key     ed25519.PublicKey // that signs the next checkpoint
	epoch   uint64
	earlier []ed25519.PublicKey // the keys before

	sealedSize uint64    // lines that the last checkpoint covers, and itself
	sealedTime time.Time // of the last checkpoint, or of log.open
	beforeLast time.Time // of the one before
	rotates    uint64    // key.rotate lines after the last checkpoint
	last       audit.Kind
	closed     bool // log.close was read
	done       bool // which said that no session goes on elsewhere
	finished   bool // and its checkpoint

	sealedTo int64 // where the lines end that the last checkpoint covers, itself included

	pruned   []audit.Link
	receipts []*audit.LogRecovered[string]
	pieces   []piece
	sessions map[audit.SessionID]account
	suspect  *problem // with the line before; the next line tells whether that was edited
	problem  *problem
}

// state is what a log was at some size.
type state struct {
	root, last audit.Hash
	size       int64
}

// opening is what log.open says.
type opening struct {
	Limits  audit.Limits
	Anchor  audit.Anchor
	Key     audit.PublicKey
	HostKey audit.PublicKey `json:"host_key"`
	HostSig audit.Signature `json:"host_sig"`
}

// read scans the file to its end or to the first thing that is wrong.
func (s *scan) read(f durable.File) error {
	lines := audit.NewLines(io.NewSectionReader(f, 0, math.MaxInt64))
	s.mark()
	for s.problem == nil && !s.disowned() {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		s.line(line)
		s.size = lines.Offset()
		if s.last == audit.KindCheckpoint {
			s.sealedTo = s.size
		}
		s.mark()
	}
	if s.problem == nil {
		s.problem = s.suspect
	}
	size, err := f.Size()
	s.tail = size - s.size
	return err
}

// disowned says that what follows was not acknowledged by the log's writer,
// which went on in another log: there may be anything.
func (s *scan) disowned() bool { return s.limited && s.chain.Tree.Size() >= s.limit }

// mark keeps the state at a size that somebody made a statement about.
func (s *scan) mark() {
	n := s.chain.Tree.Size()
	if _, ok := s.marked[n]; ok {
		s.marked[n] = state{audit.Hash(s.chain.Tree.Root()), audit.Hash(s.chain.Prev), s.size}
	}
}

// broken is the problem of a line that does not follow the one before;
// diagnose finds out what was done.
var broken = &problem{}

func (s *scan) line(line []byte) {
	h, err := audit.ParseHead(line)
	n := s.chain.Tree.Size()
	if n == 0 && err == nil {
		s.log = h.Log
	}
	if err != nil || h.Seq != n || h.Prev != audit.Hash(s.chain.Prev) || h.Log != s.log {
		s.problem = broken
		return
	}
	if s.suspect != nil {
		s.problem = s.suspect
		return
	}
	s.suspect = s.content(h, line)
	s.beside(h, line)
	s.sessionOf(h, line)
	s.last = h.Event
	s.chain.Add(line)
	switch h.Event {
	case audit.KindLogOpen:
		s.sealedTime = h.Time
	case audit.KindCheckpoint:
		s.sealedSize, s.rotates = n+1, 0
		s.beforeLast, s.sealedTime = s.sealedTime, h.Time
	}
}

// content checks what the line claims about the log itself.
func (s *scan) content(h audit.Head, line []byte) *problem {
	first := h.Seq == 0
	switch {
	case !h.Event.Known():
		return at(Edited, h.Seq, "there is no event of this name")
	case first != (h.Event == audit.KindLogOpen):
		return at(Edited, h.Seq, "log.open is the first record and only that")
	case s.finished, s.closed && h.Event != audit.KindCheckpoint:
		return at(UnsealedTail, h.Seq, "records follow log.close")
	case s.last == audit.KindCheckpoint && h.Event != audit.KindKeyRotate:
		return at(WrongEpoch, h.Seq, "the key was not changed after a checkpoint")
	}
	switch h.Event {
	case audit.KindLogOpen:
		return s.logOpen(line)
	case audit.KindCheckpoint:
		return s.checkpoint(h, line)
	case audit.KindKeyRotate:
		return s.rotate(h, line)
	case audit.KindLogClose:
		s.logClose(line)
	case audit.KindLogPruned:
		s.logPruned(line)
	case audit.KindLogRecovered:
		s.recovered(line)
	}
	return nil
}

func (s *scan) logClose(line []byte) {
	var r struct{ Data audit.LogClose[string] }
	s.closed = true
	s.done = json.Unmarshal(line, &r) == nil && r.Data.Reason == audit.ClosedDone
}

// recovered notes what a console had a receipt of.
func (s *scan) recovered(line []byte) {
	if r := recoveredOf(line); r != nil && r.Receipt {
		s.receipts = append(s.receipts, r)
	}
}

func (s *scan) logOpen(line []byte) *problem {
	var r struct{ Data opening }
	if err := json.Unmarshal(line, &r); err != nil || len(r.Data.Key) != ed25519.PublicKeySize {
		return at(Edited, 0, "log.open cannot be read")
	}
	s.open = r.Data
	s.key = ed25519.PublicKey(r.Data.Key)
	if s.open.Anchor != audit.AnchorHost {
		return nil
	}
	if !seal.VerifyAnchor(ed25519.PublicKey(s.open.HostKey), string(s.log), s.key, s.open.HostSig) {
		return at(BadSignature, 0, "the host key did not sign the log's first key")
	}
	return nil
}

func (s *scan) checkpoint(h audit.Head, line []byte) *problem {
	c, err := audit.ReadCheckpoint(line)
	if err != nil {
		return at(Edited, h.Seq, "the checkpoint cannot be read: %v", err)
	}
	got, err := c.Open(s.log, s.key)
	switch {
	case errors.Is(err, seal.ErrSignature):
		return s.signature(h, c)
	case err != nil:
		return at(Edited, h.Seq, "%v", err)
	case got.Size != h.Seq || got.Root != s.chain.Tree.Root():
		return at(Edited, h.Seq, "the checkpoint was signed over other records than stand before it")
	case c.Epoch != s.epoch:
		return at(WrongEpoch, h.Seq, "it says epoch %d in epoch %d", c.Epoch, s.epoch)
	}
	s.finished = s.closed
	return nil
}

// signature tells a checkpoint that another epoch's key signed from one that
// no key of the log signed. Keys of later epochs are found by diagnose.
func (s *scan) signature(h audit.Head, c audit.SignedCheckpoint) *problem {
	for i, k := range s.earlier {
		if _, err := seal.OpenCheckpoint(c.Note, string(s.log), k); err == nil {
			return at(WrongEpoch, h.Seq, "the key of epoch %d signed in epoch %d", i, s.epoch)
		}
	}
	return at(BadSignature, h.Seq, "no key of this log so far signed the checkpoint")
}

func (s *scan) rotate(h audit.Head, line []byte) *problem {
	var r struct{ Data audit.KeyRotate[string] }
	if err := json.Unmarshal(line, &r); err != nil {
		return at(Edited, h.Seq, "key.rotate cannot be read")
	}
	d := r.Data
	switch {
	case s.last != audit.KindCheckpoint:
		return at(WrongEpoch, h.Seq, "the key was changed without a checkpoint before it")
	case d.Epoch != s.epoch+1:
		return at(WrongEpoch, h.Seq, "epoch %d follows epoch %d", d.Epoch, s.epoch)
	case !seal.VerifyRotate(s.key, string(s.log), d.Epoch, ed25519.PublicKey(d.Key), d.Sig):
		return at(BadSignature, h.Seq, "the key of epoch %d did not sign that of epoch %d", s.epoch, d.Epoch)
	}
	s.earlier = append(s.earlier, s.key)
	s.key, s.epoch = ed25519.PublicKey(d.Key), d.Epoch
	s.rotates++
	return nil
}

func (s *scan) logPruned(line []byte) {
	var r struct{ Data audit.LogPruned[string] }
	if json.Unmarshal(line, &r) == nil {
		s.pruned = append(s.pruned, r.Data.Logs...)
	}
}

// unsealed is how many records no checkpoint covers.
func (s *scan) unsealed() uint64 { return s.chain.Tree.Size() - s.sealedSize - s.rotates }
