package command

import "strings"

// A wrapper runs the command that its words name.
type wrapper struct {
	skip    int    // operands before the command: timeout's duration
	assigns bool   // VAR=value words may stand before the command
	join    bool   // the words are joined and read by a shell
	shell   bool   // without a command it gives a shell
	login   string // options that give a shell: sudo -i
	code    string // options whose value is shell code: su -c
}

// wrappers, by program. Those with options of their own have a spec.
var wrappers = map[string]wrapper{
	"sudo": {assigns: true, login: "i login s shell"}, "doas": {login: "s"}, "pkexec": {shell: true}, "dzdo": {}, "sudo-rs": {assigns: true, login: "i s"},
	"gosu": {skip: 1}, "su-exec": {skip: 1}, "setpriv": {}, "chpst": {}, "s6-setuidgid": {skip: 1}, "run0": {shell: true},
	"env": {assigns: true}, "nohup": {}, "nice": {}, "ionice": {}, "timeout": {skip: 1}, "gtimeout": {skip: 1}, "stdbuf": {}, "setsid": {}, "time": {},
	"chrt": {skip: 1}, "taskset": {skip: 1}, "numactl": {}, "prlimit": {}, "choom": {}, "uclampset": {}, "schedtool": {},
	"setarch": {}, "linux32": {}, "linux64": {}, "i386": {}, "x86_64": {}, "uname26": {}, "personality": {},
	"strace": {}, "ltrace": {}, "valgrind": {}, "catchsegv": {}, "perf": {skip: 1}, "gprof": {}, "rr": {skip: 1}, "heaptrack": {},
	"chroot": {skip: 1, shell: true}, "unshare": {shell: true}, "nsenter": {shell: true}, "systemd-run": {login: "shell S"}, "systemd-inhibit": {}, "systemd-cat": {}, "systemd-nspawn": {}, "cgexec": {}, "firejail": {}, "bwrap": {},
	"fakeroot": {shell: true}, "fakechroot": {}, "eatmydata": {}, "unbuffer": {}, "rlwrap": {}, "xvfb-run": {}, "dbus-run-session": {}, "dbus-launch": {}, "logsave": {skip: 1}, "chronic": {}, "ifne": {}, "ts": {},
	"torsocks": {}, "torify": {}, "tsocks": {}, "proxychains": {}, "proxychains4": {}, "socksify": {}, "trickle": {}, "netns-exec": {skip: 1},
	"busybox": {}, "toybox": {}, "ld.so": {}, "ld-linux-x86-64.so": {}, "ld-linux-aarch64.so": {}, "ld-linux.so": {}, "ld-musl-x86_64.so": {}, "tini": {}, "dumb-init": {}, "catatonit": {},
	"flock": {skip: 1, code: "c command"}, "lockf": {skip: 1}, "setlock": {skip: 1}, "sem": {join: true}, "watch": {join: true}, "entr": {code: "s"}, "retry": {}, "sponge-run": {},
	"command": {}, "builtin": {}, "exec": {}, "noglob": {}, "nocorrect": {}, "coproc": {}, "then": {}, "repeat": {skip: 1}, "-": {},
	"aa-exec": {}, "runcon": {skip: 1}, "ssh-agent": {}, "cpulimit": {}, "multitime": {}, "softlimit": {}, "pexec": {}, "envdir": {skip: 1}, "setuidgid": {skip: 1}, "proot": {}, "cgclassify": {}, "grc": {}, "daemonize": {}, "daemon": {}, "detach": {}, "nq": {}, "tsp": {}, "srun": {}, "mpirun": {}, "bsub": {}, "qsub": {}, "condor_run": {join: true}, "uvx": {}, "mpiexec": {}, "infisical": {skip: 1}, "shadowenv": {skip: 1}, "rbenv": {skip: 1}, "pyenv": {skip: 1}, "nodenv": {skip: 1}, "asdf": {skip: 1}, "envchain": {skip: 1}, "with-contenv": {}, "aoss": {}, "distcc": {}, "capsh": {}, "start-stop-daemon": {},
	"npx": {}, "bunx": {}, "pnpx": {}, "direnv": {skip: 2}, "conda": {skip: 1}, "dotenv": {}, "aws-vault": {skip: 2}, "chamber": {skip: 2}, "doppler": {skip: 1}, "teller": {skip: 1}, "op": {skip: 1},
	"lxc-attach": {shell: true}, "vagrant-ssh": {},
}

