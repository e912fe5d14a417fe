package seal

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// HostKey is the long-lived key that anchors the logs of one machine.
type HostKey struct {
	Name string
	key  ed25519.PrivateKey
}

// HostName makes s fit to name a host key: no space, no plus, never empty.
func HostName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r <= ' ' || r == '+' || r > '~' {
			return '-'
		}
		return r
	}, s)
	if s == "" {
		return "host"
	}
	return s
}

// NewHostKey makes a host key.
func NewHostKey(name string) (HostKey, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return HostKey{}, fmt.Errorf("make a host key: %w", err)
	}
	return HostKey{HostName(name), key}, nil
}

// Secret is the key in the text form of C2SP signed-note; keep it from all
// but the daemon.
func (k HostKey) Secret() string {
	return fmt.Sprintf("PRIVATE+KEY+%s+%08x+%s", k.Name, keyHash(k.Name, k.Public()), tagged(k.key.Seed()))
}

// Public is the key that verifies.
func (k HostKey) Public() ed25519.PublicKey { return k.key.Public().(ed25519.PublicKey) }

// IsZero says that there is no key.
func (k HostKey) IsZero() bool { return k.key == nil }

// Verifier is the public key in the text form of C2SP signed-note: what is
// given to --trust.
func (k HostKey) Verifier() string {
	return fmt.Sprintf("%s+%08x+%s", k.Name, keyHash(k.Name, k.Public()), tagged(k.Public()))
}

// tagged puts the algorithm's number (1: Ed25519) before the key.
func tagged(key []byte) string {
	return base64.StdEncoding.EncodeToString(append([]byte{1}, key...))
}

// Anchor signs the first key of a log.
func (k HostKey) Anchor(origin string, epoch0 ed25519.PublicKey) []byte {
	return ed25519.Sign(k.key, anchorMessage(origin, epoch0))
}

// VerifyAnchor checks that host signed epoch0 for the log origin.
func VerifyAnchor(host ed25519.PublicKey, origin string, epoch0, sig []byte) bool {
	return len(host) == ed25519.PublicKeySize && ed25519.Verify(host, anchorMessage(origin, epoch0), sig)
}

func anchorMessage(origin string, epoch0 []byte) []byte {
	return fmt.Appendf(nil, "%s%s\n%s\n", anchorContext, origin, base64.StdEncoding.EncodeToString(epoch0))
}

var errKeyText = errors.New("not a key in the text form of a signed note (NAME+HASH+BASE64)")

// ParseHostKey reads what Secret gives.
func ParseHostKey(s string) (HostKey, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(s), "PRIVATE+KEY+")
	if !ok {
		return HostKey{}, errKeyText
	}
	name, hash, seed, err := splitKey(rest)
	if err != nil {
		return HostKey{}, err
	}
	k := HostKey{name, ed25519.NewKeyFromSeed(seed)}
	if keyHash(name, k.Public()) != hash {
		return HostKey{}, fmt.Errorf("%w: its hash does not fit", errKeyText)
	}
	return k, nil
}

// ParseVerifier reads what Verifier gives.
func ParseVerifier(s string) (name string, pub ed25519.PublicKey, err error) {
	name, hash, key, err := splitKey(strings.TrimSpace(s))
	if err != nil {
		return "", nil, err
	}
	if keyHash(name, key) != hash {
		return "", nil, fmt.Errorf("%w: its hash does not fit", errKeyText)
	}
	return name, key, nil
}

func splitKey(s string) (name string, hash uint32, key []byte, err error) {
	name, rest, ok1 := strings.Cut(s, "+")
	hex, b64, ok2 := strings.Cut(rest, "+")
	h, err1 := strconv.ParseUint(hex, 16, 32)
	b, err2 := base64.StdEncoding.DecodeString(b64)
	if !ok1 || !ok2 || name == "" || len(hex) != 8 || err1 != nil || err2 != nil || len(b) != 33 || b[0] != 1 {
		return "", 0, nil, errKeyText
	}
	return name, uint32(h), b[1:], nil
}
