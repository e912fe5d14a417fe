package detect

import "strings"

// Layer 2: a password that goes through a pipe into a program that reads one.

// maxPipes is how many of the readers in one command are looked at.
const maxPipes = 64

// pipeAt looks at both sides of the reader found at [pos,end).
func (l *line) pipeAt(pos, end int) {
	t := l.text
	if pos > 0 && isAlnum(t[pos-1]) || !readsPassword(t, pos, end) {
		return
	}
	if pos >= l.pipeEnd {
		l.pipeEnd, l.pipes = commandEnd(t, pos, end), 0
	}
	if l.tooMany(&l.pipes, maxPipes, min(pos, l.pipeEnd), l.pipeEnd) {
		return
	}
	login := strings.HasPrefix(strings.ToLower(t[pos:end]), "chpasswd")
	if bar := strings.LastIndexByte(t[max(0, pos-2048):pos], '|'); bar > 0 {
		l.echoed(max(0, pos-2048)+bar, login)
	}
	stop := l.pipeEnd
	if k := strings.Index(t[end:stop], "<<<"); k >= 0 {
		if ws := words(t, end+k+3, stop, 1); len(ws) > 0 {
			l.pipedWord(ws[0], login)
		}
	} else if k := strings.Index(t[end:stop], "<<"); k >= 0 && !login {
		l.s.typed = typed{end: strings.Trim(firstWord(t[end+k+2:]), "-'\"\\"), left: maxTyped}
	}
}

// typed is a here-document for a program that reads passwords: its lines are what would
// be typed.
type typed struct {
	end  string // the line that ends it
	left int
}

const maxTyped = 64

// typedNext masks a line of it. Answers of one letter stay.
func (s *Scanner) typedNext(l *line) {
	if s.typed.left == 0 {
		return
	}
	s.typed.left--
	t := strings.TrimSpace(l.text)
	if t == s.typed.end || l.cmd >= 0 {
		s.typed = typed{}
		return
	}
	if len(t) < 4 || judge(t, true) == valueNone {
		return
	}
	from := strings.Index(l.text, t)
	l.add(Span{Start: from, End: from + len(t), Kind: "password", Sure: strongEnough(t), rank: rankCommand})
}

func firstWord(t string) string {
	f, _ := fields(t, 1)
	if len(f) == 0 {
		return ""
	}
	return f[0]
}

func readsPassword(t string, pos, end int) bool {
	rest := t[end:min(len(t), end+160)]
	switch strings.ToLower(t[pos:end]) {
	case "sudo":
		f, _ := fields(rest, 6)
		for _, w := range f {
			if len(w) < 2 || w[0] != '-' {
				return false
			}
			if w == "--stdin" || w[1] != '-' && strings.Contains(w, "S") {
				return true
			}
		}
		return false
	case "passwd", "smbpasswd", "kinit", "vncpasswd", "chpasswd", "cryptsetup", "realm join", "kadmin", "kpasswd":
		return rest == "" || isSpace(rest[0]) || strings.IndexByte("|;&\"')", rest[0]) >= 0
	case "sshpass":
		return false
	}
	return true
}

// maxGroup is how many commands of a group in front of a pipe are looked at, from its end.
const maxGroup = 64

// echoed masks what is written into the pipe at bar: by one command, or by those of a
// group, as in (echo X; echo X) | passwd.
func (l *line) echoed(bar int, login bool) {
	t := l.text
	end := len(strings.TrimRight(t[:bar], " "))
	open := groupStart(t, end)
	if open < 0 {
		cuts := groupCommands(t, max(l.cmd-1, bar-2048, -1), bar)
		l.echoedBy(cuts[len(cuts)-2]+1, bar, login)
		return
	}
	cuts := groupCommands(t, open, end-1)
	if from := cuts[0]; from > open {
		l.add(Span{Start: open + 1, End: from, Kind: "overlong", rank: rankGuess})
	}
	for n := len(cuts) - 1; n > 0; n-- {
		l.echoedBy(cuts[n-1]+1, cuts[n], login)
	}
}

// groupCommands gives the signs between which the last commands of the group that begins
// at open and ends at end stand: those in quotes are text.
func groupCommands(t string, open, end int) (cuts []int) {
	cuts = append(cuts, open)
	for i := open + 1; i < end; i++ {
		switch c := t[i]; c {
		case ';', '&', '|', '(', ')':
			cuts = append(cuts, i)
		case '\\':
			i++
		case '\'', '"':
			if k := strings.IndexByte(t[i+1:end], c); k >= 0 {
				i += k + 1
			} else {
				i = end
			}
		}
	}
	cuts = append(cuts, end)
	return cuts[max(0, len(cuts)-maxGroup):]
}

// groupStart finds the parenthesis or brace that opens the group ending at end, or where they do
// not match, as when one is quoted, the first in reach.
func groupStart(t string, end int) int {
	if end == 0 || t[end-1] != ')' && t[end-1] != '}' {
		return -1
	}
	shut, begin := t[end-1], byte('(')
	if shut == '}' {
		begin = '{'
	}
	open := -1
	for i, depth := end-1, 0; i >= max(0, end-2048); i-- {
		switch t[i] {
		case shut:
			depth++
		case begin:
			open = i
			if depth--; depth == 0 {
				return open
			}
		}
	}
	return open
}

// echoedBy masks what the echo or printf in [seg,bar) writes.
func (l *line) echoedBy(seg, bar int, login bool) {
	t := l.text
	for _, name := range [...]string{"echo ", "printf ", "print ", "yes "} {
		k := strings.LastIndex(t[seg:bar], name)
		if k < 0 || k > 0 && isAlnum(t[seg+k-1]) {
			continue
		}
		ws := words(t, seg+k+len(name), bar, maxWords)
		format := name == "printf " && len(ws) > 1 && strings.Contains(t[ws[0].start:ws[0].end], ":%s")
		for i, w := range ws {
			raw := t[w.start:w.end]
			if format && i == len(ws)-1 { // printf 'bob:%s' SECRET
				l.pipedWord(w, false)
			}
			if raw == "" || raw[0] == '-' && len(raw) <= 3 || name == "printf " && i == 0 && len(ws) > 1 {
				continue
			}
			l.pipedWord(w, login)
		}
		return
	}
}

func (l *line) pipedWord(w word, login bool) {
	raw := l.text[w.start:w.end]
	if login {
		u, p, ok := strings.Cut(raw, ":")
		if !ok || p == "" {
			return
		}
		w.start += len(u) + 1
	}
	if n := len(raw); n > 2 && strings.HasSuffix(raw, `\n`) {
		w.end -= 2
	}
	if w.end > w.start {
		l.secretWord(w, "")
	}
}
