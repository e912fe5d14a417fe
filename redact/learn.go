package redact

import "strings"

// learnFound remembers a value that a target printed in a secret position, if it is no
// ordinary word, name or path: a host must not be able to make these unreadable.
func (r *Redactor) learnFound(value, kind string) {
	if r.target == "" || kind == "private-key" || len(value) < minFromOutput || len(value) > 4096 || !unusual(value) {
		return
	}
	if strings.Contains(r.target, value) || strings.Contains(value, r.target) {
		return
	}
	r.mem.learnFrom(r.target, value, kind)
}

const (
	minKeyLine  = 16  // a shorter line of a key is not remembered
	maxKeyLines = 256 // of one key
)

// learnKey remembers the lines of a private key that a target printed, so that any of
// them is known again where it stands alone: on a screen that lost the others.
func (r *Redactor) learnKey(value string, lines []string) {
	if r.target == "" {
		return
	}
	var body []string
	for _, l := range lines[:min(len(lines), maxKeyLines)] {
		fields := strings.Fields(l)
		if len(fields) == 0 {
			continue
		}
		if l = strings.Trim(fields[len(fields)-1], "\"',\\"); isKeyBody(l) {
			body = append(body, l)
		}
	}
	r.mem.learnLines(r.target, value, body)
}

// isKeyBody: base64 that no word, name or digest looks like.
func isKeyBody(l string) bool {
	for _, c := range strings.TrimRight(l, "=") {
		if c >= 0x80 || charClass(byte(c)) == 4 && c != '+' && c != '/' {
			return false
		}
	}
	return len(l) >= minKeyLine && irregular(l) && l != strings.ToLower(l) && l != strings.ToUpper(l)
}

// unusual: some part of the value, cut at the signs that join names, mixes letters with
// digits or cases as names do not.
func unusual(v string) bool {
	if strings.ContainsAny(v, "/\\ \t") && len(v) < 40 && strings.IndexByte(v, '/') == 0 {
		return false
	}
	for _, part := range strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("-_./:@ ", r) }) {
		if irregular(part) {
			return true
		}
	}
	return strings.ContainsAny(v, "!$%^&*+=?~#") && countLetters(v) > 3
}

// irregular: letters and digits that change between small letters, capitals and digits
// four times or more, as in no name of a thing.
func irregular(p string) bool {
	changes, last, digits := 0, 0, false
	for i := 0; i < len(p); i++ {
		c := charClass(p[i])
		if i > 0 && c != last {
			changes++
		}
		digits = digits || c == 3
		last = c
	}
	return len(p) >= 8 && changes >= 4 && digits
}

func charClass(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return 1
	case c >= 'A' && c <= 'Z':
		return 2
	case c >= '0' && c <= '9':
		return 3
	}
	return 4
}

func countLetters(v string) (n int) {
	for i := 0; i < len(v); i++ {
		if c := charClass(v[i]); c < 3 {
			n++
		}
	}
	return n
}
