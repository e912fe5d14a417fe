package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call walks one simple command: every reading of its program word is a
// command of its own.
func (w *walker) call(c *syntax.CallExpr, s *syntax.Stmt, uses []Use, in input) {
	assigns := w.assigns(c.Assigns)
	start, end := w.bounds(s)
	if len(c.Args) == 0 {
		w.assignmentsOnly(assigns, uses, start, end, in)
		return
	}
	lines := [][]Word{make([]Word, 0, len(c.Args)-1)}
	first := w.expand(c.Args[0])
	for _, a := range c.Args[1:] {
		if !w.node() {
			return
		}
		if f, ok := plain(a, w.span(a)); ok {
			for i := range lines {
				lines[i] = append(lines[i], f)
			}
			continue
		}
		lines = multiply(lines, w.expand(a))
	}
	for _, reading := range first {
		for _, rest := range lines {
			fields := rest
			if len(reading) > 0 {
				fields = append(reading[:len(reading):len(reading)], rest...)
			}
			if len(fields) == 0 {
				w.assignmentsOnly(assigns, uses, start, end, in)
				continue
			}
			w.simple(simple{words: fields, assigns: assigns, uses: uses, in: in, start: start, end: end, flow: w.flow})
		}
	}
}

// maxLines bounds the commands that one becomes because its words have
// several readings.
const maxLines = 4

// multiply puts each reading of one more word behind each line; where that
// becomes too many, all readings stand behind every line.
func multiply(lines, readings [][]Word) [][]Word {
	if len(readings) == 1 || len(lines)*len(readings) > maxLines {
		for i := range lines {
			for _, r := range readings {
				lines[i] = append(lines[i], r...)
			}
		}
		return lines
	}
	out := make([][]Word, 0, len(lines)*len(readings))
	for _, l := range lines {
		for _, r := range readings {
			out = append(out, append(l[:len(l):len(l)], r...))
		}
	}
	return out
}

// simple is a command after expansion.
type simple struct {
	words      []Word
	assigns    []Assign
	uses       []Use
	in         input
	start, end int
	flow       []int // facts whose output is in the words
}

// simple emits the fact of one command and everything it starts.
func (w *walker) simple(c simple) {
	if !w.spend(1 + wordWeight*len(c.words)) {
		return
	}
	w.aliased(&c)
	f := Fact{Name: c.words[0], Args: c.words[1:], Assigns: c.assigns, Uses: c.uses, Start: c.start, End: c.end}
	f.Program = programOf(c.words[0])
	w.dynamic(&f)
	if w.dialect <= Zsh && strings.HasPrefix(f.Name.Text, "^") && strings.Count(f.Name.Text, "^") > 1 {
		f.construct("history_expansion")
	}
	if asksUsage(&f) {
		f.Args = f.Args[len(f.Args)-1:]
		w.emit(f)
		return
	}
	f.noteLoose()
	at := w.emit(f)
	w.reads(at, c.in.flow)
	for _, a := range c.assigns {
		w.assign(strings.TrimSuffix(a.Name, "+"), valueOf(a.Word), false)
	}
	c.flow = joinFlow(c.flow, w.within)
	w.arrive(c.flow, f.Program)
	w.last = c.words[len(c.words)-1:]
	w.study(at, c)
	if f.Program != "" {
		w.invoke(f.Program, f.Args, c.in)
	}
}

// reads connects the command at a fact with those whose output it reads
// through < <( ).
func (w *walker) reads(at int, flow []int) {
	for _, i := range flow {
		f, reader := &w.facts[i], &w.facts[at]
		f.PipesTo = join(f.PipesTo, []string{reader.Program})
		reader.FedBy = join(reader.FedBy, []string{f.Program})
	}
}

// dynamic notes a program that is only known, or was only resolved, through
// an expansion.
func (w *walker) dynamic(f *Fact) {
	switch {
	case f.Name.Glob:
		f.construct("glob_program")
		f.construct("dynamic_program")
	case f.Name.Dynamic || !f.Name.Known:
		f.construct("dynamic_program")
	}
}
