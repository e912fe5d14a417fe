package shellmarks

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"sallyport/policy"
)

// Prefix is how the payload of a mark's OSC begins.
const Prefix = "7770;"

// Mark is one mark as it stood in the stream. Nothing in it is believed yet.
type Mark struct {
	Nonce  string // empty for LOADER and READY
	Kind   string
	Fields []string // decoded
}

// ErrMalformed is a payload that is no mark.
var ErrMalformed = errors.New("malformed mark")

// maxFields bounds what one mark may hold.
const maxFields = 512

// Parse reads an OSC payload that begins with Prefix.
func Parse(payload []byte) (Mark, error) {
	body, ok := strings.CutPrefix(string(payload), Prefix)
	if !ok {
		return Mark{}, ErrMalformed
	}
	parts := strings.SplitN(body, ";", maxFields)
	if parts[0] == "LOADER" || parts[0] == "READY" {
		return Mark{Kind: parts[0], Fields: parts[1:]}, nil
	}
	if len(parts) < 2 || parts[0] == "" {
		return Mark{}, ErrMalformed
	}
	m := Mark{Nonce: parts[0], Kind: parts[1]}
	for _, f := range parts[2:] {
		d, err := decode(f)
		if err != nil {
			return Mark{}, err
		}
		m.Fields = append(m.Fields, d)
	}
	return m, nil
}

// Field gives field i, or nothing.
func (m Mark) Field(i int) string {
	if i < len(m.Fields) {
		return m.Fields[i]
	}
	return ""
}

// decode undoes \\ and \xHH. Anything else after a backslash is malformed.
func decode(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for len(s) > 0 {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		c, n, err := escapeAt(s[i:])
		if err != nil {
			return "", err
		}
		b.WriteByte(c)
		s = s[i+n:]
	}
	return b.String(), nil
}

func escapeAt(s string) (byte, int, error) {
	if len(s) >= 2 && s[1] == '\\' {
		return '\\', 2, nil
	}
	if len(s) >= 4 && s[1] == 'x' {
		v, err := strconv.ParseUint(s[2:4], 16, 8)
		return byte(v), 4, err
	}
	return 0, 0, ErrMalformed
}

// encode writes a text so that printf %b gives it back, and so that nothing in
// it can act on a terminal or end a field.
func encode(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			b.WriteString(`\\`)
		case c == ';' || c < 0x20 || c == 0x7f:
			b.WriteString(`\x` + string(hexDigits[c>>4]) + string(hexDigits[c&15]))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

const hexDigits = "0123456789abcdef"

// Report is a shell's answer to a query: its buffer and what changes the
// buffer's meaning.
type Report struct {
	Seq      string
	Mode     string // q: asked; i: after an injection; b: the shell blocks for the verdict
	Line     string
	BadEvent bool // a history event in the line does not exist
	// GlobalAlias says that the line holds an alias that zsh expands anywhere.
	GlobalAlias bool
	State       policy.ShellState
}

// Blocking tells whether the shell waits for the verdict.
func (r Report) Blocking() bool { return r.Mode == "b" }

// ParseReport reads a mark of kind R: seq, mode, length, line, charmap,
// options, and one field a word. The length must be the line's, in
// characters where the shell counts characters.
func ParseReport(m Mark) (Report, error) {
	if m.Kind != "R" || len(m.Fields) < 6 {
		return Report{}, ErrMalformed
	}
	r := Report{Seq: m.Fields[0], Mode: m.Fields[1], Line: m.Fields[3]}
	n, err := strconv.Atoi(m.Fields[2])
	if err != nil || n != len(r.Line) && n != utf8.RuneCountInString(r.Line) || !isNumber(r.Seq) {
		return Report{}, ErrMalformed
	}
	r.State = policy.ShellState{Known: true, Charmap: m.Fields[4], Options: map[string]bool{}, Words: map[string]policy.Word{}}
	r.options(m.Fields[5])
	for _, w := range m.Fields[6:] {
		r.word(w)
	}
	return r, nil
}

func isNumber(s string) bool {
	return s != "" && len(s) < 12 && strings.Trim(s, "0123456789") == ""
}
