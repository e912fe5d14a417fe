package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"
	"sync"
)

// shortBody is the length under which a body is guessed as easily as a
// password: its digest is always keyed.
const shortBody = 64

// Digest is sha256:HEX or hmac-sha256:KEYID:HEX. Anything in which the
// redactor found something, and anything under 64 bytes, gets the second: a
// plain hash of a masked password would let it be guessed offline. Only a
// [Log] makes digests.
type Digest struct {
	text  string
	bytes int64
}

// Bytes is the length of what was digested, or nil where it must not be
// said.
func (d Digest) Bytes() *int64 {
	if d.text == "" || d.Keyed() {
		return nil
	}
	n := d.bytes
	return &n
}

// Keyed says that the digest is an HMAC under the log's digest key.
func (d Digest) Keyed() bool { return strings.HasPrefix(d.text, "hmac-") }

// String is the digest as records have it.
func (d Digest) String() string { return d.text }

// MarshalText gives the digest as it stands in a record.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.text), nil }

// UnmarshalText reads a digest of a record.
func (d *Digest) UnmarshalText(b []byte) error {
	s := string(b)
	_, last, _ := strings.Cut(s, ":")
	if id, mac, ok := strings.Cut(last, ":"); ok && strings.HasPrefix(s, "hmac-sha256:") && keyShape.MatchString(id) {
		last = mac
	} else if !strings.HasPrefix(s, "sha256:") {
		return fmt.Errorf("%q is not a digest", s)
	}
	if _, err := ParseHash(last); err != nil {
		return fmt.Errorf("digest: %w", err)
	}
	d.text = s
	return nil
}

// Digester digests a body as it passes by.
type Digester struct {
	key        *digestKey
	plain, mac hash.Hash
	n          int64
}

// Write takes more of the body; it never fails.
func (d *Digester) Write(p []byte) (int, error) {
	d.n += int64(len(p))
	d.plain.Write(p)
	d.mac.Write(p)
	return len(p), nil
}

// Sum is the digest of what was written; findings is how many secrets the
// redactor found in it.
func (d *Digester) Sum(findings int) Digest {
	if keyed(d.n, findings) {
		return Digest{text: string(appendHex(d.key.prefix(nil), d.mac.Sum(nil)))}
	}
	return plainDigest(d.plain.Sum(nil), d.n)
}

// keyed says that a body must not have a plain digest.
func keyed(n int64, findings int) bool { return findings > 0 || n < shortBody }

func plainDigest(sum []byte, n int64) Digest {
	var buf [128]byte
	return Digest{text: string(appendHex(append(buf[:0], "sha256:"...), sum)), bytes: n}
}

// digestKey is made per writer run, and sealed to the auditors.
type digestKey struct {
	key  []byte
	id   KeyID
	macs sync.Pool // of *mac
}

// mac is an HMAC under a key, and room for what it gives.
type mac struct {
	hash.Hash
	text [128]byte
	sum  [sha256.Size]byte
}

func (k *digestKey) prefix(b []byte) []byte {
	return append(append(append(b, "hmac-sha256:"...), k.id...), ':')
}

// keyedDigest is the digest of a body that must not have a plain one.
func (k *digestKey) keyedDigest(p []byte) Digest {
	m, ok := k.macs.Get().(*mac)
	if !ok {
		m = &mac{Hash: hmac.New(sha256.New, k.key)}
	}
	defer k.macs.Put(m)
	m.Reset()
	m.Write(p)
	return Digest{text: string(appendHex(k.prefix(m.text[:0]), m.Sum(m.sum[:0])))}
}

func appendHex(b, sum []byte) []byte {
	for _, c := range sum {
		b = append(b, hexDigits[c>>4], hexDigits[c&15])
	}
	return b
}

// derived is a key for one connection of a daemon: the auditors, who have the
// log's key, make it again from its id.
func (k *digestKey) derived(id KeyID) *digestKey {
	h := hmac.New(sha256.New, k.key)
	h.Write([]byte("sallyport connection " + string(id)))
	return &digestKey{key: h.Sum(nil), id: id}
}

