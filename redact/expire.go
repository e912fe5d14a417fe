package redact

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"sallyport/redact/detect"
)

// Expire gives what is held. The caller, who owns the time, calls it when nothing was
// given for two seconds. An open region is masked; so is a last word that could still
// become a secret, together with its rest when that comes.
func (s *Stream) Expire() Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out strings.Builder
	s.f.expire()
	s.f.give(&out)
	return Text{out.String()}
}

// expire lets go of all that is held, as far as it stands apart.
func (f *flow) expire() {
	f.pushJoined()
	f.scan.Overflow()
	f.settle()
	cut := f.wholeUpto()
	if cut == 0 {
		return
	}
	raw := string(f.rest[:cut])
	f.rest = append(f.rest[:0], f.rest[cut:]...)
	n := f.norm.line(raw, false)
	f.sides(n.others, "")
	m := lineMap{view: n.main, raw: f.begun, bytes: raw}
	f.begun += cut
	hidden := f.hidden
	f.lead(&m)
	f.peek(&m)
	f.hidden = f.openWord(&m, hidden)
	f.prefix = m.text[max(0, len(m.text)-maxPrefix):]
	f.ready = append(f.ready, raw)
}

const maxPrefix = 8 << 10

// lead puts the text of the same line that was let go before in front, and masks the
// rest of a word whose beginning was masked.
func (f *flow) lead(m *lineMap) {
	if f.prefix == "" {
		return
	}
	if f.hidden {
		end := 0
		for end < len(m.text) && m.text[end] > ' ' {
			end++
		}
		if end > 0 {
			start, stop := m.raws(0, end)
			f.masks = append(f.masks, mask{start: start, end: stop})
		}
	}
	m.lead = len(f.prefix)
	m.text = f.prefix + m.text
	f.prefix, f.hidden = "", false
}

// wholeUpto is the end of the bytes that hold no unfinished sequence or character.
func (f *flow) wholeUpto() int {
	raw := f.rest
	n := f.norm
	n.line(string(raw), false)
	end := len(raw)
	if n.state != ground {
		end = max(0, bytes.LastIndexByte(raw, 0x1b))
	}
	for k := 1; k < utf8.UTFMax && k <= end; k++ {
		if c := raw[end-k]; utf8.RuneStart(c) {
			if !utf8.FullRune(raw[end-k : end]) {
				end -= k
			}
			break
		}
	}
	return end
}

// peek masks what the unfinished line shows already.
func (f *flow) peek(m *lineMap) {
	for _, s := range f.scan.Peek(m.text, f.pos) {
		if end := s.End - f.pos; end > m.lead {
			start, stop := m.raws(s.Start-f.pos, end)
			f.masks = append(f.masks, mask{start, stop, s.Kind, m.text[s.Start-f.pos : end]})
		}
	}
	f.known(m)
}

// openWord masks the last word if it may grow into a secret, and tells whether it is
// masked.
func (f *flow) openWord(m *lineMap, hidden bool) bool {
	if k := f.r.mem.openAt(f.r.target, m.text); k >= 0 {
		f.unfinished(m, k)
		return false // what follows is compared with the value again
	}
	k := strings.LastIndexAny(m.text, " \t") + 1
	word := m.text[k:]
	if word == "" {
		return false
	}
	if hidden && k <= m.lead {
		return true
	}
	_, last := m.raws(len(m.text)-1, len(m.text))
	for _, x := range f.masks {
		if x.end >= last && x.start < last {
			return true
		}
	}
	if len(word) < 4 || strings.IndexByte("#$%>:?)]", word[len(word)-1]) >= 0 || !detect.MayGrow(word) {
		return false
	}
	f.unfinished(m, k)
	return true
}

// unfinished masks the text from k on, as far as it was not let go before.
func (f *flow) unfinished(m *lineMap, k int) {
	if k = max(k, m.lead); k < len(m.text) {
		start, stop := m.raws(k, len(m.text))
		f.masks = append(f.masks, mask{start, stop, "unfinished", m.text[k:]})
	}
}
