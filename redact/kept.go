package redact

import "strings"

// kept holds raw bytes, in the parts in which they came, from an offset on.
type kept struct {
	parts []string
	first int // raw offset of parts
}

func (k *kept) add(s string) { k.parts = append(k.parts, s) }

// text gives the bytes from one offset to another, both of which are kept. Where one part
// holds them they are not copied.
func (k *kept) text(from, to int) string {
	at := k.first
	var all strings.Builder
	for _, s := range k.parts {
		a, b := max(from-at, 0), min(to-at, len(s))
		at += len(s)
		if a >= b {
			continue
		}
		if b-a == to-from {
			return s[a:b]
		}
		all.Grow(to - from - all.Len())
		all.WriteString(s[a:b])
	}
	return all.String()
}

// drop forgets the parts before an offset.
func (k *kept) drop(upto int) {
	n := 0
	for n < len(k.parts) && k.first+len(k.parts[n]) <= upto {
		k.first += len(k.parts[n])
		n++
	}
	if n > 0 {
		m := copy(k.parts, k.parts[n:])
		clear(k.parts[m:])
		k.parts = k.parts[:m]
	}
}