func newDigestKey(secret []byte) *digestKey {
	sum := sha256.Sum256(secret)
	return &digestKey{key: secret, id: KeyID(hex.EncodeToString(sum[:8]))}
}

func (k *digestKey) digester() *Digester {
	return &Digester{key: k, plain: sha256.New(), mac: hmac.New(sha256.New, k.key)}
}

func (k *digestKey) digest(p []byte, findings int) Digest {
	if n := int64(len(p)); !keyed(n, findings) {
		sum := sha256.Sum256(p)
		return plainDigest(sum[:], n)
	}
	return k.keyedDigest(p)
}

// Exact holds exact bytes until the log has them digested and, when it has
// recipients, sealed. They never stand in the record itself.
type Exact struct{ e *exact }

type exact struct {
	bytes    []byte
	findings int
	digest   Digest
}

// NewExact wraps the exact bytes of a command or of typed input; findings is
// how many secrets the redactor found in them. It keeps p, which the caller
// must not change.
func NewExact(p []byte, findings int) Exact {
	return Exact{e: &exact{bytes: p, findings: findings}}
}

// IsZero says that there is nothing to digest.
func (x Exact) IsZero() bool { return x.e == nil }

// Digest is what the record holds, once it was appended or read.
func (x Exact) Digest() Digest {
	if x.e == nil {
		return Digest{}
	}
	return x.e.digest
}

func (x Exact) resolve(k *digestKey) {
	if x.e != nil {
		x.e.digest = k.digest(x.e.bytes, x.e.findings)
	}
}

var errUndigested = errors.New("exact bytes were not digested")

// MarshalText gives the digest, never the bytes.
func (x Exact) MarshalText() ([]byte, error) {
	if x.e == nil {
		return nil, nil
	}
	if x.e.digest.text == "" {
		return nil, errUndigested
	}
	return x.e.digest.MarshalText()
}

// UnmarshalText reads a digest of a record.
func (x *Exact) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	x.e = &exact{}
	return x.e.digest.UnmarshalText(b)
}

// Body stands for a body that is not recorded itself.
type Body struct {
	Bytes  *int64 `json:"bytes,omitempty"`
	Digest Digest `json:"digest"`
}

// BodyOf is the body of a digest.
func BodyOf(d Digest) Body { return Body{Bytes: d.Bytes(), Digest: d} }

// Hash is a SHA-256, in hex.
type Hash [32]byte

// String is the hash in 64 lower-case hex digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText gives 64 hex digits.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText takes 64 hex digits.
func (h *Hash) UnmarshalText(b []byte) (err error) {
	*h, err = ParseHash(string(b))
	return err
}

// ParseHash reads 64 lower-case hex digits, with or without "sha256:" before
// them.
func ParseHash(s string) (h Hash, err error) {
	s = strings.TrimPrefix(s, "sha256:")
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(h) || strings.ToLower(s) != s {
		return h, fmt.Errorf("%q is not a SHA-256 in hex", s)
	}
	copy(h[:], b)
	return h, nil
}

// Binary values that audit mints, in base64.
type (
	// PublicKey is an Ed25519 public key.
	PublicKey []byte
	// Signature is an Ed25519 signature.
	Signature []byte
	// Ciphertext is an age file.
	Ciphertext []byte
)

// Note is a signed note: a checkpoint with its signature lines.
type Note string

// IsZero says that there is no key.
func (k PublicKey) IsZero() bool { return len(k) == 0 }

// IsZero says that there is no signature.
func (s Signature) IsZero() bool { return len(s) == 0 }

// IsZero says that there is no ciphertext.
func (c Ciphertext) IsZero() bool { return len(c) == 0 }

// String is the key in base64 (RFC 4648, padded).
func (k PublicKey) String() string { return base64.StdEncoding.EncodeToString(k) }
