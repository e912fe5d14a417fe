package command

import "strings"

// Interpreters of other languages are not parsed. Their code is scanned for
// what it calls: a call that starts programs, one that removes or writes
// files, one that opens the network; the string literals beside it count as
// its arguments. What the scan does not see stays what every opaque one-liner
// is.

type interpreter struct {
	code  string // options whose value is code
	stdin bool   // without operands it reads code from its input
}

var interpreterCode = map[string]interpreter{
	"python": {"c", true}, "pypy": {"c", true}, "perl": {"e E", true}, "ruby": {"e", true}, "node": {"e p eval print pe", true},
	"nodejs": {"e p eval print", true}, "deno": {"", false}, "bun": {"e", false}, "php": {"r B E R", true}, "lua": {"e", true}, "luajit": {"e", true}, "tclsh": {"", true}, "wish": {"", true},
	"expect": {"c", true}, "osascript": {"e", true}, "groovy": {"e", true}, "scala": {"e", true}, "julia": {"e E", true}, "Rscript": {"e", true}, "R": {"e", true},
	"guile": {"c e", true}, "irb": {"", true}, "jjs": {"e", true}, "jrunscript": {"e", true}, "ghci": {"e", true}, "erl": {"eval", true}, "elixir": {"e", true}, "ipython": {"c", true}, "jshell": {"", true}, "clojure": {"e", true}, "swift": {"e", true}, "ocaml": {"e", true}, "racket": {"e", true}, "sbcl": {"eval", true}, "emacs": {"eval execute", false}, "octave": {"eval", true}, "mathematica": {"", false},
	"clisp": {"x", true}, "scilab": {"e", true}, "gp": {"", true}, "gforth": {"e", true}, "gnuplot": {"e", true}, "maxima": {"batch-string r", true}, "sage": {"c", true},
	"raku": {"e", true}, "perl6": {"e", true}, "janet": {"e", true}, "swipl": {"g t", true}, "M2": {"e", true}, "newlisp": {"e", true}, "csi": {"e", true}, "gosh": {"e", true}, "jimsh": {"e", true},
	"bpython": {"", true}, "ptpython": {"", true}, "ecl": {"eval", true}, "rexx": {"", true}, "regina": {"", true},
}

// maxCode bounds the code that is scanned; more is code that nobody reads.
const maxCode = 8192

func (x *invocation) interpreter() {
	in := interpreterCode[x.program]
	x.inPlace()
	names := strings.Fields(in.code)
	args := x.args
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case t == "--version" || t == "--help" || t == "-h" && x.program != "perl" || t == "-V" && x.program != "perl" || x.program == "node" && t == "-v":
			x.mark("usage_only")
			return
		case t == "--":
			x.interpretedFile(args[i+1:], in)
			return
		case t == "eval" && x.program == "deno" && i+1 < len(args):
			x.interpreted(args[len(args)-1])
			x.mark("inline_code")
			return
		case t == "-run" && x.program == "ruby":
			x.unRuby(args[i+1:])
			return
		case t == "-v" && (x.program == "perl" || x.program == "ruby" || x.program == "php") && len(args) == 1, (t == "-m" || t == "-i" || t == "--ini") && x.program == "php":
			x.mark("usage_only")
			return
		case x.program == "python" && moduleAt(t) > 0:
			if t = t[moduleAt(t):]; t != "" {
				name := args[i]
				name.Text = t
				x.module(name, args[i+1:])
			} else if i+1 < len(args) {
				x.module(args[i+1], args[i+2:])
			}
			return
		case strings.HasPrefix(t, "-") && len(t) > 1:
			if code, next, ok := codeOf(args, i, names); ok {
				x.interpreted(code)
				x.mark("inline_code")
				i = next
				continue
			}
			i += x.interpreterOption(args, i)
		default:
			if !x.codeSeen() {
				x.interpretedFile(args[i:], in)
			} else if x.readsOperands() {
				for _, f := range args[i:] {
					x.use(f, Reads)
				}
			}
			return
		}
	}
	if !x.codeSeen() && in.stdin {
		x.interpretedFile(nil, in)
	}
}

// readsOperands reports perl and ruby with -n or -p: a loop over the lines of
// the files that are named.
func (x *invocation) readsOperands() bool {
	if x.program != "perl" && x.program != "ruby" {
		return false
	}
	for _, a := range x.args {
		if strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "--") && strings.ContainsAny(beforeCode(a.Text), "np") {
			return true
		}
	}
	return false
}

