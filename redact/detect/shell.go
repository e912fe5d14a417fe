package detect

import "strings"

// word is a shell word's place, without quotes that stand around all of it.
type word struct {
	start, end int
	quote      byte
}

// commandEnd finds where the simple command that begins at pos ends: at an operator, or
// at the quote in which the command itself stands.
func commandEnd(t string, pos, i int) int {
	outer := byte(0)
	head := t[max(0, pos-2048):pos]
	if strings.Count(head, `"`)%2 == 1 {
		outer = '"'
	} else if strings.Count(head, "'")%2 == 1 {
		outer = '\''
	}
	limit := min(len(t), i+8192)
	for i < limit {
		switch c := t[i]; {
		case c == outer:
			for i > 0 && t[i-1] == '\\' {
				i--
			}
			return i
		case c == '|' || c == ';' || c == '\n' || c == '&' && (i+1 < limit && t[i+1] == '&' || i > 0 && isSpace(t[i-1])):
			return i
		case c == '\\' && i+1 < limit && t[i+1] != outer:
			i++
		case c == '\'' || c == '"':
			if end := closingQuote(t[:limit], i, 0, c == '\''); end > 0 {
				i = end
			}
		}
		i++
	}
	return min(i, limit)
}

// words splits t[i:end] at blanks outside quotes and substitutions, into so many at most.
func words(t string, i, end, most int) (ws []word) {
	inside := strings.IndexByte(t[max(0, i-512):i], '(') >= 0
	for i < end && len(ws) < most {
		i = skipBlanks(t[:end], i)
		if i >= end || inside && t[i] == ')' {
			break
		}
		j := wordEnd(t[:end], i)
		if inside { // what closes a substitution closes the command in it
			j = substitutionEnd(t, i, j)
		}
		ws = append(ws, unquote(t, word{start: i, end: j}))
		i = j
	}
	return ws
}

// substitutionEnd gives where the word t[i:j] ends if a substitution around it ends there:
// at a parenthesis that no other opens, outside of quotes.
func substitutionEnd(t string, i, j int) int {
	depth := 0
	for k := i; k < j; k++ {
		switch c := t[k]; c {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return k
			}
		case '\\':
			k++
		case '\'', '"':
			if end := closingQuote(t[:j], k, 0, c == '\''); end > 0 {
				k = end
			}
		}
	}
	return j
}

// listed gives the strings of a list that goes on at i: ["mysql", "-uroot"].
func listed(t string, i int) (ws []word) {
	for i < len(t) && t[i] == ',' && len(ws) < maxListed {
		i = skipBlanks(t, i+1)
		if i >= len(t) || t[i] != '"' {
			break
		}
		end := closingQuote(t, i, 0, false)
		if end < 0 {
			break
		}
		ws = append(ws, word{i + 1, end, '"'})
		i = end + 1
	}
	return ws
}

func wordEnd(t string, i int) int {
	for i < len(t) {
		switch c := t[i]; {
		case isBlank(c):
			return i
		case c == '\\' && i+1 < len(t):
			i++
		case c == '\'' || c == '"' || c == '`':
			if end := closingQuote(t, i, 0, c == '\''); end > 0 {
				i = end
			}
		case c == '$' && i+1 < len(t) && t[i+1] == '(':
			i = closeParen(t, i+1)
		}
		i++
	}
	return min(i, len(t))
}

// closeParen gives the offset of the parenthesis that closes the one at i, or the end.
func closeParen(t string, i int) int {
	depth := 0
	for ; i < len(t); i++ {
		switch c := t[i]; c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		case '\\':
			i++
		case '\'', '"':
			if end := closingQuote(t, i, 0, c == '\''); end > 0 {
				i = end
			}
		}
	}
	return len(t)
}

// unquote drops quotes that stand around the whole word.
func unquote(t string, w word) word {
	if w.end-w.start >= 2 {
		if c := t[w.start]; (c == '\'' || c == '"') && closingQuote(t[:w.end], w.start, 0, c == '\'') == w.end-1 {
			return word{w.start + 1, w.end - 1, c}
		}
	}
	return w
}

// literalRuns gives the parts of t[start:end] that are no expansion.
func literalRuns(t string, start, end int, verbatim bool) (runs [][2]int) {
	if verbatim {
		return [][2]int{{start, end}}
	}
	from := start
	cut := func(i, j int) {
		if i > from {
			runs = append(runs, [2]int{from, i})
		}
		from = j
	}
	for i := start; i < end; {
		j := expansionEnd(t[:end], i)
		if j > i {
			cut(i, j)
			i = j
			continue
		}
		if t[i] == '\\' {
			i++
		}
		i++
	}
	cut(end, end)
	return runs
}

// expansionEnd: an expansion stands at i and ends there; else i.
func expansionEnd(t string, i int) int {
	switch {
	case t[i] == '`':
		if end := closingQuote(t, i, 0, false); end > 0 {
			return end + 1
		}
	case (t[i] == '<' || t[i] == '>') && i+1 < len(t) && t[i+1] == '(':
		return min(len(t), closeParen(t, i+1)+1)
	case t[i] == '$' && i+1 < len(t):
		switch c := t[i+1]; {
		case c == '(':
			return min(len(t), closeParen(t, i+1)+1)
		case c == '{':
			if end := strings.IndexByte(t[i:], '}'); end > 0 {
				return i + end + 1
			}
		case isAlpha(c) || c == '_':
			j := i + 1
			for j < len(t) && (isAlnum(t[j]) || t[j] == '_') {
				j++
			}
			return j
		case isDigit(c):
			return i + 2
		}
	}
	return i
}
