package screen

import (
	"unicode/utf8"
)

// MaxString is the longest payload of an OSC that is kept; a longer one is consumed to its end and dropped.
const MaxString = 64 << 10

// maxParams is how many parameters of a control sequence are kept.
const maxParams = 32

// maxParam is the largest parameter value: more columns, rows or colours than any terminal has.
const maxParam = 1<<16 - 1

// Kind is the kind of a Token.
type Kind uint8

// Kinds of tokens.
const (
	Text    Kind = iota // Bytes: printable UTF-8 without controls, what was invalid as U+FFFD
	Control             // Final: a C0 control
	Escape              // Inter, Final: ESC … final
	CSI                 // Private, Inter, Final, Params: ESC [ … final
	OSC                 // Bytes: the payload between ESC ] and BEL or ST
	String              // Final: P, X, ^ or _: a DCS, SOS, PM or APC string, consumed
)

// Token is one unit of a terminal's stream.
type Token struct {
	Kind    Kind
	Final   byte
	Private byte // one of < = > ? right after CSI, or 0
	Inter   byte // the intermediate byte, or 0; more than one makes a sequence unknown (0xff)
	Bytes   []byte
	params  [maxParams]int32 // -1 where none was given
	sub     uint32           // bit i: parameter i was separated from the one before by a colon
	n       int
}

// Params returns how many parameters there are.
func (t *Token) Params() int { return t.n }

// Param returns parameter i, or def where it is absent. A parameter of 0 is 0.
func (t *Token) Param(i, def int) int {
	if i >= t.n || t.params[i] < 0 {
		return def
	}
	return int(t.params[i])
}

// Sub reports whether parameter i is a subparameter of the one before.
func (t *Token) Sub(i int) bool { return i < t.n && t.sub&(1<<i) != 0 }

type tokenState uint8

const (
	ground tokenState = iota
	escape
	csiParam
	csiIgnore
	oscString
	oscEscape // ESC inside an OSC: \ ends it, anything else drops it
	otherString
	otherEscape
)

// Tokenizer cuts a byte stream into tokens after the state machine of Paul Williams (vt100.net/emu/dec_ansi_parser), UTF-8 first: bytes
// 0x80 … 0x9f are never controls, and the characters U+0080 … U+009F are dropped. An OSC ends at BEL or at ESC \, and only there; CAN,
// SUB and any other ESC drop it. The zero value is ready. Memory is bounded by MaxString.
//
// Cutting the input in other places gives the same tokens, except that a Text may be cut.
type Tokenizer struct {
	state   tokenState
	tok     Token
	partial [utf8.UTFMax]byte // an unfinished character
	np      int
	payload []byte
	dropped bool  // payload outgrew MaxString
	broken  bool  // something unfinished was given up since Splitter last looked
	pos     int64 // bytes taken so far
	escAt   int64 // where the ESC of the present sequence stands
}

var replacement = []byte("\uFFFD")

// Next consumes n bytes of p and returns the token that they complete; nil if they complete none. The token is valid until the next
// call, its Bytes until p changes. Call it with the rest of p until nothing is left; a token may take no bytes.
func (t *Tokenizer) Next(p []byte) (tok *Token, n int) {
	for n < len(p) {
		var used int
		switch t.state {
		case ground:
			tok, used = t.ground(p[n:])
		case oscString, otherString:
			tok, used = t.str(p[n:])
		case csiParam:
			tok, used = t.params(p[n:])
		default:
			tok, used = t.step(p[n])
		}
		n += used
		t.pos += int64(used)
		if tok != nil {
			return tok, n
		}
	}
	return nil, n
}

