package command

import (
	"regexp"
	"strings"
)

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
	"guile": {"c e", true}, "irb": {"", true}, "jjs": {"", true}, "jrunscript": {"e", true}, "ghci": {"e", true}, "erl": {"eval", true}, "elixir": {"e", true}, "ipython": {"c", true}, "jshell": {"", true}, "clojure": {"e", true}, "swift": {"e", true}, "ocaml": {"e", true}, "racket": {"e", true}, "sbcl": {"eval", true}, "emacs": {"eval execute", false}, "octave": {"eval", true}, "mathematica": {"", false},
}

// The calls, in any of the languages, in lower case.
var calls = map[callKind]map[string]bool{
	callsShell:  setOf("system popen popen2 popen3 popen4 exec execl execle execlp execv execve execvp execvpe execsync execfile execfilesync spawn spawnl spawnv spawnsync shell_exec passthru proc_open getoutput getstatusoutput check_output check_call subprocess os.execute io.popen qx open3 shelljs pcntl_exec runtime execute processbuilder"),
	callsRemove: setOf("rmtree remove removedirs unlink unlinksync rmdir rmdirsync rm_rf rm_r rm_f rmsync rm removesync remove_tree deltree delete delete_if_exists"),
	callsWrite:  setOf("writefile writefilesync appendfile appendfilesync createwritestream file_put_contents write_text write_bytes copy_stream copyfile copyfilesync copytree copy copy2 truncate truncatesync chmod chmodsync chown chownsync rename renamesync symlink symlinksync move"),
	callsNet:    setOf("socket fsockopen pfsockopen stream_socket_client urlopen urllib urllib2 urllib3 requests http https fetch connect tcpsocket lwp net httpx aiohttp ftplib smtplib paramiko websocket uri curl_init telnetlib"),
	callsRaw:    setOf("socket fsockopen pfsockopen stream_socket_client tcpsocket sockaddr_in create_connection"),
	callsServe:  setOf("httpserver simplehttpserver simplehttprequesthandler createserver tcpserver listen webrick"),
	callsSend:   setOf("post put request send sendfile sendall upload storbinary"),
	callsRead:   setOf("createreadstream readfile readfilesync file_get_contents open read read_text read_bytes slurp readlines readline"),
	callsDecode: setOf("b64decode base64_decode unhexlify fromhex fromcharcode decode_base64 unpack gzinflate decode64 a85decode decompress atob"),
	callsLoad:   setOf("cdll loadlibrary dlopen load_extension load_module dl_load_file loadlib pydll dl_load"),
	callsFork:   setOf("fork pcntl_fork vfork"),
	callsEval:   setOf("eval exec compile __import__ function assert create_function marshal pickle loads"),
}

type callKind uint32

const (
	callsShell callKind = 1 << iota
	callsRemove
	callsWrite
	callsNet
	callsServe
	callsRaw
	callsSend
	callsRead
	callsDecode
	callsEval
	callsLoad
	callsFork
)

// maxCode bounds the code that is scanned; more is code that nobody reads.
const maxCode = 8192

var opensToWrite = regexp.MustCompile(`open\w*\s*\([^)]*,\s*(mode\s*=\s*)?["'][rwa+bx]*[wax+]|open\w*[^;]{0,40}["']\s*>|File\.write`)

// kindsOf scans the identifiers of code once.
func kindsOf(code string) callKind {
	var k callKind
	for i := 0; i < len(code); {
		if !isIdent(code[i]) {
			if code[i] == '`' {
				k |= callsShell
			}
			i++
			continue
		}
		j := i
		for j < len(code) && isIdent(code[j]) {
			j++
		}
		k |= kindOf(strings.ToLower(code[i:j]))
		i = j
	}
	if k&callsRead != 0 && opensToWrite.MatchString(code) {
		k |= callsWrite
	}
	return k
}

