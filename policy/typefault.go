package policy

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The TOML decoder names a value of the wrong type in the words of our own
// code. A person who writes a policy file is told in the format's words.

var wrongType = regexp.MustCompile(`^line (\d+) \(last key "([^"]*)"\): (?s:(.*))$`)

// kinds are the decoder's words for types, longest first, and ours.
var kinds = []struct{ theirs, ours, write string }{
	{"slice", "a list", `["…"]`},
	{"[]", "a list", `["…"]`},
	{"table", "a table", "{ … }"},
	{"struct", "a table", "{ … }"},
	{"map", "a table", "{ … }"},
	{"string", "a text", `"…"`},
	{"int", "a number", "1"},
	{"float", "a number", "1"},
	{"bool", "true or false", "true"},
	{"time", "a point in time", "2026-12-31T00:00:00Z"},
	{"datetime", "a point in time", "2026-12-31T00:00:00Z"},
}

// typeFault is the error for a value of the wrong type.
func typeFault(src *source, text string) error {
	m := wrongType.FindStringSubmatch(text)
	if m == nil {
		return &FileError{File: src.name, What: text, Remedy: "give the key a value of the type that the format has"}
	}
	n, _ := strconv.Atoi(m[1])
	name := m[2][strings.LastIndexByte(m[2], '.')+1:]
	got, want, write := typesOf(m[3])
	e := &FileError{
		File: src.name, What: fmt.Sprintf("%s is %s, and must be %s", m[2], got, want),
		Remedy: fmt.Sprintf("write %s = %s", name, write),
	}
	e.Line, e.Column, e.Source = src.find(n, name)
	return e
}

// typesOf reads the two types out of the decoder's message.
func typesOf(message string) (got, want, write string) {
	_, has, ok := strings.Cut(message, "TOML value has type ")
	has, dest, _ := strings.Cut(has, "; destination has type ")
	if !ok {
		_, rest, _ := strings.Cut(message, "expected ")
		dest, has, _ = strings.Cut(rest, " but found ")
	}
	got, _ = inOurWords(has)
	want, write = inOurWords(dest)
	return got, want, write
}

func inOurWords(theirs string) (ours, write string) {
	for _, k := range kinds {
		if strings.HasPrefix(theirs, k.theirs) {
			return k.ours, k.write
		}
	}
	return "something else", "another value"
}

// find gives the place of a key in a line, or in one near it.
func (s *source) find(line int, key string) (n, column int, text string) {
	at := regexp.MustCompile(`(?:^|[{,\s\[.])"?(` + regexp.QuoteMeta(key) + `)"?\s*[=\].]`)
	for _, n := range []int{line, line - 1, line + 1} {
		if n < 1 || n > len(s.lines) {
			continue
		}
		if m := at.FindStringSubmatchIndex(s.lines[n-1]); m != nil {
			return n, m[2] + 1, s.lines[n-1]
		}
	}
	if line < 1 || line > len(s.lines) {
		return 0, 0, ""
	}
	return line, columnOf(s.lines[line-1], ""), s.lines[line-1]
}
