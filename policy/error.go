package policy

import (
	"fmt"
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
