package command

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxOutput bounds what is computed of a command's output.
const maxOutput = 16384

// outputs gives what a list prints, if all of it is plain.
func (w *walker) outputs(list []*syntax.Stmt) (string, bool) {
	var b strings.Builder
	for _, s := range list {
		text, ok := w.output(s, input{})
		if !ok || b.Len()+len(text) > maxOutput {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), len(list) > 0
}

// output gives what a statement prints: echo, printf and a few filters over
// literal text. It reads no file and runs nothing.
func (w *walker) output(s *syntax.Stmt, in input) (string, bool) {
	if s == nil || s.Background || s.Negated {
		return "", false
	}
	for _, r := range s.Redirs {
		if r.Op == syntax.WordHdoc || r.Hdoc != nil {
			if lit, ok := w.literalInput(r); ok {
				in = input{text: lit, known: true, from: "here"}
				continue
			}
			return "", false
		}
		if r.N != nil && r.N.Value == "2" {
			continue
		}
		return "", false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return w.callOutput(c, in)
	case *syntax.BinaryCmd:
		return w.pipeOutput(c, in)
	case *syntax.Subshell:
		return w.outputs(c.Stmts)
	case *syntax.Block:
		return w.outputs(c.Stmts)
	}
	return "", false
}

func (w *walker) literalInput(r *syntax.Redirect) (string, bool) {
	if r.Hdoc != nil {
		if len(r.Hdoc.Parts) != 1 {
			return "", len(r.Hdoc.Parts) == 0
		}
		l, ok := r.Hdoc.Parts[0].(*syntax.Lit)
		if !ok {
			return "", false
		}
		return dedent(l.Value, r.Op), true
	}
	text, ok := w.literal(r.Word)
	return text + "\n", ok
}

func (w *walker) pipeOutput(c *syntax.BinaryCmd, in input) (string, bool) {
	if c.Op != syntax.Pipe && c.Op != syntax.PipeAll {
		return "", false
	}
	text, ok := w.output(c.X, in)
	if !ok {
		return "", false
	}
	return w.output(c.Y, input{text: text, known: true, from: "pipe"})
}

// literal gives the value of a word without walking anything inside it: only
// quotes, escapes and variables of this line.
func (w *walker) literal(word *syntax.Word) (string, bool) {
	for _, p := range word.Parts {
		if !inert(p) {
			return "", false
		}
	}
	readings := w.expandWord(word, w.span(word))
	if len(readings) != 1 {
		return "", false
	}
	var texts []string
	for _, f := range readings[0] {
		if !f.Known {
			return "", false
		}
		texts = append(texts, f.Text)
	}
	return strings.Join(texts, " "), true
}

// inert reports a part whose expansion runs nothing.
func inert(p syntax.WordPart) bool {
	switch x := p.(type) {
	case *syntax.Lit, *syntax.SglQuoted:
		return true
	case *syntax.DblQuoted:
		for _, q := range x.Parts {
			if !inert(q) {
				return false
			}
		}
		return true
	case *syntax.ParamExp:
		return x.Exp == nil && x.Repl == nil && x.Index == nil && x.Slice == nil && x.NestedParam == nil
	}
	return false
}

func (w *walker) callOutput(c *syntax.CallExpr, in input) (string, bool) {
	var words []string
	for i, a := range c.Args {
		text, ok := w.literal(a)
		if sub, is := processOf(a); is && i > 0 && len(c.Args) == 2 && words[0] == "cat" {
			return w.outputs(sub.Stmts)
		}
		if !ok {
			return "", false
		}
		words = append(words, text)
	}
	if len(words) == 0 || strings.ContainsAny(words[0], "*?[") {
		return "", false
	}
	name := words[0]
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	return w.echoes().printed(unversioned(name), words[1:], in)
}

// printed is what a filter prints for literal input.
func (d Dialect) printed(name string, args []string, in input) (string, bool) {
	if name == "which" || (name == "command" || name == "type" || name == "whence") && len(args) > 1 && (args[0] == "-v" || args[0] == "-P" || args[0] == "-p") {
		return whereIs(args)
	}
	if text, ok := pathPrinted(name, args); ok {
		return text, true
	}
	switch name {
	case "command", "builtin", "sudo", "env", "nohup", "nice", "timeout", "stdbuf", "time", "unbuffer":
		if inner := behindWrapper(args); len(inner) > 0 {
			return d.printed(inner[0], inner[1:], in)
		}
		return "", false
	case "echo":
		return d.echo(args)
	case "printf":
		return printf(args)
	case "ls":
		if len(args) > 1 && (args[0] == "-d" || args[0] == "-1d" || args[0] == "-d1") {
			return strings.Join(args[1:], "\n") + "\n", true
		}
		return "", false
	case "true", ":":
		return "", true
	case "yes":
		if len(args) == 0 {
			return "y\n", true
		}
		return strings.Join(args, " ") + "\n", true
	}
	if (name == "awk" || name == "gawk" || name == "mawk") && len(args) == 1 {
		if m := awkBegin.FindStringSubmatch(args[0]); m != nil {
			return ansiC(m[1]) + "\n", true
		}
	}
	if !in.known {
		return "", false
	}
	return filter(name, args, in.text)
}

// pathPrinted is dirname and basename of one path that begins at the root.
func pathPrinted(name string, args []string) (string, bool) {
	if len(args) == 2 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) != 1 || !strings.HasPrefix(args[0], "/") {
		return "", false
	}
	switch p := path.Clean(args[0]); name {
	case "dirname":
		return path.Dir(p) + "\n", true
	case "basename":
		return path.Base(p) + "\n", true
	}
	return "", false
}

