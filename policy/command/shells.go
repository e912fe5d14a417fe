package command

import "strings"

// Shells are the programs that read code of their own in lines: @shells of rules.
const Shells = "sh bash dash ash zsh ksh ksh93 mksh fish tcsh csh rbash rzsh pwsh powershell yash oil osh elvish nu xonsh busybox-sh lksh posh hush sash es loksh oksh"

var shellNames = setOf(Shells)

// shell is sh -c, sh FILE, and a shell that reads its input.
func (x *invocation) shellProgram() {
	i, interactive, stdin := 0, false, false
	for ; i < len(x.args); i++ {
		t := x.args[i].Text
		switch {
		case t == "--" || t == "-":
			x.script(x.args[i+1:])
			return
		case x.program == "fish" && x.initCommand(x.args[i:]):
			if t == "-C" || t == "--init-command" {
				i++
			}
		case strings.HasPrefix(t, "--"):
			if x.longShellOption(t) {
				return
			}
			if t == "--rcfile" || t == "--init-file" || t == "--init-command" {
				i++
			}
		case strings.HasPrefix(t, "-") || strings.HasPrefix(t, "+"):
			if t[0] == '-' && strings.Contains(t, "c") {
				x.dashC(i + 1)
				return
			}
			interactive = interactive || strings.Contains(t, "i")
			stdin = stdin || t == "-s"
			if strings.HasSuffix(t, "o") || strings.HasSuffix(t, "O") {
				i++
			}
		default:
			if stdin {
				i = len(x.args)
				break
			}
			x.script(x.args[i:])
			return
		}
	}
	if interactive && x.cmd.in.from == "" {
		x.mark("interactive_shell")
		return
	}
	x.script(nil)
}

// initCommand judges the code that fish runs before anything else.
func (x *invocation) initCommand(args []Word) bool {
	code, attached := args[0], true
	switch t := args[0].Text; {
	case strings.HasPrefix(t, "--init-command="):
		code.Text = t[len("--init-command="):]
	case strings.HasPrefix(t, "-C") && len(t) > 2:
		code.Text = t[2:]
	default:
		attached = false
	}
	if !attached {
		if args[0].Text != "-C" && args[0].Text != "--init-command" || len(args) < 2 {
			return false
		}
		code = args[1]
	}
	x.codeText(code.Text, [2]int{code.Start, code.End}, nil, Fish)
	if !code.Known {
		x.mark("unseen_code")
	}
	return true
}

// longShellOption handles --command and the options that run nothing.
func (x *invocation) longShellOption(t string) bool {
	if code, ok := strings.CutPrefix(t, "--command="); ok {
		x.codeText(code, [2]int{x.cmd.start, x.cmd.end}, nil, x.innerDialect())
		return true
	}
	if t == "--command" {
		return false
	}
	return t == "--version" || t == "--help"
}

func (x *invocation) innerDialect() Dialect {
	switch x.program {
	case "zsh", "rzsh":
		return Zsh
	case "fish":
		return Fish
	case "mksh", "ksh", "ksh93", "lksh":
		return Mksh
	}
	return Bash // a superset of what sh reads
}

// dashC finds the code of -c: the first word after the options.
func (x *invocation) dashC(i int) {
	for ; i < len(x.args) && len(x.args[i].Text) > 1 && (x.args[i].Text[0] == '-' || x.args[i].Text[0] == '+'); i++ {
		if strings.HasSuffix(x.args[i].Text, "o") || strings.HasSuffix(x.args[i].Text, "O") {
			i++
		}
	}
	if i >= len(x.args) {
		return
	}
	code := x.args[i]
	var args []Word
	if i+2 <= len(x.args) {
		args = x.args[i+2:]
		env := x.env
		x.env = withArguments(env, nil)
		x.env["0"] = []value{valueOf(x.args[i+1])}
		defer func() { x.env = env }()
	}
	x.exported()
	x.feeds(code)
	if !code.Known || code.Dynamic {
		x.cameFrom(x.cmd.flow)
	}
	x.codeText(code.Text, [2]int{code.Start, code.End}, args, x.innerDialect())
	if !code.Known {
		x.mark("unseen_code")
	}
}

