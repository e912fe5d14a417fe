package redact

import (
	"strconv"
	"strings"
)

// A placeholder is <redacted:KIND#NUMBER>: KIND of [a-z0-9-], NUMBER decimal.
const (
	placeholderHead = "<redacted:"
	maxPlaceholder  = 80 // bytes; kinds are short, numbers too
)

func placeholder(kind string, number int) string {
	return placeholderHead + kind + "#" + strconv.Itoa(number) + ">"
}

// HasPlaceholder tells whether s holds a placeholder, whole or broken off: the head
// alone is enough, as an edited command with half of one must not be sent either.
func HasPlaceholder(s string) bool { return strings.Contains(s, placeholderHead) }

// placeholderAround finds the placeholder of which at is an inner offset.
func placeholderAround(s string, at int) (start, end int, ok bool) {
	from := max(0, at-maxPlaceholder)
	upto := min(len(s), at+len(placeholderHead))
	start = strings.LastIndex(s[from:upto], placeholderHead)
	if start < 0 {
		return 0, 0, false
	}
	start += from
	if start >= at { // the last one begins at or behind at: look before it
		start = strings.LastIndex(s[from:min(len(s), start+len(placeholderHead)-1)], placeholderHead)
		if start < 0 {
			return 0, 0, false
		}
		start += from
	}
	end = start + placeholderLen(s[start:])
	return start, end, start < at && at < end
}

// placeholderLen is the length of the placeholder that s begins with, or 0.
func placeholderLen(s string) int {
	if !strings.HasPrefix(s, placeholderHead) {
		return 0
	}
	i := len(placeholderHead)
	kind := i
	for i < len(s) && i < maxPlaceholder && isKindByte(s[i]) {
		i++
	}
	if i == kind || i >= len(s) || s[i] != '#' {
		return 0
	}
	i++
	number := i
	for i < len(s) && i < maxPlaceholder && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == number || i >= len(s) || s[i] != '>' {
		return 0
	}
	return i + 1
}

func isKindByte(c byte) bool {
	return c == '-' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}
