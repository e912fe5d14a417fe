package redact

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// find gives the masks of a whole text.
func (r *Redactor) find(s string) []mask {
	f := newFlow(r)
	f.whole = true
	f.write([]byte(s))
	f.finish()
	sortMasks(f.masks)
	return clean(s, 0, f.masks)
}

// mask redacts a whole text.
func (r *Redactor) mask(s string, command bool) (Text, Findings) {
	masks := r.find(s)
	if command {
		masks = spare(masks, protected(s))
	}
	var out strings.Builder
	found := r.write(&out, s, 0, masks)
	return Text{out.String()}, found
}

func sortMasks(m []mask) {
	sort.SliceStable(m, func(i, j int) bool {
		if m[i].start != m[j].start {
			return m[i].start < m[j].start
		}
		return m[i].end > m[j].end
	})
}

// clean joins masks that overlap, leaves placeholders that are already there alone, and
// keeps to whole characters. masks are sorted; base is the raw offset of s.
func clean(s string, base int, masks []mask) []mask {
	var out []mask
	for _, m := range masks {
		m.start, m.end = max(m.start, base), min(m.end, base+len(s))
		if _, end, inside := placeholderAround(s, m.start-base); inside {
			m.start = base + end
		}
		from := base
		if n := len(out); n > 0 {
			from = out[n-1].end
		}
		if m.start > from && m.start < m.end && s[m.start-base] >= utf8.RuneSelf {
			m.start -= openSequence(s[from-base : m.start-base])
		}
		if n := len(out); n > 0 && m.start < out[n-1].end {
			if m.end > out[n-1].end {
				out[n-1].end, out[n-1].value = m.end, s[out[n-1].start-base:m.end-base]
			}
			continue
		}
		if m.end > m.start {
			out = append(out, m)
		}
	}
	for i := 0; i < len(out); {
		var changed bool
		if out, changed = split(s, base, out, i); !changed {
			i++
		}
	}
	return out
}

// openSequence is the length of the sequence without an end in which s ends. A byte above
// 0x7f breaks one off; where that byte is masked the sequence goes with it, so that it
// does not swallow what stands there instead.
func openSequence(s string) int {
	i := len(s)
	for i > 0 && s[i-1] < 0x40 && s[i-1] != 0x1b && s[i-1] != '\n' {
		i--
	}
	if i > 1 && s[i-1] == '[' {
		i--
	}
	if i == 0 || s[i-1] != 0x1b {
		return 0
	}
	return len(s) - i + 1
}

// split takes the first placeholder in mask i out of it.
func split(s string, base int, masks []mask, i int) (out []mask, changed bool) {
	m := masks[i]
	k := strings.Index(s[m.start-base:min(len(s), m.end-base+maxPlaceholder)], placeholderHead)
	if k < 0 || m.start+k >= m.end {
		return masks, false
	}
	at := m.start + k
	n := placeholderLen(s[at-base:])
	if n == 0 {
		return masks, false
	}
	var parts []mask
	if at > m.start {
		parts = append(parts, mask{m.start, at, m.kind, s[m.start-base : at-base], m.more})
	}
	if at+n < m.end {
		parts = append(parts, mask{at + n, m.end, m.kind, s[at+n-base : m.end-base], m.more})
	}
	return append(masks[:i:i], append(parts, masks[i+1:]...)...), true
}

// write puts s out with its masks and gives the findings. base is the raw offset of s.
func (r *Redactor) write(out *strings.Builder, s string, base int, masks []mask) (found Findings) {
	at := 0
	for _, m := range masks {
		start, end := m.start-base, m.end-base
		out.WriteString(s[at:start])
		at = end
		if m.kind == "" {
			writeStyles(out, s[start:end])
			continue
		}
		n := r.mem.number(m.value)
		if !m.more {
			if r.mem.conf.Found != nil {
				r.mem.conf.Found(m.kind)
			}
			out.WriteString(placeholder(m.kind, n))
		}
		writeStyles(out, s[start:end])
		found = append(found, Finding{Kind: m.kind, Number: n, Start: m.start, End: m.end, MAC: r.mem.mac(m.value)})
	}
	out.WriteString(s[at:])
	return found
}

// writeStyles puts the changes of colour that stood inside a mask behind it.
func writeStyles(out *strings.Builder, s string) {
	for {
		k := strings.Index(s, "\x1b[")
		if k < 0 {
			return
		}
		s = s[k:]
		i := 2
		for i < len(s) && s[i] >= 0x20 && s[i] < 0x40 {
			i++
		}
		if i >= len(s) {
			return
		}
		if s[i] == 'm' && i < 64 {
			out.WriteString(s[:i+1])
		}
		s = s[i:]
	}
}
