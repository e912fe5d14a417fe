package redact

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Text is text in which no credential that the detectors know is left. Only this
// package makes one: from a constant ([Literal]), from other Texts, from an
// identifier that was checked ([ID]), or by a [Redactor]. There is a marshaller and
// no unmarshaller, so that a Text cannot be conjured out of a file or a message.
// The zero value is the empty text.
type Text struct{ s string }

// literal is unexported so that only untyped constants convert to it.
type literal string

// Literal makes a Text of a constant of the program.
func Literal(c literal) Text { return Text{string(c)} }

// Join puts texts one after the other, with nothing between.
func Join(parts ...Text) Text {
	size := 0
	for _, p := range parts {
		size += len(p.s)
	}
	var b strings.Builder
	b.Grow(size)
	for _, p := range parts {
		b.WriteString(p.s)
	}
	return Text{b.String()}
}

// String gives the text itself.
func (t Text) String() string { return t.s }

// MarshalText implements encoding.TextMarshaler.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.s), nil }

// MarshalJSON gives a JSON string, with <, > and & as they are: a placeholder stays
// readable in a record.
func (t Text) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(t.s); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}

// Len is the length in bytes.
func (t Text) Len() int { return len(t.s) }

// Empty tells whether there is no text.
func (t Text) Empty() bool { return t.s == "" }

// Cut gives the first max bytes or fewer, and whether something was cut off. It cuts
// between runes and never inside a placeholder.
func (t Text) Cut(max int) (Text, bool) {
	if len(t.s) <= max {
		return t, false
	}
	return Text{t.s[:cutBefore(t.s, max)]}, true
}

// HeadTail gives the whole text if it fits into max bytes, else a head and a tail of
// about equal size with mark between; mark counts towards max. A mark that does not
// fit is left out.
func (t Text) HeadTail(max int, mark Text) Text {
	if len(t.s) <= max {
		return t
	}
	room := max - len(mark.s)
	if room <= 0 {
		cut, _ := t.Cut(max)
		return cut
	}
	head := cutBefore(t.s, (room+1)/2)
	tail := cutAfter(t.s, len(t.s)-room/2)
	return Text{t.s[:head] + mark.s + t.s[tail:]}
}

// Tail gives the last lines of the text. A newline at its end begins no line.
func (t Text) Tail(lines int) Text {
	if lines <= 0 {
		return Text{}
	}
	end := len(strings.TrimSuffix(t.s, "\n"))
	for i := 0; i < lines; i++ {
		at := strings.LastIndexByte(t.s[:end], '\n')
		if at < 0 {
			return t
		}
		end = at
	}
	return Text{t.s[end+1:]}
}

// TrimRightLines drops blanks at the end of each line and empty lines at the end.
func (t Text) TrimRightLines() Text {
	lines := strings.Split(t.s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t\r")
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return Text{strings.Join(lines, "\n")}
}

// cutBefore gives the largest offset that is at most max, between runes and outside
// placeholders.
func cutBefore(s string, max int) int {
	if max <= 0 {
		return 0
	}
	if max >= len(s) {
		return len(s)
	}
	for max > 0 && !utf8.RuneStart(s[max]) {
		max--
	}
	if start, _, ok := placeholderAround(s, max); ok {
		return start
	}
	return max
}

// cutAfter is cutBefore's mirror: the smallest offset that is at least min.
func cutAfter(s string, min int) int {
	if min <= 0 {
		return 0
	}
	for min < len(s) && !utf8.RuneStart(s[min]) {
		min++
	}
	if min >= len(s) {
		return len(s)
	}
	if _, end, ok := placeholderAround(s, min); ok {
		return end
	}
	return min
}