func isIdent(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

var callOf = func() map[string]callKind {
	m := map[string]callKind{}
	for k, names := range calls {
		for n := range names {
			m[n] |= k
		}
	}
	return m
}()

func kindOf(name string) callKind { return callOf[name] }

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
		case t == "-m" && x.program == "python" && i+1 < len(args):
			x.module(args[i+1], args[i+2:])
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
			}
			return
		}
	}
	if !x.codeSeen() && in.stdin {
		x.interpretedFile(nil, in)
	}
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

// interpreterOption handles options with a value, and php -S.
func (x *invocation) interpreterOption(args []Word, i int) int {
	t := args[i].Text
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

func (x *invocation) interpretedFile(operands []Word, in interpreter) {
	if len(operands) == 0 || operands[0].Text == "-" || operands[0].Text == "/dev/stdin" {
		switch {
		case x.cmd.in.known && x.cmd.in.from != "file":
			x.mark("inline_code")
			x.interpreted(Word{Text: x.cmd.in.text, Known: true, Start: x.cmd.start, End: x.cmd.end})
		case x.cmd.in.from == "file" && x.cmd.in.path != "" && !networkDevice(x.cmd.in.path):
			x.use(Word{Text: x.cmd.in.path, Known: true, Start: x.cmd.start, End: x.cmd.end}, Runs)
		case x.cmd.in.from != "":
			x.mark("stdin_code")
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
	case "pip", "venv", "pytest", "unittest", "json.tool", "timeit", "compileall", "ensurepip", "virtualenv":
		x.run(append([]Word{{Text: name.Text, Known: true, Start: name.Start, End: name.End}}, args...))
		x.mark("module")
	default:
		x.mark("inline_code")
	}
}

// interpreted scans code of any language.
func (x *invocation) interpreted(code Word) {
	if len(code.Text) > maxCode {
		x.mark("unseen_code")
		code.Text = code.Text[:maxCode]
	}
	text := code.Text
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
	}
	x.network(text, lits, code, kinds)
	if kinds&callsDecode != 0 && kinds&(callsEval|callsShell) != 0 {
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

// loops finds a loop without an end.
var loops = regexp.MustCompile(`\bwhile\b|\bloop\b|\bfor\s*\(\s*;|\buntil\b|\bforever\b`)

// deletesAll finds calls that delete at a service: deleteIndex(, destroy_all.
var deletesAll = regexp.MustCompile(`\b(?:delete|destroy|drop|clear|purge|remove|truncate)(?:_?[Aa]ll|_?[Ii]ndex|_?[Oo]bjects?|_?[Mm]any|_?[Dd]atabase|_?[Cc]ollection|_?[Uu]sers?|_?[Pp]rojects?|_?[Tt]able|_?[Bb]ucket|_?[Kk]ey)\w*\b`)

// phrases are calls that are no single word.
func phrases(text string) callKind {
	var k callKind
	for _, p := range []string{"Deno.Command", "Deno.run", "shell-command", "call-process", "start-process", "(term ", "(shell ", "async-shell", "run-shell-command", "callCommand", "run(pipeline", "os.exec", "Runtime.exec", "os/exec"} {
		if strings.Contains(text, p) {
			k |= callsShell
		}
	}
	if strings.Contains(text, "Fiddle") || strings.Contains(text, "System.load(") || strings.Contains(text, "ffi.load") || strings.Contains(text, "DynaLoader") {
		k |= callsLoad
	}
	return k
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
	}
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
		if len(fields) == 0 || strings.ContainsAny(fields[0], "()<") {
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

// removes judges a call that deletes as rm of its literals.
func (x *invocation) removes(text string, lits []string, code Word) {
	recursive := strings.Contains(text, "rmtree") || strings.Contains(text, "rm_r") || strings.Contains(text, "recursive") || strings.Contains(text, "remove_tree") || strings.Contains(text, "deltree")
	words := []Word{{Text: "rm", Known: true}}
	if recursive {
		words = append(words, Word{Text: "-r", Known: true})
	}
	n := 0
	for _, l := range lits {
		if looksLikePath(l) {
			words = append(words, Word{Text: l, Known: true})
			n++
		}
	}
	if n == 0 {
		if !recursive && !strings.Contains(text, "unlink") {
			return
		}
		words = append(words, Word{Dynamic: true})
	}
	for i := range words {
		words[i].Start, words[i].End = code.Start, code.End
	}
	x.run(words)
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

// maxLiterals bounds the string literals read from one piece of code.
const maxLiterals = 32

// literals cuts the quoted strings out of code, with simple escapes undone.
func literals(code string) []string {
	var out []string
	for i := 0; i < len(code) && len(out) < maxLiterals; i++ {
		q := code[i]
		if q != '"' && q != '\'' && q != '`' {
			if strings.HasPrefix(code[i:], "qw") {
				if lit, n, ok := bracketed(code[i:]); ok {
					out = append(out, strings.Join(strings.Fields(lit), " "))
					i += n
				}
				continue
			}
			if strings.HasPrefix(code[i:], "qx") || strings.HasPrefix(code[i:], "q{") || strings.HasPrefix(code[i:], "%x") {
				if lit, n, ok := bracketed(code[i:]); ok {
					out = append(out, lit)
					i += n
				}
			}
			continue
		}
		var b strings.Builder
		j := i + 1
		for ; j < len(code) && code[j] != q; j++ {
			if code[j] == '\\' && j+1 < len(code) {
				j++
			}
			b.WriteByte(code[j])
		}
		out = append(out, b.String())
		i = j
	}
	return out
}

// bracketed reads qx{…}, qx(…), %x(…), q{…}.
func bracketed(s string) (string, int, bool) {
	i := strings.IndexAny(s, "{([/<")
	if i < 0 || i > 3 {
		return "", 0, false
	}
	if s[i] == '/' && i < 2 {
		return "", 0, false
	}
	closing := map[byte]string{'{': "}", '(': ")", '[': "]", '/': "/", '<': ">"}[s[i]]
	end := strings.Index(s[i+1:], closing)
	if end < 0 {
		return "", 0, false
	}
	return s[i+1 : i+1+end], i + 1 + end, true
}

// awk runs programs with system(), | getline and print | "cmd".
func (x *invocation) awk() {
	o := readOptions("awk", x.args)
	codes := o.values("e", "source")
	operands := o.Operands
	for _, f := range o.values("f", "file") {
		x.use(f, Runs)
	}
	if len(codes) == 0 && !o.has("f", "file") && len(operands) > 0 {
		codes, operands = operands[:1], operands[1:]
	}
	for _, c := range codes {
		x.awkCode(c)
	}
	for _, f := range operands {
		if !strings.Contains(f.Text, "=") {
			x.use(f, Reads)
		}
	}
	if o.has("i", "inplace") && len(o.values("i")) > 0 && o.values("i")[0].Text == "inplace" {
		for _, f := range operands {
			x.use(f, Writes)
		}
	}
}

var (
	awkPipe  = regexp.MustCompile(`\|\s*&?\s*(getline|"[^"]*")|"\s*\|\s*getline`)
	awkWrite = regexp.MustCompile(`(?:print|printf)[^;}|]*>>?\s*"([^"]+)"`)
	awkInto  = regexp.MustCompile(`\bprintf?\b[^;}|(]*>>?\s*[A-Za-z_]\w*`)
	awkStart = regexp.MustCompile(`\bsystem\s*\(`)
)

func (x *invocation) awkCode(c Word) {
	if c.Text == "" && !c.Known {
		x.mark("unseen_code")
	}
	if awkInto.MatchString(c.Text) {
		x.use(Word{Dynamic: true, Start: c.Start, End: c.End}, Writes)
	}
	if len(c.Text) > maxCode {
		x.mark("unseen_code")
		c.Text = c.Text[:maxCode]
	}
	pattern := awkStart.MatchString(c.Text)
	if pattern || awkPipe.MatchString(c.Text) {
		x.mark("exec_option")
		for _, l := range literals(strings.ReplaceAll(c.Text, "'", " ")) {
			if strings.TrimSpace(l) != "" && (strings.Contains(l, " ") || strings.Contains(l, "/") || shellNames[l]) {
				x.codeText(l, [2]int{c.Start, c.End}, nil, Bash)
			}
		}
	}
	if strings.Contains(c.Text, "/inet/") {
		x.mark("network_code")
		x.mark("reverse_shell")
	}
	for _, m := range awkWrite.FindAllStringSubmatch(c.Text, 8) {
		w := c
		w.Text = m[1]
		x.use(w, Writes)
	}
}

// sed runs programs with the e command and flag, writes with w and -i.
func (x *invocation) sed() {
	o := readOptions("sed", x.args)
	codes := o.values("e", "expression")
	operands := o.Operands
	for _, f := range o.values("f", "file") {
		x.use(f, Runs)
	}
	if len(codes) == 0 && !o.has("f", "file") && len(operands) > 0 {
		codes, operands = operands[:1], operands[1:]
	}
	for _, c := range codes {
		x.sedCode(c)
	}
	a := Reads
	if x.sedInPlace() {
		a |= Writes
	}
	for _, f := range operands {
		x.use(f, a)
	}
}

func (x *invocation) sedInPlace() bool {
	for _, a := range x.args {
		if strings.HasPrefix(a.Text, "--in-pl") || strings.HasPrefix(a.Text, "-i") {
			return true
		}
		if strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "--") && letters(a.Text[1:]) && strings.Contains(a.Text, "i") && !strings.HasPrefix(a.Text, "-e") && !strings.HasPrefix(a.Text, "-f") {
			return true
		}
	}
	return false
}

var (
	sedExec  = regexp.MustCompile(`(?m)^\s*(?:\d+|\$|/[^/]*/)?(?:,(?:\d+|\$|/[^/]*/))?\s*!?\s*e(?:\s+(.*))?$`)
	sedWrite = regexp.MustCompile(`(?:^|[;}\s/,\d$])[wW]\s+(\S+)|/[gpiIMm0-9]*w\s+(\S+)`)
)

func (x *invocation) sedCode(c Word) {
	if c.Text == "" && !c.Known {
		x.mark("unseen_code")
	}
	if len(c.Text) > maxCode {
		x.mark("unseen_code")
		c.Text = c.Text[:maxCode]
	}
	span := [2]int{c.Start, c.End}
	for _, line := range strings.FieldsFunc(c.Text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if m := sedExec.FindStringSubmatch(line); m != nil {
			x.mark("exec_option")
			x.codeText(m[1], span, nil, Bash)
		}
	}
	if flags, ok := sedFlags(c.Text); ok && strings.Contains(flags, "e") {
		x.mark("exec_option")
		x.mark("unseen_code")
	}
	for _, m := range sedWrite.FindAllStringSubmatch(c.Text, 8) {
		w := c
		w.Text = m[1] + m[2]
		x.use(w, Writes)
	}
}

// sedFlags gives the flags of an s command.
func sedFlags(code string) (string, bool) {
	i := strings.IndexByte(code, 's')
	if i < 0 || i+1 >= len(code) {
		return "", false
	}
	if i > 0 && strings.Trim(code[:i], "0123456789,$ /") != "" && !strings.HasPrefix(code, "/") {
		return "", false
	}
	sep := code[i+1]
	if letters(string(sep)) || sep == ' ' {
		return "", false
	}
	n := 0
	for j := i + 2; j < len(code); j++ {
		if code[j] == '\\' {
			j++
			continue
		}
		if code[j] == sep {
			if n++; n == 2 {
				end := strings.IndexAny(code[j+1:], " ;}\n")
				if end < 0 {
					end = len(code) - j - 1
				}
				return code[j+1 : j+1+end], true
			}
		}
	}
	return "", false
}
