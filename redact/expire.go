package redact

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"sallyport/redact/detect"
)

// Expire gives what is held. The caller, who owns the time, calls it when nothing was
// given for two seconds. An open region is masked; so is a last word that could still
// become a secret, together with its rest when that comes. What the stream finds later
// is the same as if Expire had not been called: only what is out is out.
func (s *Stream) Expire() Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	settled := s.f.give()
	return Text{settled + s.f.expire()}
}

// expire gives out all that is held, as far as it stands apart, and keeps it for what
// comes behind it.
func (f *flow) expire() string {
	cut := f.wholeUpto()
	upto := f.begun + cut
	if upto <= f.given {
		return ""
	}
	t := f.endHere(cut)
	sortMasks(t.masks)
	raw := f.kept.text(f.given, max(f.given, f.begun)) + string(f.rest[max(0, f.given-f.begun):cut])
	text := f.emit(raw, t.masks)
	f.veil = t.lastMask()
	f.given = upto
	return text
}

// endHere is the flow if the text ended behind cut bytes of the unfinished line.
func (f *flow) endHere(cut int) *flow {
	t := *f
	t.trial, t.whole = true, true
	t.scan = f.scan.Partial()
	t.rest = bytes.Clone(f.rest[:cut])
	t.lines = slices.Clone(f.lines)
	t.masks = slices.Clone(f.masks)
	if len(t.rest) > 0 {
		t.line(string(t.rest))
		t.rest = nil
	}
	t.pushJoined()
	t.scan.Overflow()
	t.scan.End()
	t.settle()
	t.openWord()
	return &t
}

// wholeUpto is the end of the bytes that hold no unfinished sequence or character.
func (f *flow) wholeUpto() int {
	end := wholeRunes(f.rest)
	n := f.norm
	n.line(string(f.rest[:end]), false)
	if n.state != ground { // also one that the character cut off would have ended
		end = max(0, bytes.LastIndexByte(f.rest[:end], 0x1b))
	}
	return end
}

// wholeRunes is the length of raw without a character that has not come to its end.
func wholeRunes(raw []byte) int {
	for k := 1; k < utf8.UTFMax && k <= len(raw); k++ {
		if at := len(raw) - k; utf8.RuneStart(raw[at]) {
			if !utf8.FullRune(raw[at:]) {
				return at
			}
			break
		}
	}
	return len(raw)
}

// openWord masks the last word if it may grow into a secret, and what may be the
// beginning of a learned value.
func (f *flow) openWord() {
	f.atMargin()
	text := f.last.text
	if at := f.r.mem.openAt(f.r.target, text); at >= 0 {
		f.unfinished(at)
		return
	}
	at := strings.LastIndexAny(text, " \t") + 1
	word := text[at:]
	if len(word) < 4 || strings.IndexByte("#$%>:?)]", word[len(word)-1]) >= 0 || !detect.MayGrow(word) {
		return
	}
	f.unfinished(at)
}

// atMargin takes away the blank that a line editor writes to get into the next row: the
// word before it goes on.
func (f *flow) atMargin() {
	l, w := &f.last, f.width
	if w == 0 {
		w = wrapWide
	}
	if l.cols > w && l.cols%w == 1 {
		l.text = strings.TrimSuffix(l.text, " ")
	}
}

// unfinished masks the last line from text[at] on.
func (f *flow) unfinished(at int) {
	if at < len(f.last.text) {
		f.mask(f.last.runs(nil, at, len(f.last.text)), "unfinished", f.last.text[at:])
	}
}

// lastMask gives the place of a mask in which the last line's text ends.
func (f *flow) lastMask() span {
	n := len(f.last.text)
	if n == 0 {
		return span{}
	}
	at := f.last.offset(n - 1)
	for _, m := range f.masks {
		if m.start <= at && at < m.end {
			return span{m.start, at + 1}
		}
	}
	return span{}
}

// veiled masks the rest of a word whose beginning was given out masked.
func (f *flow) veiled(m *lineMap) {
	if f.veil.end <= m.raw {
		return
	}
	i := len(m.text) - 1
	for i >= 0 && (m.offset(i) >= f.veil.end || m.offset(i) < f.veil.start) {
		i--
	}
	end := i + 1
	for i >= 0 && end < len(m.text) && m.text[end] > ' ' {
		end++
	}
	if i+1 < end {
		f.mask(m.runs(nil, i+1, end), "", "")
	}
}
