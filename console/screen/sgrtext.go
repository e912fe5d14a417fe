package screen

import "strconv"

// SGR returns the sequence that sets exactly this style, links apart, from any other.
func (st Style) SGR() string {
	b := []byte("\x1b[0")
	for _, a := range [...]struct {
		attr Attr
		n    string
	}{{Bold, ";1"}, {Faint, ";2"}, {Italic, ";3"}, {Blink, ";5"}, {Reverse, ";7"}, {Conceal, ";8"}, {Strike, ";9"}, {Overline, ";53"}} {
		if st.Attr&a.attr != 0 {
			b = append(b, a.n...)
		}
	}
	switch st.Underline {
	case NoUnderline:
	case Single:
		b = append(b, ";4"...)
	default:
		b = strconv.AppendUint(append(b, ";4:"...), uint64(st.Underline), 10)
	}
	b = appendColor(b, st.FG, 38)
	b = appendColor(b, st.BG, 48)
	b = appendColor(b, st.UL, 58)
	return string(append(b, 'm'))
}

func appendColor(b []byte, c Color, target int) []byte {
	if i, ok := c.Index(); ok {
		if target < 58 && i < 8 {
			return strconv.AppendInt(append(b, ';'), int64(target-8+int(i)), 10)
		}
		return appendInts(b, target, 5, int(i))
	}
	if r, g, bl, ok := c.RGB(); ok {
		return appendInts(b, target, 2, int(r), int(g), int(bl))
	}
	return b
}

func appendInts(b []byte, ns ...int) []byte {
	for _, n := range ns {
		b = strconv.AppendInt(append(b, ';'), int64(n), 10)
	}
	return b
}
