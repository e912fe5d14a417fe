package detect

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// Layer 3: lines of a private key without its armour, as head, tail and sed cut them
// out. They are known by the beginning of the key's own structure, or because the
// command before them reads a file whose name is a private key's.

const (
	minKey     = 40 // of base64 that a structure is looked for in
	maxKeyLine = 80 // of a key in lines; a longer one stands on one line
)

// keyNamed: a name that files with private keys have.
var keyNamed = lazily(`(?i)(^|[^a-z])(rsa|dsa|ecdsa|ed25519)|key\d*(\.\w+)?$|priv|\.(pem|p8|ppk)(\.\w+)?$|/\.ssh/`)

// publicNamed: a name that says that its file is no secret.
var publicNamed = lazily(`(?i)pub|cert|\.crt|chain|(^|[^a-z])ca([^a-z]|$)`)

// readsKey tells whether a command line names a private key's file.
func readsKey(cmd string) bool {
	for i, w := range strings.FieldsFunc(cmd, func(r rune) bool { return strings.ContainsRune(" \t;|&<>()\"'", r) }) {
		if i > 0 && w[0] != '-' && keyNamed.MatchString(w) && !publicNamed.MatchString(w) {
			return true
		}
	}
	return false
}

// lineMark is what nl, grep -n and diff put before a line.
var lineMark = lazily(`^\s*(\d+[:\t ]\s*|[<>+-] )?`)

// lineNumber is what cat -n, an editor and grep -n put before a line.
var lineNumber = lazily(`^ *\d{1,6}[ \t:]\s*`)

// keyPart gives the base64 of a line, without what may stand around it, and its place.
func keyPart(t string) (part string, from int) {
	if len(t) > 0 && !isAlnum(t[0]) || len(t) > 1 && t[0] <= '9' && strings.ContainsAny(t[:min(len(t), 10)], ": \t") {
		from = len(lineMark.FindString(t))
	}
	part = strings.TrimLeft(t[from:], "\"'")
	from = len(t) - len(part)
	part = strings.TrimRight(part, " \t\"',\\")
	body := strings.TrimRight(part, "=")
	for i := 0; i < len(body); i++ {
		if !isAlnum(body[i]) && body[i] != '+' && body[i] != '/' {
			return "", 0
		}
	}
	return part, from
}

// bareKey takes a line that begins a key, or is part of one, without armour.
func (s *Scanner) bareKey(l *line) bool {
	if !s.out.keyFile && !endsInWord(l.text, minKey) {
		return false
	}
	part, from := keyPart(l.text)
	if !beginsKey(part) && !s.isKeyLine(part) {
		return false
	}
	s.endBody(false)
	if len(part) > maxKeyLine {
		l.add(Span{Start: from, End: from + len(part), Kind: "private-key", Sure: true, rank: rankBlock})
		return true
	}
	s.pem = pemState{start: l.base + from, end: l.base + from + len(part), body: -1, text: s.pem.text, width: len(part)}
	return true
}

// endsInWord tells whether the last n bytes of a line are of one word.
func endsInWord(t string, n int) bool {
	if len(t) < n {
		return false
	}
	for i := len(t) - n; i < len(t); i++ {
		if c := t[i]; c == ' ' || c == '\t' || c == ':' {
			return false
		}
	}
	return true
}

// isKeyLine: a full line of what a command reads from a key's file, or the beginning of
// one that has not come to its end.
func (s *Scanner) isKeyLine(part string) bool {
	if !s.out.keyFile || !s.partial && len(part) != 64 && len(part) != 70 && len(part) != 76 {
		return false
	}
	c := countClasses(part)
	return len(part) >= minEncoded && c.upper > 2 && c.lower > 2 && (s.partial || distinct(part) >= 20)
}

func distinct(t string) (n int) {
	var seen [256]bool
	for i := 0; i < len(t); i++ {
		if !seen[t[i]] {
			seen[t[i]] = true
			n++
		}
	}
	return n
}

// inBare takes the lines of a key without armour, of which the last may be shorter.
func (s *Scanner) inBare(l *line) bool {
	part, from := keyPart(l.text)
	if part == "" || len(part) > maxKeyLine || s.pem.short || !isArmour(part) && !s.partial {
		s.endPEM()
		return s.inKey(l)
	}
	s.pem.end = l.base + from + len(part)
	s.pem.short = len(part) < s.pem.width
	return true
}

// beginsKey: base64 of the beginning of a private key's structure.
func beginsKey(part string) bool {
	if len(part) < minKey || part[0] != 'M' && part[0] != 'b' {
		return false
	}
	head, err := base64.StdEncoding.DecodeString(part[:minKey])
	return err == nil && (bytes.HasPrefix(head, []byte("openssh-key-v1\x00")) || beginsDER(head))
}

// beginsDER: PKCS #1 and #8 (a sequence with the version 0 first), SEC 1 (version 1 and
// an octet string as long as a curve's order), or an encrypted PKCS #8. A certificate
// and a public key have another sequence there.
func beginsDER(b []byte) bool {
	b = derBody(b)
	switch {
	case bytes.HasPrefix(b, []byte{2, 1, 0, 2}):
		return b[4] >= 0x40
	case bytes.HasPrefix(b, []byte{2, 1, 0, 0x30}), bytes.HasPrefix(b, []byte{2, 1, 1, 0x30}):
		return bytes.IndexByte(b[4:8], 6) >= 0
	case bytes.HasPrefix(b, []byte{2, 1, 1, 4}):
		return bytes.IndexByte([]byte{20, 24, 28, 32, 48, 66}, b[4]) >= 0
	case bytes.HasPrefix(b, []byte{0x30}):
		algorithm := derBody(b)
		return bytes.HasPrefix(algorithm, pkcs5) || bytes.HasPrefix(algorithm, pkcs12)
	}
	return false
}

// The object identifiers of encryption with a password, but for their last number.
var (
	pkcs5  = []byte{6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5}
	pkcs12 = []byte{6, 10, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 12}
)

// derBody is what stands in the sequence that b, of 16 bytes or more, begins with.
func derBody(b []byte) []byte {
	if len(b) < 16 || b[0] != 0x30 {
		return nil
	}
	switch n := b[1]; {
	case n == 0x82:
		return b[4:]
	case n == 0x81:
		return b[3:]
	case n < 0x80:
		return b[2:]
	}
	return nil
}