// second are wrappers only with this word first.
var secondWord = map[string][]string{
	"perf": {"stat", "record", "trace"}, "rr": {"record"}, "conda": {"run"}, "direnv": {"exec"}, "aws-vault": {"exec"}, "chamber": {"exec"},
	"doppler": {"run"}, "teller": {"run"}, "op": {"run"}, "infisical": {"run"}, "shadowenv": {"exec"}, "rbenv": {"exec"}, "pyenv": {"exec"}, "nodenv": {"exec"}, "asdf": {"exec"},
}

// An invocation is one command whose inner commands are looked for.
type invocation struct {
	*walker
	at      int
	cmd     simple
	program string
	args    []Word
	workdir []Word            // of a container's command
	mounts  map[string]string // of a container: folder inside → on the host
}

// study finds what the command at fact index at starts, reads and writes.
func (w *walker) study(at int, c simple) {
	x := &invocation{walker: w, at: at, cmd: c, program: w.facts[at].Program}
	x.args = spelledOut(x.program, c.words[1:])
	if x.program == "" {
		x.cameFrom(c.flow)
		x.tail()
		return
	}
	x.counted()
	if h, ok := ownBuiltins[x.dialect][x.program]; ok {
		h(x)
	} else if h, ok := handlers[x.program]; ok {
		h(x)
	} else if wr, ok := wrappers[x.program]; ok {
		x.wrapped(wr)
	} else if sub, ok := gitDash(x.program); ok {
		x.again(append([]Word{{Text: "git", Known: true}, {Text: sub, Known: true}}, x.args...))
	} else {
		x.placed()
		x.otherName()
		x.wordsInside()
	}
	x.uses()
	x.libraries()
	x.sendsOutput()
	x.statements()
}

func gitDash(p string) (string, bool) {
	sub, ok := strings.CutPrefix(p, "git-")
	return sub, ok && gitCommands[sub]
}

var gitCommands = setOf("add am apply bisect branch checkout cherry-pick clean clone commit config fetch filter-branch gc merge mv pull push rebase reflog reset restore revert rm stash submodule switch tag update-ref worktree")

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for _, s := range strings.Fields(words) {
		m[s] = true
	}
	return m
}

// fact is the fact under study; the pointer is void after the next emit.
func (x *invocation) fact() *Fact { return &x.facts[x.at] }

func (x *invocation) mark(construct string) { x.fact().construct(construct) }

// run judges words as the command that this one starts.
func (x *invocation) run(words []Word) { x.runIn(words, x.cmd.in) }

func (x *invocation) runIn(words []Word, in input) {
	if len(words) == 0 {
		return
	}
	c := simple{words: words, uses: x.cmd.uses, in: in, start: x.cmd.start, end: x.cmd.end, flow: x.cmd.flow}
	x.through(x.step(), func() { x.simple(c) })
}

// again judges the same command in other words.
func (x *invocation) again(words []Word) {
	x.through(x.program, func() {
		x.simple(simple{words: words, uses: x.cmd.uses, in: x.cmd.in, start: x.cmd.start, end: x.cmd.end, flow: x.cmd.flow})
	})
}

func (x *invocation) step() string {
	if len(x.args) > 0 && (x.program == "docker" || x.program == "kubectl" || x.program == "podman") {
		return x.program + " " + x.args[0].Text
	}
	return x.program
}

// codeWord judges a word as shell code.
func (x *invocation) codeWord(code Word, args []Word) {
	x.codeText(code.Text, [2]int{code.Start, code.End}, args, Bash)
	if !code.Known {
		x.mark("unseen_code")
	}
}

