package detect

// maxFigure is the longest line that Figures takes: what is shorter is no part of a key,
// no encoded text, and does not reach the margin of a terminal.
const maxFigure = minEncoded - 1

// Figures gives the length of the lines at the front of a text, with their ends, that
// hold digits and blanks alone, are shorter than width (0: any) and change nothing in the
// scanner: no detector is called by them, and none waits for them.
func (s *Scanner) Figures(text string, width int) (n int) {
	if !s.idle() {
		return 0
	}
	limit := maxFigure
	if width > 0 {
		limit = min(limit, width-1)
	}
	for n < len(text) {
		end := n
		for end < len(text) && (isDigit(text[end]) || text[end] == ' ') {
			end++
		}
		if end-n > limit {
			return n
		}
		if end < len(text) && text[end] == '\r' {
			end++
		}
		if end == len(text) || text[end] != '\n' {
			return n
		}
		n = end + 1
	}
	return n
}

// Skip goes over n bytes that Figures has seen.
func (s *Scanner) Skip(n int) { s.front += n }

// idle tells whether nothing of earlier lines waits for the next one.
func (s *Scanner) idle() bool {
	open := s.pem.start >= 0 || s.pem.body >= 0 || s.pem.public || s.kube.start >= 0 || s.kube.inside ||
		s.ask.start >= 0 || s.ask.armed > 0 || s.tail.start >= 0 || s.next != want{} || s.named.left > 0 ||
		s.table.left > 0 || s.out.mode != outNothing || s.out.keyFile || s.dump.pure || len(s.dump.text) > 0
	lines := s.netrc + s.logins + s.expect + s.codes + s.server + s.reply + s.secretLines + s.typed.left + s.listed.left + s.device.left
	return !open && lines == 0 && !s.partial
}
