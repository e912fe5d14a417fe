package detect

import "strings"

// Layer 3: private keys in armour, whole, cut off at either end, or written as one line.

// pemState is an open armour, or lines that may be one whose beginning is not seen.
type pemState struct {
	start   int  // of an open private armour, or -1
	end     int  // behind its last line so far
	public  bool // inside a certificate or public key: nothing to mask
	lines   int  // of a public one
	body    int  // of lines that look like a key's body, or -1
	bodyEnd int
	text    []byte // of the body: it may be base64 of something else
	width   int    // of a private key's lines without armour, or 0
	short   bool   // one of them was shorter: it was the last
}

const maxPublicLines = 2000 // a certificate has fewer

// pemAt handles a BEGIN found at pos.
func (l *line) pemAt(pos int) {
	t := l.text
	head := t[pos:min(len(t), pos+80)]
	nl := strings.Index(head[5:], "---")
	if nl < 0 {
		return
	}
	label := strings.ToUpper(head[:5+nl])
	if l.lastEnd == unknown {
		l.lastEnd = strings.LastIndex(t, "-----END")
	}
	if !strings.Contains(label, "PRIVATE KEY") && !strings.Contains(label, "STATIC KEY") {
		l.s.pem.public = l.lastEnd < pos && strings.Contains(label, "BEGIN ")
		l.s.pem.lines = 0
		return
	}
	if l.lastEnd > pos || !strings.HasPrefix(head, "-----") {
		if k := endMark(t, pos+5); k > 0 {
			l.add(Span{Start: pos, End: k, Kind: "private-key", Sure: true, rank: rankBlock})
			return
		}
	}
	rest := t[pos+5+nl:]
	rest = rest[len(rest)-len(strings.TrimLeft(rest, "-")):]
	if strings.TrimSpace(rest) != "" && len(rest) > 2 {
		end := pos + len(t[pos:]) - len(rest) + bodyRun(rest)
		l.add(Span{Start: pos, End: end, Kind: "private-key", Sure: true, rank: rankBlock})
		return
	}
	l.s.pem = pemState{start: l.base + pos, end: l.base + len(t), body: -1}
}

// endMark finds the end of -----END … PRIVATE KEY----- behind i.
func endMark(t string, i int) int {
	for {
		k := strings.Index(t[i:], "END ")
		if k < 0 {
			return -1
		}
		i += k
		tail := t[i:min(len(t), i+60)]
		p, n := strings.Index(tail, "PRIVATE KEY"), len("PRIVATE KEY")
		if p < 0 {
			p, n = strings.Index(tail, "Static key V1"), len("Static key V1")
		}
		if p >= 0 {
			j := i + p + n
			j += len(t[j:]) - len(strings.TrimPrefix(t[j:], " BLOCK"))
			for j < len(t) && (t[j] == '-' || t[j] == ' ' && strings.HasPrefix(t[j+1:], "-")) {
				j++
			}
			return j
		}
		i += 4
	}
}

// bodyRun is the length of a key's body written on one line.
func bodyRun(t string) int {
	i := 0
	for i < len(t) {
		switch {
		case isAlnum(t[i]) || strings.IndexByte("+/= ", t[i]) >= 0:
			i++
		case t[i] == '\\' && i+1 < len(t) && (t[i+1] == 'n' || t[i+1] == 'r' || t[i+1] == '\\'):
			i += 2
		default:
			return i
		}
	}
	return i
}

// inKey takes the line if it belongs to an open armour; true: it needs no other look.
func (s *Scanner) inKey(l *line) bool {
	t := l.text
	if s.pem.public {
		s.pem.lines++
		if strings.Contains(t, "-----END") || s.pem.lines > maxPublicLines || !isArmour(t) {
			s.pem.public = false
			return strings.Contains(t, "-----END")
		}
		return true
	}
	switch {
	case s.pem.start >= 0 && s.pem.width > 0 && !strings.Contains(l.text, "-----"):
		return s.inBare(l)
	case s.pem.start >= 0:
		return s.inPrivate(l)
	}
	return s.bareKey(l) || s.inBody(l)
}