func (x *invocation) codeSeen() bool {
	for _, c := range x.fact().Constructs {
		if c == "inline_code" {
			return true
		}
	}
	return false
}

// unRuby is ruby -run -e httpd: its library of commands.
func (x *invocation) unRuby(args []Word) {
	for _, a := range args {
		if a.Text == "httpd" || a.Text == "-ehttpd" {
			x.mark("serves")
		}
	}
	x.mark("inline_code")
}

// inPlace notes the files that perl -i and ruby -i write.
func (x *invocation) inPlace() {
	if x.program != "perl" && x.program != "ruby" {
		return
	}
	edits := false
	for i, a := range x.args {
		t := a.Text
		switch {
		case strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") && strings.Contains(beforeCode(t), "i"):
			edits = true
		case edits && !strings.HasPrefix(t, "-") && i > 0 && !takesCode(x.args[i-1].Text):
			x.use(a, Reads|Writes)
		}
	}
}

// beforeCode are the letters of an option before the one that takes code.
func beforeCode(t string) string {
	if i := strings.IndexAny(t, "eEIMm"); i >= 0 {
		return t[:i]
	}
	return t
}

func takesCode(t string) bool {
	return strings.HasPrefix(t, "-") && (strings.HasSuffix(t, "e") || strings.HasSuffix(t, "E"))
}

// moduleAt is where the module's name begins in -m, -mNAME, -Im; 0 without.
func moduleAt(t string) int {
	if len(t) < 2 || t[0] != '-' {
		return 0
	}
	flags := strings.TrimLeft(t[1:], "bBdEhiIOPqRsSuvx")
	if strings.HasPrefix(flags, "m") {
		return len(t) - len(flags) + 1
	}
	return 0
}

// preloaded notes a file of code that an option loads before the program:
// node -r FILE, ruby -rFILE, php -d auto_prepend_file=FILE.
func (x *invocation) preloaded(args []Word, i int) {
	t, file := args[i].Text, args[i]
	next := func() {
		if i+1 < len(args) {
			file = args[i+1]
		}
	}
	switch name, v, has := strings.Cut(strings.TrimLeft(t, "-"), "="); {
	case x.program == "php" && strings.HasPrefix(t, "-d"):
		if next(); len(t) > 2 {
			file = args[i]
		}
		_, v, has = strings.Cut(file.Text, "pend_file=")
		if file.Text = v; !has {
			return
		}
	case (x.program == "node" || x.program == "nodejs") && (name == "require" || name == "import" || name == "loader" || name == "experimental-loader"):
		if file.Text = v; !has {
			next()
		}
	case (x.program == "node" || x.program == "nodejs") && t == "-r":
		next()
	case x.program == "ruby" && strings.HasPrefix(t, "-r") && len(t) > 2:
		file.Text = t[2:]
	case x.program == "ruby" && t == "-r":
		next()
	default:
		return
	}
	if strings.Contains(file.Text, "/") || !file.Known {
		x.use(file, Runs)
	}
}

// interpreterOption handles options with a value, and php -S.
func (x *invocation) interpreterOption(args []Word, i int) int {
	t := args[i].Text
	x.preloaded(args, i)
	switch {
	case x.program == "php" && (t == "-S" || t == "-t"):
		if t == "-S" {
			x.mark("serves")
			x.mark("inline_code")
		}
		return 1
	case x.program == "python" && (t == "-W" || t == "-X"), x.program == "php" && (t == "-d" || t == "-c"),
		x.program == "ruby" && (t == "-r" || t == "-I"), (x.program == "node" || x.program == "nodejs") && (t == "-r" || t == "--require"),
		x.program == "perl" && t == "-I":
		return 1
	}
	return 0
}

// codeOf finds the code of -c CODE, -cCODE, -Bc CODE, --eval=CODE.
func codeOf(args []Word, i int, names []string) (Word, int, bool) {
	t := args[i].Text
	for _, n := range names {
		if len(n) > 1 {
			long := strings.TrimPrefix(strings.TrimPrefix(t, "-"), "-")
			if v, ok := strings.CutPrefix(long, n+"="); ok {
				w := args[i]
				w.Text = v
				return w, i, true
			}
			if long == n && i+1 < len(args) {
				return args[i+1], i + 1, true
			}
			continue
		}
		if strings.HasPrefix(t, "--") {
			continue
		}
		at := strings.Index(t, n)
		if at < 1 || !letters(t[1:at]) {
			continue
		}
		if at+1 < len(t) {
			w := args[i]
			w.Text = t[at+1:]
			return w, i, true
		}
		if i+1 < len(args) {
			return args[i+1], i + 1, true
		}
	}
	return Word{}, 0, false
}