// exported gives the code the variables that stand before its shell: in
// A=/ sh -c 'ls $A', the shell that reads the code has A.
func (x *invocation) exported() {
	for _, a := range append(x.fact().Assigns, x.prefixed...) {
		x.assign(a.Name, valueOf(a.Word), false)
	}
}

// script judges what the shell reads: a file, a process substitution, or its
// standard input.
func (x *invocation) script(operands []Word) {
	if len(operands) > 0 {
		x.scriptFile(operands[0])
		return
	}
	in := x.cmd.in
	switch {
	case in.known && in.from != "file":
		x.mark("heredoc_to_shell")
		inner := *x
		inner.cmd.in = input{}
		inner.codeText(in.text, [2]int{x.cmd.start, x.cmd.end}, nil, x.innerDialect())
	case in.from == "here":
		x.mark("heredoc_to_shell")
		x.mark("unseen_code")
		inner := *x
		inner.cmd.in = input{}
		inner.codeText(in.text, [2]int{x.cmd.start, x.cmd.end}, nil, x.innerDialect())
	case in.from == "pipe":
		x.stdinCodeUnseen()
	case networkDevice(in.path):
		x.mark("runs_download")
	case in.from == "file" && in.path != "":
		x.use(Word{Text: in.path, Known: true, Start: x.cmd.start, End: x.cmd.end}, Runs)
	case in.from == "file" && !in.known:
		x.mark("stdin_code")
	case in.from == "":
		x.mark("interactive_shell")
	}
}

func (x *invocation) scriptFile(file Word) {
	if text, ok := x.procText(file); ok {
		x.codeText(text, [2]int{file.Start, file.End}, nil, x.innerDialect())
		return
	}
	if x.feeds(file) {
		x.mark("stdin_code")
		return
	}
	if x.descriptorScript(file) {
		return
	}
	if !file.Known && file.Text == "" {
		x.mark("unseen_code") // it may be -c and code
	}
	x.use(file, Runs|Reads)
}

// descriptorScript judges /dev/stdin and /dev/fd/3 as what they read.
func (x *invocation) descriptorScript(file Word) bool {
	n, ok := descriptorOf(file.Text, false)
	if !ok {
		return false
	}
	x.cameFrom(x.cmd.flow)
	inner := *x
	if n != "0" {
		inner.cmd.in = x.descriptor(n)
	}
	inner.script(nil)
	return true
}

func networkDevice(path string) bool {
	return strings.HasPrefix(path, "/dev/tcp/") || strings.HasPrefix(path, "/dev/udp/")
}

// procText gives what a process substitution prints, if that is plain.
func (x *invocation) procText(word Word) (string, bool) {
	for _, p := range x.procs {
		if p.span == [2]int{word.Start, word.End} && p.op != "$(" && p.known {
			x.feeds(word)
			return p.text, true
		}
	}
	return "", false
}

// feeds connects the commands inside word's substitutions to this program:
// their output is its code.
func (x *invocation) feeds(word Word) bool {
	found := false
	for _, p := range x.procs {
		if p.span[0] < word.Start || p.span[1] > word.End || p.first >= p.end {
			continue
		}
		for i := p.first; i < p.end && i < len(x.facts); i++ {
			x.facts[i].PipesTo = append(x.facts[i].PipesTo[:len(x.facts[i].PipesTo):len(x.facts[i].PipesTo)], x.program)
		}
		x.perhaps(p.maybe)
		found = true
	}
	return found
}

// stdinCodeUnseen is a program that reads its code from a pipe.
func (x *invocation) stdinCodeUnseen() {
	x.mark("stdin_code")
	x.cameFrom(x.cmd.in.flow)
	x.perhaps(x.cmd.in.maybe)
}

// perhaps judges texts that may be the code which nobody has seen: what they
// do counts, what in them is no code does not.
func (x *invocation) perhaps(texts []string) {
	if x.rough {
		return
	}
	x.rough = true
	inner := *x
	inner.cmd.in = input{}
	_, other := interpreterCode[x.program]
	for _, t := range texts {
		if x.guessed += len(t); x.guessed > maxGuessed {
			break
		}
		if other {
			inner.interpreted(Word{Text: t, Known: true, Start: x.cmd.start, End: x.cmd.end})
		} else {
			inner.codeText(t, [2]int{x.cmd.start, x.cmd.end}, nil, Bash)
		}
	}
	x.rough = false
}

