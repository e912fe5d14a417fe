package redact

import "strings"

// Where a terminal's margin cut a line in two, with a line end or without one.

// isFull: the line ends where a terminal's margin may be.
func (f *flow) isFull(m *lineMap) bool {
	if m.cols == 0 || m.text == "" || m.cols%wrapWide != 0 && (f.width == 0 || m.cols%f.width != 0) {
		return false
	}
	return wordByte(m.text[len(m.text)-1])
}

// rowBefore is the text of the row before, if a line editor goes on in this one.
func (f *flow) rowBefore(m *lineMap) string {
	if f.joining && m.edited {
		return f.join.text
	}
	return ""
}

// goesOn tells whether a line is the rest of the one that the margin may have cut: a line
// editor goes on, both sides look like one token, or the word was given out masked.
func (f *flow) goesOn(m *lineMap) bool {
	before := f.join.text
	if m.text == "" || !wordByte(m.text[0]) || len(before) >= maxHeld {
		return false
	}
	if m.edited || f.veil.end > 0 && f.join.offset(len(before)-1) < f.veil.end {
		return true
	}
	last := before[strings.LastIndexAny(before, " \t\"'")+1:]
	return len(last) >= 16 || strings.ContainsAny(last, "0123456789=")
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("+/=_-.%~", c) >= 0
}

// glue joins two lines that a margin cut apart.
func glue(a, b *lineMap) lineMap {
	var m viewMaker
	for _, l := range [...]*lineMap{a, b} {
		at := l.at
		if at == nil {
			at = []stretch{{0, 0}}
		}
		for k, x := range at {
			end := len(l.text)
			if k+1 < len(at) {
				end = int(at[k+1].text)
			}
			m.add(l.text[x.text:end], x.raw+int32(l.raw-a.raw))
		}
	}
	return lineMap{view: m.view(), raw: a.raw, cols: b.cols, edited: a.edited}
}
