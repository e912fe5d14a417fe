package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Where a shell reads code that another program makes, the text that goes into
// that program, and the words it is given, are the best guess at the code:
// tac <<< 'rm -rf /' | sh, awk 'BEGIN{print "rm -rf /"}' | sh. Such a text is
// judged beside what is said about code that nobody sees, never in its place.

// maxMaybe bounds the guesses at one text, maxGuessed their bytes in a line.
const (
	maxMaybe   = 8
	maxGuessed = 16384
)

// mayPrintAll guesses at what a list prints, where it is not known.
func (w *walker) mayPrintAll(list []*syntax.Stmt, known bool) []string {
	if known {
		return nil
	}
	var out []string
	for _, s := range list {
		out = append(out, w.mayPrint(s, input{})...)
	}
	return out[:min(len(out), maxMaybe)]
}

// mayPrint guesses at what a statement prints.
func (w *walker) mayPrint(s *syntax.Stmt, in input) []string {
	if s == nil {
		return nil
	}
	for _, r := range s.Redirs {
		if r.Op == syntax.WordHdoc || r.Hdoc != nil {
			in.text, in.known = w.literalInput(r)
		}
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return w.callMayPrint(c, in)
	case *syntax.BinaryCmd:
		return w.binaryMayPrint(c, in)
	case *syntax.Subshell:
		return w.mayPrintAll(c.Stmts, false)
	case *syntax.Block:
		return w.mayPrintAll(c.Stmts, false)
	case *syntax.ForClause:
		return w.mayPrintAll(c.Do, false)
	case *syntax.WhileClause:
		return w.mayPrintAll(c.Do, false)
	}
	return nil
}

func (w *walker) binaryMayPrint(c *syntax.BinaryCmd, in input) []string {
	if c.Op != syntax.Pipe && c.Op != syntax.PipeAll {
		return append(w.mayPrint(c.X, in), w.mayPrint(c.Y, in)...)
	}
	next := input{from: "pipe"}
	if next.text, next.known = w.output(c.X, in); !next.known {
		next.maybe = w.mayPrint(c.X, in)
	}
	return w.mayPrint(c.Y, next)
}

// callMayPrint is what passes through a command, and what its words say.
func (w *walker) callMayPrint(c *syntax.CallExpr, in input) []string {
	out := in.maybe
	if in.known && in.from != "file" {
		out = append(out[:len(out):len(out)], in.text)
	}
	if len(c.Args) == 0 {
		return out
	}
	words := make([]string, len(c.Args))
	for i, a := range c.Args {
		words[i] = w.gist(a)
	}
	switch words[0] {
	case "echo", "print":
		return append(out, echoed(words[1:])...)
	case "printf":
		if len(words) > 1 {
			words[1] = ansiC(directives.ReplaceAllString(words[1], "$$UNSEEN"))
		}
	}
	for _, text := range words[1:] {
		if len(out) < maxMaybe && strings.ContainsAny(text, " \"'`") {
			out = append(out, guesses(text)...)
		}
	}
	return out[:min(len(out), maxMaybe)]
}

// echoed are the ways in which shells print the words of echo: as they are,
// or with the escapes expanded, up to a \c.
func echoed(words []string) []string {
	text := strings.Join(words, " ")
	if !strings.Contains(text, `\`) {
		return []string{text}
	}
	shown, _, _ := strings.Cut(text, `\c`)
	return []string{text, ansiC(zeroOctal.ReplaceAllString(shown, `\$1`))}
}

// directives are those of printf.
var directives = lazily(`%[-+ #0-9.*]*[a-zA-Z]`)

// gist is a word as code would hold it: what nobody sees stays a variable.
func (w *walker) gist(word *syntax.Word) string {
	if text, ok := w.literal(word); ok {
		return text
	}
	var b strings.Builder
	var add func(parts []syntax.WordPart)
	add = func(parts []syntax.WordPart) {
		for _, p := range parts {
			switch x := p.(type) {
			case *syntax.Lit:
				b.WriteString(unescapeDouble(x.Value))
			case *syntax.SglQuoted:
				b.WriteString(x.Value)
			case *syntax.DblQuoted:
				add(x.Parts)
			default:
				b.WriteString("$UNSEEN")
			}
		}
	}
	add(word.Parts)
	return b.String()
}

// guesses are a word itself, the strings in it if it is code of another
// language, and the text that sed's s puts in.
func guesses(text string) []string {
	out := []string{text}
	if len(text) > maxCode {
		return nil
	}
	for _, l := range literals(text) {
		if strings.Contains(l, " ") {
			out = append(out, ansiC(l))
		}
	}
	if by, ok := sedText(text); ok {
		out = append(out, by)
	}
	return out
}

// sedText is what an s command of sed puts in.
func sedText(code string) (string, bool) {
	i := strings.IndexByte(code, 's')
	if i < 0 || i+1 >= len(code) || isIdent(code[i+1]) || code[i+1] == ' ' {
		return "", false
	}
	parts := splitUnescaped(code[i+2:], code[i+1])
	if len(parts) < 3 {
		return "", false
	}
	return parts[1], true
}

// splitUnescaped splits at sep, where no backslash stands before it, and
// takes that backslash away.
func splitUnescaped(s string, sep byte) []string {
	var parts []string
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			if i++; s[i] != sep {
				b.WriteByte('\\')
			}
			b.WriteByte(s[i])
		case s[i] == sep:
			parts = append(parts, b.String())
			b.Reset()
		default:
			b.WriteByte(s[i])
		}
	}
	return append(parts, b.String())
}