// eval joins its words and reads them as code.
func (x *invocation) eval() {
	x.mark("eval")
	if len(x.args) == 0 {
		return
	}
	code := joined(x.args)
	for _, a := range x.args {
		x.feeds(a)
	}
	if !code.Known {
		x.mark("eval_unknown")
	}
	if code.Dynamic {
		x.cameFrom(x.cmd.flow)
	}
	x.codeText(code.Text, [2]int{code.Start, code.End}, nil, x.dialectOrBash())
}

func (x *invocation) dialectOrBash() Dialect {
	if x.dialect <= Fish {
		return x.dialect
	}
	return Bash
}

// source reads a file or what a substitution prints as code.
func (x *invocation) source() {
	for len(x.args) > 1 && len(x.args[0].Text) > 1 && x.args[0].Text[0] == '-' {
		x.args = x.args[1:]
	}
	if len(x.args) == 0 || x.args[0].Text == "-" {
		switch in := x.cmd.in; {
		case x.dialect != Fish:
		case in.known && in.from != "file":
			x.codeText(in.text, [2]int{x.cmd.start, x.cmd.end}, nil, Fish)
		case in.from != "":
			x.mark("stdin_code")
		}
		return
	}
	file := x.args[0]
	if text, ok := x.procText(file); ok {
		x.codeText(text, [2]int{file.Start, file.End}, nil, x.dialectOrBash())
		return
	}
	if x.feeds(file) {
		x.mark("stdin_code")
		return
	}
	if x.descriptorScript(file) {
		return
	}
	if !file.Known && file.Text == "" {
		x.mark("unseen_code")
	}
	x.use(file, Runs|Reads)
}

// alias notes the definitions and judges each text.
func (x *invocation) aliasBuiltin() {
	if x.dialect == Fish && len(x.args) > 1 && !strings.Contains(x.args[0].Text, "=") {
		body := joined(x.args[1:])
		body.Text = x.args[0].Text + "=" + body.Text
		x.args = []Word{body}
	}
	for _, a := range x.args {
		name, text, ok := strings.Cut(a.Text, "=")
		if !ok {
			continue
		}
		x.defineAlias(name, text)
		x.mark("alias")
		if knownProgram(name) && !strings.HasPrefix(strings.TrimSpace(text), name) {
			x.mark("shadow")
		}
		x.codeText(text, [2]int{a.Start, a.End}, nil, x.dialectOrBash())
	}
}

func (x *invocation) trap() {
	i := leading("trap", x.args)
	if i+1 >= len(x.args) && !(i < len(x.args) && strings.Contains(x.args[i].Text, " ")) {
		return
	}
	if t := x.args[i]; t.Known && (t.Text == "-" || t.Text == "" || isDescriptor(t.Text)) {
		return // takes a trap away
	}
	x.mark("trap")
	x.codeWord(x.args[i], nil)
}

// execute is exec: a command, or redirections of the shell itself.
func (x *invocation) execute() {
	i, clears := 0, false
	for ; i < len(x.args) && strings.HasPrefix(x.args[i].Text, "-"); i++ {
		clears = clears || strings.Contains(x.args[i].Text, "c")
		if x.args[i].Text == "-a" {
			i++
		}
	}
	if clears {
		defer x.cleared(len(x.facts), nil)
	}
	if i < len(x.args) {
		if shellNames[programOf(x.args[i])] && i+1 == len(x.args) {
			x.mark("interactive_shell")
		}
		x.run(x.args[i:])
	}
}

// commandBuiltin is command and builtin: with -v or -V nothing runs.
func (x *invocation) commandBuiltin() {
	i := 0
	for ; i < len(x.args) && len(x.args[i].Text) > 1 && x.args[i].Text[0] == '-'; i++ {
		if x.args[i].Text == "--" {
			i++
			break
		}
		if x.program == "command" && strings.Trim(x.args[i].Text[1:], "pvV") == "" && strings.ContainsAny(x.args[i].Text, "vV") {
			return
		}
	}
	if i < len(x.args) {
		x.run(x.args[i:])
	}
}

