package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"sallyport/console/safetext"
	"sallyport/console/tty"
)

// exact is text as it is consented to: every byte shows.
func (m *Model) exact(s string, plain tty.Style) line {
	var out line
	for _, r := range safetext.Exact(s) {
		st := plain
		if r.Marked {
			st = m.theme.mark
		}
		out = append(out, span{r.Text, st})
	}
	if m.opts.ASCII {
		return asciiMarks(s, out)
	}
	return out
}

// exactRows lays out text that is consented to: a row of its own after each
// newline, and nothing left out where a row is full, blanks included.
func (m *Model) exactRows(s string, plain tty.Style, indent string, width int) []line {
	var out []line
	for i, part := range strings.SplitAfter(s, "\n") {
		if part == "" && i > 0 {
			continue
		}
		out = append(out, fillRows(m.exact(part, plain), indent, max(width, 1))...)
	}
	return out
}

// fillRows breaks a line into rows of at most width columns. It breaks behind a
// blank where that leaves at most half a row empty.
func fillRows(l line, indent string, width int) []line {
	var out []line
	cells := cellsOf(l)
	room := max(width-columns(indent), 1)
	for len(cells) > 0 {
		n, used := 0, 0
		for n < len(cells) && (n == 0 || used+columns(cells[n].text) <= room) {
			used += columns(cells[n].text)
			n++
		}
		if n < len(cells) {
			n = breakBehind(cells, n)
		}
		out = append(out, append(line{{indent, tty.Style{}}}, cells[:n]...))
		cells = cells[n:]
	}
	return out
}

// breakBehind is where to break a row that holds n cells and is full.
func breakBehind(cells []span, n int) int {
	for i := n; i > n/2; i-- {
		if cells[i-1].text == " " {
			return i
		}
	}
	return n
}

// cellsOf cuts a line into clusters. What stands for something invisible stays
// whole.
func cellsOf(l line) []span {
	var out []span
	for _, s := range l {
		if strings.ContainsAny(s.text, "‹<") && strings.ContainsAny(s.text, "›>") && len(s.text) < 12 {
			out = append(out, s)
			continue
		}
		for _, c := range clusters(s.text) {
			out = append(out, span{c, s.style})
		}
	}
	return out
}

// asciiMarks spells out what has no glyph in ASCII, so that two texts never
// look the same.
func asciiMarks(s string, shown line) line {
	if isASCII(s) && !strings.ContainsAny(s, "\n\t") {
		return shown
	}
	var out line
	for _, sp := range shown {
		var b strings.Builder
		for _, r := range sp.text {
			switch {
			case r == '↵':
				b.WriteString("<LF>")
			case r == '⇥':
				b.WriteString("<TAB>")
			case r == '‹':
				b.WriteByte('<')
			case r == '›':
				b.WriteByte('>')
			case r == '␠':
				b.WriteByte('_')
			case r < utf8.RuneSelf:
				b.WriteRune(r)
			default:
				fmt.Fprintf(&b, "<U+%04X>", r)
			}
		}
		out = append(out, span{b.String(), sp.style})
	}
	return out
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// visible gives each cluster of a text being edited as it is drawn.
func (m *Model) visible(text []string) []span {
	out := make([]span, len(text))
	for i, cl := range text {
		out[i] = span{cl, m.theme.text}
		if len(cl) == 1 && cl[0] >= 0x20 && cl[0] < 0x7f {
			continue
		}
		l := m.exact(cl, m.theme.text)
		out[i] = span{"", m.theme.text}
		for _, sp := range l {
			out[i].text += sp.text
			out[i].style = sp.style
		}
	}
	return out
}
