package redact

import (
	"bytes"
	"sort"
	"strings"

	"sallyport/redact/detect"
)

// Bounds of what a flow holds back.
const (
	maxHeld  = 64 << 10
	wrapWide = 80 // columns at which a line without a known width may have been cut
)

// flow takes bytes, cuts them into lines, has them scanned, and says which bytes are
// settled and what is to be masked in them. What it finds depends on the bytes alone,
// not on how they came in pieces.
type flow struct {
	r      *Redactor
	norm   normaliser
	scan   *detect.Scanner
	width  int    // of the terminal, or 0
	rest   []byte // the unfinished line
	begun  int    // raw offset of rest
	lines  []lineMap
	join   *lineMap // a line that may go on after a cut at the margin
	pos    int      // text offset behind the last line
	masks  []mask   // in raw offsets, not given out yet
	ready  []string // raw bytes that are settled and not given out yet
	given  int      // raw offset of ready
	whole  bool     // the text is there as a whole: ready is not needed
	gen    int      // of the target's last command
	told   int64    // of all targets' commands
	prefix string   // text of the unfinished line that was let go before its end
	hidden bool     // its last word was masked: the rest of the word goes too
}

// lineMap is a logical line: where its text and its raw bytes are.
type lineMap struct {
	view
	bytes string // raw, line end included
	raw   int    // raw offset
	pos   int    // text offset
	size  int    // text offsets it takes
	cols  int
	lead  int // bytes of text that were let go before: they have no raw bytes here
}

// raws gives the raw offsets of text[start:end].
func (l *lineMap) raws(start, end int) (int, int) {
	start, end = max(start-l.lead, 0), max(end-l.lead, 0)
	a, b := l.view.raw(start, end)
	return l.raw + a, l.raw + b
}

// mask is a secret in raw offsets.
type mask struct {
	start, end int
	kind       string
	value      string
}

func newFlow(r *Redactor) *flow {
	return &flow{r: r, scan: detect.NewScanner()}
}

// write takes bytes.
func (f *flow) write(p []byte) {
	for len(p) > 0 {
		k := bytes.LastIndexByte(p, '\n')
		if k < 0 {
			f.hold(p)
			return
		}
		block := string(append(f.rest, p[:k+1]...))
		f.rest = f.rest[:0]
		p = p[k+1:]
		for block != "" {
			n := strings.IndexByte(block, '\n') + 1
			if n > maxHeld {
				n = f.overlong(block[:maxHeld])
			}
			f.line(block[:n])
			block = block[n:]
		}
	}
}

// hold keeps bytes without a line end.
func (f *flow) hold(p []byte) {
	for len(f.rest)+len(p) >= maxHeld {
		n := maxHeld - len(f.rest)
		piece := string(append(f.rest, p[:n]...))
		p = p[n:]
		cut := f.overlong(piece)
		f.line(piece[:cut])
		f.rest = append(f.rest[:0], piece[cut:]...)
	}
	f.rest = append(f.rest, p...)
}

// overlong says where to cut a line that is longer than what may be held: at its last
// blank or sign; without one, the whole piece is masked.
func (f *flow) overlong(piece string) int {
	if cut := strings.LastIndexAny(piece, " \t,;{}[]\"") + 1; cut >= maxHeld/2 {
		return cut
	}
	f.masks = append(f.masks, mask{f.begun, f.begun + len(piece), "overlong", piece})
	return len(piece)
}

// line takes the raw bytes of a line, its end included.
func (f *flow) line(raw string) {
	text := strings.TrimSuffix(raw, "\n")
	n := f.norm.line(strings.TrimRight(text, "\r"), len(text) < len(raw))
	m := lineMap{view: n.main, raw: f.begun, bytes: raw, cols: n.cols}
	f.sides(n.others, f.rowBefore(m))
	f.begun += len(raw)
	f.lead(&m)
	if f.join != nil && m.lead == 0 && continues(f.join.text, m) && len(f.join.text) < maxHeld {
		m = glue(*f.join, m)
		f.join = nil
	}
	f.pushJoined()
	if f.isFull(m) {
		f.join = &m
		return
	}
	f.push(m)
}

// isFull: the line ends where a terminal's margin may be.
func (f *flow) isFull(m lineMap) bool {
	if m.cols == 0 || m.text == "" || m.cols%wrapWide != 0 && (f.width == 0 || m.cols%f.width != 0) {
		return false
	}
	return wordByte(m.text[len(m.text)-1])
}

// rowBefore is the text of the row before, if a line editor goes on in this one.
func (f *flow) rowBefore(m lineMap) string {
	if f.join != nil && edited(m) {
		return f.join.text
	}
	return ""
}

// edited: a line editor that reached the margin begins the next row so.
func edited(m lineMap) bool { return strings.HasPrefix(m.bytes, "\r") }

// continues: a line editor goes on, or both sides of the margin look like one token.
func continues(before string, m lineMap) bool {
	if m.text == "" || !wordByte(m.text[0]) {
		return false
	}
	if edited(m) {
		return true
	}
	last := before[strings.LastIndexAny(before, " \t\"'")+1:]
	return len(last) >= 16 || strings.ContainsAny(last, "0123456789=")
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("+/=_-.%~", c) >= 0
}

// columns counts characters. A line of fewer bytes than the narrowest margin, what stood
// before included, has none that matter.
func columns(s string, before int) int {
	if len(s)+before < minColumns {
		return 0
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < 0x80 || s[i] >= 0xc0 {
			n++
		}
	}
	return n
}

