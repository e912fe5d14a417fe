package detect

import "sort"

// Span is a secret's place in a text, in byte offsets.
type Span struct {
	Start, End int
	Kind       string
	// Sure: seen in a position or of a form that only secrets have, so that the value
	// is worth remembering.
	Sure bool
	rank int // of two that overlap, the higher names the kind
}

const (
	rankGuess = iota
	rankKey
	rankCommand
	rankForm
	rankVendor // and the length of the literal: the longer one knows better
	rankBlock  = 1 << 10
)

// merge sorts spans and joins those that overlap.
func merge(s []Span) []Span {
	if len(s) < 2 {
		return s
	}
	sort.SliceStable(s, func(i, j int) bool { return s[i].Start < s[j].Start })
	out := s[:1]
	for _, x := range s[1:] {
		last := &out[len(out)-1]
		if x.Start >= last.End {
			out = append(out, x)
			continue
		}
		if x.rank > last.rank {
			last.Kind, last.rank = x.Kind, x.rank
		}
		last.Sure = last.Sure || x.Sure
		last.End = max(last.End, x.End)
	}
	return out
}
