// Package auditors encrypts what only the auditors may read: exact texts,
// recordings, digest keys. Who they are the organisation says, as age public
// keys (X25519, age1…); what is encrypted here nobody else opens, the operator
// neither.
//
// A frame is how such a text stands in a file of several: four bytes of length,
// big endian, and an age file (https://age-encryption.org/v1) that is so long.
// Each frame opens by itself.
package auditors

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"filippo.io/age"
)

// Keys are the auditors' public keys.
type Keys []age.Recipient

// Parse reads public keys as age prints them. An error names the key.
func Parse(keys []string) (out Keys, err error) {
	for _, k := range keys {
		r, err := age.ParseX25519Recipient(k)
		if err != nil {
			return nil, fmt.Errorf("recipient %q: %w", k, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// Encrypt gives plain as an age file.
func (k Keys) Encrypt(plain []byte) ([]byte, error) { return k.encrypt(plain, 0) }

// LengthSize is that of a frame's length, in bytes.
const LengthSize = 4

// Frame gives plain as a frame.
func (k Keys) Frame(plain []byte) ([]byte, error) {
	b, err := k.encrypt(plain, LengthSize)
	if err != nil {
		return nil, err
	}
	binary.BigEndian.PutUint32(b, uint32(len(b)-LengthSize))
	return b, nil
}

// Length is that of the age file behind the first bytes of a frame.
func Length(frame [LengthSize]byte) int64 { return int64(binary.BigEndian.Uint32(frame[:])) }

// encrypt leaves room before the age file.
func (k Keys) encrypt(plain []byte, room int) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, room))
	w, err := age.Encrypt(out, k...)
	if err == nil {
		_, err = w.Write(plain)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("encrypt to the auditors: %w", err)
	}
	return out.Bytes(), nil
}

// block is what plaintexts are filled up to a multiple of.
const block = 256

// Padding is the spaces that a plaintext of n bytes is filled up with, 0 to 255:
// the length of a secret in it cannot be read off the ciphertext.
func Padding(n int) []byte { return bytes.Repeat([]byte{' '}, (block-n%block)%block) }
