package verify

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"io"
	"math"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/seal"
)

// entry is a line of a log in which something is wrong.
type entry struct {
	seq  uint64
	prev audit.Hash
	hash audit.Hash
	ok   bool // it begins as a record of this log

	offset, size int64
}

// diagnose reads the whole of a log whose chain is broken and says what was
// done to it. A record is known to be genuine by its neighbours: it names the
// hash of the one before, and the one after names its own. So:
//
//   - records that all agree with their neighbours by number, but stand in
//     another order: reordered;
//   - the same bytes twice: duplicated;
//   - a number that is nowhere, its neighbours in place: missing;
//   - anything else: edited.
func diagnose(f durable.File, log audit.LogID) (*problem, error) {
	entries, err := entriesOf(f, log)
	if err != nil {
		return nil, err
	}
	if p := unreadable(entries); p != nil {
		return p, nil
	}
	unique, dup := dedupe(entries)
	if p := disagree(unique); p != nil {
		return p, nil
	}
	if p, err := unvouched(f, unique); p != nil || err != nil {
		return p, err
	}
	if dup != nil {
		return dup, nil
	}
	if p := gap(unique); p != nil {
		return p, nil
	}
	if p := disorder(entries); p != nil {
		return p, nil
	}
	return at(Edited, 0, "the records do not follow each other"), nil
}

func entriesOf(f durable.File, log audit.LogID) (entries []entry, err error) {
	lines := audit.NewLines(io.NewSectionReader(f, 0, math.MaxInt64))
	for {
		offset := lines.Offset()
		line, err := lines.Next()
		if err == io.EOF {
			return entries, nil
		}
		if err != nil {
			return nil, err
		}
		h, err := audit.ParseHead(line)
		entries = append(entries, entry{
			seq: h.Seq, prev: h.Prev, hash: audit.Hash(seal.Line(line)),
			ok:     err == nil && (h.Log == log || log == "") && bytes.IndexByte(line, 0) < 0,
			offset: offset, size: int64(len(line)),
		})
		if log == "" && err == nil {
			log = h.Log
		}
	}
}

func unreadable(entries []entry) *problem {
	for i, e := range entries {
		if !e.ok {
			return at(Edited, uint64(i), "line %d is not a record of this log", i+1)
		}
	}
	return nil
}

// dedupe takes every line once.
func dedupe(entries []entry) (unique []entry, dup *problem) {
	seen := make(map[audit.Hash]int, len(entries))
	for i, e := range entries {
		if first, ok := seen[e.hash]; ok {
			if dup == nil {
				dup = at(Duplicated, e.seq, "line %d is line %d again", i+1, first+1)
			}
			continue
		}
		seen[e.hash] = i
		unique = append(unique, e)
	}
	return unique, dup
}

// disagree finds two records of one number, or neighbours by number of which
// the second does not name the first.
func disagree(unique []entry) *problem {
	bySeq := make(map[uint64]entry, len(unique))
	for _, e := range unique {
		if _, ok := bySeq[e.seq]; ok {
			return at(Edited, e.seq, "two different records have this number")
		}
		bySeq[e.seq] = e
	}
	for i, e := range unique {
		before, hasBefore := bySeq[e.seq-1]
		_, hasAfter := bySeq[e.seq+1]
		switch {
		case e.seq == 0 && e.prev != audit.Hash{}:
			return at(Edited, 0, "the first record names one before it")
		case e.seq > 0 && hasBefore && before.hash != e.prev:
			return at(Edited, e.seq-1, "record %d does not have the hash that record %d names", e.seq-1, e.seq)
		case !hasBefore && !hasAfter && e.seq > 0 && outOfPlace(unique, i):
			return at(Edited, e.seq, "line %d has a number that fits nowhere", i+1)
		}
	}
	return nil
}

// unvouched looks closer at the records that no next one names: they must at
// least be JSON, which two records in one line are not.
func unvouched(f durable.File, unique []entry) (*problem, error) {
	named := make(map[uint64]bool, len(unique))
	for _, e := range unique {
		named[e.seq-1] = true
	}
	for _, e := range unique {
		if named[e.seq] {
			continue
		}
		line := make([]byte, e.size)
		if _, err := f.ReadAt(line, e.offset); err != nil {
			return nil, err
		}
		if !json.Valid(line) {
			return at(Edited, e.seq, "record %d is not JSON", e.seq), nil
		}
	}
	return nil, nil
}

// outOfPlace says that a record without neighbours by number does not stand
// between smaller and larger ones.
func outOfPlace(unique []entry, i int) bool {
	return i > 0 && unique[i-1].seq > unique[i].seq || i+1 < len(unique) && unique[i+1].seq < unique[i].seq
}

// gap finds the first number that is nowhere.
func gap(unique []entry) *problem {
	there := make(map[uint64]bool, len(unique))
	var highest uint64
	for _, e := range unique {
		there[e.seq] = true
		highest = max(highest, e.seq)
	}
	n := highest + 1 - uint64(len(unique))
	for seq := range highest {
		if !there[seq] {
			return at(Missing, seq, "%d of %d records are not there", n, highest+1)
		}
	}
	return nil
}

func disorder(entries []entry) *problem {
	for i, e := range entries {
		if e.seq != uint64(i) {
			return at(Reordered, e.seq, "record %d stands in line %d", e.seq, i+1)
		}
	}
	return nil
}

// signer looks among all keys of the log for the one that signed a
// checkpoint that its own epoch's key did not.
func signer(f durable.File, log audit.LogID, p *problem) (*problem, error) {
	lines := audit.NewLines(io.NewSectionReader(f, 0, math.MaxInt64))
	var checkpoint audit.SignedCheckpoint
	var keys []ed25519.PublicKey
	for n := uint64(0); ; n++ {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return p, err
		}
		if n == p.at {
			if checkpoint, err = checkpointOf(bytes.Clone(line)); err != nil {
				return p, nil
			}
		}
		if h, err := audit.ParseHead(line); err == nil && h.Event == audit.KindKeyRotate && n > p.at {
			var r struct{ Data audit.KeyRotate[string] }
			if json.Unmarshal(line, &r) == nil {
				keys = append(keys, ed25519.PublicKey(r.Data.Key))
			}
		}
	}
	for _, k := range keys {
		if _, err := seal.OpenCheckpoint(checkpoint.Note, string(log), k); err == nil {
			return at(WrongEpoch, p.at, "a later epoch's key signed the checkpoint"), nil
		}
	}
	return p, nil
}
