package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sallyport/policy/runes"
)

// A finding is one class of the raw text and where it was first seen.
type finding struct {
	class string
	span  [2]int
}

// paddingRun is how many blanks in a row count as padding: what stands
// behind them is off the screen.
const paddingRun = 60

// textFindings classifies the raw text, before anything is parsed.
func textFindings(text string) []finding {
	s := &textScan{text: text}
	s.padding()
	if i := strings.IndexByte(strings.TrimRight(text, "\n"), '\n'); i >= 0 {
		s.add("newline", i, i+1)
	}
	if i := strings.Index(text, "<redacted:"); i >= 0 {
		s.add("placeholder", i, i+len("<redacted:"))
	}
	if plainASCII(text) {
		return s.found
	}
	s.runes()
	return s.found
}

// plainASCII reports text of printable ASCII, newlines and tabs alone.
func plainASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7f || c < 0x20 && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

type textScan struct {
	text  string
	found []finding
}

func (s *textScan) add(class string, from, to int) {
	for _, f := range s.found {
		if f.class == class {
			return
		}
	}
	s.found = append(s.found, finding{class, [2]int{from, to}})
}

func (s *textScan) padding() {
	run := 0
	for i := 0; i < len(s.text); i++ {
		switch s.text[i] {
		case ' ', '\t':
			if run++; run == paddingRun {
				s.add("long_padding", i+1-run, i+1)
			}
		case '\n':
			if i > 8 && strings.HasSuffix(s.text[:i], "\n\n\n\n\n\n\n\n") {
				s.add("long_padding", i-8, i)
			}
			run = 0
		default:
			run = 0
		}
	}
}

// runes walks the text once with the characters around each.
func (s *textScan) runes() {
	prev, quote := rune(0), rune(0)
	for i := 0; i < len(s.text); {
		r, n := utf8.DecodeRuneInString(s.text[i:])
		if r == utf8.RuneError && n == 1 {
			s.add("invalid", i, i+1)
			i++
			continue
		}
		next, _ := utf8.DecodeRuneInString(s.text[i+n:])
		s.single(i, n, prev, r, next, quote != 0)
		if unicode.IsLetter(r) {
			end := s.token(i, quote != 0)
			prev, _ = utf8.DecodeLastRuneInString(s.text[:end])
			i = end
			continue
		}
		quote = nextQuote(quote, r, prev)
		prev = r
		i += n
	}
}

func nextQuote(quote, r, prev rune) rune {
	switch {
	case quote == 0 && (r == '\'' || r == '"') && prev != '\\':
		return r
	case quote == r && (r == '\'' || prev != '\\'):
		return 0
	}
	return quote
}

// single judges one character by itself.
func (s *textScan) single(i, n int, prev, r, next rune, quoted bool) {
	switch runes.Of(r) {
	case runes.Control:
		s.add("control", i, i+n)
	case runes.Bidi:
		s.add("bidi", i, i+n)
	case runes.Invisible:
		if !runes.Joins(prev, r, next) || prev < 0x80 && unicode.IsLetter(prev) {
			s.add("invisible", i, i+n)
		}
	case runes.Private:
		s.add("invisible", i, i+n)
	case runes.Space:
		if !quoted || !cjk(prev) && !cjk(next) {
			s.add("foreign_space", i, i+n)
		}
	case runes.Confusable:
		if !unicode.IsLetter(r) && !quoted && !cjk(prev) && !cjk(next) && (!typographic(r) || beginsOption(prev, r, next)) {
			s.add("mixed_script", i, i+n)
		}
	}
}

// typographic marks stand in ordinary prose.
func typographic(r rune) bool {
	return strings.ContainsRune("‘’“”…«»‹›•·–—", r)
}

// beginsOption reports a dash of prose in front of a word: it stands where an
// option's dash does, and is none.
func beginsOption(prev, r, next rune) bool {
	return (r == '–' || r == '—') && (prev == ' ' || prev == '\t' || prev == '–' || prev == '—') && next != ' ' && next != '\t' && next != utf8.RuneError && next < 0x2000
}

func cjk(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60
}

// token judges one run of letters: ASCII mixed with look-alikes.
func (s *textScan) token(start int, quoted bool) int {
	l, n := lettersOf(s.text[start:])
	if l.alike > 0 && l.ascii > 0 && (l.other == 0 || !quoted) {
		s.add("mixed_script", start, start+n)
	}
	if l.ascii > 0 && strings.IndexFunc(s.text[start:start+n], isVariation) >= 0 {
		s.add("invisible", start, start+n)
	}
	return start + n
}

// isVariation reports a variation selector: behind a letter it shows nothing.
func isVariation(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// letterCount says what a run of letters is made of.
type letterCount struct{ ascii, alike, other int }

// lettersOf counts the run of letters at the start of text, and its bytes.
func lettersOf(text string) (letterCount, int) {
	var l letterCount
	i := 0
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		switch {
		case r < 0x80:
			l.ascii++
		case runes.Skeleton(r) != r:
			l.alike++
		default:
			l.other++
		}
		i += n
	}
	return l, i
}

// looksLike reports a program's name that is all look-alikes: nothing in it
// is of another script, as a real word would be.
func looksLike(name string) bool {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	l, _ := lettersOf(name)
	return l.alike > 0 && l.other == 0
}

// hidden reports a character that is not seen, or not as what it is.
func hidden(r rune) bool {
	switch runes.Of(r) {
	case runes.Plain, runes.Confusable:
		return false
	}
	return true
}
