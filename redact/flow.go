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
// not on how they came in pieces, nor on what was given out before its line had ended.
type flow struct {
	r       *Redactor
	norm    normaliser
	scan    *detect.Scanner
	width   int    // of the terminal, or 0
	rest    []byte // the unfinished line, from its beginning
	begun   int    // raw offset of rest
	lines   []lineMap
	join    lineMap // a line that may go on after a cut at the margin
	joining bool
	pos     int     // text offset behind the last line
	masks   []mask  // in raw offsets, not given out yet
	kept    kept    // raw bytes from given on, up to rest
	given   int     // up to here all was given out, some before it was settled
	veil    span    // the end of what was given out unsettled, if it was masked
	whole   bool    // the text is there as a whole: nothing is kept
	slow    bool    // every line goes to the scanner, for tests
	trial   bool    // nothing is learned: the text has not come to its end
	last    lineMap // of a trial
	gen     int     // of the target's last command
	told    int64   // of all targets' commands
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
		block := f.block(p[:k+1])
		p = p[k+1:]
		f.keep(block)
		for block != "" {
			if n := f.figures(block); n > 0 {
				block = block[n:]
				continue
			}
			n := strings.IndexByte(block, '\n') + 1
			if n > maxHeld {
				n = f.overlong(block[:maxHeld])
			}
			f.line(block[:n])
			block = block[n:]
		}
	}
}

// block puts the beginning of a line in front of its rest.
func (f *flow) block(p []byte) string {
	var b strings.Builder
	b.Grow(len(f.rest) + len(p))
	b.Write(f.rest)
	b.Write(p)
	f.rest = f.rest[:0]
	return b.String()
}

func (f *flow) keep(raw string) {
	if !f.whole {
		f.kept.add(raw)
	}
}

// hold keeps bytes without a line end.
func (f *flow) hold(p []byte) {
	for len(f.rest)+len(p) >= maxHeld {
		n := maxHeld - len(f.rest)
		piece := string(append(f.rest, p[:n]...))
		p = p[n:]
		cut := f.overlong(piece)
		f.keep(piece[:cut])
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
	f.masks = append(f.masks, mask{start: f.begun, end: f.begun + len(piece), kind: "overlong", value: piece})
	return len(piece)
}

// line takes the raw bytes of a line, its end included.
func (f *flow) line(raw string) {
	text := strings.TrimSuffix(raw, "\n")
	n := f.norm.line(strings.TrimRight(text, "\r"), len(text) < len(raw))
	m := lineMap{view: n.main, raw: f.begun, cols: n.cols, edited: strings.HasPrefix(raw, "\r")}
	f.sides(n.others, f.rowBefore(&m))
	f.begun += len(raw)
	if f.joining && f.goesOn(&m) {
		m = glue(&f.join, &m)
		f.joining = false
	}
	f.pushJoined()
	f.veiled(&m)
	if f.isFull(&m) {
		f.join, f.joining = m, true
		return
	}
	f.push(m)
}

func (f *flow) pushJoined() {
	if f.joining {
		f.joining = false
		f.push(f.join)
	}
}

// push gives a logical line to the scanner.
func (f *flow) push(m lineMap) {
	f.hearCommand()
	m.pos, m.size = f.pos, len(m.text)+1
	f.pos += m.size
	f.lines = append(f.lines, m)
	if f.trial && m.text != "" {
		f.last = m
	}
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
		l := lineMap{view: v, raw: f.begun}
		add := func(start, end int, kind, value string) {
			if start, end = max(start-len(lead), 0), end-len(lead); start < end {
				f.mask(l.runs(nil, start, end), kind, value)
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
		f.mask(m.runs(nil, k.start, k.end), k.kind, k.value)
	}
}

// mask notes a secret, which may stand in several places where something was overwritten.
func (f *flow) mask(runs []span, kind, value string) {
	for i, x := range runs {
		f.masks = append(f.masks, mask{start: x.start, end: x.end, kind: kind, value: value, more: i > 0})
	}
}

// settle turns final spans into masks and lets the lines that they were in go.
func (f *flow) settle() {
	upto := f.scan.Settled()
	for _, s := range f.scan.Take(upto) {
		runs, value := f.locate(s.Start, s.End)
		f.mask(runs, s.Kind, value)
		switch {
		case !s.Sure || f.trial:
		case s.Kind == "private-key":
			f.r.learnKey(value, f.linesOf(s.Start, s.End))
		default:
			f.r.learnFound(value, s.Kind)
		}
	}
	k := 0
	for k < len(f.lines) && f.lines[k].pos+f.lines[k].size <= upto {
		k++
	}
	f.lines = append(f.lines[:0], f.lines[k:]...)
}

// locate gives the places and the text of a span.
func (f *flow) locate(start, end int) (runs []span, value string) {
	first := sort.Search(len(f.lines), func(i int) bool { return f.lines[i].pos+f.lines[i].size > start })
	var text strings.Builder
	for i := first; i < len(f.lines) && f.lines[i].pos < end; i++ {
		l := &f.lines[i]
		if a, b := max(start, l.pos)-l.pos, min(end-l.pos, len(l.text)); a < b {
			runs = l.runs(runs, a, b)
			text.WriteString(l.text[a:b])
		}
	}
	return runs, text.String()
}

// linesOf gives the lines of a span.
func (f *flow) linesOf(start, end int) (lines []string) {
	for i := range f.lines {
		l := &f.lines[i]
		if a, b := max(start, l.pos)-l.pos, min(end-l.pos, len(l.text)); a < b {
			lines = append(lines, l.text[a:b])
		}
	}
	return lines
}

// finish ends the text: what is unfinished is taken as a line.
func (f *flow) finish() {
	if len(f.rest) > 0 {
		raw := string(f.rest)
		f.rest = f.rest[:0]
		f.keep(raw)
		f.line(raw)
	}
	f.pushJoined()
	f.scan.End()
	f.settle()
	f.veil = span{}
}

// settled is the raw offset up to which all is decided.
func (f *flow) settled() int {
	switch {
	case len(f.lines) > 0:
		return f.lines[0].raw
	case f.joining:
		return f.join.raw
	}
	return f.begun
}

// give gives what is settled and was not given out before.
func (f *flow) give() string {
	upto := f.settled()
	if upto <= f.given {
		return ""
	}
	sortMasks(f.masks)
	n := sort.Search(len(f.masks), func(i int) bool { return f.masks[i].start >= upto })
	text := f.emit(f.kept.text(f.given, upto), f.masks[:n])
	f.masks = append(f.masks[:0], f.masks[n:]...)
	f.given = upto
	f.kept.drop(upto)
	return text
}

// emit masks the raw text that begins at given.
func (f *flow) emit(text string, masks []mask) string {
	if len(masks) == 0 {
		return text
	}
	var out strings.Builder
	f.r.write(&out, text, f.given, clean(text, f.given, f.unseen(masks)))
	return out.String()
}

// unseen gives the parts of masks that were not given out. The rest of one whose
// beginning was masked needs no placeholder of its own.
func (f *flow) unseen(masks []mask) []mask {
	var out []mask
	for _, m := range masks {
		if m.end <= f.given {
			continue
		}
		if m.start < f.given {
			if m.start < f.veil.end && f.veil.start < m.end {
				m.kind = ""
			}
			m.start = f.given
		}
		out = append(out, m)
	}
	return out
}
