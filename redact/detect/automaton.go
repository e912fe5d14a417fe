package detect

import (
	"iter"
	"math/bits"
	"slices"
)

// automaton finds many words in one pass, without regard to the case of ASCII letters.
// Three bytes in a row, each of one of 32 groups, are looked up in a table of 4 KiB, and
// if a word may begin so four in another: nearly every place of a text begins no word and
// is done with that. From the others a trie is walked.
type automaton struct {
	group   [256]uint8
	starts  [1 << (3 * groupBits) / 64]uint64 // which three groups may begin a word
	short   [1 << (3 * groupBits) / 64]uint64 // … of three bytes or less
	fours   [1 << fourBits / 64]uint64        // which hashes of four groups may begin a longer one
	class   [256]uint8
	classes int
	next    []uint16  // state*classes + class → state; 0: no word goes on so
	out     [][]int32 // state → words that end here
	bounds  []bounds  // of words
}

const (
	groupBits  = 5
	maxClasses = 256
	fourBits   = 15
)

// bounds say where a word counts.
type bounds struct {
	left  bool // not behind a letter, a digit or _, with the exceptions of bounded
	right bool // only before a blank or a quote
}

// groupOf: most letters have a group each. The other bytes share what is left, those
// together that are rare where words begin.
func groupOf(c byte) uint8 {
	switch {
	case c|0x20 == 'q' || c|0x20 == 'j':
		return 26
	case c|0x20 == 'x' || c|0x20 == 'z':
		return 27
	case isAlpha(c):
		return c&0x1f - 1
	case isDigit(c):
		return 'q' - 'a'
	case c == ' ' || c == '\t' || c == '"' || c == '\'':
		return 'j' - 'a'
	case c == '-' || c == '_':
		return 'x' - 'a'
	case c == '/':
		return 'z' - 'a'
	case c == ':':
		return 28
	case c == '.' || c == '=':
		return 29
	case c == '$' || c == '|' || c == '!' || c == '{' || c == '~':
		return 30
	}
	return 31
}

// newAutomaton builds one for words in lower case; text may be of any case. bounds is nil
// or as long as words.
func newAutomaton(words []string, b []bounds) *automaton {
	a := &automaton{classes: 1, bounds: b} // class 0: in no word
	if b == nil {
		a.bounds = make([]bounds, len(words))
	}
	for c := range a.group {
		a.group[c] = groupOf(byte(c))
	}
	for _, w := range words {
		a.addClasses(w)
	}
	n := states(words)
	a.next, a.out = make([]uint16, 0, n*a.classes), make([][]int32, 0, n)
	a.grow()
	for id, w := range words {
		a.add(w, int32(id))
		a.addStart(w, a.bounds[id])
	}
	return a
}

func (a *automaton) addClasses(w string) {
	for i := 0; i < len(w); i++ {
		if a.class[w[i]] != 0 {
			continue
		}
		if a.classes == maxClasses-1 {
			panic("redact/detect: words of more than 255 different characters")
		}
		a.class[w[i]] = uint8(a.classes)
		if isLower(w[i]) {
			a.class[w[i]-0x20] = uint8(a.classes)
		}
		a.classes++
	}
}

// states counts the beginnings of words, the empty one too: each is a state.
func states(words []string) int {
	n, before := 1, ""
	for _, w := range slices.Sorted(slices.Values(words)) {
		same := 0
		for same < min(len(w), len(before)) && w[same] == before[same] {
			same++
		}
		n += len(w) - same
		before = w
	}
	return n
}

func (a *automaton) grow() int {
	a.next = append(a.next, make([]uint16, a.classes)...)
	a.out = append(a.out, nil)
	if len(a.out) > 1<<16 {
		panic("redact/detect: too many words")
	}
	return len(a.out) - 1
}

func (a *automaton) add(w string, id int32) {
	s := 0
	for i := 0; i < len(w); i++ {
		at := s*a.classes + int(a.class[w[i]])
		if a.next[at] == 0 {
			n := a.grow()
			a.next[at] = uint16(n)
		}
		s = int(a.next[at])
	}
	a.out[s] = append(a.out[s], id)
}

