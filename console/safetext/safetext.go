package safetext

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Run is a stretch of text that is either as it was, or a mark that stands for something that would not be seen.
type Run struct {
	Text   string
	Marked bool
}

// Line returns s on one line, with everything invisible made visible.
func Line(s string) string {
	if ordinary(s) {
		return s
	}
	return join(scan(s, reading))
}

// Block is Line, except that newlines stay (CR LF counts as one) and tabs become spaces up to the next column of eight.
func Block(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = Line(expandTabs(l))
	}
	return strings.Join(lines, "\n")
}

// Exact returns s for consent: the joined runs show every byte, and no two texts look the same because of something invisible. Marked too
// are spaces other than U+0020, spaces at the end, the characters that marks are made of, letters that look like ASCII in a word that has
// ASCII letters, and signs that look like ASCII.
func Exact(s string) []Run {
	return scan(s, consenting)
}

// ordinary reports whether s is printable ASCII, and so needs nothing.
func ordinary(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

func join(runs []Run) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(r.Text)
	}
	return b.String()
}

// expandTabs counts runes, not cells: good enough for text that is only read.
func expandTabs(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	column := 0
	for _, r := range s {
		if r != '\t' {
			b.WriteRune(r)
			column++
			continue
		}
		n := 8 - column%8
		b.WriteString(strings.Repeat(" ", n))
		column += n
	}
	return b.String()
}

// purpose says for whom text is scanned.
type purpose bool

const (
	reading    purpose = false
	consenting purpose = true
)

// scan cuts s into runs.
func scan(s string, p purpose) []Run {
	var out runs
	tail := len(strings.TrimRight(s, " "))
	var look []bool
	if p == consenting {
		look = disguised([]rune(s))
	}
	var before context
	for i, number := 0, 0; i < len(s); number++ {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			out.mark(fmt.Sprintf("‹0x%02x›", s[i]))
		case p == consenting && r == ' ' && i >= tail:
			out.mark("␠")
		case p == consenting && look[number]:
			out.mark(Mark(r))
		case before.shows(r, s[i+n:], p):
			out.plain(s[i : i+n])
		default:
			out.mark(Mark(r))
		}
		before.add(r)
		i += n
	}
	return out
}

// runs grows by joining neighbours of one kind.
type runs []Run

func (rs *runs) plain(s string) { rs.add(s, false) }
func (rs *runs) mark(s string)  { rs.add(s, true) }

func (rs *runs) add(s string, marked bool) {
	if n := len(*rs); n > 0 && (*rs)[n-1].Marked == marked {
		(*rs)[n-1].Text += s
		return
	}
	*rs = append(*rs, Run{Text: s, Marked: marked})
}
