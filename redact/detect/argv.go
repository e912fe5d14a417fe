package detect

import (
	"encoding/hex"
	"strings"
)

// Layer 2 where a command line is written as a list of its arguments: by the audit
// daemon, strace, a container's description.

// maxLists is how many argument lists of one line are looked at, maxListed how many
// arguments of each.
const maxLists, maxListed = 64, 1024

// argumentsAt reads the list whose mark was found at [pos,end).
func (l *line) argumentsAt(pos, end int) {
	t := l.text
	if l.tooManyHere(&l.lists, maxLists, end) {
		return
	}
	switch mark := strings.ToLower(t[pos:end]); mark {
	case "proctitle=":
		l.hexWords(end)
		return
	case "a0=":
		if pos == 0 || isSpace(t[pos-1]) {
			l.argumentList(auditWords(t, pos))
		}
		return
	}
	open := strings.IndexByte(t[end:min(len(t), end+80)], '[')
	if open >= 0 && strings.Trim(t[end:end+open], " :=\t\"") == "" || open >= 0 && strings.HasSuffix(t[pos:end], "execve(") {
		l.argumentList(listedWords(t, end+open+1))
	}
}

// auditWords gives the words of a0="mysql" a1="-u" a2=2D70….
func auditWords(t string, i int) (ws []word) {
	for i+3 < len(t) && t[i] == 'a' && isDigit(t[i+1]) && len(ws) < maxListed {
		eq := strings.IndexByte(t[i:min(len(t), i+5)], '=')
		if eq < 0 {
			break
		}
		i += eq + 1
		w := word{start: i, end: i}
		if i < len(t) && t[i] == '"' {
			k := strings.IndexByte(t[i+1:], '"')
			if k < 0 {
				break
			}
			w = word{i + 1, i + 1 + k, '"'}
			i = w.end + 1
		} else {
			for i < len(t) && !isSpace(t[i]) {
				i++
			}
			w.end = i
			if hexRun(t, w.start) != i || (i-w.start)%2 != 0 || strings.ToUpper(t[w.start:i]) != t[w.start:i] || i-w.start < 4 {
				w.quote = ' ' // written out, as ausearch -i does
			}
		}
		ws = append(ws, w)
		i = skipBlanks(t, i)
	}
	return ws
}

// listedWords gives the strings of a list that goes on at i: "mysql", "-uroot"].
func listedWords(t string, i int) (ws []word) {
	for len(ws) < maxListed {
		i = skipBlanks(t, i)
		esc := i < len(t) && t[i] == '\\'
		q := i + b2i(esc)
		if q >= len(t) || t[q] != '"' && t[q] != '\'' {
			break
		}
		end := closingQuote(t, q, b2i(esc), false)
		if end < 0 {
			break
		}
		ws = append(ws, word{q + 1, end - b2i(esc), t[q]})
		if i = skipBlanks(t, end+1); i >= len(t) || t[i] != ',' {
			break
		}
		i++
	}
	return ws
}

// argumentList looks at the words as one command line.
func (l *line) argumentList(ws []word) {
	if len(ws) < 2 || l.s.depth >= maxDepth {
		return
	}
	text := []byte("$ ")
	at := []int{ws[0].start, ws[0].start}
	put := func(s string, from, step int) {
		for i := range len(s) {
			text, at = append(text, s[i]), append(at, from+step*i)
		}
	}
	for i, w := range ws {
		raw := l.text[w.start:w.end]
		if i > 0 {
			put(" ", ws[i-1].end, 0)
		}
		if w.quote == 0 { // hexadecimal: all of it stands for the word
			if b, err := hex.DecodeString(raw); err == nil && isText(b) {
				l.hexWord(w, string(b), string(text))
				put("x", w.start, 0)
				continue
			}
		}
		if blank := strings.ContainsAny(raw, " \t;|&"); blank && strings.IndexByte(raw, '\'') < 0 {
			put("'", w.start, 0)
			put(raw, w.start, 1)
			put("'", w.end, 0)
		} else {
			put(raw, w.start, 1)
		}
	}
	l.nested(string(text), append(at, ws[len(ws)-1].end))
}

// hexWord masks an argument in hexadecimal that the command line so far makes a secret.
func (l *line) hexWord(w word, d, before string) {
	if l.holdsSecret(before + "'" + d + "'") {
		l.add(Span{Start: w.start, End: w.end, Kind: "encoded", rank: rankForm})
	}
}

// nested looks at a text that was made of the line; at gives the offset of each byte.
func (l *line) nested(text string, at []int) {
	s := NewScanner()
	s.depth = l.s.depth + 1
	s.Push(text, 0, len(text))
	s.End()
	for _, sp := range merge(s.found) {
		end := at[sp.End-1] + 1
		if sp.End < len(at) && at[sp.End] > at[sp.End-1] {
			end = at[sp.End]
		}
		l.add(Span{Start: at[sp.Start], End: end, Kind: sp.Kind, Sure: sp.Sure, rank: rankGuess})
	}
}

// hexWords: proctitle=6D7973716C00…, words in hexadecimal with a zero byte between.
func (l *line) hexWords(i int) {
	end := hexRun(l.text, i)
	if l.s.depth >= maxDepth || end-i < minEncoded || end-i > maxDecoded {
		return
	}
	b, err := hex.DecodeString(l.text[i:end])
	if err != nil {
		return
	}
	if d := strings.ReplaceAll(string(b), "\x00", " "); isText([]byte(d)) && l.holdsSecret("$ "+d) {
		l.add(Span{Start: i, End: end, Kind: "encoded", rank: rankForm})
	}
}
