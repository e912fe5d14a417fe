package policy

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
)

// A FileError is a fault in a policy file: where it stands, the line itself,
// and what to write instead.
type FileError struct {
	File   string
	Line   int // 1 is the first; 0 when the fault is the file's as a whole
	Column int // in bytes, 1 is the first; 0 when it is the line's as a whole
	Source string
	What   string
	Remedy string
}

// Error gives file, line, column, the fault, the line and the remedy.
func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, ":%d", e.Column)
		}
	}
	b.WriteString(": " + e.What)
	if e.Source != "" {
		fmt.Fprintf(&b, "\n    %s", e.Source)
		if e.Column > 0 {
			fmt.Fprintf(&b, "\n    %s^", indent(e.Source, e.Column))
		}
	}
	if e.Remedy != "" {
		b.WriteString("\n  " + e.Remedy)
	}
	return b.String()
}

// An entryFault is what is wrong with one entry of a list, wherever it stands,
// and what to write instead.
type entryFault struct{ entry, what, remedy string }

func (e *entryFault) Error() string { return e.what }

// remedyOf is what to write instead of an entry.
func remedyOf(err error) string {
	var entry *entryFault
	var re *syntax.Error
	switch {
	case errors.As(err, &entry):
		return entry.remedy
	case errors.As(err, &re):
		return `write an RE2 expression, which has no look-around and no back-references; in double quotes every \ is written twice`
	}
	return "correct this entry"
}

// indent keeps tabs, so that the mark stands below its column.
func indent(source string, column int) string {
	n := min(column-1, len(source))
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, source[:n])
}
