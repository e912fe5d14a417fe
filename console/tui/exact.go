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
