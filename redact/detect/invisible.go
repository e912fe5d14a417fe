package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Invisible tells whether a character takes no place of its own where text is shown:
// zero width spaces and joiners, controls of direction, soft hyphens, fillers, tags,
// variation selectors (Unicode's Default_Ignorable_Code_Point and category Cf), and the
// separators of lines, which a terminal drops. Who reads a token does not see them in it.
func Invisible(r rune) bool {
	return r >= 0xad && (mayHide[utf8Lead(r)] && unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Zl, unicode.Zp))
}

// MayHide tells whether an invisible character may begin with the byte c.
func MayHide(c byte) bool { return mayHide[c] }

var mayHide = func() (t [256]bool) {
	for _, table := range []*unicode.RangeTable{unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Zl, unicode.Zp} {
		for _, r := range table.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				t[utf8Lead(c)] = true
			}
		}
		for _, r := range table.R32 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				t[utf8Lead(c)] = true
			}
		}
	}
	return t
}()

// utf8Lead is the first byte of r.
func utf8Lead(r rune) byte {
	var b [utf8.UTFMax]byte
	utf8.EncodeRune(b[:], r)
	return b[0]
}

// Visible is s without its invisible characters.
func Visible(s string) string {
	for i := 0; i < len(s); i++ {
		if mayHide[s[i]] {
			return strings.Map(visible, s)
		}
	}
	return s
}

func visible(r rune) rune {
	if Invisible(r) {
		return -1
	}
	return r
}
