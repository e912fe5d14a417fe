package safetext

import (
	"fmt"
	"unicode"
	"unicode/utf8"
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
	switch {
	case r < 0x7f:
		return r >= 0x20
	case p == consenting && (ours(r) || blank(r)):
		return false
	case r == 0xfe0f:
		return p == reading && pictograph(c.last)
	case r == 0x200d:
		next, _ := utf8.DecodeRuneInString(rest)
		return p == reading && (pictograph(c.last) || c.last == 0xfe0f) && pictograph(next)
	case unicode.Is(unicode.M, r):
		return c.last > 0x20 && c.marks < maxMarks && !Hidden(r)
	}
	return !Hidden(r)
}

// ours reports whether marks are made of r.
func ours(r rune) bool {
	return r == '‹' || r == '›' || r == '↵' || r == '⇥' || r == '␠'
}

// blank reports whether r is drawn as empty space and is not U+0020.
func blank(r rune) bool {
	return unicode.Is(unicode.Zs, r) || r == 0x2800
}

// pictograph reports whether r is an emoji that joiners and variation selectors belong to.
func pictograph(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0xa9 || r == 0xae
}

// Hidden reports whether r is a control, acts on the text around it, or leaves nothing to see.
func Hidden(r rune) bool {
	return !unicode.IsGraphic(r) || invisible(r)
}

// invisible lists characters that Unicode calls graphic and that nevertheless show nothing: fillers, joiners, variation selectors.
func invisible(r rune) bool {
	switch {
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0:
		return true
	case r >= 0x180b && r <= 0x180f, r >= 0xfe00 && r <= 0xfe0f:
		return true
	}
	return r >= 0xe0000 && r <= 0xe0fff
}
