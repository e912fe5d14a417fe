package redact

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"

	"sallyport/redact/detect"
)

// Layer 8: learned values, in the forms in which they come back.

const (
	minKnown      = 6   // a shorter one is masked only where it was seen
	minFromOutput = 8   // of a value from output
	maxFromOutput = 500 // of a target

	maxLinesFromOutput = 4096 // of the keys of a target, all together
)

// known is a set of values and an index of their forms by four bytes at their beginning,
// and one and two bytes behind it: every third place of a text is looked at.
type known struct {
	values map[string]bool
	lines  int // of keys
	forms  map[head]alike
	quick  [1 << 10]uint64 // which hashes of four bytes may be in forms
}

// head is four bytes of forms, and how far behind their beginning these stand.
type head struct {
	four [4]byte
	back int
}

// form is a way to write a value.
type form struct {
	text, value, kind string
	encoded           bool
}

const stride = 3

// match is a form that was found in a text.
type match struct {
	start, end  int
	value, kind string
}

func newKnown() *known {
	return &known{values: map[string]bool{}, forms: map[head]alike{}}
}

// add remembers a value and, line by line, the parts of a long one.
func (k *known) add(value, kind string) {
	if k.values[value] {
		return
	}
	k.values[value] = true
	for _, part := range strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if len(part) >= minKnown && (part == value || len(part) >= minFromOutput) {
			k.addForms(part, value, kind)
		}
	}
}

// addLines remembers the lines that a value stands in, as they are.
func (k *known) addLines(value, kind string, lines []string) {
	if k.values[value] {
		return
	}
	k.values[value] = true
	k.lines += len(lines)
	for _, line := range lines {
		k.index(form{text: line, value: value, kind: kind})
	}
}

func (k *known) addForms(v, value, kind string) {
	seen := map[string]bool{}
	put := func(text string, encoded bool) {
		text = detect.Visible(text) // as the normaliser gives it
		if len(text) < minKnown || seen[text] {
			return
		}
		seen[text] = true
		k.index(form{text: text, value: value, kind: kind, encoded: encoded})
	}
	put(v, false)
	put(url.QueryEscape(v), false)
	put(url.PathEscape(v), false)
	put(lowerPercent(url.QueryEscape(v)), false)
	put(jsonInner(v), false)
	put(strings.ReplaceAll(v, "'", `'\''`), false)
	put(shellEscaped(v), false)
	put(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(v), false)
	for shift := range 3 {
		put(base64At(base64.RawStdEncoding, v, shift), true)
		put(base64At(base64.RawURLEncoding, v, shift), true)
	}
}

// index puts a form where it is found by each of its first bytes.
func (k *known) index(f form) {
	for back := range stride {
		at := head{fourOf(f.text, back), back}
		k.forms[at] = k.forms[at].with(f)
		h := quickHash(f.text, back)
		k.quick[h>>6] |= 1 << (h & 63)
	}
}

// base64At is what base64 makes of v behind shift other bytes, without the characters
// that depend on what stands around it.
func base64At(enc *base64.Encoding, v string, shift int) string {
	b := append(make([]byte, shift), v...)
	s := enc.EncodeToString(b)
	from := (shift*8 + 5) / 6
	to := len(b) * 8 / 6
	if to-from < minKnown {
		return ""
	}
	return s[from:to]
}

func jsonInner(v string) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b[1 : len(b)-1])
}

func lowerPercent(v string) string {
	b := []byte(v)
	for i := range b {
		if b[i] == '%' && i+2 < len(b) {
			copy(b[i:], strings.ToLower(string(b[i:i+3])))
		}
	}
	return string(b)
}

func shellEscaped(v string) string {
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		if strings.IndexByte(" !\"#$&'()*;<>?[\\]^`{|}~", v[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(v[i])
	}
	return b.String()
}

// find gives the forms in text, the longest first where several begin.
func (k *known) find(text string) (found []match) {
	if len(k.forms) == 0 {
		return nil
	}
	free := 0 // no match overlaps the one before
	for i := 0; i+4 <= len(text); i += stride {
		h := quickHash(text, i)
		if k.quick[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		if m, ok := k.at(text, i, free); ok {
			found = append(found, m)
			free = m.end
		}
	}
	return found
}

// fourOf is text[i:i+4].
func fourOf(text string, i int) (four [4]byte) {
	copy(four[:], text[i:])
	return four
}

// quickHash maps text[i:i+4] to a bit of known.quick.
func quickHash(text string, i int) uint32 {
	t := text[i : i+4]
	return (uint32(t[0]) | uint32(t[1])<<8 | uint32(t[2])<<16 | uint32(t[3])<<24) * 0x9e3779b1 >> 16
}

// at gives the first form, and of these the longest, that has text[i:i+4] at its
// beginning and does not begin before free.
func (k *known) at(text string, i, free int) (match, bool) {
	four := fourOf(text, i)
	for back := stride - 1; back >= 0; back-- {
		start := i - back
		if start < free {
			continue
		}
		f, ok := k.forms[head{four, back}].beginning(text[start:])
		if !ok {
			continue
		}
		m := match{start, start + len(f.text), f.value, f.kind}
		if f.encoded {
			m.start, m.end = aroundBase64(text, m.start, m.end)
		}
		return m, true
	}
	return match{}, false
}

// aroundBase64 takes in the two characters that hold the rest of the value's bits.
func aroundBase64(text string, start, end int) (int, int) {
	if start > 0 && wordByte(text[start-1]) {
		start--
	}
	if end < len(text) && wordByte(text[end]) {
		end++
	}
	return start, end
}

// openAt gives the offset at which text ends in the first four or more bytes of a form;
// or -1.
func (k *known) openAt(text string) int {
	if len(k.forms) == 0 {
		return -1
	}
	for i := max(0, len(text)-maxForm); i+4 <= len(text); i++ {
		if k.forms[head{fourOf(text, i), 0}].begunBy(text[i:]) {
			return i
		}
	}
	return -1
}

const maxForm = 8 << 10 // a learned value's longest form, for values of up to 4 KiB