// glue joins two lines that a margin cut apart.
func glue(a, b lineMap) lineMap {
	at := make([]int32, 0, len(a.text)+len(b.text))
	for _, l := range [...]lineMap{a, b} {
		for i := range len(l.text) - l.lead {
			start, _ := l.view.raw(i, i+1)
			at = append(at, int32(start+l.raw-a.raw))
		}
	}
	return lineMap{view: view{a.text + b.text, at}, raw: a.raw, bytes: a.bytes + b.bytes, cols: a.cols + b.cols, lead: a.lead}
}

func (f *flow) pushJoined() {
	if f.join != nil {
		m := *f.join
		f.join = nil
		f.push(m)
	}
}

// push gives a logical line to the scanner.
func (f *flow) push(m lineMap) {
	f.hearCommand()
	m.pos, m.size = f.pos, len(m.text)+1
	f.pos += m.size
	f.lines = append(f.lines, m)
	f.scan.Push(m.text, m.pos, m.size)
	f.known(&m)
	f.settle()
	if f.begun-f.settled() > maxHeld {
		f.scan.Overflow()
		f.settle()
	}
}

// hearCommand tells the scanner of a command line that was sent since the last line.
func (f *flow) hearCommand() {
	told := f.r.mem.told.Load()
	if told == f.told {
		return
	}
	f.told = told
	if cmd, gen := f.r.mem.commandOf(f.r.target); gen != f.gen {
		f.gen = gen
		f.scan.Command(cmd)
	}
}

// sides masks what stands in texts that are not on the screen; lead is the text that
// stands before them.
func (f *flow) sides(views []view, lead string) {
	for _, v := range views {
		text := lead + v.text
		add := func(start, end int, kind, value string) {
			if start, end = max(start-len(lead), 0), end-len(lead); start < end {
				start, end = v.raw(start, end)
				f.masks = append(f.masks, mask{f.begun + start, f.begun + end, kind, value})
			}
		}
		for _, s := range detect.Scan(text) {
			add(s.Start, s.End, s.Kind, text[s.Start:s.End])
		}
		for _, k := range f.r.mem.find(f.r.target, text) {
			add(k.start, k.end, k.kind, k.value)
		}
	}
}

// known masks learned values.
func (f *flow) known(m *lineMap) {
	for _, k := range f.r.mem.find(f.r.target, m.text) {
		if k.end > m.lead {
			start, end := m.raws(k.start, k.end)
			f.masks = append(f.masks, mask{start, end, k.kind, k.value})
		}
	}
}

// settle turns final spans into masks and lets the lines that they were in go.
func (f *flow) settle() {
	upto := f.scan.Settled()
	for _, s := range f.scan.Take(upto) {
		m := mask{kind: s.Kind}
		m.start, m.end, m.value = f.locate(s.Start, s.End)
		f.masks = append(f.masks, m)
		if s.Sure {
			f.r.learnFound(m.value, m.kind)
		}
	}
	k := 0
	for k < len(f.lines) && f.lines[k].pos+f.lines[k].size <= upto {
		if !f.whole {
			f.ready = append(f.ready, f.lines[k].bytes)
		}
		k++
	}
	f.lines = append(f.lines[:0], f.lines[k:]...)
}

// locate gives the raw offsets and the text of a span.
func (f *flow) locate(start, end int) (from, to int, value string) {
	first := sort.Search(len(f.lines), func(i int) bool { return f.lines[i].pos+f.lines[i].size > start })
	var text strings.Builder
	for i := first; i < len(f.lines) && f.lines[i].pos < end; i++ {
		l := &f.lines[i]
		a, b := max(start, l.pos)-l.pos, min(end-l.pos, len(l.text))
		if a >= b && start >= l.pos {
			continue
		}
		rawA, rawB := l.raws(a, b)
		if i == first || to == 0 {
			from = rawA
		}
		to = rawB
		text.WriteString(l.text[a:b])
	}
	return from, to, text.String()
}

// finish ends the text: what is unfinished is taken as a line.
func (f *flow) finish() {
	if len(f.rest) > 0 {
		raw := string(f.rest)
		f.rest = f.rest[:0]
		f.line(raw)
	}
	f.pushJoined()
	f.scan.End()
	f.settle()
	f.prefix, f.hidden = "", false
}

// settled is the raw offset up to which all is decided.
func (f *flow) settled() int {
	switch {
	case len(f.lines) > 0:
		return f.lines[0].raw
	case f.join != nil:
		return f.join.raw
	}
	return f.begun
}

// give writes what is settled.
func (f *flow) give(out *strings.Builder) {
	if len(f.ready) == 0 {
		return
	}
	size := 0
	for _, s := range f.ready {
		size += len(s)
	}
	out.Grow(size)
	upto := f.given + size
	sortMasks(f.masks)
	n := sort.Search(len(f.masks), func(i int) bool { return f.masks[i].start >= upto })
	if n == 0 {
		for _, s := range f.ready {
			out.WriteString(s)
		}
	} else {
		text := strings.Join(f.ready, "")
		f.r.write(out, text, f.given, clean(text, f.given, f.masks[:n]))
		f.masks = append(f.masks[:0], f.masks[n:]...)
	}
	clear(f.ready)
	f.ready, f.given = f.ready[:0], upto
}