// codeText judges text as shell code of dialect d.
func (x *invocation) codeText(text string, span [2]int, args []Word, d Dialect) {
	if strings.TrimSpace(text) == "" {
		return
	}
	in, within := x.cmd.in, x.within
	x.within = joinFlow(within, x.cmd.flow)
	x.through(x.step(), func() { x.code(text, d, span, args, in) })
	x.within = within
}

// code walks text as code of dialect d; all its spans are span.
func (w *walker) code(text string, d Dialect, span [2]int, args []Word, in input) {
	w.note(text, span)
	w.aside(func() {
		w.src, w.dialect, w.fixed, w.span0 = text, d, true, span
		env := w.env
		if len(args) > 0 {
			w.env = withArguments(env, args)
		}
		if d > Zsh {
			w.read(text)
		} else {
			w.codeStmts(text, in)
		}
		w.env = env
	})
}

func (w *walker) codeStmts(text string, in input) {
	if why := shape(text, w.lim); why != "" {
		w.fail(why)
		return
	}
	f, err := parse(text, w.dialect)
	if err != nil {
		w.fail("inner code does not parse: " + parseMessage(err))
		w.salvage(text)
		return
	}
	w.body(f.Stmts, in)
}

// leading gives the index of the first word after the options.
func leading(program string, args []Word) int {
	s, _ := specOf(program)
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case t == "--" && args[i].Known:
			return i + 1
		case t == "-" && program == "env":
		case len(t) < 2 || t[0] != '-':
			return i
		case s.takesNext(t):
			i++
		}
	}
	return len(args)
}

func (x *invocation) wrapped(wr wrapper) {
	if words, ok := secondWord[x.program]; ok && !isAny(x.args, words) {
		return
	}
	o := readOptions(x.program, x.args[:leading(x.program, x.args)])
	for _, name := range strings.Fields(wr.code) {
		for _, v := range o.values(name) {
			x.codeWord(v, nil)
		}
	}
	if x.program == "sudo" && o.has("e", "edit") {
		x.mark("edits_file")
	}
	rest := x.args[leading(x.program, x.args):]
	prefixed := x.prefixed
	defer func() { x.prefixed = prefixed }()
	if x.program == "env" {
		x.envStrings(o, rest)
	}
	coded, words := len(x.facts), rest
	rest = x.skipTo(rest, wr)
	switch {
	case len(rest) == 0 && len(x.facts) > coded:
	case len(rest) == 0 && x.program == "env" && !o.has("help", "version", "S", "split-string"):
		x.mark("prints_environment")
	case len(rest) == 0:
		if wr.shell && !o.has("help", "version", "h", "V") || wr.login != "" && o.has(strings.Fields(wr.login)...) {
			x.givenShell()
		}
	case wr.join || wr.login != "" && o.has(strings.Fields(wr.login)...) && len(rest) == 1 && strings.ContainsAny(rest[0].Text, " ;|&"):
		x.codeWord(joined(rest), nil)
	default:
		x.folder(o)
		x.run(rest)
	}
	if x.program == "env" && (o.has("i", "ignore-environment") || isAny(o.Operands, []string{"-"})) {
		x.cleared(coded, words[:max(0, len(words)-len(rest))])
	}
}

// givenShell is a wrapper that starts a shell of its own: for a person, or
// for what it is fed.
func (x *invocation) givenShell() {
	if x.cmd.in.from == "" {
		x.mark("interactive_shell")
		return
	}
	x.script(nil)
}

func isAny(args []Word, words []string) bool {
	for _, w := range words {
		if len(args) > 0 && args[0].Text == w {
			return true
		}
	}
	return false
}

