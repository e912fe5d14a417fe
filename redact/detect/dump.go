package detect

import "strings"

// Layer 6 for bytes written as hexadecimal: a run of digits (xxd -p), and dumps with an
// offset, groups of digits and perhaps the characters beside them (xxd, hexdump, od,
// tcpdump -X), whose text goes on from line to line.

// maxDump is how much text of a dump's earlier lines is looked at with a line.
const maxDump = 512

// dumpByte is a byte of a dump, in text offsets.
type dumpByte struct{ hex, shown int } // of its two digits; of its character, or -1

// dumpState is the text of the dump so far, from the last end of a line in it.
type dumpState struct {
	text []byte
	pure bool // its last line was a full one of digits alone
}

// dumpNext masks what a line of a dump holds of a secret.
func (s *Scanner) dumpNext(l *line) {
	if s.depth >= maxDepth || len(s.dump.text) == 0 && len(l.text) <= maxFigure { // short ones begin none
		s.dump.pure = false
		return
	}
	d, ok := dumpLine(l.text, s.dump.pure)
	if !ok {
		s.dump.pure, s.dump.text = false, s.dump.text[:0]
		return
	}
	s.dump.pure = isHex(l.text[len(l.text)-1]) && len(d.at) == 30
	if n := len(s.dump.text); n > maxDump {
		s.dump.text = append(s.dump.text[:0], s.dump.text[n-maxDump:]...)
	}
	from := len(s.dump.text)
	at := d.at
	for i, c := range d.text {
		if notText[c] {
			s.dump.text, from, at = s.dump.text[:0], 0, d.at[i+1:]
			continue
		}
		s.dump.text = append(s.dump.text, c)
	}
	l.dumped(string(s.dump.text), from, at)
	if k := strings.LastIndexByte(string(s.dump.text), '\n'); k >= 0 {
		s.dump.text = append(s.dump.text[:0], s.dump.text[k+1:]...)
	}
}

// dumped looks for secrets in the text of a dump, of which the line at hand gave the part
// behind from.
func (l *line) dumped(text string, from int, at []dumpByte) {
	if len(text) < 6 {
		return
	}
	s := NewScanner()
	s.depth = l.s.depth + 1
	s.PushAll(text)
	s.End()
	for _, sp := range merge(s.found) {
		a, b := max(sp.Start, from)-from, min(sp.End-from, len(at))
		if a >= b {
			continue
		}
		first, last := at[a], at[b-1]
		l.add(Span{Start: min(first.hex, last.hex), End: max(first.hex, last.hex) + 2, Kind: "encoded", rank: rankForm})
		if first.shown >= 0 {
			l.add(Span{Start: first.shown, End: last.shown + 1, Kind: sp.Kind, rank: rankForm})
		}
	}
}

type dumpedLine struct {
	text []byte
	at   []dumpByte
}

func (d *dumpedLine) put(t string, i int) {
	d.text = append(d.text, hexDigit(t[i])<<4|hexDigit(t[i+1]))
	d.at = append(d.at, dumpByte{hex: i, shown: -1})
}

func hexDigit(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c&0x0f + 9
}

// dumpLine reads a line of a dump; goesOn says that it may be a short one of digits alone.
func dumpLine(t string, goesOn bool) (d dumpedLine, ok bool) {
	i := 0
	for i < len(t) && i < 8 && isSpace(t[i]) {
		i++
	}
	tagged := strings.HasPrefix(t[i:], "0x")
	i += 2 * b2i(tagged)
	if i >= len(t) || !isHex(t[i]) {
		return d, false
	}
	k := hexRun(t, i)
	if k == len(t) && (k-i)%2 == 0 && k-i <= 256 && (k-i >= minEncoded || goesOn) {
		for ; i < k; i += 2 {
			d.put(t, i)
		}
		return d, true
	}
	if k-i < 4 || k-i > 12 || k >= len(t) || t[k] != ':' && (k-i < 6 || t[k] != ' ') {
		return d, false
	}
	end := d.groups(t, k+b2i(t[k] == ':'), t[k] != ':')
	d.characters(t, end)
	return d, len(d.at) > 0
}

// groups reads up to sixteen bytes behind the offset; in words of two bytes a dump without
// a colon has the lower byte first.
func (d *dumpedLine) groups(t string, i int, swaps bool) int {
	for len(d.at) < 16 {
		j := skipBlanks(t, i)
		h := hexRun(t, j)
		if j == i || j-i > 2 || h == j || (h-j)%2 != 0 || h-j > 16 || h < len(t) && !isSpace(t[h]) {
			return i
		}
		if swaps && h-j == 4 {
			d.put(t, j+2)
			d.put(t, j)
		} else {
			for ; j < h; j += 2 {
				d.put(t, j)
			}
		}
		i = h
	}
	return i
}

// characters finds the column of characters, which ends the line.
func (d *dumpedLine) characters(t string, end int) {
	stop := len(t)
	if c := t[stop-1]; c == '|' || c == '<' {
		stop--
	}
	from := stop - len(d.at)
	if from <= end || strings.Trim(t[end:from], " \t|>") != "" {
		return
	}
	for i := range d.at {
		d.at[i].shown = from + i
	}
}

// hexText decodes a run of hexadecimal if text comes out; it gives up at the first byte
// that is none.
func hexText(v string) (string, bool) {
	if len(v) < minEncoded || len(v)%2 != 0 || len(v) > 2*maxDecoded {
		return "", false
	}
	var b []byte
	for i := 0; i < len(v); i += 2 {
		if !isHex(v[i]) || !isHex(v[i+1]) {
			return "", false
		}
		c := hexDigit(v[i])<<4 | hexDigit(v[i+1])
		if notText[c] {
			return "", false
		}
		b = append(b, c)
	}
	return string(b), isText(b)
}

// hexRunAt masks a run of hexadecimal that holds a secret.
func (l *line) hexRunAt(start, end int) {
	t := l.text
	for _, mark := range [...]string{"0x", "x"} {
		if strings.HasPrefix(t[start:end], mark) {
			start += len(mark)
			break
		}
	}
	if d, ok := hexText(t[start:end]); ok && l.holdsSecret(d) {
		l.add(Span{Start: start, End: end, Kind: "encoded", rank: rankGuess})
	}
}
