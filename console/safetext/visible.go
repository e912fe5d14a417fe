package safetext

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"sallyport/policy/runes"
)

// maxMarks is how many combining marks may stand on one character before the rest are drawn as marks of ours.
const maxMarks = 4

// controlNames are the marks of controls that have a name people know.
var controlNames = map[rune]string{'\n': "↵", '\t': "⇥", '\r': "‹CR›", '\b': "‹BS›", 0: "‹NUL›", 0x07: "‹BEL›", 0x1b: "‹ESC›", 0x7f: "‹DEL›"}

// Mark returns the text that is drawn for a character that would not be seen.
func Mark(r rune) string {
	if m, ok := controlNames[r]; ok {
		return m
	}
	return fmt.Sprintf("‹U+%04X›", r)
}

// context is what came before a rune, as far as it decides whether the rune is seen.
type context struct {
	last  rune
	marks int
}

func (c *context) add(r rune) {
	if unicode.Is(unicode.M, r) {
		c.marks++
	} else {
		c.marks = 0
	}
	c.last = r
}

// shows reports whether r, here, is seen as what it is.
func (c *context) shows(r rune, rest string, p purpose) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r < 0x7f:
		return r >= 0x20
	case p == consenting && (ours(r) || runes.Of(r) == runes.Space):
		return false
	case runes.Of(r) == runes.Invisible:
		return p == reading && runes.Joins(c.last, r, next)
	case unicode.Is(unicode.M, r):
		return c.last > 0x20 && c.marks < maxMarks && !Hidden(r)
	}
	return !Hidden(r)
}

// ours reports whether marks are made of r.
func ours(r rune) bool {
	return r == '‹' || r == '›' || r == '↵' || r == '⇥' || r == '␠'
}

// Hidden reports whether r is a control, acts on the text around it, or leaves nothing to see.
func Hidden(r rune) bool {
	switch runes.Of(r) {
	case runes.Control, runes.Bidi, runes.Invisible, runes.Private:
		return true
	}
	return r < 0x20 || !unicode.IsGraphic(r)
}