// declaration is export and its like where the parser sees a plain command:
// behind an assignment, builtin or an expansion.
func (x *invocation) declaration() {
	exported := x.program == "export"
	for _, a := range x.args {
		name, v, ok := strings.Cut(a.Text, "=")
		if !ok {
			x.variable(a)
			exported = exported || strings.HasPrefix(name, "-") && strings.Contains(name, "x")
			continue
		}
		w := a
		w.Text = v
		name = strings.TrimSuffix(name, "+")
		if x.integerFlag() {
			x.evaluated(v)
		}
		if x.program != "export" && len(x.args) > 1 && strings.HasPrefix(x.args[0].Text, "-") && strings.Contains(x.args[0].Text, "n") {
			x.evaluated(v)
			x.bindsUnknown(v)
		}
		x.runsLater(name, w)
		x.assign(name, value{text: v, known: a.Known}, false)
		x.fact().Assigns = append(x.fact().Assigns, Assign{Name: name, Word: w, Exported: exported})
	}
}

// setEnvironment is setenv NAME VALUE of csh and fish.
func (x *invocation) setEnvironment() {
	if len(x.args) > 0 {
		w := Word{Known: true}
		if len(x.args) > 1 {
			w = joined(x.args[1:])
		}
		x.fact().Assigns = append(x.fact().Assigns, Assign{Name: x.args[0].Text, Word: w, Exported: true})
	}
}

func (x *invocation) integerFlag() bool {
	return x.program == "integer" || x.program == "float" || len(x.args) > 0 && strings.HasPrefix(x.args[0].Text, "-") && strings.Contains(x.args[0].Text, "i")
}

// setArguments is set -- A B: the words become $1, $2 and $@.
func (x *invocation) setArguments() {
	if x.dialect == Zsh && len(x.args) > 2 && (x.args[0].Text == "-A" || x.args[0].Text == "+A") {
		for _, v := range x.args[2:] {
			x.bindsValue(x.args[1].Text, valueOf(v))
		}
		return
	}
	i := 0
	for ; i < len(x.args) && x.args[i].Known && strings.HasPrefix(x.args[i].Text, "-"); i++ {
		if x.args[i].Text == "--" || x.args[i].Text == "-" {
			i++
			break
		}
		if x.args[i].Text == "-o" {
			i++
		}
	}
	if i >= len(x.args) {
		return
	}
	if x.env == nil {
		x.env = map[string][]value{}
	}
	x.env["@"] = argumentList(x.args[i:])
	x.env["*"] = x.env["@"]
	for n, a := range x.args[i:min(i+9, len(x.args))] {
		x.assign(string(rune('1'+n)), valueOf(a), false)
		x.laterText(a.Text, [2]int{a.Start, a.End})
	}
}

// shift moves the arguments that the line set.
func (x *invocation) shift() {
	for n := '1'; n < '9'; n++ {
		for _, v := range x.env[string(n+1)] {
			x.assign(string(n), v, false)
		}
	}
}

// changeFolder is cd and pushd.
func (x *invocation) changeFolder() {
	for _, a := range x.args {
		if a.Text == "-" {
			return
		}
		if strings.HasPrefix(a.Text, "-") || strings.HasPrefix(a.Text, "+") {
			continue
		}
		x.chdir(a)
		return
	}
	if x.program == "cd" {
		x.chdir(Word{Text: "~", Known: true})
	}
}

// evaluating are builtins that evaluate the subscript of a variable name.
func (x *invocation) evaluating() {
	for i, a := range x.args {
		behind := ""
		if i > 0 {
			behind = x.args[i-1].Text
		}
		switch x.program {
		case "printf":
			if behind == "-v" {
				x.evaluated(a.Text)
				x.variable(a)
			}
		case "test", "[":
			if behind == "-v" || behind == "-R" {
				x.evaluated(a.Text)
				x.variable(a)
			}
		case "unset":
			x.evaluated(a.Text)
			if x.args[0].Text != "-f" {
				x.variable(a)
			}
		default:
			x.evaluated(a.Text)
		}
	}
}

// variable looks at a word that names a variable, or gives one a value, or is a
// sum of some: a name that nobody sees may be any, and its subscript any code.
func (x *invocation) variable(a Word) {
	if !a.Known && !assignsTo(a.Text) {
		x.mark("unknown_name")
	}
}

// assignsTo tells whether a text begins with a name and an equals sign.
func assignsTo(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && isName(strings.TrimSuffix(name, "+"))
}
