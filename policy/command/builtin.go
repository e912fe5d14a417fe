package command

import (
	"maps"
	"strings"
)

// Builtins of bash, zsh and fish that run, keep or bind text.

func builtinHandlers() map[string]func(*invocation) {
	return map[string]func(*invocation){
		"fc": (*invocation).fixCommand, "history": (*invocation).historyBuiltin, "getopts": (*invocation).getopts, "wait": (*invocation).waitBuiltin,
		"compgen": (*invocation).generate, "complete": (*invocation).completion, "compopt": (*invocation).plainBuiltin,
	}
}

// ownBuiltins are those that only one shell has: elsewhere the name is that
// of a program.
var ownBuiltins map[Dialect]map[string]func(*invocation)

func init() {
	ksh := map[string]func(*invocation){
		"hist": (*invocation).fixCommand, "r": (*invocation).repeatLast, "print": (*invocation).print, "integer": (*invocation).declaration, "float": (*invocation).declaration,
	}
	zsh := map[string]func(*invocation){
		"private": (*invocation).declaration, "hash": (*invocation).hash, "compctl": (*invocation).compctl, "zle": (*invocation).keepsFunction, "sched": (*invocation).sched, "emulate": (*invocation).emulate,
		"zstyle": (*invocation).zstyle, "vared": (*invocation).bindsOperands, "getln": (*invocation).bindsOperands, "sysread": (*invocation).bindsOperands,
		"strftime": (*invocation).bindsOptions, "zformat": (*invocation).bindsOptions, "zparseopts": (*invocation).bindsOptions, "zstat": (*invocation).bindsOptions,
		"zregexparse": (*invocation).wordsAsCode, "bindkey": (*invocation).bindkey, "zcompile": (*invocation).zcompile, "autoload": (*invocation).autoload,
	}
	maps.Copy(zsh, ksh)
	ownBuiltins = map[Dialect]map[string]func(*invocation){
		Mksh: ksh, Zsh: zsh,
		Fish: {"argparse": (*invocation).argparse, "commandline": (*invocation).commandline, "abbr": (*invocation).abbreviation},
	}
}

// countsWords are builtins of zsh and ksh that evaluate words as sums.
var countsWords = setOf("shift return exit break continue logout test [ printf print ulimit limit sleep zselect kill set")

// counted judges the words of such a builtin.
func (x *invocation) counted() {
	if x.dialect != Zsh && x.dialect != Mksh || !countsWords[x.program] {
		return
	}
	for _, a := range x.args {
		if hasSubscriptCode(a.Text) {
			x.laterText(a.Text, [2]int{a.Start, a.End})
		}
	}
}

// plainBuiltin is one that the console knows and that runs nothing by itself.
func (x *invocation) plainBuiltin() {}

// letterValues walks options of single letters in front of operands; valued
// are those with a value. It gives the operands.
func (x *invocation) letterValues(valued string, each func(letter byte, v Word)) []Word {
	for i := 0; i < len(x.args); i++ {
		t := x.args[i].Text
		if t == "--" {
			return x.args[i+1:]
		}
		if len(t) < 2 || t[0] != '-' && t[0] != '+' {
			return x.args[i:]
		}
		for k := 1; k < len(t); k++ {
			if strings.IndexByte(valued, t[k]) < 0 {
				each(t[k], Word{})
				continue
			}
			v := x.args[i]
			if v.Text = t[k+1:]; v.Text == "" && i+1 < len(x.args) {
				i++
				v = x.args[i]
			}
			each(t[k], v)
			break
		}
	}
	return nil
}

// fixCommand is fc: but for a listing it runs lines of the history, changed
// or out of an editor, and nobody sees them here. With -e it starts a program.
func (x *invocation) fixCommand() {
	lists, runs := false, false
	files := x.letterValues("e", func(letter byte, v Word) {
		switch letter {
		case 'e':
			if runs = true; v.Text != "-" {
				x.codeWord(v, nil)
			}
		case 's':
			runs = true
		case 'l':
			lists = true
		case 'p', 'P', 'a', 'A', 'I', 'R', 'W':
			lists = x.dialect == Zsh
		}
	})
	if !lists || runs {
		x.mark("runs_history")
	}
	if x.dialect == Zsh && lists && len(files) > 0 && !runs && strings.ContainsAny(x.args[0].Text, "paARW") {
		x.use(files[0], Writes|Reads)
	}
}

// repeatLast is r of zsh and ksh: the last command once more.
func (x *invocation) repeatLast() {
	x.mark("runs_history")
}

// historyBuiltin is history: -s keeps text that fc may run, -a and -w write a
// file, -r and -n read one whose lines may run.
func (x *invocation) historyBuiltin() {
	if x.dialect == Fish {
		return
	}
	files, keeps := Access(0), false
	rest := x.letterValues("d", func(letter byte, _ Word) {
		switch letter {
		case 'a', 'w':
			files |= Writes
		case 'r', 'n':
			files |= Reads
		case 's':
			keeps = true
		}
	})
	switch {
	case len(rest) == 0:
	case keeps:
		x.keptText(joined(rest))
	case files != 0:
		x.use(rest[0], files)
	}
}