func letters(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return true
}

// bangs are interpreters that give a line behind ! to a shell.
var bangs = setOf("gnuplot gp ipython maxima sage")

func (x *invocation) interpretedFile(operands []Word, in interpreter) {
	if len(operands) == 0 || operands[0].Text == "-" || operands[0].Text == "/dev/stdin" {
		switch {
		case x.cmd.in.known && x.cmd.in.from != "file":
			x.mark("inline_code")
			if bangs[x.program] {
				x.bangLines(x.cmd.in.text, [2]int{x.cmd.start, x.cmd.end})
			}
			x.interpreted(Word{Text: x.cmd.in.text, Known: true, Start: x.cmd.start, End: x.cmd.end})
		case x.cmd.in.from == "file" && x.cmd.in.path != "" && !networkDevice(x.cmd.in.path):
			x.use(Word{Text: x.cmd.in.path, Known: true, Start: x.cmd.start, End: x.cmd.end}, Runs)
		case x.cmd.in.from != "":
			x.stdinCodeUnseen()
		default:
			x.mark("interactive_interpreter")
		}
		return
	}
	if x.feeds(operands[0]) {
		x.cameFrom(x.cmd.flow)
		x.mark("stdin_code")
		return
	}
	x.use(operands[0], Runs)
}

// module is python -m NAME.
func (x *invocation) module(name Word, args []Word) {
	switch name.Text {
	case "http.server", "SimpleHTTPServer", "pyftpdlib", "uploadserver", "CGIHTTPServer":
		x.mark("serves")
		o := Options{}
		for i, a := range args {
			if (a.Text == "-d" || a.Text == "--directory") && i+1 < len(args) {
				o.Operands = append(o.Operands, args[i+1])
			}
		}
		for _, d := range o.Operands {
			x.use(d, Reads|Sends)
		}
	case "timeit":
		x.timeit(args)
	case "cProfile", "profile", "trace", "pdb", "bdb", "runpy", "coverage", "ipdb", "pudb", "cProfileV", "viztracer", "memory_profiler", "line_profiler", "kernprof", "debugpy":
		x.runnerModule(args)
	case "code", "IPython", "idlelib", "ptpython", "bpython", "asyncio":
		x.interpretedFile(nil, interpreter{stdin: true})
	case "pip", "venv", "pytest", "unittest", "json.tool", "compileall", "ensurepip", "virtualenv":
		x.run(append([]Word{{Text: name.Text, Known: true, Start: name.Start, End: name.End}}, args...))
		x.mark("module")
	default:
		x.mark("inline_code")
	}
}

// timeit runs its words as code, and what stands behind -s.
func (x *invocation) timeit(args []Word) {
	x.mark("inline_code")
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case (t == "-n" || t == "-r" || t == "-u" || t == "--number" || t == "--repeat" || t == "--unit") && i+1 < len(args):
			i++
		case t == "-s" || t == "--setup" || t == "--" || len(t) == 2 && t[0] == '-':
		default:
			code := args[i]
			code.Text = strings.TrimPrefix(strings.TrimPrefix(t, "--setup="), "-s")
			x.interpreted(code)
		}
	}
}

// runnerModule is a module that runs a script, or with -m another module;
// pdb -c runs the commands that it is given.
func (x *invocation) runnerModule(args []Word) {
	x.mark("inline_code")
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case t == "-m" && i+1 < len(args):
			x.module(args[i+1], args[i+2:])
			return
		case t == "-c" && i+1 < len(args):
			i++
			code := args[i]
			code.Text = strings.TrimPrefix(code.Text, "!")
			x.interpreted(code)
		case (t == "-o" || t == "-s" || t == "-f" || t == "-C") && i+1 < len(args):
			i++
		case strings.HasPrefix(t, "-") || t == "run":
		default:
			x.use(args[i], Runs)
			return
		}
	}
}

