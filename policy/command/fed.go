package command

import "strings"

// Commands whose words come out of their input: xargs, parallel.

// xargs runs its words with words from its input behind them, or in place of
// a mark.
func (x *invocation) xargs() {
	n := leading("xargs", x.args)
	o := readOptions("xargs", x.args[:n])
	words := x.args[n:]
	mark := replaceMark(o, x.args[:n])
	in := x.cmd.in
	for _, v := range o.values("a", "arg-file") {
		x.use(v, Reads)
		if text, ok := x.procText(v); ok {
			in = input{text: text, known: true, from: "pipe"}
		}
	}
	if len(words) == 0 {
		return
	}
	unknown := Word{Dynamic: true, Start: x.cmd.start, End: x.cmd.end}
	if len(words) == 1 && shellNames[programOf(words[0])] && (o.has("a", "arg-file", "o", "open-tty") || in.from == "") {
		x.mark("interactive_shell")
	}
	if in.known && in.from != "file" {
		for _, set := range xargsSets(o, in.text, mark) {
			x.runIn(place(words, mark, set), input{})
		}
	}
	if len(in.names) > 0 {
		x.runFed(place(words, mark, in.names))
	}
	x.runFed(place(words, mark, []Word{unknown}))
}

// xargsSets gives the words that xargs makes of its input: with -0 and -d it
// splits at that alone.
func xargsSets(o Options, text, mark string) [][]Word {
	sep := ""
	for _, v := range o.values("d", "delimiter") {
		sep = ansiC(v.Text)
	}
	if o.has("0", "null") {
		sep = "\x00"
	}
	if sep == "" || sep == "\n" && mark != "" {
		return inputSets(text, splitMark(o, mark))
	}
	var all []Word
	for _, f := range strings.Split(text, sep) {
		if strings.TrimSpace(f) != "" && len(all) < maxReadings {
			all = append(all, fedWord(f))
		}
	}
	if mark == "" {
		return [][]Word{all}
	}
	var sets [][]Word
	for _, w := range all[:min(len(all), maxValues)] {
		sets = append(sets, []Word{w})
	}
	return sets
}

// splitMark is a mark where each line of the input is one value.
func splitMark(o Options, mark string) string {
	for _, v := range o.values("d", "delimiter") {
		if mark == "" && (v.Text == "\\n" || v.Text == "\n") {
			return "\n"
		}
	}
	return mark
}

// runFed runs words of which some come from input that nobody has seen.
func (x *invocation) runFed(words []Word) {
	start := len(x.facts)
	x.runIn(words, input{})
	x.walker.mark(start, "fed_operands")
}

func replaceMark(o Options, args []Word) string {
	for _, v := range o.values("I", "J", "replace") {
		if v.Text != "" {
			return v.Text
		}
	}
	for _, a := range args {
		switch {
		case a.Text == "-i" || strings.HasPrefix(a.Text, "--replace"):
			return "{}"
		case strings.HasPrefix(a.Text, "-i"):
			return a.Text[2:]
		case strings.HasPrefix(a.Text, "-I") || strings.HasPrefix(a.Text, "-J"):
			return a.Text[2:]
		}
	}
	return ""
}

// inputSets gives the words of literal input: all at once, or a line each.
func inputSets(text, mark string) [][]Word {
	if mark == "" {
		var all []Word
		for _, f := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == 0 }) {
			all = append(all, fedWord(strings.Trim(f, `"'`)))
		}
		return [][]Word{all}
	}
	var sets [][]Word
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		if len(sets) >= maxValues {
			break
		}
		sets = append(sets, []Word{fedWord(strings.TrimSpace(l))})
	}
	return sets
}

// fedWord is a word out of a command's input; a pattern in it stands for the
// names that a shell made of it.
func fedWord(text string) Word {
	return Word{Text: text, Known: true, Dynamic: true, Glob: strings.ContainsAny(text, "*?[")}
}

// place puts values behind words, or where the mark stands in them.
func place(words []Word, mark string, values []Word) []Word {
	out := make([]Word, 0, len(words)+len(values))
	placed := false
	for _, w := range words {
		if mark == "" || !strings.Contains(w.Text, mark) {
			out = append(out, w)
			continue
		}
		placed = true
		for _, v := range values {
			r := w
			r.Text = strings.ReplaceAll(w.Text, mark, v.Text)
			r.Known = w.Known && v.Known
			r.Dynamic = true
			out = append(out, r)
		}
	}
	if placed || mark != "" {
		return out
	}
	for _, v := range values {
		v.Start, v.End = words[0].Start, words[len(words)-1].End
		out = append(out, v)
	}
	return out
}

// parallel is xargs with its values behind ::: and its words read by a shell.
func (x *invocation) parallel() {
	args, values, has := splitParallel(x.args)
	n := leadingParallel(args)
	words := args[n:]
	if len(words) == 0 {
		for _, v := range values {
			x.codeWord(v, nil)
		}
		if !has && x.cmd.in.known {
			x.codeText(x.cmd.in.text, [2]int{x.cmd.start, x.cmd.end}, nil, Bash)
		} else if !has {
			x.stdinCodeUnseen()
		}
		return
	}
	if !has && x.cmd.in.known && x.cmd.in.from != "file" {
		for _, set := range inputSets(x.cmd.in.text, "{}") {
			values = append(values, set...)
		}
		has = true
	}
	if !has {
		start := len(x.facts)
		x.parallelRun(parallelWords(words, Word{Dynamic: true, Start: x.cmd.start, End: x.cmd.end}))
		x.walker.mark(start, "fed_operands")
		return
	}
	for i, v := range values {
		if i >= maxReadings {
			break
		}
		v.Dynamic = true
		x.parallelRun(parallelWords(words, v))
	}
}

func (x *invocation) parallelRun(words []Word) {
	if len(words) == 1 || strings.ContainsAny(words[0].Text, " ;|&") {
		x.codeWord(joined(words), nil)
		return
	}
	x.runIn(words, input{})
}

func splitParallel(args []Word) (words, values []Word, has bool) {
	for i, a := range args {
		if a.Text == ":::" || a.Text == ":::+" {
			for _, v := range args[i+1:] {
				if v.Text != ":::" && v.Text != ":::+" {
					values = append(values, v)
				}
			}
			return args[:i], values, true
		}
		if a.Text == "::::" {
			return args[:i], nil, false
		}
	}
	return args, nil, false
}

func leadingParallel(args []Word) int {
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if len(t) < 2 || t[0] != '-' {
			return i
		}
		switch t {
		case "-j", "-S", "-N", "-n", "-a", "-I", "-P", "-L", "-d", "--jobs", "--sshlogin", "--joblog", "--results", "--colsep", "--delay", "--timeout", "--tmpdir", "--workdir", "--arg-file", "--max-args":
			i++
		}
	}
	return len(args)
}

var parallelMarks = []string{"{}", "{1}", "{.}", "{/}", "{//}", "{/.}"}

func parallelWords(words []Word, v Word) []Word {
	for _, m := range parallelMarks {
		for _, w := range words {
			if strings.Contains(w.Text, m) {
				return place(words, m, []Word{v})
			}
		}
	}
	return place(words, "", []Word{v})
}