// keptText judges a line of code that is kept, and may run later unseen.
func (x *invocation) keptText(code Word) {
	x.codeText(code.Text, [2]int{code.Start, code.End}, nil, x.dialectOrBash())
	if !code.Known {
		x.mark("unseen_code")
	}
}

// completionValues are options of complete and compgen with a value.
const completionValues = "oAGWFCXPSV"

// generate is compgen: it runs the code of -C and -F now, and expands -W.
func (x *invocation) generate() {
	x.letterValues(completionValues, func(letter byte, v Word) {
		switch letter {
		case 'C':
			x.mark("exec_option")
			x.codeWord(v, nil)
		case 'F':
			x.codeWord(v, nil)
		case 'W', 'G':
			x.expandsLater(v)
		case 'V':
			x.bindsUnknown(v.Text)
		}
	})
}

// expandsLater judges text that the shell expands when it completes a word.
func (x *invocation) expandsLater(v Word) {
	if strings.ContainsAny(v.Text, "$`") {
		x.expandedText(v.Text, x.program, [2]int{v.Start, v.End})
	}
	if !v.Known && x.program == "complete" {
		x.mark("unseen_code")
	}
}

// completion is complete: code behind -C, a function behind -F, what -W
// expands; and what fish runs in ( ).
func (x *invocation) completion() {
	if x.dialect == Fish {
		x.fishCompletion()
		return
	}
	x.letterValues(completionValues, func(letter byte, v Word) {
		switch letter {
		case 'C', 'F':
			x.mark("exec_option")
			x.codeWord(v, nil)
		case 'W', 'G':
			x.expandsLater(v)
		}
	})
}

// fishCompletion judges conditions, and the substitutions in every word.
func (x *invocation) fishCompletion() {
	for i, a := range x.args {
		condition := i > 0 && (x.args[i-1].Text == "-n" || x.args[i-1].Text == "--condition")
		if v, ok := strings.CutPrefix(a.Text, "--condition="); ok {
			a.Text, condition = v, true
		}
		if condition {
			x.mark("exec_option")
			x.codeText(a.Text, [2]int{a.Start, a.End}, nil, Fish)
		}
		for _, code := range fishSubstitutions(a.Text) {
			x.mark("exec_option")
			x.codeText(code, [2]int{a.Start, a.End}, nil, Fish)
		}
	}
}

func fishSubstitutions(s string) []string {
	var out []string
	for i := 0; i < len(s) && len(out) < maxSubstitutions; i++ {
		if s[i] == '(' {
			code := enclosed(s[i+1:], '(', ')')
			out = append(out, code)
			i += len(code)
		}
	}
	return out
}

// getopts sets the name behind the letters.
func (x *invocation) getopts() {
	if len(x.args) > 1 {
		x.evaluated(x.args[1].Text)
		x.variable(x.args[1])
		x.bindsUnknown(x.args[1].Text)
	}
}

// waitBuiltin is wait: -p sets a name.
func (x *invocation) waitBuiltin() {
	x.evaluating()
	x.letterValues("p", func(letter byte, v Word) {
		if letter == 'p' {
			x.variable(v)
			x.bindsUnknown(v.Text)
		}
	})
}

// hash is zsh's: NAME=FILE makes the name run that file.
func (x *invocation) hash() {
	for _, a := range x.args {
		if strings.HasPrefix(a.Text, "-") && strings.Contains(a.Text, "d") {
			return // names of folders
		}
		if _, file, ok := strings.Cut(a.Text, "="); ok {
			x.mark("shadow")
			a.Text = file
			x.use(a, Runs)
		}
	}
}

// compctl keeps functions, and text that is expanded for completion.
func (x *invocation) compctl() {
	x.letterValues("kgsKYXPSWJVHlhxtT", func(letter byte, v Word) {
		switch letter {
		case 's', 'g', 'k':
			x.expandsLater(v)
		case 'K', 'Y':
			x.mark("exec_option")
			x.codeWord(v, nil)
		}
	})
}

// print is zsh's: -P expands as a prompt, -s keeps a line of history, -z puts
// one before the person, -v sets a name.
func (x *invocation) print() {
	prompt, kept, name := false, false, ""
	words := x.letterValues("fuCvxX", func(letter byte, v Word) {
		switch letter {
		case 'P':
			prompt = true
		case 's', 'S', 'z':
			kept = true
		case 'v':
			name = v.Text
		}
	})
	if len(words) == 0 {
		return
	}
	text := joined(words)
	if name != "" {
		x.evaluated(name)
		x.bindsValue(name, valueOf(text))
	}
	switch {
	case kept:
		x.keptText(text)
	case prompt && strings.ContainsAny(text.Text, "$`"):
		x.expandedText(text.Text, "print -P", [2]int{text.Start, text.End})
	case prompt && !text.Known:
		x.mark("prompt_unseen")
	}
}

// keepsFunction is zle: -N gives a widget a function, a name alone calls one.
func (x *invocation) keepsFunction() {
	if len(x.args) > 1 && (x.args[0].Text == "-N" || x.args[0].Text == "-C" || x.args[0].Text == "-F") {
		x.mark("exec_option")
		x.codeWord(x.args[len(x.args)-1], nil)
	}
}

