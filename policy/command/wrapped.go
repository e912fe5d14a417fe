package command

import "strings"

// xargs runs its words with words from its input behind them, or in place of
// a mark.
func (x *invocation) xargs() {
	n := leading("xargs", x.args)
	o := readOptions("xargs", x.args[:n])
	words := x.args[n:]
	mark := replaceMark(o, x.args[:n])
	for _, v := range o.values("a", "arg-file") {
		x.use(v, Reads)
	}
	if len(words) == 0 {
		return
	}
	unknown := Word{Dynamic: true, Start: x.cmd.start, End: x.cmd.end}
	in := x.cmd.in
	if len(words) == 1 && shellNames[programOf(words[0])] && (o.has("a", "arg-file", "o", "open-tty") || in.from == "") {
		x.mark("interactive_shell")
	}
	if in.known && in.from != "file" {
		for _, set := range inputSets(in.text, splitMark(o, mark)) {
			x.runIn(place(words, mark, set), input{})
		}
	}
	if len(in.names) > 0 {
		x.runFed(place(words, mark, in.names))
	}
	x.runFed(place(words, mark, []Word{unknown}))
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
			x.mark("stdin_code")
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
		x.runFed(parallelWords(words, Word{Dynamic: true, Start: x.cmd.start, End: x.cmd.end}))
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

// find runs what stands behind -exec, deletes, and writes with -fprint. The
// words of the inner command are taken out of find's own.
func (x *invocation) find() {
	var own, paths []Word
	leading := true
	for i := 0; i < len(x.args); i++ {
		t := x.args[i].Text
		if strings.HasPrefix(t, "-") || t == "(" || t == "!" || t == "\\(" {
			leading = leading && (t == "-L" || t == "-H" || t == "-P" || t == "-D" || strings.HasPrefix(t, "-O"))
		}
		if findTests[t] && i+1 < len(x.args) && strings.HasPrefix(x.args[i+1].Text, "-") {
			own = append(own, x.args[i])
			i++ // its value, whatever it looks like
			continue
		}
		switch t {
		case "-exec", "-execdir", "-ok", "-okdir":
			own = append(own, x.args[i])
			end := i + 1
			for end < len(x.args) && x.args[end].Text != ";" && x.args[end].Text != "+" {
				end++
			}
			x.found(x.args[i+1:end], paths)
			i = end
			continue
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(x.args) {
				x.use(x.args[i+1], Writes)
			}
		case "-delete":
			for _, p := range orDot(paths) {
				p.Known, p.Dynamic = false, true
				x.use(p, Removes)
			}
		}
		if leading && !strings.HasPrefix(t, "-") {
			paths = append(paths, x.args[i])
		}
		own = append(own, x.args[i])
	}
	for _, p := range orDot(paths) {
		x.use(p, Reads)
	}
	x.fact().Args = own
}

func orDot(paths []Word) []Word {
	if len(paths) == 0 {
		return []Word{{Text: ".", Known: true}}
	}
	return paths
}

func (x *invocation) found(words, paths []Word) {
	if len(words) == 0 {
		return
	}
	var values []Word
	for _, p := range orDot(paths) {
		p.Known, p.Dynamic = false, true
		values = append(values, p)
	}
	words = place(words, "{}", values)
	x.runFed(words)
}

// ssh hands its words to the other host's shell.
func (x *invocation) ssh() {
	n := leading("ssh", x.args)
	o := readOptions("ssh", x.args[:n])
	x.sshOptions(o)
	if n >= len(x.args) {
		return
	}
	host := x.args[n]
	x.use(host, Connects)
	rest := x.args[n+1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") {
		more := leading("ssh", rest)
		x.sshOptions(readOptions("ssh", rest[:more]))
		rest = rest[more:]
	}
	if len(rest) > 0 {
		x.remote(joined(rest))
		return
	}
	if !o.has("N", "V", "f", "O", "G", "Q") {
		x.remoteInput()
	}
}

func (x *invocation) remote(code Word) {
	cwds, env := x.cwds, x.env
	x.cwds, x.env = nil, nil
	x.codeWord(code, nil)
	x.cwds, x.env = cwds, env
}

func (x *invocation) remoteInput() {
	in := x.cmd.in
	switch {
	case in.from == "here" || in.known && in.from == "pipe":
		x.mark("heredoc_to_shell")
		inner := *x
		inner.cmd.in = input{}
		inner.remote(Word{Text: in.text, Known: in.known, Start: x.cmd.start, End: x.cmd.end})
	case in.from == "pipe":
		x.mark("stdin_code")
	case in.from == "file" && in.path != "":
		x.use(Word{Text: in.path, Known: true}, Runs)
	default:
		x.mark("remote_shell")
	}
}

// sshOptions judges the options that start programs here.
func (x *invocation) sshOptions(o Options) {
	for _, v := range o.values("o") {
		name, code, ok := strings.Cut(v.Text, "=")
		if !ok {
			name, code, _ = strings.Cut(v.Text, " ")
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "proxycommand", "localcommand", "knownhostscommand", "remotecommand":
			x.mark("exec_option")
			x.codeText(code, [2]int{v.Start, v.End}, nil, Bash)
		}
	}
}

// su, and runuser without -u: code in -c, else a shell.
func (x *invocation) su() {
	o := readOptions(x.program, x.args)
	if o.has("help", "version", "h", "V") {
		return
	}
	codes := o.values("c", "command", "session-command")
	for _, c := range codes {
		x.codeWord(c, nil)
	}
	if x.program == "runuser" && o.has("u", "user") {
		x.run(x.args[leading("runuser", x.args):])
		return
	}
	if len(codes) == 0 {
		x.mark("interactive_shell")
		if x.cmd.in.from != "" {
			x.script(nil)
		}
	}
}

// container is docker, podman and their like: exec and run start a command.
func (x *invocation) container() {
	n := leading("docker", x.args)
	if n >= len(x.args) {
		return
	}
	sub, rest := x.args[n].Text, x.args[n+1:]
	if sub == "container" || sub == "compose" || sub == "image" {
		if sub == "compose" {
			rest = rest[leadingOf("docker compose", rest):]
		}
		if len(rest) == 0 {
			return
		}
		sub, rest = rest[0].Text, rest[1:]
	}
	x.containerCommand(sub, rest)
}

func (x *invocation) compose() {
	n := leading("docker-compose", x.args)
	if n < len(x.args) {
		x.containerCommand(x.args[n].Text, x.args[n+1:])
	}
}

func (x *invocation) containerCommand(sub string, rest []Word) {
	switch sub {
	case "unshare":
		x.run(rest)
		return
	case "exec":
		n := leadingOf("docker exec", rest)
		o := specs["docker exec"].read(rest[:n], true, spec{}, n)
		x.workdir = o.values("w", "workdir")
		rest = rest[n:]
	case "run", "create":
		n := leadingOf("docker run", rest)
		o := specs["docker run"].read(rest[:n], true, spec{}, n)
		x.workdir, x.mounts = o.values("w", "workdir"), hostMounts(o)
		for _, e := range o.values("entrypoint") {
			if n < len(rest) {
				x.run(append([]Word{e}, rest[n+1:]...))
				return
			}
		}
		rest = rest[n:]
	default:
		return
	}
	if len(rest) > 1 {
		x.inside(rest[1:])
	}
}

// inside runs words in another root: paths and variables of this line do not
// count there.
func (x *invocation) inside(words []Word) {
	cwds, env := x.cwds, x.env
	x.cwds, x.env = nil, nil
	for _, d := range x.workdir {
		if d.Known {
			x.cwds = []string{clean(d.Text)}
		}
	}
	x.run(x.unmounted(words))
	x.cwds, x.env = cwds, env
}

// hostMounts are the folders of a container that are folders of this host:
// name inside → name here.
func hostMounts(o Options) map[string]string {
	mounts := map[string]string{}
	for _, v := range o.values("v", "volume") {
		if from, to, ok := strings.Cut(v.Text, ":"); ok && strings.HasPrefix(from, "/") {
			to, _, _ = strings.Cut(to, ":")
			mounts[clean(to)] = clean(from)
		}
	}
	for _, v := range o.values("mount") {
		from, to := "", ""
		for _, f := range strings.Split(v.Text, ",") {
			name, value, _ := strings.Cut(f, "=")
			switch name {
			case "src", "source":
				from = value
			case "dst", "target", "destination":
				to = value
			}
		}
		if strings.HasPrefix(from, "/") && to != "" {
			mounts[clean(to)] = clean(from)
		}
	}
	return mounts
}

// unmounted puts the host's names of mounted folders in place of the
// container's.
func (x *invocation) unmounted(words []Word) []Word {
	if len(x.mounts) == 0 {
		return words
	}
	out := append([]Word(nil), words...)
	for i := range out {
		for to, from := range x.mounts {
			if out[i].Text == to || strings.HasPrefix(out[i].Text, to+"/") {
				out[i].Text = clean(from + "/" + strings.TrimPrefix(out[i].Text, to))
				break
			}
		}
	}
	return out
}

func leadingOf(name string, args []Word) int {
	s := specs[name]
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if t == "--" {
			return i + 1
		}
		if len(t) < 2 || t[0] != '-' {
			return i
		}
		if s.takesNext(t) {
			i++
		}
	}
	return len(args)
}

