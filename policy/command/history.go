package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// withoutBodies blanks the lines of here-documents, in which neither bash 5.2
// nor zsh 5.9 expands history. A text that does not parse, or a body that its
// delimiter does not end, keeps every line; so does what a substitution holds.
func (w *walker) withoutBodies(text string) string {
	if !strings.Contains(text, "<<") || !strings.Contains(text, "\n") {
		return text
	}
	file, err := parse(text, w.dialect)
	if err != nil {
		return text
	}
	out := []byte(text)
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		}
		if r, ok := n.(*syntax.Redirect); ok && r.Hdoc != nil {
			for i := int(r.Hdoc.Pos().Offset()); i < int(r.Hdoc.End().Offset()) && i < len(out); i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
		}
		return true
	})
	return string(out)
}

// historyExpansion reports where bash or zsh would put older lines into this
// one: !! and !x outside single quotes, and ^a^b at the start. Source: bash
// manual, History Expansion, with the cases that readline leaves alone.
func historyExpansion(text string) bool {
	if strings.HasPrefix(text, "^") && strings.Count(text, "^") >= 2 {
		return true
	}
	if strings.IndexByte(text, '!') < 0 {
		return false
	}
	double := false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			double = !double
		case '\'':
			if double {
				continue
			}
			if i > 0 && text[i-1] == '$' {
				i = ansiEnd(text, i)
				continue
			}
			end := strings.IndexByte(text[i+1:], '\'')
			if end < 0 {
				return false
			}
			i += end + 1
		case '!':
			if expandsAt(text, i, double) {
				return true
			}
		}
	}
	return false
}

func ansiEnd(text string, i int) int {
	for i++; i < len(text) && text[i] != '\''; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

func expandsAt(text string, i int, double bool) bool {
	if i+1 >= len(text) {
		return false
	}
	switch next := text[i+1]; {
	case strings.IndexByte(" \t\r\n=", next) >= 0:
		return false
	case next == '(' || next == '"' && double:
		return false
	}
	if i > 0 {
		switch text[i-1] {
		case '[': // [!a-z]
			return false
		case '{': // ${!x}
			return !(i > 1 && text[i-2] == '$')
		case '$': // $!
			return false
		case '&': // &! of zsh
			return text[i+1] == '!'
		}
	}
	return true
}