// ground takes a run of text, one control, or what cannot be read.
func (t *Tokenizer) ground(p []byte) (*Token, int) {
	if t.np > 0 {
		return t.finishRune(p)
	}
	if n := textRun(p); n > 0 {
		return t.text(p[:n]), n
	}
	switch b := p[0]; {
	case b < 0x20 || b == 0x7f:
		return t.control(b), 1
	case !utf8.FullRune(p):
		t.np = copy(t.partial[:], p)
		return nil, len(p)
	default:
		r, n := utf8.DecodeRune(p)
		if r != utf8.RuneError { // U+0080 … U+009F
			return nil, n
		}
		n = illFormed(p)
		t.broken = !utf8.FullRune(p[:n])
		return t.text(replacement), n
	}
}

// finishRune goes on with a character that an earlier call left unfinished.
func (t *Tokenizer) finishRune(p []byte) (*Token, int) {
	b := append(t.partial[:t.np:utf8.UTFMax], p[0])
	if !utf8.FullRune(b) {
		t.np++
		return nil, 1
	}
	t.np = 0
	r, n := utf8.DecodeRune(b)
	switch {
	case n == 1: // what stands in partial is no beginning of b
		t.broken = true
		return t.text(replacement), 0
	case r < 0xa0:
		return nil, 1
	}
	return t.text(b), 1
}

// textRun returns the length of the printable, valid text at the front of p.
func textRun(p []byte) int {
	i := 0
	for i < len(p) {
		b := p[i]
		if b >= 0x20 && b < 0x7f {
			i++
			continue
		}
		if b < 0x80 {
			return i
		}
		r, n := utf8.DecodeRune(p[i:])
		if n == 1 || r < 0xa0 {
			return i
		}
		i += n
	}
	return i
}

// illFormed returns the length of the longest beginning of a character that p, which is none, starts with: one U+FFFD each, as Unicode
// recommends.
func illFormed(p []byte) int {
	n := 1
	for n < len(p) && n < utf8.UTFMax && !utf8.FullRune(p[:n+1]) {
		n++
	}
	if utf8.FullRune(p[:1]) {
		return 1
	}
	return n
}

func (t *Tokenizer) text(b []byte) *Token {
	t.tok.Kind, t.tok.Bytes = Text, b
	return &t.tok
}

// control handles a C0 control outside strings. DEL and NUL are nothing.
func (t *Tokenizer) control(b byte) *Token {
	switch b {
	case 0x1b:
		t.broken = t.broken || t.state != ground
		t.escAt = t.pos
		t.begin(escape)
		return nil
	case 0x18, 0x1a:
		t.state = ground
		return nil
	case 0, 0x7f:
		return nil
	}
	t.tok.Kind, t.tok.Final = Control, b
	return &t.tok
}

func (t *Tokenizer) begin(s tokenState) {
	t.state = s
	t.tok.Inter, t.tok.Private, t.tok.n, t.tok.sub = 0, 0, 0, 0
	t.tok.params[0] = -1
}

// step takes one byte inside an escape or control sequence.
func (t *Tokenizer) step(b byte) (*Token, int) {
	switch t.state {
	case oscEscape, otherEscape:
		return t.stringEscape(b)
	}
	if b < 0x20 || b == 0x7f {
		return t.control(b), 1
	}
	if b >= 0x80 { // no sequence holds such a byte: the sequence is given up, the byte is text
		t.state, t.broken = ground, true
		return nil, 0
	}
	switch t.state {
	case escape:
		return t.escape(b), 1
	case csiIgnore:
		if b >= 0x40 {
			t.state = ground
		}
		return nil, 1
	}
	return t.csi(b), 1
}

func (t *Tokenizer) escape(b byte) *Token {
	switch {
	case b < 0x30:
		t.intermediate(b)
		return nil
	case t.tok.Inter != 0:
		return t.finish(Escape, b)
	}
	switch b {
	case '[':
		t.begin(csiParam)
	case ']':
		t.openString(oscString, b)
	case 'P', 'X', '^', '_':
		t.openString(otherString, b)
	default:
		return t.finish(Escape, b)
	}
	return nil
}

func (t *Tokenizer) openString(s tokenState, b byte) {
	t.state, t.tok.Final = s, b
	t.payload, t.dropped = t.payload[:0], false
}

