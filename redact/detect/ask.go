package detect

import "strings"

// Layer 7: a password that was typed where the shell and not its program read it: after
// "Sorry, try again." a lone word at the prompt that is no command.

type askState struct {
	armed int // lines since a program refused a password
	start int // of the lone word that waits for the shell's answer, or -1
	end   int
	word  string
}

// askNext follows refusals, lone words and the shell's answers.
func (s *Scanner) askNext(l *line) {
	t := l.text
	if s.ask.start >= 0 {
		if k := strings.Index(t, s.ask.word); k >= 0 && isNotFound(t) {
			s.found = append(s.found, Span{Start: s.ask.start, End: s.ask.end, Kind: "password", Sure: true, rank: rankKey})
			l.add(Span{Start: k, End: k + len(s.ask.word), Kind: "password", Sure: true, rank: rankKey})
		}
		s.endAsk()
		return
	}
	if refusesPassword(t) {
		s.ask.armed = 6
		return
	}
	if s.ask.armed == 0 {
		return
	}
	s.ask.armed--
	if l.cmd < 0 {
		return
	}
	if f, at := fields(t[l.cmd:], 2); len(f) == 1 && len(f[0]) >= 4 {
		s.ask.start, s.ask.word = l.base+l.cmd+at[0], f[0]
		s.ask.end = s.ask.start + len(f[0])
	}
}

// maskAsk masks the word if the shell's answer did not come in time and it is no name of
// a program.
func (s *Scanner) maskAsk() {
	if s.ask.start >= 0 && strings.Trim(s.ask.word, "abcdefghijklmnopqrstuvwxyz-_") != "" {
		s.found = append(s.found, Span{Start: s.ask.start, End: s.ask.end, Kind: "password", rank: rankKey})
	}
	s.endAsk()
}

func (s *Scanner) endAsk() { s.ask.start, s.ask.word = -1, "" }

func refusesPassword(t string) bool {
	if len(t) > 200 || len(t) < 9 {
		return false
	}
	switch t[0] {
	case 'S', '[', 'P', 's', 'L', 'p', 'A':
	default:
		return false
	}
	return strings.HasPrefix(t, "Sorry, try again") || strings.HasPrefix(t, "[sudo] password") || strings.HasPrefix(t, "Password:") ||
		strings.Contains(t, "incorrect password") || strings.HasPrefix(t, "su: Authentication failure") || strings.HasPrefix(t, "Login incorrect") ||
		strings.HasPrefix(t, "Permission denied, please try again")
}

func isNotFound(t string) bool {
	return strings.Contains(t, "not found") || strings.Contains(t, "Unknown command") || strings.Contains(t, "No such file") || strings.Contains(t, "not recognized")
}
