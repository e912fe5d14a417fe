package seal

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Hashes keeps every hash of a tree, so that proofs can be made of it.
type Hashes struct {
	size   int64
	stored []Hash
}

// Add appends a leaf.
func (h *Hashes) Add(leaf Hash) error {
	more, err := tlog.StoredHashesForRecordHash(h.size, leaf, h)
	if err != nil {
		return fmt.Errorf("leaf %d: %w", h.size, err)
	}
	h.stored = append(h.stored, more...)
	h.size++
	return nil
}

// ReadHashes implements tlog.HashReader.
func (h *Hashes) ReadHashes(indexes []int64) ([]Hash, error) {
	out := make([]Hash, len(indexes))
	for i, x := range indexes {
		if x < 0 || x >= int64(len(h.stored)) {
			return nil, fmt.Errorf("hash %d of %d", x, len(h.stored))
		}
		out[i] = h.stored[x]
	}
	return out, nil
}

// Proof is a record's inclusion in the tree of a checkpoint (C2SP
// tlog-proof, the record being its extra data): what can be checked with
// nothing else at hand but a checkpoint.
type Proof struct {
	Record     []byte // the line
	Index      uint64
	Path       []Hash
	Checkpoint string // signed note
}

const proofHeader = "c2sp.org/tlog-proof@v1"

// Prove makes the proof of the record at index for a checkpoint of this tree.
func (h *Hashes) Prove(record []byte, index uint64, signed string) (Proof, error) {
	c, err := ParseCheckpoint(signed)
	if err != nil {
		return Proof{}, err
	}
	path, err := tlog.ProveRecord(int64(c.Size), int64(index), h)
	if err != nil {
		return Proof{}, fmt.Errorf("prove %d in a tree of %d: %w", index, c.Size, err)
	}
	return Proof{Record: record, Index: index, Path: path, Checkpoint: signed}, nil
}

// String is the proof's text form.
func (p Proof) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nextra %s\nindex %d\n", proofHeader, base64.StdEncoding.EncodeToString(p.Record), p.Index)
	for _, h := range p.Path {
		fmt.Fprintln(&b, base64.StdEncoding.EncodeToString(h[:]))
	}
	fmt.Fprintf(&b, "\n%s", p.Checkpoint)
	return b.String()
}

// ErrNotIncluded says that the leaf is not where the proof says.
var ErrNotIncluded = errors.New("the record is not in the tree of this checkpoint")

// Check says whether the record stands at the proof's index in the tree of a
// checkpoint, whose signature is the caller's concern.
func (p Proof) Check(c Checkpoint) error {
	if err := tlog.CheckRecord(p.Path, int64(c.Size), c.Root, int64(p.Index), Leaf(p.Record)); err != nil {
		return fmt.Errorf("%w: %v", ErrNotIncluded, err)
	}
	return nil
}

// maxPath bounds the hashes of a proof: a tree has less than 1<<63 leaves.
const maxPath = 63

// ParseProof reads the text form.
func ParseProof(s string) (p Proof, err error) {
	head, signed, ok := strings.Cut(s, "\n\n")
	lines := strings.Split(head, "\n")
	if !ok || len(lines) < 3 || lines[0] != proofHeader || len(lines) > maxPath+3 {
		return p, errors.New("not a proof: it begins with " + proofHeader)
	}
	extra, hasRecord := strings.CutPrefix(lines[1], "extra ")
	p.Record, err = base64.StdEncoding.DecodeString(extra)
	if err != nil || !hasRecord {
		return p, errors.New("proof: it holds no record")
	}
	if _, err := fmt.Sscanf(lines[2], "index %d", &p.Index); err != nil {
		return p, fmt.Errorf("proof: %w", err)
	}
	for _, l := range lines[3:] {
		h, err := tlog.ParseHash(l)
		if err != nil {
			return p, fmt.Errorf("proof: %w", err)
		}
		p.Path = append(p.Path, h)
	}
	p.Checkpoint = signed
	return p, nil
}
