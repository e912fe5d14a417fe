package command

import "strings"

// Tables and files of code: cron, at, make, editors.

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
	x.stdinCodeUnseen()
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
		if text, ok := x.echoes().printed(f.Program, words, input{}); ok {
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
		if in := x.cmd.in; !in.known && in.from != "" {
			x.stdinCodeUnseen()
		}
		x.recipes(x.cmd.in.text, [2]int{x.cmd.start, x.cmd.end})
	}
	for _, v := range o.values("eval") {
		if holdsShell(v.Text) {
			x.mark("shell_word")
		}
		x.recipes(v.Text, [2]int{v.Start, v.End})
	}
}

// recipes judges what a makefile's text runs: the lines behind a tab or a ;,
// and what $(shell ) and != start.
func (x *invocation) recipes(text string, span [2]int) {
	for _, l := range strings.Split(text, "\n") {
		if i := strings.Index(l, "(shell "); i >= 0 {
			x.codeText(strings.TrimRight(l[i+7:], ")"), span, nil, Bash)
		}
		if _, code, ok := strings.Cut(l, "!="); ok {
			x.codeText(code, span, nil, Bash)
		}
		recipe, indented := strings.CutPrefix(l, "\t")
		if !indented {
			_, recipe, indented = strings.Cut(l, ";")
		}
		if indented {
			x.codeText(strings.TrimLeft(recipe, "\t @-+"), span, nil, Bash)
		}
	}
}

// bang judges the lines of text that start with !, as ed and vi do.
func (x *invocation) bangLines(text string, span [2]int) {
	inner := *x
	inner.cmd.in = input{} // the lines are what it reads
	for _, l := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }) {
		l = strings.TrimLeft(l, ": \t%.,$0123456789rw")
		if code, ok := strings.CutPrefix(l, "!"); ok {
			inner.mark("exec_option")
			inner.codeText(code, span, nil, Bash)
		}
	}
}

// editor is vi and its like: -c and + commands can start a shell.
func (x *invocation) editor() {
	o := readOptions("vim", x.exMode())
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
	access := Reads | Writes
	if len(cmds) == 0 && x.cmd.in.from == "" && (x.program == "view" || o.has("R", "M")) {
		access = Reads
	}
	for _, f := range o.Operands {
		if !strings.HasPrefix(f.Text, "+") {
			x.use(f, access)
		}
	}
}

// exMode takes away the -s that means silent in ex mode and has no value.
func (x *invocation) exMode() []Word {
	ex := x.program == "ex"
	args := make([]Word, 0, len(x.args))
	for _, a := range x.args {
		ex = ex || a.Text == "-e" || a.Text == "-E"
		switch {
		case a.Text == "-es" || a.Text == "-Es":
			a.Text, ex = a.Text[:2], true
		case ex && a.Text == "-s":
			continue
		}
		args = append(args, a)
	}
	return args
}

func (x *invocation) editorCommand(c Word) {
	t := strings.TrimLeft(c.Text, ": ")
	for _, modifier := range []string{"silent!", "silent", "sil!", "sil", "noautocmd", "keepalt", "verbose"} {
		t = strings.TrimLeft(strings.TrimPrefix(t, modifier+" "), ": ")
	}
	switch word := editorWord(t); {
	case strings.HasPrefix(t, "!"):
		x.mark("exec_option")
		x.codeText(t[1:], [2]int{c.Start, c.End}, nil, Bash)
	case strings.HasPrefix("execute", word) && len(word) > 2:
		x.mark("exec_option")
		for _, l := range literals(t) {
			c.Text = l
			x.editorCommand(c)
		}
	case strings.HasPrefix("source", word) && len(word) > 1, strings.HasPrefix("runtime", word) && len(word) > 1:
		x.mark("exec_option")
		if _, file, ok := strings.Cut(t, " "); ok {
			c.Text = strings.TrimSpace(file)
			x.use(c, Runs)
		}
	case strings.Contains(t, "!") && (strings.HasPrefix(t, "r") || strings.HasPrefix(t, "%") || strings.HasPrefix(t, "w")):
		x.bangLines(t, [2]int{c.Start, c.End})
	case strings.HasPrefix("make", word) && len(word) > 2, setsProgram(t) && !startsByCall(t):
		x.mark("exec_option")
	case strings.HasPrefix(t, "sh") || strings.HasPrefix(t, "ter") || strings.HasPrefix(t, "set") && (holdsShell(t) || strings.Contains(t, "shell")):
		x.mark("interactive_shell")
	case strings.HasPrefix(t, "py") || strings.HasPrefix(t, "lua") || strings.HasPrefix(t, "perl") || strings.HasPrefix(t, "ruby"):
		x.mark("exec_option")
		x.interpreted(c)
	case startsByCall(t):
		x.interpreted(c)
	}
	if t == "" || t[0] == '!' { // the shell's own bars
		return
	}
	for _, part := range strings.Split(t, "|")[1:] {
		if part = strings.TrimLeft(part, ": "); strings.HasPrefix(part, "!") {
			c.Text = part + t[strings.Index(t, part)+len(part):]
			x.editorCommand(c)
			return
		}
	}
}

// startsByCall reports a function of the editor's that does what rules are about.
func startsByCall(t string) bool { return strings.Contains(t, "(") && kindsOf(t) != 0 }

// setsProgram reports a setting that names a program.
func setsProgram(t string) bool {
	for _, name := range []string{"makeprg", "grepprg", "equalprg", "formatprg", "keywordprg"} {
		if strings.Contains(t, name) {
			return true
		}
	}
	return false
}

// editorWord is the name of an editor's command.
func editorWord(t string) string {
	end := 0
	for end < len(t) && letters(t[end:end+1]) {
		end++
	}
	return t[:end]
}