// kubectl exec, run and debug start what stands behind --; exec also what
// follows the pod.
func (x *invocation) kubectl() {
	n := leading("kubectl", x.args)
	if n >= len(x.args) {
		return
	}
	sub := x.args[n].Text
	if sub != "exec" && sub != "run" && sub != "debug" && sub != "rsh" && sub != "attach" {
		return
	}
	rest := x.args[n+1:]
	for i, a := range rest {
		if a.Text != "--" {
			continue
		}
		words := rest[i+1:]
		if before := readOptions("kubectl", rest[:i]).Operands; len(before) > 1 && sub == "exec" {
			words = append(before[1:len(before):len(before)], words...)
		}
		x.inside(words)
		return
	}
	o := readOptions("kubectl", rest)
	if pod := leading("kubectl", rest); (sub == "rsh" || sub == "exec") && len(rest) > pod+1 {
		if words := rest[pod+1:]; !strings.HasPrefix(words[0].Text, "-") {
			x.inside(words)
			return
		}
	}
	if sub == "exec" && len(o.Operands) > 1 {
		x.inside(o.Operands[1:])
		return
	}
	if sub == "rsh" || sub == "attach" && o.has("i", "t", "it", "ti", "stdin") || sub == "debug" {
		x.mark("interactive_shell")
	}
}

