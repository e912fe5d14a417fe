package redact

import (
	"bytes"
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
	width  int
	buf    []byte // what was not given out; buf[0] is the raw offset base
	base   int
	begun  int // raw offset of the unfinished line
	seen   int // raw offset up to which no line end is
	lines  []lineMap
	join   *lineMap // a line that may go on after a cut at the margin
	pos    int      // text offset behind the last line
	masks  []mask   // in raw offsets, not given out yet
	gen    int      // of the target's last command
	prefix string   // text of the unfinished line that was let go before its end
	hidden bool     // its last word was masked: the rest of the word goes too
}

// lineMap is a logical line: where its text and its raw bytes are.
type lineMap struct {
	view
	pos      int // text offset
	raw, end int // raw offsets, line end included
	size     int // text offsets it takes
	cols     int
	lead     int // bytes of text that were let go before: they have no raw bytes here
}

// raw gives the raw offsets of text[start:end].
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
	sure       bool
}

func newFlow(r *Redactor) *flow {
	return &flow{r: r, scan: detect.NewScanner()}
}

// write takes bytes.
func (f *flow) write(p []byte) {
	f.buf = append(f.buf, p...)
	for {
		rest := f.buf[f.seen-f.base:]
		k := bytes.IndexByte(rest, '\n')
		if held := f.seen - f.begun; k < 0 && held+len(rest) < maxHeld || k >= 0 && held+k >= maxHeld {
			if k < 0 {
				f.seen += len(rest)
				return
			}
			k = -1
		}
		if k < 0 {
			f.overlong()
			continue
		}
		f.seen += k + 1
		f.line(f.seen)
	}
}

// overlong cuts a line that is longer than what may be held, at its last blank or sign;
// without one, the whole piece is masked.
func (f *flow) overlong() {
	piece := f.buf[f.begun-f.base:][:maxHeld]
	cut := bytes.LastIndexAny(piece, " \t,;{}[]\"") + 1
	if cut < maxHeld/2 {
		f.masks = append(f.masks, mask{f.begun, f.begun + maxHeld, "overlong", string(piece), false})
		cut = maxHeld
	}
	f.seen = f.begun + cut
	f.line(f.seen)
}

// line takes the raw bytes up to end as a line.
func (f *flow) line(end int) {
	raw := f.buf[f.begun-f.base : end-f.base]
	body := bytes.TrimRight(bytes.TrimSuffix(raw, []byte("\n")), "\r")
	n := f.norm.line(body)
	f.sides(n.others)
	m := lineMap{view: n.main, raw: f.begun, end: end}
	f.lead(&m)
	m.cols = columns(m.text)
	f.begun = end
	if f.join != nil && m.lead == 0 && continues(f.join.text, m.text) && len(f.join.text) < maxHeld {
		m = glue(*f.join, m)
	} else {
		f.pushJoined()
	}
	if f.isFull(m) {
		f.join = &m
		return
	}
	f.join = nil
	f.push(m)
}

// isFull: the line ends where a terminal's margin may be.
func (f *flow) isFull(m lineMap) bool {
	if m.cols == 0 || m.lead > 0 || !wordByte(m.text[len(m.text)-1]) {
		return false
	}
	return f.width > 0 && m.cols%f.width == 0 || m.cols%wrapWide == 0
}

// continues: both sides of the margin look like one token.
func continues(before, text string) bool {
	if text == "" || !wordByte(text[0]) {
		return false
	}
	last := before[strings.LastIndexAny(before, " \t\"'")+1:]
	return len(last) >= 16 || strings.ContainsAny(last, "0123456789=")
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("+/=_-.%~", c) >= 0
}

