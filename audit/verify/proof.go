package verify

import (
	"errors"
	"fmt"
	"io"
	"math"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/seal"
)

// Prove makes an inclusion proof of record seq of the log at path: for the
// checkpoint given, or for the log's last one if that is empty.
func Prove(path string, seq uint64, checkpoint string) (seal.Proof, error) {
	f, err := durable.OS{}.Open(path)
	if err != nil {
		return seal.Proof{}, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	defer f.Close()
	var tree seal.Hashes
	var record []byte
	var note string
	lines := audit.NewLines(io.NewSectionReader(f, 0, math.MaxInt64))
	for n := uint64(0); ; n++ {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return seal.Proof{}, fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		if n == seq {
			record = append(record, line...)
		}
		if c, err := checkpointOf(line); err == nil && n > seq {
			note = c.Note
		}
		if err := tree.Add(seal.Leaf(line)); err != nil {
			return seal.Proof{}, err
		}
	}
	if checkpoint != "" {
		note = checkpoint
	}
	if note == "" {
		return seal.Proof{}, fmt.Errorf("%s: no checkpoint covers record %d", path, seq)
	}
	p, err := tree.Prove(record, seq, note)
	if err != nil {
		return p, err
	}
	return p, Proof(p)
}

var errOther = errors.New("another event")

func checkpointOf(line []byte) (c audit.SignedCheckpoint, err error) {
	h, err := audit.ParseHead(line)
	if err != nil || h.Event != audit.KindCheckpoint {
		return c, errOther
	}
	return audit.ReadCheckpoint(line)
}

// Proof checks that the record is in the tree of its checkpoint and, where
// one of those from outside is of the same size and log, of that one.
func Proof(p seal.Proof, against ...string) error {
	c, err := seal.ParseCheckpoint(p.Checkpoint)
	if err != nil {
		return err
	}
	if err := p.Check(c); err != nil {
		return err
	}
	for _, a := range against {
		out, err := seal.ParseCheckpoint(a)
		if err != nil {
			return err
		}
		if out.Origin != c.Origin || out.Size != c.Size || out.Root != c.Root {
			return fmt.Errorf("the proof is for another checkpoint: %d records of log %s", c.Size, c.Origin)
		}
	}
	return nil
}