// behind runs the words after the first n operands and an optional --.
func behind(sub string, skip int) func(*invocation) {
	return func(x *invocation) {
		n := leading(x.program, x.args)
		rest := x.args[n:]
		for _, want := range strings.Fields(sub) {
			if len(rest) == 0 || rest[0].Text != want {
				return
			}
			rest = rest[1:]
		}
		for i := 0; i < skip && len(rest) > 0; i++ {
			for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") && rest[0].Text != "--" {
				rest = rest[1:]
			}
			if len(rest) > 0 {
				rest = rest[1:]
			}
		}
		for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") {
			if rest[0].Text == "--" {
				rest = rest[1:]
				break
			}
			rest = rest[1:]
		}
		if len(rest) == 0 {
			x.mark("interactive_shell")
			return
		}
		x.inside(rest)
	}
}

// codeOption judges the values of these options as shell code.
func (x *invocation) codeOptions(program string, names ...string) {
	o := readOptions(program, x.args)
	for _, v := range o.values(names...) {
		x.mark("exec_option")
		x.codeWord(v, nil)
	}
}

// script -c CODE, or a shell.
func (x *invocation) scriptProgram() {
	o := readOptions("script", x.args)
	codes := o.values("c", "command")
	for _, c := range codes {
		x.codeWord(c, nil)
	}
	for _, f := range o.Operands {
		x.use(f, Writes)
	}
	if len(codes) == 0 && !o.has("help", "version", "h", "V") {
		x.mark("interactive_shell")
	}
}

// stdinCode is for programs whose input is shell code: at, batch.
func (x *invocation) stdinCode() {
	in := x.cmd.in
	o := readOptions(x.program, x.args)
	if o.has("l", "d", "r", "c", "V") {
		return
	}
	for _, f := range o.values("f") {
		x.use(f, Runs)
	}
	if in.known || in.from == "here" {
		x.codeText(in.text, [2]int{x.cmd.start, x.cmd.end}, nil, Bash)
		return
	}
	x.mark("stdin_code")
}

// crontab reads a table: five fields or @word, then code.
func (x *invocation) crontab() {
	in := x.cmd.in
	o := readOptions("crontab", x.args)
	if o.has("l", "r", "e", "V") {
		return
	}
	reads := len(o.Operands) == 0 || o.Operands[0].Text == "-"
	if !reads {
		return
	}
	text := in.text
	if !in.known {
		x.mark("stdin_code")
		text = x.printedBefore()
	}
	for _, l := range strings.Split(text, "\n") {
		x.codeText(cronCommand(l), [2]int{x.cmd.start, x.cmd.end}, nil, Bash)
	}
}

