package redact

import (
	"errors"
	"strings"
	"sync"
)

const maxID = 256

// forIDs knows no secret; it is not told any.
var forIDs = sync.OnceValue(func() *Redactor { return New(Config{}) })

// ErrNotID is what [ID] gives for text that is not an identifier or holds a credential.
var ErrNotID = errors.New("not an identifier that may be shown")

// ID makes a Text of an identifier that a machine minted: 1 to 256 characters of
// letters, digits and ._:/@+=- in which the detectors find nothing.
func ID(s string) (Text, error) {
	if s == "" || len(s) > maxID || strings.IndexFunc(s, notOfID) >= 0 {
		return Text{}, ErrNotID
	}
	if _, found := forIDs().Text(s); len(found) > 0 {
		return Text{}, ErrNotID
	}
	return Text{s}, nil
}

func notOfID(r rune) bool {
	return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && !strings.ContainsRune("._:/@+=-", r)
}
