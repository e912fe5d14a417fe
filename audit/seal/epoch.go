package seal

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Domain separation: no signature of one kind can be taken for another.
const (
	rotateContext = "sallyport key.rotate v1\n"
	anchorContext = "sallyport log.open v1\n"
)

// Epochs signs for one log, with a key that changes at each checkpoint.
type Epochs struct {
	origin string
	epoch  uint64
	key    ed25519.PrivateKey
}

// NewEpochs makes the key of epoch 0.
func NewEpochs(origin string) (*Epochs, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the key of epoch 0: %w", err)
	}
	return &Epochs{origin: origin, key: key}, nil
}

// Epoch is the number of the epoch that signs now.
func (e *Epochs) Epoch() uint64 { return e.epoch }

// Public is the key of the epoch that signs now.
func (e *Epochs) Public() ed25519.PublicKey {
	return append(ed25519.PublicKey(nil), e.key.Public().(ed25519.PublicKey)...)
}

// Checkpoint signs the tree, and with it the beginning of the line in which
// the note will stand: what is before the note cannot be changed either.
func (e *Epochs) Checkpoint(t *Tree, before []byte) (string, error) {
	text := Checkpoint{e.origin, t.Size(), t.Root(), Line(before)}.Text()
	b, err := note.Sign(&note.Note{Text: text}, epochSigner{e})
	if err != nil {
		return "", fmt.Errorf("sign the checkpoint: %w", err)
	}
	return string(b), nil
}

// Rotate begins the next epoch: it makes its key, has the old one sign it,
// and wipes the old one.
func (e *Epochs) Rotate() (pub ed25519.PublicKey, sig []byte, err error) {
	pub, next, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("make the key of epoch %d: %w", e.epoch+1, err)
	}
	sig = ed25519.Sign(e.key, rotateMessage(e.origin, e.epoch+1, pub))
	e.Wipe()
	e.key, e.epoch = next, e.epoch+1
	return pub, sig, nil
}

// Wipe forgets the key; nothing can be signed any more.
func (e *Epochs) Wipe() { clear(e.key) }

// VerifyRotate checks that old signed pub as the key of the given epoch.
func VerifyRotate(old ed25519.PublicKey, origin string, epoch uint64, pub ed25519.PublicKey, sig []byte) bool {
	return len(old) == ed25519.PublicKeySize && len(pub) == ed25519.PublicKeySize &&
		ed25519.Verify(old, rotateMessage(origin, epoch, pub), sig)
}

func rotateMessage(origin string, epoch uint64, pub []byte) []byte {
	return fmt.Appendf(nil, "%s%s\n%d\n%s\n", rotateContext, origin, epoch, base64.StdEncoding.EncodeToString(pub))
}

type epochSigner struct{ *Epochs }

func (s epochSigner) Name() string    { return s.origin }
func (s epochSigner) KeyHash() uint32 { return keyHash(s.origin, s.Public()) }
func (s epochSigner) Sign(msg []byte) ([]byte, error) {
	return ed25519.Sign(s.key, msg), nil
}

// keyHash is the key's id in a signed note (C2SP signed-note, Ed25519).
func keyHash(name string, pub []byte) uint32 {
	h := sha256.New()
	h.Write([]byte(name + "\n\x01"))
	h.Write(pub)
	return binary.BigEndian.Uint32(h.Sum(nil))
}

// Checkpoint is what a signed note says about a log.
type Checkpoint struct {
	Origin string
	Size   uint64
	Root   Hash
	Before Hash // SHA-256 of the line's bytes before the note
}

// Text is the text of the note (C2SP tlog-checkpoint, Before being an
// extension line).
func (c Checkpoint) Text() string {
	encode := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("%s\n%d\n%s\n%s\n", c.Origin, c.Size, encode(c.Root[:]), encode(c.Before[:]))
}

// What can be wrong with a checkpoint.
var (
	ErrMalformed = errors.New("not a checkpoint")
	ErrSignature = errors.New("signed by none of the keys")
)

// ParseCheckpoint reads a signed note without looking at its signatures.
func ParseCheckpoint(signed string) (Checkpoint, error) {
	_, err := note.Open([]byte(signed), note.VerifierList())
	var unverified *note.UnverifiedNoteError
	if !errors.As(err, &unverified) {
		return Checkpoint{}, fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	return parseText(unverified.Note.Text)
}

// parseText takes exactly what Text gives.
func parseText(text string) (c Checkpoint, err error) {
	var root, before string
	if _, err := fmt.Sscanf(text, "%s\n%d\n%s\n%s\n", &c.Origin, &c.Size, &root, &before); err != nil {
		return c, fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	var err1, err2 error
	c.Root, err1 = tlog.ParseHash(root)
	c.Before, err2 = tlog.ParseHash(before)
	if err1 != nil || err2 != nil || c.Text() != text {
		return c, ErrMalformed
	}
	return c, nil
}

// OpenCheckpoint reads a signed note that pub, a key of the log origin,
// signed.
func OpenCheckpoint(signed, origin string, pub ed25519.PublicKey) (Checkpoint, error) {
	c, err := wellFormed(signed, origin)
	if err != nil {
		return c, err
	}
	if len(pub) != ed25519.PublicKeySize {
		return Checkpoint{}, ErrSignature
	}
	_, err = note.Open([]byte(signed), note.VerifierList(noteVerifier{origin, pub}))
	var unverified *note.UnverifiedNoteError
	var invalid *note.InvalidSignatureError
	switch {
	case errors.As(err, &unverified), errors.As(err, &invalid):
		return Checkpoint{}, ErrSignature
	case err != nil:
		return Checkpoint{}, fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	return c, nil
}

// wellFormed reads a checkpoint of origin in its one form: its text, an empty
// line, one signature by a key of that name in canonical base64.
func wellFormed(signed, origin string) (Checkpoint, error) {
	text, sig, _ := strings.Cut(signed, "\n\n")
	c, err := parseText(text + "\n")
	if err != nil {
		return c, err
	}
	b64, ok := strings.CutPrefix(strings.TrimSuffix(sig, "\n"), "— "+origin+" ")
	b, err := base64.StdEncoding.DecodeString(b64)
	if !ok || err != nil || len(b) != 4+ed25519.SignatureSize || c.Origin != origin ||
		fmt.Sprintf("%s\n\n— %s %s\n", text, origin, base64.StdEncoding.EncodeToString(b)) != signed {
		return c, fmt.Errorf("%w: not in the form of a checkpoint of %s", ErrMalformed, origin)
	}
	return c, nil
}

type noteVerifier struct {
	name string
	pub  ed25519.PublicKey
}

func (v noteVerifier) Name() string                { return v.name }
func (v noteVerifier) KeyHash() uint32             { return keyHash(v.name, v.pub) }
func (v noteVerifier) Verify(msg, sig []byte) bool { return ed25519.Verify(v.pub, msg, sig) }
