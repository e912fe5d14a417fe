package detect

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Layer 6: encodings, looked into to a depth of three. The encoded span is masked.

const (
	maxDepth   = 3
	minEncoded = 16
	maxDecoded = 64 << 10
)

// encodings looks into the runs of the line that may be encoded text.
func (l *line) encodings() {
	if l.s.depth >= maxDepth || len(l.text) < minEncoded {
		return
	}
	l.base64Runs()
	if strings.IndexByte(l.text, '%') >= 0 {
		l.percentRuns()
	}
	if strings.IndexByte(l.text, '\\') >= 0 {
		l.escapedText()
	}
	if strings.Contains(l.text, "&quot;") || strings.Contains(l.text, "&#") {
		l.entities()
	}
}

var base64Byte = func() (t [256]bool) {
	for i := range t {
		c := byte(i)
		t[i] = isAlnum(c) || c == '+' || c == '/' || c == '-' || c == '_'
	}
	return t
}()

// base64Runs decodes runs of base64 whose text is printable.
func (l *line) base64Runs() {
	t := l.text
	for i := 0; i+minEncoded <= len(t); {
		// Look at the last byte that a run from here must hold first.
		if !base64Byte[t[i+minEncoded-1]] {
			i += minEncoded
			continue
		}
		start := i + minEncoded - 1
		for start > i && base64Byte[t[start-1]] {
			start--
		}
		end := i + minEncoded
		for end < len(t) && base64Byte[t[end]] {
			end++
		}
		if end-start >= minEncoded {
			l.base64Run(start, end)
		}
		i = end + 1
	}
}

func (l *line) base64Run(start, end int) {
	t := l.text
	if beginsKey(t[start:end]) {
		l.add(Span{Start: start, End: end, Kind: "private-key", Sure: true, rank: rankBlock})
		return
	}
	if isHex(t[start]) && isHex(t[end-1]) || t[start] == 'x' {
		l.hexRunAt(start, end)
	}
	d, ok := decodeBase64(t[start:end])
	if !ok {
		if k := strings.LastIndexByte(t[start:end], '/'); k >= 0 && end-start-k-1 >= minEncoded {
			l.base64Run(start+k+1, end)
		}
		return
	}
	for end < len(t) && t[end] == '=' {
		end++
	}
	if l.holdsSecret(d) {
		l.add(Span{Start: start, End: end, Kind: "encoded", rank: rankGuess})
	}
}

// decodeBase64 decodes either alphabet, with or without padding, if text comes out.
func decodeBase64(v string) (string, bool) {
	v = strings.TrimRight(v, "=")
	if len(v) > maxDecoded || len(v)%4 == 1 {
		return "", false
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(v, "-_") {
		enc = base64.RawURLEncoding
	}
	if !beginsText(v) {
		return "", false
	}
	b, err := enc.DecodeString(v)
	b = narrow(b)
	if err != nil || !isText(b) {
		return "", false
	}
	return string(b), true
}

// narrow gives the Latin text of UTF-16, which PowerShell takes its commands in.
func narrow(b []byte) []byte {
	if len(b) < 4 || b[1] != 0 || b[3] != 0 || len(b)%2 != 0 {
		return b
	}
	out := make([]byte, 0, len(b)/2)
	for i := 0; i < len(b); i += 2 {
		if b[i+1] != 0 {
			return b
		}
		out = append(out, b[i])
	}
	return out
}

// sextet is the value of a byte of base64, in either alphabet.
var sextet = func() (t [256]uint8) {
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[c] = uint8(i)
	}
	t['-'], t['_'] = t['+'], t['/']
	return t
}()

// beginsText decodes the first characters of base64 as far as they are text: most runs
// are none.
func beginsText(v string) bool {
	for i := 0; i+4 <= min(len(v), 16); i += 4 {
		n := uint32(sextet[v[i]])<<18 | uint32(sextet[v[i+1]])<<12 | uint32(sextet[v[i+2]])<<6 | uint32(sextet[v[i+3]])
		if notText[n>>16] || notText[n>>8&0xff] || notText[n&0xff] {
			return i == 0 && !notText[n>>16] && n>>8&0xff == 0 && !notText[n&0xff] // or UTF-16
		}
	}
	return true
}

// notText are bytes that no text holds.
var notText = func() (t [256]bool) {
	for c := range t {
		t[c] = c < 0x20 && c != '\n' && c != '\t' && c != '\r' || c == 0x7f || c == 0xc0 || c == 0xc1 || c > 0xf4
	}
	return t
}()

