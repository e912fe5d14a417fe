package screen

import (
	"bytes"
	"iter"
)

// Chunk is a piece of a stream: bytes to pass on, or the payload of a mark that stood there.
type Chunk struct {
	Bytes []byte
	Mark  []byte // nil for bytes; for a mark the OSC's payload, prefix included
}

// Splitter takes the OSC strings with one prefix (marks) out of a stream, and passes everything else on byte for byte. It finds them with
// the Tokenizer that a Screen reads with, so both agree on where a mark begins and ends. Where a mark cut something short, such as half
// a character, a CAN stands in its place, so that what follows the mark is not read as the other half.
//
// Bytes that may turn out to be a mark are held until that is known, at most MaxString of them; nothing else is.
type Splitter struct {
	t      Tokenizer
	prefix []byte
	held   []byte // the end of the stream so far, not passed on yet
}

// NewSplitter returns a Splitter for marks whose payload begins with prefix ("7770;").
func NewSplitter(prefix string) *Splitter { return &Splitter{prefix: []byte(prefix)} }

var cancel = []byte{0x18}

// Split takes the next bytes of the stream. A chunk is valid until the next one; those that a caller does not take are lost.
func (s *Splitter) Split(p []byte) iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		more := true
		s.split(p, func(c Chunk) { more = more && yield(c) })
	}
}

func (s *Splitter) split(p []byte, yield func(Chunk)) {
	buf, at := p, 0
	if len(s.held) > 0 {
		at = len(s.held)
		s.held = append(s.held, p...)
		buf = s.held
	}
	base := s.t.pos - int64(at) // the stream position of buf[0]
	from := 0
	for at < len(buf) {
		tok, n := s.t.Next(buf[at:])
		at += n
		if tok != nil && tok.Kind == OSC && bytes.HasPrefix(tok.Bytes, s.prefix) {
			s.pass(buf[from:s.t.escAt-base], yield)
			yield(Chunk{Mark: tok.Bytes})
			from = at
		}
		if tok != nil && !(tok.Kind == Text && &tok.Bytes[0] == &replacement[0]) {
			s.t.broken = false
		}
	}
	s.rest(buf, from, base, yield)
}

// pass hands on what stands before a mark.
func (s *Splitter) pass(b []byte, yield func(Chunk)) {
	if len(b) > 0 {
		yield(Chunk{Bytes: b})
	}
	if s.t.broken {
		yield(Chunk{Bytes: cancel})
	}
}

// rest hands on what can be no mark, and holds what can.
func (s *Splitter) rest(buf []byte, from int, base int64, yield func(Chunk)) {
	keep := len(buf)
	switch {
	case s.mayBeMark():
		keep = int(s.t.escAt - base)
	case s.t.state == oscEscape || s.t.state == otherEscape: // that ESC may begin a mark
		keep--
	}
	if len(buf)-keep > MaxString+64 {
		s.t.payload, s.t.dropped = nil, true
		keep = len(buf)
	}
	held := append([]byte(nil), buf[keep:]...)
	if from < keep {
		yield(Chunk{Bytes: buf[from:keep]})
	}
	s.held = held
}

// mayBeMark reports whether the sequence that the tokenizer is in can still become a mark.
func (s *Splitter) mayBeMark() bool {
	switch s.t.state {
	case escape:
		return s.t.tok.Inter == 0
	case oscString, oscEscape:
		n := min(len(s.t.payload), len(s.prefix))
		return !s.t.dropped && bytes.Equal(s.t.payload[:n], s.prefix[:n])
	}
	return false
}
