package redact

import "strings"

// maxFigures is how much is skipped at once: what holds a learned value is looked at
// line by line, and searched again for each.
const maxFigures = 4 << 10

// figures skips lines from the front of a block that hold figures and blanks alone, as
// of seq or a column of sizes, where nothing is open that they could belong to: they go
// the same way as all others, many at a time. It gives how many bytes it took.
func (f *flow) figures(block string) int {
	if f.slow || f.joining || f.norm.state != ground || f.norm.col != 0 || f.veil.end > f.begun || len(f.lines) > 0 {
		return 0
	}
	if f.told != f.r.mem.told.Load() {
		return 0 // the next line that is pushed hears of the command
	}
	n := f.scan.Figures(block[:min(len(block), maxFigures)], f.width)
	if found := f.r.mem.find(f.r.target, block[:n]); len(found) > 0 {
		n = strings.LastIndexByte(block[:found[0].start], '\n') + 1
	}
	f.scan.Skip(n)
	f.begun += n
	f.pos += n
	return n
}