// isText tells whether b is UTF-8 without controls; its last character may be cut.
func isText(b []byte) bool {
	for _, c := range b {
		if notText[c] {
			return false
		}
	}
	for k := 1; k < utf8.UTFMax && k <= len(b); k++ {
		if utf8.RuneStart(b[len(b)-k]) {
			if !utf8.FullRune(b[len(b)-k:]) {
				b = b[:len(b)-k]
			}
			break
		}
	}
	return utf8.Valid(b)
}

// holdsSecret scans decoded text with a scanner one level deeper.
func (l *line) holdsSecret(text string) bool {
	s := NewScanner()
	s.depth = l.s.depth + 1
	s.PushAll(Visible(text))
	s.End()
	return len(s.found) > 0
}

// percentRuns decodes words with percent escapes.
func (l *line) percentRuns() {
	t := l.text
	for i := 0; i < len(t); {
		k := strings.IndexByte(t[i:], '%')
		if k < 0 {
			return
		}
		k += i
		start, end := wordAround(t, k)
		if d := unpercent(t[start:end]); d != t[start:end] && strings.ContainsAny(d, "=:") {
			l.decodedWord(start, end, d)
		}
		i = end + 1
	}
}

func wordAround(t string, i int) (int, int) {
	start, end := i, i
	for start > 0 && strings.IndexByte(" \t\"'<>`&?;", t[start-1]) < 0 && i-start < 4096 {
		start--
	}
	for end < len(t) && strings.IndexByte(" \t\"'<>`&;", t[end]) < 0 && end-i < maxValue {
		end++
	}
	return start, end
}

// decodedWord masks the word if its decoded form holds a secret that the word does not
// show itself.
func (l *line) decodedWord(start, end int, d string) {
	if len(d) < 6 || !isText([]byte(d)) || !l.holdsSecret(d) {
		return
	}
	for _, sp := range l.s.found {
		if sp.Start < l.base+end && sp.End > l.base+start {
			return
		}
	}
	l.add(Span{Start: start, End: end, Kind: "encoded", rank: rankGuess})
}

func unpercent(v string) string {
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		if v[i] == '%' && i+2 < len(v) && isHex(v[i+1]) && isHex(v[i+2]) {
			n, _ := strconv.ParseUint(v[i+1:i+3], 16, 8)
			b.WriteByte(byte(n))
			i += 2
			continue
		}
		b.WriteByte(v[i])
	}
	return b.String()
}

// escapedText decodes \u0070 and \x70 in a line and looks again.
func (l *line) escapedText() {
	t := l.text
	if !strings.Contains(t, `\u`) && !strings.Contains(t, `\x`) && !strings.Contains(t, `\1`) && !strings.Contains(t, `\0`) {
		return
	}
	d, at := unescape(t)
	if d == t {
		return
	}
	l.nested(d, at)
}

// entityOf are the entities that HTML and XML write signs with.
var entityOf = strings.NewReplacer("&quot;", `"`, "&#34;", `"`, "&#x22;", `"`, "&apos;", "'", "&#39;", "'", "&#x27;", "'", "&lt;", "<", "&gt;", ">", "&amp;", "&", "&#61;", "=", "&#58;", ":")

// entities decodes them and looks again.
func (l *line) entities() {
	t := l.text
	var b strings.Builder
	var at []int
	for i := 0; i < len(t); {
		n, c := 1, t[i:i+1]
		if t[i] == '&' {
			if k := strings.IndexByte(t[i:min(len(t), i+7)], ';'); k > 0 {
				if d := entityOf.Replace(t[i : i+k+1]); len(d) == 1 {
					n, c = k+1, d
				}
			}
		}
		b.WriteString(c)
		at = append(at, i)
		i += n
	}
	l.nested(b.String(), append(at, len(t)))
}

// unescape decodes \uXXXX, \xXX and \ooo and gives the offset of each byte.
func unescape(t string) (string, []int) {
	var b strings.Builder
	at := make([]int, 0, len(t)+1)
	for i := 0; i < len(t); {
		n, c := escapeAt(t, i)
		for range len(c) {
			at = append(at, i)
		}
		b.WriteString(c)
		i += n
	}
	return b.String(), append(at, len(t))
}

func escapeAt(t string, i int) (n int, c string) {
	if t[i] == '\\' && i+3 < len(t) {
		digits, base := 0, 16
		switch {
		case t[i+1] == 'u' && i+6 <= len(t):
			digits = 4
		case t[i+1] == 'x':
			digits = 2
		case t[i+1] >= '0' && t[i+1] <= '3':
			digits, base = 3, 8
		}
		from := i + 2 - b2i(base == 8)
		if digits > 0 && from+digits <= len(t) {
			if v, err := strconv.ParseUint(t[from:from+digits], base, 32); err == nil && v >= 0x20 {
				return from + digits - i, Visible(string(rune(v)))
			}
		}
	}
	return 1, t[i : i+1]
}
