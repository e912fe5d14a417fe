package screen

// sgr handles SGR: the pen for what is written from now on.
func (s *Screen) sgr(t *Token) {
	if t.Params() == 0 {
		link := s.pen.style.Link
		s.pen.style = Style{Link: link}
	}
	for i := 0; i < t.Params(); {
		i += s.sgrParam(t, i)
	}
	s.pen.id = s.styleID(s.pen.style)
}

// attrOn and attrOff are the parameters that switch attributes.
var (
	attrOn  = [...]Attr{1: Bold, 2: Faint, 3: Italic, 5: Blink, 6: Blink, 7: Reverse, 8: Conceal, 9: Strike, 53: Overline, 55: 0}
	attrOff = [len(attrOn)]Attr{22: Bold | Faint, 23: Italic, 25: Blink, 27: Reverse, 28: Conceal, 29: Strike, 55: Overline}
)

// sgrParam applies parameter i and returns how many parameters it took.
func (s *Screen) sgrParam(t *Token, i int) int {
	st := &s.pen.style
	p := t.Param(i, 0)
	n := 1 + subparams(t, i)
	switch {
	case p == 0:
		*st = Style{Link: st.Link}
	case p == 4:
		st.Underline = underline(t, i, n)
	case p == 21:
		st.Underline = Double
	case p == 24:
		st.Underline = NoUnderline
	case p >= 30 && p <= 37:
		st.FG = Indexed(uint8(p - 30))
	case p >= 40 && p <= 47:
		st.BG = Indexed(uint8(p - 40))
	case p >= 90 && p <= 97:
		st.FG = Indexed(uint8(p - 90 + 8))
	case p >= 100 && p <= 107:
		st.BG = Indexed(uint8(p - 100 + 8))
	case p == 38 || p == 48 || p == 58:
		return s.sgrColor(t, i, p)
	case p == 39:
		st.FG = 0
	case p == 49:
		st.BG = 0
	case p == 59:
		st.UL = 0
	case p < len(attrOn):
		st.Attr = st.Attr&^attrOff[p] | attrOn[p]
	}
	return n
}

// subparams counts the colon-separated parameters that follow parameter i.
func subparams(t *Token, i int) int {
	n := 0
	for t.Sub(i + n + 1) {
		n++
	}
	return n
}

func underline(t *Token, i, n int) Underline {
	if n == 1 {
		return Single
	}
	if u := t.Param(i+1, 1); u <= int(Dashed) {
		return Underline(u)
	}
	return Single
}

// sgrColor reads 38, 48 or 58 in the forms ;5;n ;2;r;g;b :5:n :2:r:g:b and :2:space:r:g:b.
func (s *Screen) sgrColor(t *Token, i, target int) int {
	var c Color
	n := 1 + subparams(t, i)
	at := i + 1
	colons := n > 1
	switch t.Param(at, 0) {
	case 5:
		c = Indexed(component(t, at+1))
		at += 2
	case 2:
		if colons && n > 5 {
			at++
		}
		c = RGB(component(t, at+1), component(t, at+2), component(t, at+3))
		at += 4
	default:
		return max(n, 2)
	}
	s.setColor(target, c)
	if colons {
		return n
	}
	return at - i
}

func component(t *Token, i int) uint8 { return uint8(min(t.Param(i, 0), 255)) }

func (s *Screen) setColor(target int, c Color) {
	switch target {
	case 38:
		s.pen.style.FG = c
	case 48:
		s.pen.style.BG = c
	case 58:
		s.pen.style.UL = c
	}
}
