package screen

import (
	"sync/atomic"
	"unicode"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"sallyport/policy/runes"
)

// class says how a rune takes part in the grid.
type class uint8

const (
	widthMask class = 3
	joins     class = 4  // may continue the cluster before it
	follows   class = 8  // continues any cluster
	dropped   class = 16 // never reaches a cell
)

func (c class) width() int { return int(c & widthMask) }

// classes are computed by page, when a page is first used.
var classes [(unicode.MaxRune + 1) / 256]atomic.Pointer[[256]class]

func classOf(r rune) class {
	page := classes[r>>8].Load()
	if page == nil {
		page = makePage(r &^ 0xff)
		classes[r>>8].Store(page)
	}
	return page[r&0xff]
}

func makePage(first rune) *[256]class {
	var p [256]class
	for i := range p {
		p[i] = makeClass(first + rune(i))
	}
	return &p
}

func makeClass(r rune) class {
	if hides(r) {
		return dropped
	}
	w := min(max(displaywidth.Rune(r), 0), 2)
	c := class(w)
	if w == 0 || continues(r) {
		c |= joins
	}
	if w == 0 || oneCluster("a"+string(r)) {
		c |= follows
	}
	return c
}

// hides reports whether r acts on the text around it or hides in it: controls, bidirectional controls, zero width spaces, tags, fillers,
// separators of lines. Joiners and variation selectors stay: scripts and emoji need them, inside a cluster. So do private use, which
// prompts use, and the blank Braille pattern, which graphs use.
func hides(r rune) bool {
	switch {
	case r == 0x200c, r == 0x200d, r >= 0xfe00 && r <= 0xfe0f, r == 0x2800, r == 0x17b4, r == 0x17b5:
		return false
	case r == 0x2028, r == 0x2029:
		return true
	}
	switch runes.Of(r) {
	case runes.Control, runes.Bidi, runes.Invisible:
		return true
	}
	return unicode.Is(unicode.Cs, r)
}

// beginnings are clusters that some runes continue: after a letter marks, a Hangul syllable, a flag, a joined emoji, an Indic conjunct.
var beginnings = []string{"a", "\u1100", "\uac00", "\U0001f1e6", "\U0001f469\u200d", "\u0915\u094d"}

func continues(r rune) bool {
	for _, b := range beginnings {
		if oneCluster(b + string(r)) {
			return true
		}
	}
	return false
}

// mayContinue reports whether r, which needs a certain beginning, can continue a cluster that is the one rune before: a part of a Hangul
// syllable, or the first half of a flag. Other such beginnings have more than one rune.
func mayContinue(before, r rune) bool {
	switch {
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		return before >= 0x1f1e6 && before <= 0x1f1ff
	case r >= 0xac00 && r <= 0xd7a3:
		return jamo(before)
	}
	return jamo(r) && (jamo(before) || before >= 0xac00 && before <= 0xd7a3)
}

func jamo(r rune) bool {
	return r >= 0x1100 && r <= 0x11ff || r >= 0xa960 && r <= 0xa97f || r >= 0xd7b0 && r <= 0xd7ff
}

// oneCluster reports whether text is a single grapheme cluster.
func oneCluster(text string) bool {
	it := graphemes.FromString(text)
	return it.Next() && len(it.Value()) == len(text)
}