// interpreted scans code of any language.
func (x *invocation) interpreted(code Word) {
	if len(code.Text) > maxCode {
		x.mark("unseen_code")
		code.Text = code.Text[:maxCode]
	}
	text := adjoining.ReplaceAllString(code.Text, "")
	span := [2]int{code.Start, code.End}
	if x.feeds(code); !code.Known || code.Dynamic {
		x.cameFrom(x.cmd.flow)
	}
	if !code.Known {
		x.mark("unseen_code")
	}
	lits, kinds := literals(text), kindsOf(text)|phrases(text)
	x.scriptLines(text, span)
	if kinds&callsLoad != 0 {
		x.mark("loads_library")
	}
	if runsFetched.MatchString(text) {
		x.mark("runs_download")
	}
	if deletesAll.MatchString(text) {
		x.mark("calls_delete")
	}
	if kinds&callsFork != 0 && loops.MatchString(text) {
		x.mark("fork_bomb")
	}
	if kinds&callsShell != 0 {
		x.mark("starts_programs")
		x.literalCommands(lits, span)
	}
	if kinds&callsRemove != 0 {
		x.removes(text, lits, code)
	}
	if kinds&callsWrite != 0 {
		x.literalUses(lits, code, Writes)
		x.mayWrite(lits)
	}
	x.network(text, lits, code, kinds)
	if kinds&callsDecode != 0 || spellsOut.MatchString(text) {
		x.mark("decodes_text")
	}
	if kinds&callsDecode != 0 && kinds&(callsEval|callsShell) != 0 {
		x.mark("decodes_code")
	}
	if kinds&(callsShell|callsEval) != 0 && builtText.MatchString(text) {
		x.mark("decodes_code")
	}
	if kinds&callsRead != 0 {
		x.literalUses(lits, code, Reads)
	}
	if startsDestructive(text) {
		x.mark("shell_as_code")
		x.codeText(text, span, nil, Bash)
	}
}

// scriptLines judges what Tcl and expect start: exec, spawn, and send.
func (x *invocation) scriptLines(text string, span [2]int) {
	if x.program != "tclsh" && x.program != "expect" && x.program != "wish" {
		return
	}
	for _, l := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";\n[]{}", r) }) {
		l = strings.TrimSpace(l)
		for _, lead := range []string{"exec ", "spawn "} {
			if code, ok := strings.CutPrefix(l, lead); ok {
				x.mark("starts_programs")
				x.codeText(strings.TrimSpace(code), span, nil, Bash)
			}
		}
		if code, ok := strings.CutPrefix(l, "load "); ok && strings.Contains(code, ".so") {
			x.mark("loads_library")
		}
		x.tclFile(strings.Fields(l), span)
	}
}

// tclFile judges what Tcl does with files, as the program that does the same.
func (x *invocation) tclFile(f []string, span [2]int) {
	if len(f) < 2 {
		return
	}
	does := map[string]string{"file delete": "rm -r", "file rename": "mv", "file copy": "cp", "file mkdir": "mkdir", "file attributes": "chmod"}[f[0]+" "+f[1]]
	switch {
	case does != "":
		words := strings.Fields(does)
		for _, w := range f[2:] {
			if w != "-force" && w != "--" {
				words = append(words, strings.Trim(w, `"`))
			}
		}
		x.runTexts(words, span)
	case f[0] == "open" && len(f) > 2 && strings.ContainsAny(f[2], "wa+"):
		x.use(Word{Text: strings.Trim(f[1], `"`), Known: true, Start: span[0], End: span[1]}, Writes)
	case f[0] == "open" && strings.HasPrefix(f[1], "|"):
		x.mark("starts_programs")
		x.codeText(strings.Trim(strings.Join(f[1:], " "), `|"`), span, nil, Bash)
	case f[0] == "socket":
		x.mark("network_code")
	case f[0] == "source":
		x.use(Word{Text: f[1], Known: true, Start: span[0], End: span[1]}, Runs)
	}
}

// runTexts judges texts as the words of a command; $x among them is unknown.
func (x *invocation) runTexts(texts []string, span [2]int) {
	words := make([]Word, 0, len(texts))
	for _, t := range texts {
		w := Word{Text: t, Known: true, Glob: strings.ContainsAny(t, "*?"), Start: span[0], End: span[1]}
		if strings.HasPrefix(t, "$") {
			w.Text, w.Known, w.Dynamic = "", false, true
		}
		words = append(words, w)
	}
	x.run(words)
}

