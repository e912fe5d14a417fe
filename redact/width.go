package redact

import (
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// How many columns a terminal gives a character. The margin is found by it.

const tabStop = 8

// columns gives the column in which s ends if it begins in the column begin. Every
// character of ASCII text takes one.
func columns(s string, begin int, ascii bool) int {
	if ascii {
		return begin + len(s)
	}
	col := begin
	for i := 0; i < len(s); {
		n, size := widthAt(s, i, col)
		col += n
		i += size
	}
	return col
}

// widthAt gives the columns and the bytes of the character or tab at s[i], written in
// column col.
func widthAt(s string, i, col int) (columns, size int) {
	switch c := s[i]; {
	case c == '\t':
		return tabStop - col%tabStop, 1
	case c < utf8.RuneSelf:
		return 1, 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	return min(max(displaywidth.Rune(r), 0), 2), size
}
