package session

import (
	"context"
	"strings"
)

// Completer is a Prober that knows the names on the host. *probe.Probe
// satisfies it.
type Completer interface {
	Files(ctx context.Context, dir, word string) ([]string, error)
	Commands(ctx context.Context, word string) ([]string, error)
}

// complete asks the side channel what the word at the cursor could become.
// Nothing of it runs on the host, and the line stays here.
func (l *loop) complete() {
	c, ok := l.probe.p.(Completer)
	if !ok || !l.probe.works() {
		return
	}
	edit := l.compose.edit
	text, at := edit.Text(), edit.Cursor()
	from := wordStart(text[:at])
	word, first := text[from:at], firstWord(text[:from])
	if strings.ContainsAny(word, "'\"\\$`") {
		return // quoted or expanded: not ours to guess
	}
	cwd := l.cwd
	l.start(func() func() {
		ctx, cancel := context.WithTimeout(l.ctx, probeTimeout)
		defer cancel()
		var found []string
		var err error
		if first && !strings.Contains(word, "/") {
			found, err = c.Commands(ctx, word)
		} else {
			found, err = c.Files(ctx, cwd, word)
		}
		return func() {
			if err == nil && l.compose != nil && edit.Text() == text && edit.Cursor() == at {
				l.offer(from, at, word, found)
			}
		}
	})
}

// offer puts in what all the candidates have in common, or shows them.
func (l *loop) offer(from, at int, word string, found []string) {
	switch common := prefix(found); {
	case len(found) == 0:
		l.bell()
	case len(found) == 1:
		if !strings.HasSuffix(found[0], "/") {
			l.compose.edit.Replace(from, at, quoteWord(found[0])+" ")
		} else {
			l.compose.edit.Replace(from, at, quoteWord(found[0]))
		}
	case len(common) > len(word):
		l.compose.edit.Replace(from, at, quoteWord(common))
	default:
		l.compose.candidates = found
	}
}

func wordStart(text string) int { return strings.LastIndexAny(text, " \t\n;|&<>()=") + 1 }

// firstWord tells whether what stands before a word makes it a program's name.
func firstWord(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ";|&(\n")
}

func prefix(words []string) string {
	if len(words) == 0 {
		return ""
	}
	p := words[0]
	for _, w := range words[1:] {
		for !strings.HasPrefix(w, p) {
			p = p[:len(p)-1]
		}
	}
	return strings.ToValidUTF8(p, "")
}

// quoteWord makes one shell word of a name, with backslashes so that it can be
// completed further.
func quoteWord(name string) string {
	var b strings.Builder
	for i, c := range name {
		plain := c > 0x7f || strings.ContainsRune("/._-+,:@%", c) || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '~' && i == 0
		if !plain {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