func (s *Scanner) inPrivate(l *line) bool {
	t := l.text
	if k := endMark(t, 0); k >= 0 && strings.Contains(t, "--") {
		s.pem.end = l.base + k
		s.endPEM()
		return true
	}
	if !isArmour(t) && !(s.partial && len(t) == bodyRun(t)) {
		s.endPEM()
		return false
	}
	if strings.TrimSpace(t) != "" {
		s.pem.end = l.base + len(t)
	}
	return true
}

func (s *Scanner) endPEM() {
	if s.pem.start >= 0 {
		s.found = append(s.found, Span{Start: s.pem.start, End: s.pem.end, Kind: "private-key", Sure: true, rank: rankBlock})
	}
	s.pem.start, s.pem.width, s.pem.short = -1, 0, false
}

// isArmour: a line of a key's body, however indented, quoted or prefixed, one of its
// headers, or an empty one.
func isArmour(t string) bool {
	if len(t) > 0 && (t[0] == ' ' || isDigit(t[0])) && len(t) < 120 {
		t = t[len(lineNumber.FindString(t)):]
	}
	t = strings.Trim(t, " \t\"',+|>")
	t = strings.TrimSuffix(t, `\n`)
	t = strings.TrimSuffix(t, `\`)
	t = strings.Trim(t, " \"'")
	if t == "" {
		return true
	}
	for _, h := range [...]string{"Proc-Type:", "DEK-Info:", "Comment:", "Version:", "Subject:", "Hash:", "Charset:", "Content-Domain:", "X-"} {
		if strings.HasPrefix(t, h) {
			return true
		}
	}
	for i := 0; i < len(t); i++ {
		if !isAlnum(t[i]) && t[i] != '+' && t[i] != '/' && t[i] != '=' && t[i] != '-' && t[i] != '_' {
			return false
		}
	}
	return len(t) >= 16 || strings.ContainsAny(t, "=+/") || len(t) >= 4 && countClasses(t).upper > 0 && countClasses(t).lower > 0
}

// isBodyLine: a full line of base64.
func isBodyLine(t string) bool {
	t = strings.TrimLeft(t, " \t")
	if len(t) < 60 || len(t) > 80 {
		return false
	}
	for i := 0; i < len(t); i++ {
		if !isAlnum(t[i]) && t[i] != '+' && t[i] != '/' {
			return false
		}
	}
	return countClasses(t).upper > 2 && countClasses(t).lower > 2
}

// inBody holds lines of base64 until the line that ends them says whether they are a
// key's.
func (s *Scanner) inBody(l *line) bool {
	t := l.text
	if s.pem.body < 0 {
		if !isBodyLine(t) {
			return false
		}
		s.pem.body = l.base + len(t) - len(strings.TrimLeft(t, " \t"))
		s.pem.bodyEnd = l.base + len(t)
		s.pem.text = append(s.pem.text, strings.TrimSpace(t)...)
		return false
	}
	if k := endMark(t, 0); k >= 0 && strings.Contains(t, "--") {
		s.pem.bodyEnd = l.base + k
		s.endBody(true)
		return true
	}
	if !isArmour(t) || strings.TrimSpace(t) == "" {
		s.endBody(false)
		return false
	}
	s.pem.bodyEnd = l.base + len(t)
	s.pem.text = append(s.pem.text, strings.TrimSpace(t)...)
	return isBodyLine(t)
}

func (s *Scanner) endBody(private bool) {
	if s.pem.body >= 0 && !private && len(s.pem.text) < maxDecoded && s.depth < maxDepth {
		if d, ok := decodeBase64(string(s.pem.text)); ok && (&line{s: s}).holdsSecret(d) {
			s.found = append(s.found, Span{Start: s.pem.body, End: s.pem.bodyEnd, Kind: "encoded", rank: rankGuess})
		}
	}
	s.pem.text = s.pem.text[:0]
	if private && s.pem.body >= 0 {
		s.found = append(s.found, Span{Start: s.pem.body, End: s.pem.bodyEnd, Kind: "private-key", Sure: true, rank: rankBlock})
	}
	s.pem.body = -1
}
