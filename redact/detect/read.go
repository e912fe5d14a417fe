package detect

import "strings"

// How values are written: in quotes, as a word of a shell, bare.

// readValue reads what stands at i: a quoted string, a shell word, a bare value.
func (l *line) readValue(ks, i int, shell bool) value {
	t := l.text
	if v, ok := l.readString(i, shell); ok {
		if t[v.start-1] == '`' && strings.IndexByte(t[v.start:v.end], ' ') >= 0 {
			return value{start: i, end: i} // a command's output
		}
		return v
	}
	return l.readBare(ks, i)
}

// readString reads the quoted string at i, with what may stand before its quote.
func (l *line) readString(i int, shell bool) (value, bool) {
	t := l.text
	q := i
	if q < len(t) && strings.IndexByte("burfBURF$@", t[q]) >= 0 && q+1 < len(t) && (t[q+1] == '"' || t[q+1] == '\'') {
		q++
	}
	slashes := 0
	for q < len(t) && t[q] == '\\' && slashes < 8 {
		q++
		slashes++
	}
	if q >= len(t) || t[q] != '"' && t[q] != '\'' && t[q] != '`' {
		return value{}, false
	}
	return l.readQuoted(q, slashes, shell && slashes == 0)
}

// readQuoted reads a string whose opening quote stands at q behind n backslashes.
func (l *line) readQuoted(q, n int, shell bool) (value, bool) {
	t := l.text
	if strings.HasPrefix(t[q:], `"""`) {
		q += 2
	}
	limit := min(len(t), q+1+maxValue)
	end := closingQuote(t[:limit], q, n, shell && t[q] == '\'')
	if end < 0 {
		if n == 0 && strings.Count(t[max(0, q-200):q], t[q:q+1])%2 == 1 {
			return value{start: q, end: q}, true // it ends a string that began before the key
		}
		v := strings.TrimRight(t[q+1:limit], " \t\r")
		return value{start: q + 1, end: q + 1 + len(v), quoted: true, open: true}, v != ""
	}
	inner := end - n
	if shell {
		if stop := l.shellWordEnd(end + 1); stop > end+1 {
			return value{start: q + 1, end: stop, quoted: true}, true
		}
	}
	if inner <= q+1 {
		return value{start: q + 1, end: q + 1, quoted: true}, true
	}
	return value{start: q + 1, end: inner, quoted: true}, true
}

// closingQuote finds the quote that ends the string begun at q behind n backslashes.
func closingQuote(t string, q, n int, verbatim bool) int {
	c := t[q]
	for i := q + 1; i < len(t); i++ {
		k := strings.IndexByte(t[i:], c)
		if k < 0 {
			return -1
		}
		i += k
		s := 0
		for i-s-1 > q && t[i-s-1] == '\\' {
			s++
		}
		if c == '\'' && n == 0 && i > q+1 && i+1 < len(t) && t[i+1] == c && (i+2 >= len(t) || !isSpace(t[i+2])) {
			i++ // '' is one ' in YAML and SQL, and nothing in a shell
			continue
		}
		if verbatim || n == 0 && s%2 == 0 || n > 0 && s <= n {
			return i
		}
	}
	return -1
}

// shellWordEnd: a word goes on behind a closing quote, as in 'a'\”b'.
func (l *line) shellWordEnd(i int) int {
	t := l.text
	start := i
	for i < len(t) && i-start < maxValue {
		switch c := t[i]; {
		case isSpace(c) || strings.IndexByte(";&|)<>,]}", c) >= 0:
			return i
		case c == '\\' && i+1 < len(t):
			i += 2
		case c == '"' || c == '\'':
			end := closingQuote(t, i, 0, c == '\'')
			if end < 0 {
				return start
			}
			i = end + 1
			if i >= len(t) || isSpace(t[i]) || strings.IndexByte(";&|)", t[i]) >= 0 {
				return i - 1
			}
		default:
			i++
		}
	}
	return i
}

// readBare reads an unquoted value.
func (l *line) readBare(ks, i int) value {
	t := l.text
	query := l.inQuery(ks)
	list := ks > 0 && (t[ks-1] == ',' || t[ks-1] == ';')
	object := ks > 0 && t[ks-1] == '{'
	inString := -1
	j := i
loop:
	for j < len(t) && j-i < maxValue {
		switch c := t[j]; c {
		case ' ', '\t', '"', '`', '\n', '\r':
			break loop
		case '\\':
			if j+1 < len(t) && (t[j+1] == '"' || t[j+1] == '\'') {
				break loop
			}
			if j+1 < len(t) && (t[j+1] == 'n' || t[j+1] == 'r' || t[j+1] == 't') {
				if inString < 0 {
					inString = strings.Count(t[max(0, i-4096):i], `"`) % 2
				}
				if inString == 1 {
					break loop
				}
			}
		case '&':
			if query || nextIsKey(t, j+1) {
				break loop
			}
		case ';', ',':
			if list || object && nextIsMember(t, j+1) || j+1 >= len(t) || isSpace(t[j+1]) || t[j+1] == '"' || t[j+1] == '\'' || nextIsKey(t, j+1) {
				break loop
			}
		case '}':
			if j+1 < len(t) && strings.IndexByte(";,)]}", t[j+1]) >= 0 && strings.IndexByte(t[i:j], '{') < 0 && strings.IndexByte(t[max(0, ks-512):ks], '{') >= 0 {
				break loop // of an object in a program
			}
		case '<':
			if j+1 < len(t) && (t[j+1] == '/' || t[j+1] == '<') {
				break loop
			}
		}
		j++
	}
	end := trimBare(t, i, j, ks)
	rest := strings.TrimLeft(t[j:], " \t,;)")
	return value{start: i, end: end, more: rest != "" && rest[0] != '#' && rest[0] != '"' && !strings.HasPrefix(rest, "//")}
}

func (l *line) inQuery(ks int) bool {
	if ks == 0 {
		return false
	}
	switch l.text[ks-1] {
	case '?', '&':
		return true
	}
	word := l.text[max(0, ks-512):ks]
	word = word[strings.LastIndexAny(word, " \t\"'")+1:]
	return strings.ContainsAny(word, "?&") && strings.Contains(word, "=") || strings.Contains(word, "://") && strings.Contains(word, "?")
}

// nextIsMember: another member of an object, name:, follows.
func nextIsMember(t string, i int) bool {
	j := i
	for j < len(t) && j-i < 40 && (isAlnum(t[j]) || t[j] == '_' || t[j] == '$') {
		j++
	}
	return j > i && j < len(t) && t[j] == ':'
}

// nextIsKey: another key= or key: follows.
func nextIsKey(t string, i int) bool {
	n := 0
	i = skipBlanks(t, i)
	for i < len(t) && n < 40 && (isKeyByte(t[i]) || t[i] == ' ' && n > 0) {
		i++
		n++
	}
	return n > 0 && i < len(t) && t[i] == '='
}

// trimBare drops closing signs that belong to what is around the value.
func trimBare(t string, i, j, ks int) int {
	for j > i {
		v := t[i:j]
		switch c := v[len(v)-1]; c {
		case ',', ';', '|':
			j--
		case ')', ']', '}', '>':
			open := map[byte]string{')': "(", ']': "[", '}': "{", '>': "<"}[c]
			if strings.Count(v, open) >= strings.Count(v, string(c)) {
				return j
			}
			j--
		case '\'':
			if strings.Count(v, "'") != 1 || strings.Count(t[max(0, ks-512):ks], "'")%2 == 0 {
				return j
			}
			j--
		default:
			return j
		}
	}
	return j
}