// sched runs its words later: [-o] TIME COMMAND.
func (x *invocation) sched() {
	words := x.args
	if len(words) > 0 && !strings.HasPrefix(words[0].Text, "+") {
		words = x.letterValues("t", func(byte, Word) {})
	}
	if len(words) > 1 {
		x.mark("trap")
		x.codeWord(joined(words[1:]), nil)
	}
}

// emulate runs the code of -c in another mode.
func (x *invocation) emulate() {
	for i, a := range x.args {
		if a.Text == "-c" && i+1 < len(x.args) {
			x.mark("eval")
			x.codeText(x.args[i+1].Text, [2]int{x.args[i+1].Start, x.args[i+1].End}, nil, x.dialectOrBash())
			if !x.args[i+1].Known {
				x.mark("eval_unknown")
			}
		}
	}
}

// zstyle keeps values; with -e they are code, with -s and its like a name is
// set.
func (x *invocation) zstyle() {
	if len(x.args) < 3 {
		return
	}
	switch x.args[0].Text {
	case "-e":
		if len(x.args) > 3 {
			x.mark("exec_option")
			x.codeWord(joined(x.args[3:]), nil)
		}
	case "-s", "-b", "-a", "-g":
		if len(x.args) > 3 {
			x.bindsUnknown(x.args[3].Text)
		} else if x.args[0].Text == "-g" {
			x.bindsUnknown(x.args[1].Text)
		}
	}
}

// bindsOperands sets every name that it is given.
func (x *invocation) bindsOperands() {
	for i, a := range x.args {
		if i > 0 && len(x.args[i-1].Text) == 2 && x.args[i-1].Text[0] == '-' && strings.Contains("pr", x.args[i-1].Text[1:]) || strings.HasPrefix(a.Text, "-") {
			continue
		}
		x.evaluated(a.Text)
		x.bindsUnknown(a.Text)
	}
}

// bindsOptions sets the names behind some options: strftime -s, zformat -f.
func (x *invocation) bindsOptions() {
	for i, a := range x.args {
		if len(a.Text) == 2 && a.Text[0] == '-' && strings.Contains("sfaAH", a.Text[1:]) && i+1 < len(x.args) {
			x.evaluated(x.args[i+1].Text)
			x.bindsUnknown(x.args[i+1].Text)
		}
	}
}

// wordsAsCode judges words that hold more than a name.
func (x *invocation) wordsAsCode() {
	for _, a := range x.args {
		if t := strings.Trim(a.Text, "{}-"); strings.Contains(t, " ") {
			a.Text = t
			x.codeWord(a, nil)
		}
	}
}

// bindkey is zsh's: -s types text at a key.
func (x *invocation) bindkey() {
	for i, a := range x.args {
		if a.Text == "-s" && i+2 < len(x.args) {
			x.mark("exec_option")
			text := x.args[i+2]
			text.Text = strings.TrimRight(strings.NewReplacer(`\n`, "\n", `\r`, "\n", "^M", "\n", `\C-m`, "\n").Replace(text.Text), "\n")
			x.codeWord(text, nil)
		}
	}
}

// zcompile writes the file that is read instead of the one it is given.
func (x *invocation) zcompile() {
	for _, a := range x.args {
		if !strings.HasPrefix(a.Text, "-") {
			a.Text += ".zwc"
			x.use(a, Writes)
			return
		}
	}
}

// autoload reads the file of a function; a name alone is one of fpath, which
// its variable is judged for.
func (x *invocation) autoload() {
	for _, a := range x.args {
		if strings.Contains(a.Text, "/") {
			x.use(a, Runs)
		}
	}
}

// argparse is fish's: behind ! stands code that checks an option's value.
func (x *invocation) argparse() {
	for _, a := range x.args {
		if a.Text == "--" {
			return
		}
		if _, code, ok := strings.Cut(a.Text, "!"); ok && strings.TrimSpace(code) != "" {
			x.codeText(code, [2]int{a.Start, a.End}, nil, Fish)
		}
	}
}

// commandline is fish's: it writes the line that is being typed, and can send
// it.
func (x *invocation) commandline() {
	for i, a := range x.args {
		switch {
		case strings.HasPrefix(a.Text, "-"):
		case i > 0 && (x.args[i-1].Text == "-f" || x.args[i-1].Text == "--function"):
			if strings.Contains(a.Text, "execute") {
				x.mark("runs_history")
			}
		default:
			x.keptText(a)
		}
	}
}

// abbreviation is fish's abbr: its text becomes a part of a line that is
// judged, and is judged here as well, for who reads past it there; a function
// of its is judged nowhere else.
func (x *invocation) abbreviation() {
	if o := readOptions("abbr", x.args).Operands; len(o) > 1 {
		x.keptText(joined(o[1:]))
	}
	for i, a := range x.args {
		if (a.Text == "-f" || a.Text == "--function") && i+1 < len(x.args) {
			x.mark("exec_option")
			x.codeWord(x.args[i+1], nil)
		}
	}
}