// addStart marks the groups that a word begins with; of a short word, with all that may
// come behind it.
func (a *automaton) addStart(w string, b bounds) {
	any := ^uint32(0)
	may := [3]uint32{any, any, any}
	for i := range may {
		switch {
		case i < len(w):
			may[i] = 1 << a.group[w[i]]
		case i == len(w) && b.right:
			may[i] = 1 << a.group[' ']
		}
	}
	for x := range threes(may) {
		a.starts[x>>6] |= 1 << (x & 63)
		if len(w) < 4 {
			a.short[x>>6] |= 1 << (x & 63)
		} else {
			h := fourHash(x, a.group[w[3]])
			a.fours[h>>6] |= 1 << (h & 63)
		}
	}
}

// threes gives all ways to take a group from each of three sets.
func threes(may [3]uint32) iter.Seq[uint] {
	return func(yield func(uint) bool) {
		for first := may[0]; first != 0; first &= first - 1 {
			for second := may[1]; second != 0; second &= second - 1 {
				for third := may[2]; third != 0; third &= third - 1 {
					x := bits.TrailingZeros32(first)<<(2*groupBits) | bits.TrailingZeros32(second)<<groupBits | bits.TrailingZeros32(third)
					if !yield(uint(x)) {
						return
					}
				}
			}
		}
	}
}

// fourHash is of three groups and a fourth.
func fourHash(x uint, fourth uint8) uint32 {
	return (uint32(x)<<groupBits | uint32(fourth)) * 0x9e3779b1 >> (32 - fourBits)
}

// hit is a word that was found: its number and the offset behind it.
type hit struct{ end, word int32 }

// find appends the words in text, in order of their ends.
func (a *automaton) find(text string, hits []hit) []hit {
	if len(text) < 2 {
		return a.walkAll(text, 0, hits)
	}
	x := uint(a.group[text[0]])<<groupBits | uint(a.group[text[1]])
	i := 0
	for ; i+2 < len(text); i++ {
		x = x<<groupBits&(1<<(3*groupBits)-1) | uint(a.group[text[i+2]])
		if a.starts[x>>6]>>(x&63)&1 != 0 && a.begins(text, i, x) {
			hits = a.walk(text, i, hits)
		}
	}
	return a.walkAll(text, i, hits)
}

// begins looks closer at a place where three groups may begin a word.
func (a *automaton) begins(text string, i int, x uint) bool {
	if a.short[x>>6]>>(x&63)&1 != 0 || i+3 >= len(text) {
		return true
	}
	h := fourHash(x, a.group[text[i+3]])
	return a.fours[h>>6]>>(h&63)&1 != 0
}

// walkAll looks for words that begin at i or behind it.
func (a *automaton) walkAll(text string, i int, hits []hit) []hit {
	for ; i < len(text); i++ {
		hits = a.walk(text, i, hits)
	}
	return hits
}

// walk appends the words that begin at i.
func (a *automaton) walk(text string, i int, hits []hit) []hit {
	s := 0
	for j := i; j < len(text); j++ {
		s = int(a.next[s*a.classes+int(a.class[text[j]])])
		if s == 0 {
			break
		}
		for _, w := range a.out[s] {
			if a.bounds[w].allow(text, i, j+1) {
				hits = inOrder(append(hits, hit{int32(j + 1), w}))
			}
		}
	}
	return hits
}

// inOrder moves the last hit to its place.
func inOrder(hits []hit) []hit {
	for k := len(hits) - 1; k > 0 && hits[k].end < hits[k-1].end; k-- {
		hits[k], hits[k-1] = hits[k-1], hits[k]
	}
	return hits
}

// allow tells whether text[start:end] stands as the bounds want it. A letter that is part
// of a written escape, as the n of \n, is no part of a word, and a digit begins one
// behind a letter.
func (b bounds) allow(text string, start, end int) bool {
	if b.right && (end >= len(text) || !isSpace(text[end]) && text[end] != '"') {
		return false
	}
	if !b.left || start == 0 {
		return true
	}
	c := text[start-1]
	return !isAlnum(c) && c != '_' || escapedLetter(text, start-1) || isDigit(text[start]) && isAlpha(c)
}
