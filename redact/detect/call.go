package detect

import "strings"

// Layer 1 in programs: a function whose Nth argument is a password. The table is
// data/calls.toml.

// function says which of its arguments is a secret.
type function struct {
	Names []string `toml:"names"` // with the parenthesis that opens
	N     int      `toml:"n"`     // of the secret, from 1
}

func loadFunctions() []function {
	var file struct{ Function []function }
	loadTable("data/calls.toml", &file)
	return file.Function
}

const maxCalls = 256 // of one line

// callAt masks the argument of function n whose list begins at i.
func (l *line) callAt(n, i int) {
	if l.tooManyHere(&l.calls, maxCalls, i) {
		return
	}
	t := l.text
	f := &l.s.eng.functions[n]
	for k := 1; ; k++ {
		i = skipBlanks(t, i)
		if i >= len(t) {
			return
		}
		if k == f.N {
			l.stringArgument(i)
			return
		}
		if i = argumentEnd(t, i); i >= len(t) || t[i] != ',' {
			return
		}
		i++
	}
}

func (l *line) stringArgument(i int) {
	v, ok := l.readString(i, false)
	raw := l.text[v.start:v.end]
	if ok && v.quoted && judge(raw, true) >= valueMixed && !strings.Contains(raw, "://") && !looksLikeHost(raw) {
		l.add(Span{Start: v.start, End: v.end, Kind: "password", Sure: true, rank: rankKey})
	}
}

// argumentEnd gives the offset of the comma or parenthesis that ends the argument at i.
func argumentEnd(t string, i int) int {
	depth := 0
	for limit := min(len(t), i+256); i < limit; i++ {
		switch c := t[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		case '\'', '"':
			if end := closingQuote(t[:limit], i, 0, false); end > 0 {
				i = end
			}
		}
	}
	return len(t)
}
