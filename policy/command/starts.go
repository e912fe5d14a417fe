package command

import "strings"

// Programs that start what their words name, each in a way of its own.

// words looks into a reader whose words can be code or a command.
func (x *invocation) words() {
	for _, a := range x.args {
		t := strings.TrimPrefix(a.Text, ":")
		if code, ok := strings.CutPrefix(t, "sh "); ok && t != a.Text {
			x.mark("exec_option")
			x.codeText(code, [2]int{a.Start, a.End}, nil, Bash)
		} else if kindsOf(a.Text)&callsShell != 0 && strings.Contains(a.Text, "(") {
			x.interpreted(a)
		}
	}
	x.tail()
}

// fd is find with -x and -X.
func (x *invocation) fd() {
	for i, a := range x.args {
		if (a.Text == "-x" || a.Text == "-X" || a.Text == "--exec" || a.Text == "--exec-batch") && i+1 < len(x.args) {
			words := x.args[i+1:]
			if !holdsMark(words, parallelMarks) {
				words = append(words[:len(words):len(words)], Word{Text: "{}", Known: true, Start: a.Start, End: a.End})
			}
			x.found(words, nil)
			x.fact().Args = x.args[:i]
			return
		}
	}
}

// ip netns exec NAME CMD.
func (x *invocation) ip() {
	for i := 0; i+3 < len(x.args); i++ {
		if x.args[i].Text == "netns" && x.args[i+1].Text == "exec" {
			x.run(x.args[i+3:])
			return
		}
		if x.args[i].Text == "vrf" && x.args[i+1].Text == "exec" {
			x.run(x.args[i+3:])
			return
		}
	}
}

func (x *invocation) systemdRun() {
	rest := x.args[leading("systemd-run", x.args):]
	o := readOptions("systemd-run", x.args[:leading("systemd-run", x.args)])
	if len(rest) == 0 {
		if o.has("shell", "S") {
			x.mark("interactive_shell")
		}
		return
	}
	x.run(rest)
}

func (x *invocation) startStop() {
	var words []Word
	for i, a := range x.args {
		if (a.Text == "-x" || a.Text == "--exec" || a.Text == "-a" || a.Text == "--startas") && i+1 < len(x.args) {
			words = append(words, x.args[i+1])
		}
		if a.Text == "--" {
			words = append(words, x.args[i+1:]...)
			break
		}
	}
	if len(words) > 0 && isStart(x.args) {
		x.run(words)
	}
}

func isStart(args []Word) bool {
	for _, a := range args {
		if a.Text == "-S" || a.Text == "--start" {
			return true
		}
	}
	return false
}

func (x *invocation) capsh() {
	for i, a := range x.args {
		if a.Text == "--" || a.Text == "==" {
			x.run(append([]Word{{Text: "bash", Known: true, Start: a.Start, End: a.End}}, x.args[i+1:]...))
			return
		}
	}
}

// rpm evaluates macros, which can start a shell.
func (x *invocation) rpm() {
	for i, a := range x.args {
		code := ""
		if (a.Text == "--eval" || a.Text == "-E" || a.Text == "--pipe") && i+1 < len(x.args) {
			code = x.args[i+1].Text
		} else if v, ok := strings.CutPrefix(a.Text, "--eval="); ok {
			code = v
		}
		if inner, ok := strings.CutPrefix(code, "%("); ok {
			x.mark("exec_option")
			x.codeText(strings.TrimSuffix(inner, ")"), [2]int{a.Start, a.End}, nil, Bash)
		} else if strings.Contains(code, "%{lua") || a.Text == "--pipe" {
			x.mark("exec_option")
			x.interpreted(Word{Text: code, Known: true, Start: a.Start, End: a.End})
		}
	}
}

