package shellmarks

import (
	"crypto/rand"
	"encoding/hex"
)

// Keys are a frame's secrets: the nonce of its marks and the key that accepts.
type Keys struct{ mark, accept string }

// NewKeys draws both.
func NewKeys() Keys { return Keys{random(8), random(16)} }

// Mark is the nonce M.
func (k Keys) Mark() string { return k.mark }

// Accept is the key K.
func (k Keys) Accept() string { return k.accept }

// Line is how the hook reads them as its last step.
func (k Keys) Line() []byte { return []byte(k.mark + ";" + k.accept + "\n") }

func random(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