// inString reports whether a string was begun and has not ended.
func (t *Tokenizer) inString() bool { return t.state >= oscString }

func (t *Tokenizer) intermediate(b byte) {
	if t.tok.Inter != 0 {
		b = 0xff
	}
	t.tok.Inter = b
}

func (t *Tokenizer) finish(k Kind, final byte) *Token {
	t.state = ground
	t.tok.n = min(t.tok.n, maxParams)
	t.tok.Kind, t.tok.Final = k, final
	return &t.tok
}

func (t *Tokenizer) csi(b byte) *Token {
	switch {
	case b >= '0' && b <= '9':
		t.digit(b)
	case b == ';' || b == ':':
		t.separator(b == ':')
	case b >= '<' && b <= '?':
		if t.tok.n > 0 || t.tok.Private != 0 || t.tok.Inter != 0 {
			t.state = csiIgnore
		}
		t.tok.Private = b
	case b < 0x30:
		t.intermediate(b)
	default:
		return t.finish(CSI, b)
	}
	return nil
}

// params takes the rest of a control sequence, byte by byte where it holds anything but parameters and its end.
func (t *Tokenizer) params(p []byte) (*Token, int) {
	for i, b := range p {
		switch {
		case b >= '0' && b <= '9':
			t.digit(b)
		case b == ';':
			t.separator(false)
		case b >= '@' && b <= '~':
			return t.finish(CSI, b), i + 1
		default:
			t.pos += int64(i)
			tok, n := t.step(b)
			t.pos -= int64(i)
			return tok, i + n
		}
		if t.state != csiParam {
			return nil, i + 1
		}
	}
	return nil, len(p)
}

func (t *Tokenizer) digit(b byte) {
	if t.tok.Inter != 0 {
		t.state = csiIgnore
		return
	}
	if t.tok.n == 0 {
		t.tok.n = 1
	}
	if t.tok.n > maxParams {
		return
	}
	v := &t.tok.params[t.tok.n-1]
	*v = min(max(*v, 0)*10+int32(b-'0'), maxParam)
}

// separator begins the next parameter. Those beyond maxParams are counted as one and not kept.
func (t *Tokenizer) separator(colon bool) {
	if t.tok.n == 0 {
		t.tok.n = 1
	}
	if t.tok.n >= maxParams {
		t.tok.n = maxParams + 1
		return
	}
	t.tok.params[t.tok.n] = -1
	if colon {
		t.tok.sub |= 1 << t.tok.n
	}
	t.tok.n++
}

// str takes the bytes of a string up to its end or the end of p.
func (t *Tokenizer) str(p []byte) (*Token, int) {
	i := 0
	for i < len(p) && p[i] >= 0x20 {
		i++
	}
	if i == len(p) {
		t.keep(p)
		return nil, i
	}
	t.keep(p[:i])
	switch p[i] {
	case 0x1b:
		t.state++ // oscEscape, otherEscape
	case 0x18, 0x1a:
		t.state = ground
	case 0x07:
		if t.state == oscString {
			return t.endString(), i + 1
		}
	}
	return nil, i + 1
}

func (t *Tokenizer) keep(p []byte) {
	if t.state != oscString || t.dropped {
		return
	}
	if len(t.payload)+len(p) > MaxString {
		t.payload, t.dropped = nil, true
		return
	}
	t.payload = append(t.payload, p...)
}

// stringEscape takes the byte after an ESC inside a string.
func (t *Tokenizer) stringEscape(b byte) (*Token, int) {
	if b == '\\' {
		t.state-- // the string's own state, for endString
		return t.endString(), 1
	}
	t.broken, t.escAt = true, t.pos-1
	t.begin(escape)
	return nil, 0
}

func (t *Tokenizer) endString() *Token {
	osc := t.state == oscString
	t.state = ground
	switch {
	case !osc:
		t.tok.Kind = String
	case t.dropped:
		return nil
	default:
		t.tok.Kind, t.tok.Bytes = OSC, t.payload
	}
	return &t.tok
}
