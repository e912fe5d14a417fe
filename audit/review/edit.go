package review

import "strings"

// Part is a piece of an edit.
type Part struct {
	Class, Text string // kept, added, removed
}

// maxWords bounds the comparison, which takes their square.
const maxWords = 1000

// Edit says by words how a suggestion became what was sent.
func Edit(suggested, sent string) (out []Part) {
	a, b := splitWords(suggested), splitWords(sent)
	if len(a) > maxWords || len(b) > maxWords {
		return []Part{{"removed", suggested}, {"added", sent}}
	}
	common := commonLengths(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = grow(out, "kept", a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = grow(out, "removed", a[i])
			i++
		default:
			out = grow(out, "added", b[j])
			j++
		}
	}
	return out
}

// splitWords keeps each word's blanks with it, so that the parts joined are
// the text.
func splitWords(s string) []string { return strings.SplitAfter(s, " ") }

// commonLengths[i][j] is the longest common subsequence of a[i:] and b[j:].
func commonLengths(a, b []string) [][]int {
	n := make([][]int, len(a)+1)
	for i := range n {
		n[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				n[i][j] = n[i+1][j+1] + 1
			} else {
				n[i][j] = max(n[i+1][j], n[i][j+1])
			}
		}
	}
	return n
}

func grow(parts []Part, class, text string) []Part {
	if n := len(parts); n > 0 && parts[n-1].Class == class {
		parts[n-1].Text += text
		return parts
	}
	return append(parts, Part{class, text})
}

func visibleParts(parts []Part) []Part {
	for i := range parts {
		parts[i].Text = visible(parts[i].Text)
	}
	return parts
}