func (x *invocation) network(text string, lits []string, code Word, kinds callKind) {
	if kinds&callsNet == 0 {
		return
	}
	x.mark("network_code")
	if kinds&callsShell != 0 && (kinds&callsRaw != 0 || strings.Contains(text, "/bin/") || strings.Contains(text, "dup2") || strings.Contains(text, "pty.") || strings.Contains(text, "cmd.exe")) {
		x.mark("reverse_shell")
	}
	if kinds&callsServe != 0 {
		x.mark("serves")
	}
	if kinds&callsSend != 0 && kinds&callsRead != 0 {
		x.mark("network_upload")
		x.literalUses(lits, code, Sends)
	}
}

// literalCommands judges string literals, and lists of them, as commands.
func (x *invocation) literalCommands(lits []string, span [2]int) {
	for i, l := range lits {
		fields := strings.Fields(l)
		if len(fields) == 0 {
			continue
		}
		if kindsOf(l)&callsShell != 0 && strings.ContainsAny(l, "('\"") {
			x.literalCommands(literals(l), span) // code in code
		}
		if strings.ContainsAny(fields[0], "()<") {
			continue
		}
		if len(fields) == 1 && i+1 < len(lits) && !strings.HasPrefix(lits[i+1], "/bin") {
			x.literalArgv(lits[i:], span)
			continue
		}
		if len(fields) > 1 || strings.Contains(l, "/") || shellNames[l] {
			x.codeText(l, span, nil, Bash)
		}
	}
}

// literalArgv reads ["rm", "-rf", "/"].
func (x *invocation) literalArgv(lits []string, span [2]int) {
	name := programOf(Word{Text: lits[0], Known: true})
	var words []Word
	for _, l := range lits {
		words = append(words, Word{Text: l, Known: true, Start: span[0], End: span[1]})
	}
	if destructive(name, words[1:]) || knownProgram(name) && strings.HasPrefix(lits[1], "-") {
		x.run(words)
	} else if shellNames[name] {
		x.run(words[:1])
	}
}

// removesTree finds Octave's way to say so.
var removesTree = lazily(`\brmdir\s*\([^)]*,\s*["']s["']`)

// removesFile finds a call that can only be meant for files.
var removesFile = lazily(`\bos\.(?:remove|rmdir|removedirs)\s*\(|\bfs\.(?:promises\.)?(?:rm|rmdir)(?:Sync)?\s*\(|\bFile\.delete\b|\bfile\.remove\s*\(|\bdelete-file\b|\bremove-file\b`)

// removes judges a call that deletes as rm of its literals.
func (x *invocation) removes(text string, lits []string, code Word) {
	recursive := strings.Contains(text, "rmtree") || strings.Contains(text, "rm_r") || strings.Contains(text, "recursive") || removesTree.MatchString(text) || strings.Contains(text, "remove_tree") || strings.Contains(text, "deltree") || strings.Contains(text, "delete-directory")
	words := []Word{{Text: "rm", Known: true}}
	if recursive {
		words = append(words, Word{Text: "-r", Known: true})
	}
	n := 0
	for _, l := range lits {
		if looksLikePath(l) {
			words = append(words, Word{Text: l, Known: true, Glob: strings.ContainsAny(l, "*?[") && (strings.Contains(text, "glob") || strings.Contains(text, "Dir["))})
			n++
		}
	}
	if n == 0 {
		if !recursive && !strings.Contains(text, "unlink") && !removesFile.MatchString(text) {
			return
		}
		words = append(words, Word{Dynamic: true})
	}
	for i := range words {
		words[i].Start, words[i].End = code.Start, code.End
	}
	x.run(words)
}

// mayWrite notes that the texts among the literals may be in the files among
// them.
func (x *invocation) mayWrite(lits []string) {
	var texts []string
	for _, l := range lits {
		if strings.Contains(l, " ") && len(texts) < maxMaybe {
			texts = append(texts, ansiC(l))
		}
	}
	if len(texts) == 0 {
		return
	}
	for _, l := range lits {
		if looksLikePath(l) {
			x.drop(l, dropped{maybe: texts})
		}
	}
}

func looksLikePath(s string) bool {
	return s != "" && len(s) < 256 && !strings.ContainsAny(s, " \n\t(){};,") && !strings.Contains(s, "://")
}

func (x *invocation) literalUses(lits []string, code Word, a Access) {
	for _, l := range lits {
		if looksLikePath(l) && (strings.ContainsAny(l, "/.~") || len(l) > 3) {
			x.use(Word{Text: l, Known: true, Start: code.Start, End: code.End}, a)
		}
	}
}
