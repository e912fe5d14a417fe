package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// motion returns where a cursor at byte offset at goes in text.
type motion func(text string, at int) int

// left and right go by a grapheme cluster.
func left(text string, at int) int {
	from := strings.LastIndexByte(text[:at], '\n') + 1
	if from == at {
		return max(at-1, 0)
	}
	it := graphemes.FromString(text[from:at])
	last := from
	for it.Next() {
		last = from + it.Start()
	}
	return last
}

func right(text string, at int) int {
	it := graphemes.FromString(text[at:])
	if !it.Next() {
		return at
	}
	return at + len(it.Value())
}

func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// lineEndOrNext is lineEnd, except at the end of a line, where it takes the newline.
func lineEndOrNext(text string, at int) int {
	if at < len(text) && text[at] == '\n' {
		return at + 1
	}
	return lineEnd(text, at)
}

// wordLeft and wordRight go by words of letters and digits.
func wordLeft(text string, at int) int {
	at = backWhile(text, at, func(r rune) bool { return !alphanumeric(r) })
	return backWhile(text, at, alphanumeric)
}

func wordRight(text string, at int) int {
	at = onWhile(text, at, func(r rune) bool { return !alphanumeric(r) })
	return onWhile(text, at, alphanumeric)
}

// blankWordLeft goes by words that blanks part.
func blankWordLeft(text string, at int) int {
	at = backWhile(text, at, unicode.IsSpace)
	return backWhile(text, at, func(r rune) bool { return !unicode.IsSpace(r) })
}

func alphanumeric(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

func backWhile(text string, at int, f func(rune) bool) int {
	for at > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:at])
		if !f(r) {
			break
		}
		at -= n
	}
	return at
}

func onWhile(text string, at int, f func(rune) bool) int {
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		if !f(r) {
			break
		}
		at += n
	}
	return at
}

func upper(s string) string { return strings.ToUpper(s) }
func lower(s string) string { return strings.ToLower(s) }

func title(s string) string {
	i := onWhile(s, 0, func(r rune) bool { return !unicode.IsLetter(r) })
	_, n := utf8.DecodeRuneInString(s[i:])
	return s[:i] + strings.ToUpper(s[i:i+n]) + strings.ToLower(s[i+n:])
}
