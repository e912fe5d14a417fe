package tui

import (
	"strings"

	"sallyport/console/tty"
)

// markdown gives text, already safe, a little of what Markdown means: code in
// backquotes, **bold**, headings and lists. Everything else stays as it is.
func markdown(text string, m *Model, st tty.Style) line {
	var out line
	fenced := false
	for i, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(l), "```") {
			fenced = !fenced
			continue
		}
		if i > 0 && len(out) > 0 {
			out = append(out, span{"\n", st})
		}
		switch {
		case fenced:
			out = append(out, span{"  " + l, m.theme.bold})
		case strings.HasPrefix(l, "#"):
			out = append(out, span{strings.TrimLeft(l, "# "), m.theme.bold})
		default:
			out = append(out, inline(bullet(l), m, st)...)
		}
	}
	return out
}

func bullet(l string) string {
	trimmed := strings.TrimLeft(l, " ")
	for _, p := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(trimmed, p); ok {
			return l[:len(l)-len(trimmed)] + "• " + rest
		}
	}
	return l
}

// inline cuts a line at backquotes and double asterisks that close again.
func inline(l string, m *Model, st tty.Style) line {
	var out line
	for l != "" {
		i, mark := nextMark(l)
		if i < 0 {
			break
		}
		end := strings.Index(l[i+len(mark):], mark)
		if end <= 0 {
			break
		}
		body := l[i+len(mark) : i+len(mark)+end]
		out = append(out, span{l[:i], st}, span{body, m.theme.bold})
		l = l[i+len(mark)+end+len(mark):]
	}
	return append(out, span{l, st})
}

func nextMark(l string) (int, string) {
	code, bold := strings.Index(l, "`"), strings.Index(l, "**")
	if code >= 0 && (bold < 0 || code < bold) {
		return code, "`"
	}
	return bold, "**"
}
