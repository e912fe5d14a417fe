package redact

// lineMap is a logical line: where its text and its raw bytes are.
type lineMap struct {
	view
	raw    int // raw offset
	pos    int // text offset
	size   int // text offsets it takes
	cols   int
	edited bool // it begins as a line editor begins a row when it reached the margin
}

// offset gives the raw offset of the byte text[i].
func (l *lineMap) offset(i int) int { return l.raw + l.view.offset(i) }

// runs appends the places of text[a:b] in raw offsets. What stands between two bytes in a
// row belongs to the place; one that was written earlier than the byte before it, as
// where a line was overwritten, begins another.
func (l *lineMap) runs(runs []span, a, b int) []span {
	if l.at == nil || a >= b {
		return joinRun(runs, l.raw+a, l.raw+b)
	}
	for k := l.stretchOf(a); a < b; k++ {
		end := min(b, l.stretchEnd(k))
		at := l.offset(a)
		runs = joinRun(runs, at, at+end-a)
		a = end
	}
	return runs
}

func joinRun(runs []span, start, end int) []span {
	if n := len(runs); n > 0 && runs[n-1].end <= start {
		runs[n-1].end = end
		return runs
	}
	return append(runs, span{start, end})
}

// mask is a secret in raw offsets.
type mask struct {
	start, end int
	kind       string // "": the rest of one whose placeholder is out
	value      string
	more       bool // a further place of the one before: it gets no placeholder
}
