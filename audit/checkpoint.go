package audit

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"

	"sallyport/audit/seal"
)

// SignedCheckpoint is a checkpoint as it stands in a line.
type SignedCheckpoint struct {
	Reason CheckpointReason
	Epoch  uint64
	Note   string
	before []byte // the line's bytes before the note
}

// ReadCheckpoint takes a checkpoint's line apart. Every byte of the line is
// accounted for: it is the beginning that the note signs, the note in its one
// JSON form, and two braces.
func ReadCheckpoint(line []byte) (c SignedCheckpoint, err error) {
	var r struct {
		Data struct {
			Reason CheckpointReason
			Epoch  uint64
			Note   string
		}
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return c, fmt.Errorf("checkpoint: %w", err)
	}
	end := append(appendQuoted([]byte(`"note":`), r.Data.Note), noteEnd...)
	if !bytes.HasSuffix(line, end) {
		return c, fmt.Errorf("checkpoint: %w", ErrFormat)
	}
	before := line[:len(line)-len(end)+len(`"note":`)]
	return SignedCheckpoint{r.Data.Reason, r.Data.Epoch, r.Data.Note, before}, nil
}

// Open checks that pub signed the checkpoint, as one of log.
func (c SignedCheckpoint) Open(log LogID, pub ed25519.PublicKey) (seal.Checkpoint, error) {
	got, err := seal.OpenCheckpoint(c.Note, string(log), pub)
	if err == nil && got.Before != seal.Line(c.before) {
		err = fmt.Errorf("%w: it belongs to another line", seal.ErrMalformed)
	}
	return got, err
}
