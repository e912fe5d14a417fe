package redact

import (
	"slices"
	"sort"
	"strings"
)

// alike are forms that begin with the same bytes, in the order of their texts. A host may
// print many of them: what one lookup costs grows with what the text has in common with
// the forms, and with the logarithm of their number.
type alike []form

// with has one more form; of equal texts the first one stays.
func (a alike) with(f form) alike {
	i, found := slices.BinarySearchFunc(a, f.text, func(f form, text string) int { return strings.Compare(f.text, text) })
	if found {
		return a
	}
	return slices.Insert(a, i, f)
}

// beginning gives the longest form that text begins with.
func (a alike) beginning(text string) (longest form, ok bool) {
	for d := 0; len(a) > 0; d++ {
		if len(a) == 1 {
			if strings.HasPrefix(text, a[0].text) {
				return a[0], true
			}
			break
		}
		if n := a.shared(d); n > 0 {
			if !strings.HasPrefix(text[d:], a[0].text[d:d+n]) {
				break
			}
			d += n
		}
		if len(a[0].text) == d { // the others are longer
			longest, ok = a[0], true
			a = a[1:]
		}
		if d == len(text) {
			break
		}
		a = a.at(d, text[d])
	}
	return longest, ok
}

// worthSkipping is how many bytes forms must share to be compared with the text at once.
const worthSkipping = 32

// shared gives how many bytes all forms have in common from d on, if they are many: what
// the first and the last one share.
func (a alike) shared(d int) int {
	first, last := a[0].text, a[len(a)-1].text
	most := min(len(first), len(last)) - d
	if most < worthSkipping || first[d:d+worthSkipping] != last[d:d+worthSkipping] {
		return 0
	}
	return sort.Search(most, func(n int) bool { return first[d:d+n+1] != last[d:d+n+1] })
}

// at gives the forms, of those that are longer than d, that have a byte there. They
// stand together; what is left out is mostly little, at either end.
func (a alike) at(d int, b byte) alike {
	if a[0].text[d] == b && a[len(a)-1].text[d] == b { // and all between them
		return a
	}
	from := gallop(len(a), func(i int) bool { return a[i].text[d] >= b })
	a = a[from:]
	n := len(a)
	return a[:n-gallop(n, func(i int) bool { return a[n-1-i].text[d] <= b })]
}

// gallop gives the least i for which is(i) holds, or n: what is(i) holds for, it holds
// for from there on.
func gallop(n int, is func(int) bool) int {
	low, step := 0, 1
	for low < n && !is(low) {
		next := min(n, low+step)
		if next == n || is(next) {
			return low + 1 + sort.Search(next-low-1, func(i int) bool { return is(low + 1 + i) })
		}
		low, step = next, 2*step
	}
	return low
}

// begunBy tells whether a form begins with text.
func (a alike) begunBy(text string) bool {
	i, _ := slices.BinarySearchFunc(a, text, func(f form, text string) int { return strings.Compare(f.text, text) })
	return i < len(a) && strings.HasPrefix(a[i].text, text)
}