// skipTo takes the wrapper's own operands and assignments away.
func (x *invocation) skipTo(rest []Word, wr wrapper) []Word {
	for n := wr.skip; n > 0 && len(rest) > 0; n-- {
		rest = rest[1:]
		for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") && len(rest[0].Text) > 1 {
			if isWord(wr.code, strings.TrimLeft(rest[0].Text, "-")) && len(rest) > 1 {
				x.codeWord(rest[1], nil)
				return nil
			}
			rest = rest[1:]
		}
	}
	for wr.assigns && len(rest) > 0 {
		name, v, ok := strings.Cut(rest[0].Text, "=")
		if !ok || !isName(name) && !strings.HasPrefix(name, "BASH_FUNC_") {
			break
		}
		w := rest[0]
		w.Text = v
		x.fact().Assigns = append(x.fact().Assigns, Assign{Name: name, Word: w, Exported: true})
		x.prefixed = append(x.prefixed[:len(x.prefixed):len(x.prefixed)], Assign{Name: name, Word: w, Exported: true})
		rest = rest[1:]
	}
	return rest
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && !(c|0x20 >= 'a' && c|0x20 <= 'z') && !(i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

// folder notes a change of folder by option: env -C, sudo -D.
func (x *invocation) folder(o Options) {
	var names []string
	switch x.program {
	case "env":
		names = []string{"C", "chdir"}
	case "sudo":
		names = []string{"D", "chdir"}
	}
	for _, v := range o.values(names...) {
		old := x.cwds
		x.chdir(v)
		x.cwds = union(old, x.fresh)
		x.fresh = nil
	}
}

// envStrings is env -S: one string that env splits into the command.
func (x *invocation) envStrings(o Options, rest []Word) {
	for _, v := range o.values("S", "split-string") {
		text := v.Text
		for _, r := range rest {
			text += " " + r.Text
		}
		x.codeText("env "+text, [2]int{v.Start, v.End}, nil, Bash)
	}
}

// joined puts words together with spaces, as programs that hand their words
// to a shell do.
func joined(words []Word) Word {
	out := Word{Known: true, Start: words[0].Start, End: words[len(words)-1].End}
	for i, w := range words {
		if i > 0 {
			out.Text += " "
		}
		out.Text += w.Text
		out.Known = out.Known && w.Known
		out.Dynamic = out.Dynamic || w.Dynamic
	}
	return out
}

// tail looks at the words of a program that the console does not know: if
// they hold a command, that command counts.
func (x *invocation) tail() {
	for i, a := range x.args {
		name := programOf(a)
		if a.Known && strings.IndexByte(a.Text, ' ') > 0 {
			x.destructiveText(a)
			continue
		}
		if name == "" || !destructive(name, x.args[i+1:]) {
			continue
		}
		x.mark("unknown_wrapper")
		x.run(x.args[i:])
		return
	}
}

// destructiveText judges a word with blanks in it as code, if it starts with
// a program that destroys.
func (x *invocation) destructiveText(a Word) {
	if !startsDestructive(a.Text) {
		return
	}
	x.mark("unknown_wrapper")
	x.codeWord(a, nil)
}

func startsDestructive(text string) bool {
	fields := strings.Fields(text)
	for i := 0; i < len(fields) && i < 3; i++ {
		if fields[i] == "sudo" || strings.Contains(fields[i], "=") {
			continue
		}
		words := make([]Word, 0, len(fields))
		for _, f := range fields[i+1:] {
			words = append(words, Word{Text: f, Known: true})
		}
		return destructive(programOf(Word{Text: fields[i], Known: true}), words)
	}
	return false
}

// destructive names programs that are looked for behind unknown ones.
func destructive(name string, args []Word) bool {
	switch name {
	case "rm", "dd", "shred", "wipefs", "mkfs", "reboot", "shutdown", "poweroff", "halt", "fdisk", "parted", "sgdisk",
		"lvremove", "vgremove", "pvremove", "zpool", "zfs", "userdel", "iptables", "nft", "kill", "killall", "pkill", "dropdb", "blkdiscard", "sh", "bash", "zsh", "dash", "ksh":
		return len(args) > 0
	case "git":
		return len(args) > 1
	case "find":
		return true
	case "systemctl", "kubectl", "docker", "terraform", "chmod", "chown", "truncate", "mv", "unlink", "rmdir", "crontab":
		return len(args) > 1
	}
	return strings.HasPrefix(name, "mkfs.")
}
