package redact

import "slices"

// Ends gathers texts of which only the head and the tail will be wanted, in bounded
// memory and without copying them. The zero value has room for nothing: set Max.
type Ends struct {
	Max int // bytes that Text gives at most

	head, tail         []Text
	headSize, tailSize int
}

// maxParts bounds how many texts the tail is made of.
const maxParts = 1024

// Add takes the next text.
func (e *Ends) Add(t Text) {
	switch {
	case t.Empty(), e.Max <= 0:
	case e.headSize < e.Max:
		e.head, e.headSize = append(e.head, t), e.headSize+t.Len()
	default:
		e.tail, e.tailSize = append(e.tail, t), e.tailSize+t.Len()
		e.drop()
	}
}

// drop forgets what has come to stand in the middle, now and then.
func (e *Ends) drop() {
	if e.tailSize >= 2*e.Max {
		n := 0
		for e.tailSize-e.tail[n].Len() >= e.Max {
			e.tailSize -= e.tail[n].Len()
			n++
		}
		e.tail = slices.Delete(e.tail, 0, n)
	}
	if len(e.tail) > maxParts {
		s := Join(e.tail...).s
		s = s[cutAfter(s, len(s)-e.Max):]
		e.tail, e.tailSize = append(e.tail[:0:0], Text{s}), len(s)
	}
}

// Empty tells whether nothing was added.
func (e *Ends) Empty() bool { return e.headSize == 0 }

// Text is what [Text.HeadTail] gives of all that was added.
func (e *Ends) Text(mark Text) Text {
	return Join(slices.Concat(e.head, e.tail)...).HeadTail(e.Max, mark)
}