// followed is the path that realpath or readlink is told to follow: what it
// prints is that path where nothing in it is a link, and unknown where
// something is.
func (w *walker) followed(list []*syntax.Stmt) (string, bool) {
	if len(list) != 1 {
		return "", false
	}
	c, ok := list[0].Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) < 2 {
		return "", false
	}
	name, _ := w.literal(c.Args[0])
	last, known := w.literal(c.Args[len(c.Args)-1])
	switch path.Base(name) {
	case "realpath", "readlink":
		return path.Clean(last), known && strings.HasPrefix(last, "/")
	}
	return "", false
}

// whereIs is which and command -v of a program that every host has.
func whereIs(args []string) (string, bool) {
	if len(args) == 0 {
		return "", false
	}
	name := args[len(args)-1]
	if !knownProgram(name) || len(args) > 2 || strings.Contains(name, "/") {
		return "", false
	}
	return "/usr/bin/" + name + "\n", true
}

// behindWrapper takes options, numbers and assignments off.
func behindWrapper(args []string) []string {
	for len(args) > 0 && (strings.HasPrefix(args[0], "-") || strings.Contains(args[0], "=") || strings.Trim(args[0], "0123456789smh.") == "") {
		args = args[1:]
	}
	return args
}

// echoes is the dialect whose echo runs: code that a shell other than Bash was
// given is read as Bash reads it, and printed as that shell prints.
func (w *walker) echoes() Dialect {
	for _, via := range w.via {
		name, _, _ := strings.Cut(via, " ")
		if shellNames[name] && name != "bash" && name != "fish" {
			return POSIX
		}
	}
	return w.dialect
}

// zeroOctal is \0nnn, as echo -e and printf %b write an octal number.
var zeroOctal = lazily(`\\0([0-7]{1,3})`)

// echo expands escapes with -e. Shells other than Bash and Fish expand them
// without it too, and which of them runs this is not known well enough.
func (d Dialect) echo(args []string) (string, bool) {
	newline, escapes := "\n", false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		if strings.Contains(args[0], "n") {
			newline = ""
		}
		escapes = escapes || strings.Contains(args[0], "e")
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if escapes && strings.Contains(text, `\c`) {
		return "", false // ends the output there
	}
	if !escapes && d != Bash && d != Fish && strings.Contains(text, `\`) {
		return "", false
	}
	if escapes {
		text = ansiC(zeroOctal.ReplaceAllString(text, `\$1`))
	}
	return text + newline, true
}

// printf handles %s, %b, %d, %% and a reused format, which is all that a
// literal command needs.
func printf(args []string) (string, bool) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return "", false
	}
	format, args := ansiC(args[0]), args[1:]
	var b strings.Builder
	for first := true; first || len(args) > 0; first = false {
		before := len(args)
		if !formatOnce(&b, format, &args) || b.Len() > maxOutput {
			return "", false
		}
		if len(args) == before {
			break
		}
	}
	return b.String(), true
}

func formatOnce(b *strings.Builder, format string, args *[]string) bool {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		if i++; i >= len(format) {
			return false
		}
		if format[i] == '%' {
			b.WriteByte('%')
			continue
		}
		arg := ""
		if len(*args) > 0 {
			arg, *args = (*args)[0], (*args)[1:]
		}
		text, ok := formatted(format[i], arg)
		if !ok {
			return false
		}
		b.WriteString(text)
	}
	return true
}

// formatted is one directive of printf without flags, width and precision.
func formatted(directive byte, arg string) (string, bool) {
	switch directive {
	case 's':
		return arg, true
	case 'd', 'i', 'u':
		return arg, arg != "" && (arg == "0" || arg[0] != '0') && strings.Trim(arg, "0123456789") == ""
	case 'c':
		return arg[:min(1, len(arg))], true
	case 'b':
		return ansiC(zeroOctal.ReplaceAllString(arg, `\$1`)), !strings.Contains(arg, `\c`)
	case 'q':
		return arg, plainWord(arg)
	}
	return "", false
}

// processOf gives the process substitution that a word is.
func processOf(word *syntax.Word) (*syntax.ProcSubst, bool) {
	if word == nil || len(word.Parts) != 1 {
		return nil, false
	}
	p, ok := word.Parts[0].(*syntax.ProcSubst)
	return p, ok
}

// outgoing is what the statement that is being read prints into >( ): the
// output of echo, or what tee was given.
func (w *walker) outgoing() input {
	in := input{from: "pipe"}
	if w.current == nil {
		return in
	}
	call, ok := w.current.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return in
	}
	if call.Args[0].Lit() != "tee" {
		in.text, in.known = w.callOutput(call, w.currentIn)
		return in
	}
	in.text, in.known = w.currentIn.text, w.currentIn.known
	for _, r := range w.current.Redirs {
		if r.Op == syntax.WordHdoc || r.Hdoc != nil {
			in.text, in.known = w.literalInput(r)
		}
	}
	return in
}