func columns(s string) int {
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
	for i := range len(a.text) {
		start, _ := a.view.raw(i, i+1)
		at = append(at, int32(start))
	}
	for i := range len(b.text) {
		start, _ := b.view.raw(i, i+1)
		at = append(at, int32(start+b.raw-a.raw))
	}
	return lineMap{view: view{a.text + b.text, at}, raw: a.raw, end: b.end, cols: a.cols + b.cols}
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
	if cmd, gen := f.r.mem.commandOf(f.r.target, f.gen); gen != f.gen {
		f.gen = gen
		f.scan.Command(cmd)
	}
	m.pos, m.size = f.pos, len(m.text)+1
	f.pos += m.size
	f.lines = append(f.lines, m)
	f.scan.Push(m.text, m.pos, m.size)
	f.known(&f.lines[len(f.lines)-1])
	f.settle()
	if m.end-f.settled() > maxHeld {
		f.scan.Overflow()
		f.settle()
	}
}

// sides masks what stands in texts that are not on the screen.
func (f *flow) sides(views []view) {
	for _, v := range views {
		for _, s := range detect.Scan(v.text) {
			start, end := v.raw(s.Start, s.End)
			f.masks = append(f.masks, mask{f.begun + start, f.begun + end, s.Kind, v.text[s.Start:s.End], false})
		}
		for _, k := range f.r.mem.find(f.r.target, v.text) {
			start, end := v.raw(k.start, k.end)
			f.masks = append(f.masks, mask{f.begun + start, f.begun + end, k.kind, k.value, false})
		}
	}
}

// known masks learned values.
func (f *flow) known(m *lineMap) {
	for _, k := range f.r.mem.find(f.r.target, m.text) {
		if k.end > m.lead {
			start, end := m.raws(k.start, k.end)
			f.masks = append(f.masks, mask{start, end, k.kind, k.value, false})
		}
	}
}

// settle turns final spans into masks.
func (f *flow) settle() {
	upto := f.scan.Settled()
	for _, s := range f.scan.Take(upto) {
		m := mask{kind: s.Kind, sure: s.Sure}
		m.start, m.end, m.value = f.locate(s.Start, s.End)
		f.masks = append(f.masks, m)
		if s.Sure {
			f.r.learnFound(m.value, m.kind)
		}
	}
}

// locate gives the raw offsets and the text of a span.
func (f *flow) locate(start, end int) (from, to int, value string) {
	for i := range f.lines {
		l := &f.lines[i]
		if l.pos+l.size <= start || l.pos >= end {
			continue
		}
		a, b := max(start, l.pos)-l.pos, min(end-l.pos, len(l.text))
		if a >= b && start >= l.pos {
			continue
		}
		rawA, rawB := l.raws(a, b)
		if start >= l.pos || to == 0 {
			from = rawA
		}
		to = rawB
		value += l.text[a:b]
	}
	return from, to, value
}

// finish ends the text: what is unfinished is taken as a line.
func (f *flow) finish() {
	if end := f.base + len(f.buf); end > f.begun {
		f.seen = end
		f.line(end)
	}
	f.pushJoined()
	f.scan.End()
	f.settle()
	f.prefix, f.hidden = "", false
}

// settled is the raw offset up to which all is decided.
func (f *flow) settled() int {
	upto := f.scan.Settled()
	for i := range f.lines {
		if l := &f.lines[i]; l.pos+l.size > upto {
			return l.raw
		}
	}
	if f.join != nil {
		return f.join.raw
	}
	return f.begun
}

// take gives the bytes up to a raw offset and the masks in them, and forgets them.
func (f *flow) take(upto int) (raw []byte, base int, masks []mask) {
	raw, base = f.buf[:upto-f.base], f.base
	sortMasks(f.masks)
	n := 0
	for n < len(f.masks) && f.masks[n].start < upto {
		n++
	}
	masks = f.masks[:n:n]
	f.masks = append([]mask(nil), f.masks[n:]...)
	k := 0
	for k < len(f.lines) && f.lines[k].end <= upto {
		k++
	}
	f.lines = append(f.lines[:0], f.lines[k:]...)
	return raw, base, masks
}

// drop gives up the bytes before a raw offset.
func (f *flow) drop(upto int) {
	n := copy(f.buf, f.buf[upto-f.base:])
	f.buf = f.buf[:n]
	f.base = upto
}