// service runs /etc/init.d/NAME: a path in NAME runs something else.
func (x *invocation) service() {
	if len(x.args) > 0 && strings.Contains(x.args[0].Text, "/") {
		x.mark("exec_option")
		w := x.args[0]
		if i := strings.Index(w.Text, "bin/"); i >= 0 {
			w.Text = "/" + w.Text[i:]
		}
		x.run(append([]Word{w}, x.args[1:]...))
	}
}

func (x *invocation) setarch() {
	rest := x.args
	for len(rest) > 0 && (strings.HasPrefix(rest[0].Text, "-") || isArch(rest[0].Text)) {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		if len(x.args) > 0 && x.args[0].Text != "--help" && x.args[0].Text != "--list" && x.args[0].Text != "--version" {
			x.mark("interactive_shell")
		}
		return
	}
	x.run(rest)
}

func isArch(s string) bool {
	switch s {
	case "i386", "i486", "i586", "i686", "x86_64", "linux32", "linux64", "uname26", "arm", "armv7l", "aarch64", "ppc", "ppc64", "s390x":
		return true
	}
	return false
}

func (x *invocation) npx() {
	for i, a := range x.args {
		if (a.Text == "-c" || a.Text == "--call") && i+1 < len(x.args) {
			x.codeWord(x.args[i+1], nil)
			return
		}
	}
	for i, a := range x.args {
		if !strings.HasPrefix(a.Text, "-") && (i == 0 || x.args[i-1].Text != "-p" && x.args[i-1].Text != "--package") {
			x.run(x.args[i:])
			return
		}
	}
}

// rimraf removes trees, as rm -rf does.
func (x *invocation) rimraf() {
	x.again(append([]Word{{Text: "rm", Known: true}, {Text: "-rf", Known: true}}, x.args...))
}

func (x *invocation) repeat() {
	if len(x.args) > 1 {
		x.run(x.args[1:])
	}
}

func (x *invocation) watch() {
	n := leading("watch", x.args)
	o := readOptions("watch", x.args[:n])
	switch rest := x.args[n:]; {
	case len(rest) == 0:
	case o.has("x", "exec"):
		x.run(rest)
	default:
		x.codeWord(joined(rest), nil)
	}
}

func (x *invocation) busybox() {
	for i, a := range x.args {
		if !strings.HasPrefix(a.Text, "-") {
			x.run(x.args[i:])
			return
		}
	}
}

func (x *invocation) sudoedit() {
	x.mark("edits_file")
	for _, f := range readOptions("sudo", x.args).Operands {
		x.use(f, Writes)
	}
}

func (x *invocation) timed() {
	o := readOptions("time", x.args[:leading("time", x.args)])
	for _, f := range o.values("o", "output") {
		x.use(f, Writes)
	}
	x.run(x.args[leading("time", x.args):])
}

// apt runs what -o names as hooks and editors.
func (x *invocation) apt() {
	o := readOptions("apt", x.args)
	for _, v := range o.values("o", "option") {
		name, code, ok := strings.Cut(v.Text, "=")
		if ok && (strings.Contains(name, "Invoke") || strings.Contains(name, "Pre-Install") || strings.Contains(name, "Bin::")) {
			x.mark("exec_option")
			x.codeText(code, [2]int{v.Start, v.End}, nil, Bash)
		}
	}
}

// group is sg GROUP CODE and newgrp: words joined for a shell, or a shell.
func (x *invocation) group() {
	rest := x.args
	for len(rest) > 0 && (rest[0].Text == "-" || rest[0].Text == "-l") {
		rest = rest[1:]
	}
	if len(rest) > 0 {
		rest = rest[1:]
	}
	for len(rest) > 0 && (rest[0].Text == "-c" || rest[0].Text == "--command") {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		x.givenShell()
		return
	}
	x.codeWord(joined(rest), nil)
}

func holdsMark(words []Word, marks []string) bool {
	for _, w := range words {
		for _, m := range marks {
			if strings.Contains(w.Text, m) {
				return true
			}
		}
	}
	return false
}
