package detect

// automaton finds many words in one pass, without regard to the case of ASCII letters
// (Aho-Corasick, built out to a table of states by letter classes: one look-up a byte,
// no failure links to follow, and no copy of the text in lower case).
type automaton struct {
	class   [256]uint8
	classes int
	next    []uint16  // state<<classBits + class → state; hasWord is set if words end there
	out     [][]int32 // state → words that end here, longest first
}

const (
	classBits = 7
	hasWord   = 1 << 15
)

// newAutomaton builds one for words in lower case; text may be of any case.
func newAutomaton(words []string) *automaton {
	a := &automaton{classes: 1} // class 0: in no word
	for _, w := range words {
		for i := 0; i < len(w); i++ {
			if a.class[w[i]] == 0 {
				a.class[w[i]] = uint8(a.classes)
				if isLower(w[i]) {
					a.class[w[i]-0x20] = uint8(a.classes)
				}
				a.classes++
			}
		}
	}
	if a.classes > 1<<classBits {
		panic("redact/detect: words of more than 127 different characters")
	}
	a.grow()
	for id, w := range words {
		a.add(w, int32(id))
	}
	if len(a.out) >= hasWord {
		panic("redact/detect: too many words")
	}
	a.link()
	return a
}

func (a *automaton) grow() int {
	a.next = append(a.next, make([]uint16, 1<<classBits)...)
	a.out = append(a.out, nil)
	return len(a.out) - 1
}

func (a *automaton) add(w string, id int32) {
	s := 0
	for i := 0; i < len(w); i++ {
		at := s<<classBits + int(a.class[w[i]])
		if a.next[at] == 0 {
			n := a.grow()
			a.next[at] = uint16(n)
		}
		s = int(a.next[at])
	}
	a.out[s] = append(a.out[s], id)
}

// link turns the trie into a table without failures, breadth first.
func (a *automaton) link() {
	fail := make([]int, len(a.out))
	queue := make([]int, 0, len(a.out))
	for c := 0; c < a.classes; c++ {
		if n := int(a.next[c]); n != 0 {
			queue = append(queue, n)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		a.out[s] = append(a.out[s], a.out[fail[s]]...)
		for c := 0; c < a.classes; c++ {
			at := s<<classBits + c
			over := a.next[fail[s]<<classBits+c]
			if n := int(a.next[at]); n != 0 {
				fail[n] = int(over)
				queue = append(queue, n)
			} else {
				a.next[at] = over
			}
		}
	}
	for i, n := range a.next {
		if a.out[n] != nil {
			a.next[i] |= hasWord
		}
	}
}

// hit is a word that was found: its number and the offset behind it.
type hit struct{ end, word int32 }

// find appends the words in text, in order of their ends.
func (a *automaton) find(text string, hits []hit) []hit {
	s := uint16(0)
	next, class := a.next, &a.class
	for i := 0; i < len(text); i++ {
		s = next[int(s&^hasWord)<<classBits|int(class[text[i]])]
		if s&hasWord != 0 {
			for _, w := range a.out[s&^hasWord] {
				hits = append(hits, hit{int32(i + 1), w})
			}
		}
	}
	return hits
}
