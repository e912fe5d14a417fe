package redact

import (
	"sort"
	"strings"
)

// view is a text and where its bytes stand in the raw line.
type view struct {
	text string
	at   []stretch // nil: the text is the raw line
}

// stretch is a part of a text whose bytes stand together in the raw line: from one
// stretch's text to the next one's.
type stretch struct{ text, raw int32 }

// offset gives the raw offset of the byte text[i].
func (v *view) offset(i int) int {
	if v.at == nil {
		return i
	}
	k := v.stretchOf(i)
	return i - int(v.at[k].text) + int(v.at[k].raw)
}

func (v *view) stretchOf(i int) int {
	return sort.Search(len(v.at), func(k int) bool { return int(v.at[k].text) > i }) - 1
}

// stretchEnd is the end of stretch k in the text.
func (v *view) stretchEnd(k int) int {
	if k+1 < len(v.at) {
		return int(v.at[k+1].text)
	}
	return len(v.text)
}

// viewMaker puts a view together from parts of a raw line.
type viewMaker struct {
	text strings.Builder
	at   []stretch
	end  int32 // of the last part in the raw line
}

func (m *viewMaker) add(part string, raw int32) {
	if part == "" {
		return
	}
	if len(m.at) == 0 || raw != m.end {
		m.at = append(m.at, stretch{int32(m.text.Len()), raw})
	}
	m.text.WriteString(part)
	m.end = raw + int32(len(part))
}

func (m *viewMaker) view() view {
	if m.at == nil {
		m.at = []stretch{}
	}
	return view{m.text.String(), m.at}
}

// coloured gives the view of a line that holds whole changes of colour and no other
// control, as most lines that are not plain.
func (n *normaliser) coloured(raw string) (view, bool) {
	if n.state != ground {
		return view{}, false
	}
	var m viewMaker
	m.text.Grow(len(raw))
	m.at = make([]stretch, 0, strings.Count(raw, "\x1b")+1)
	from := 0
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case look[c]&(lookControl|lookHidden) == 0 || look[c]&lookControl == 0 && !dropped(raw[i:]):
			i++
		case c == 0x1b:
			m.add(raw[from:i], int32(from))
			if i = colourEnd(raw, i); i < 0 {
				return view{}, false
			}
			from = i
		default:
			return view{}, false
		}
	}
	m.add(raw[from:], int32(from))
	return m.view(), true
}

// colourEnd gives the end of the sequence ESC [ … m at i, or -1.
func colourEnd(raw string, i int) int {
	if i++; i >= len(raw) || raw[i] != '[' {
		return -1
	}
	for i++; i < len(raw); i++ {
		if c := raw[i]; c == 'm' {
			return i + 1
		} else if (c < '0' || c > '9') && c != ';' && c != ':' {
			return -1
		}
	}
	return -1
}
