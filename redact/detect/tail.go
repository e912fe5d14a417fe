package detect

// tailState is a vendor's token that a line's end cut in two, as a terminal of fixed
// width does that writes a real line break.
type tailState struct {
	start int // offset in all, or -1
	text  string
	v     *vendor
}

const minWrapped = 40 // columns; no terminal in use is narrower

// openTail remembers a token that begins at start, fits no shape yet, and touches the
// end of its line.
func (l *line) openTail(v *vendor, start int) {
	t := l.text
	if len(t) < minWrapped || l.s.tail.start >= 0 || start > 0 && (isAlnum(t[start-1]) || t[start-1] == '_') {
		return
	}
	for i := start; i < len(t); i++ {
		if !isTokenByte(t[i]) {
			return
		}
	}
	l.s.tail = tailState{start: l.base + start, text: t[start:], v: v}
}

// tailNext tries the token with what this line begins with.
func (s *Scanner) tailNext(l *line) {
	tail := s.tail
	if tail.start < 0 {
		return
	}
	s.endTail()
	n := 0
	for n < len(l.text) && n < maxToken && isTokenByte(l.text[n]) {
		n++
	}
	if n == 0 {
		return
	}
	m := tail.v.re.FindStringIndex(tail.text + l.text[:n])
	if m == nil || m[1] <= len(tail.text) {
		return
	}
	s.found = append(s.found, Span{Start: tail.start, End: l.base + m[1] - len(tail.text), Kind: tail.v.Kind, Sure: true, rank: rankVendor})
}

// maskTail masks a token whose rest did not come in time.
func (s *Scanner) maskTail() {
	if s.tail.start >= 0 {
		s.found = append(s.found, Span{Start: s.tail.start, End: s.tail.start + len(s.tail.text), Kind: s.tail.v.Kind, rank: rankVendor})
	}
	s.endTail()
}

func (s *Scanner) endTail() { s.tail = tailState{start: -1} }