// printedBefore collects what echo and printf in the pipeline before this
// command print: part of the table is better than none.
func (x *invocation) printedBefore() string {
	var b strings.Builder
	for i := max(0, x.at-8); i < x.at; i++ {
		f := &x.facts[i]
		if f.Program != "echo" && f.Program != "printf" {
			continue
		}
		var words []string
		for _, a := range f.Args {
			words = append(words, a.Text)
		}
		if text, ok := printed(f.Program, words, input{}); ok {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

func cronCommand(line string) string {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return ""
	}
	skip := 5
	if line[0] == '@' {
		skip = 1
	}
	for ; skip > 0; skip-- {
		i := strings.IndexAny(line, " \t")
		if i < 0 {
			return ""
		}
		line = strings.TrimLeft(line[i:], " \t")
	}
	return line
}

// make reads rules from its input: lines behind a tab or a ;.
func (x *invocation) make() {
	o := readOptions("make", x.args)
	for _, a := range x.args {
		if v, ok := strings.CutPrefix(a.Text, "SHELL="); ok && !shellNames[programOf(Word{Text: v, Known: true})] {
			x.mark("exec_option")
			a.Text = v
			x.codeWord(a, nil)
		}
	}
	for _, f := range o.values("f", "file", "makefile") {
		if f.Text != "-" && f.Text != "/dev/stdin" {
			x.use(f, Runs)
			continue
		}
		for _, l := range strings.Split(x.cmd.in.text, "\n") {
			if _, recipe, ok := strings.Cut(l, ";"); ok && !strings.HasPrefix(l, "\t") {
				l = recipe
			} else if !strings.HasPrefix(l, "\t") {
				continue
			}
			x.codeText(strings.TrimLeft(l, "\t @-+"), [2]int{x.cmd.start, x.cmd.end}, nil, Bash)
		}
	}
	for _, v := range o.values("eval") {
		if holdsShell(v.Text) {
			x.mark("shell_word")
		}
		if i := strings.Index(v.Text, "shell "); i >= 0 {
			x.codeText(strings.TrimRight(v.Text[i+6:], ")"), [2]int{v.Start, v.End}, nil, Bash)
		}
	}
}

// bang judges the lines of text that start with !, as ed and vi do.
func (x *invocation) bangLines(text string, span [2]int) {
	for _, l := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '|' && false }) {
		l = strings.TrimLeft(l, ": \t%.,$0123456789rw")
		if code, ok := strings.CutPrefix(l, "!"); ok {
			x.mark("exec_option")
			x.codeText(code, span, nil, Bash)
		}
	}
}

// editor is vi and its like: -c and + commands can start a shell.
func (x *invocation) editor() {
	o := readOptions("vim", x.args)
	cmds := o.values("c", "cmd", "S")
	for _, a := range x.args {
		if strings.HasPrefix(a.Text, "+") {
			a.Text = a.Text[1:]
			cmds = append(cmds, a)
		}
	}
	for _, c := range cmds {
		x.editorCommand(c)
	}
	if x.cmd.in.known {
		x.bangLines(x.cmd.in.text, [2]int{x.cmd.start, x.cmd.end})
	}
	for _, f := range o.Operands {
		if !strings.HasPrefix(f.Text, "+") {
			x.use(f, Writes|Reads)
		}
	}
}

func (x *invocation) editorCommand(c Word) {
	t := strings.TrimLeft(c.Text, ": ")
	switch {
	case strings.HasPrefix(t, "!"):
		x.mark("exec_option")
		x.codeText(t[1:], [2]int{c.Start, c.End}, nil, Bash)
	case strings.Contains(t, "!") && (strings.HasPrefix(t, "r") || strings.HasPrefix(t, "%") || strings.HasPrefix(t, "w")):
		x.bangLines(t, [2]int{c.Start, c.End})
	case strings.HasPrefix(t, "sh") || strings.HasPrefix(t, "ter") || strings.HasPrefix(t, "set") && (holdsShell(t) || strings.Contains(t, "shell")):
		x.mark("interactive_shell")
	case strings.HasPrefix(t, "py") || strings.HasPrefix(t, "lua") || strings.HasPrefix(t, "perl") || strings.HasPrefix(t, "ruby"):
		x.mark("exec_option")
		x.interpreted(c)
	case strings.Contains(t, "system("):
		x.interpreted(c)
	}
}
