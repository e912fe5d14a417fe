package command

import "strings"

// Shells on other hosts and of other accounts.

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
		x.stdinCodeUnseen()
	case in.from == "file" && in.path != "":
		x.mark("remote_script")
		x.use(Word{Text: in.path, Known: true}, Runs)
	default:
		x.mark("remote_shell")
	}
}

// sshOptions judges the options that start programs here.
func (x *invocation) sshOptions(o Options) {
	for _, v := range o.values("o") {
		name, code, ok := strings.Cut(v.Text, "=")
		if n := strings.ToLower(name); ok && (n == "pkcs11provider" || n == "securitykeyprovider") && strings.Contains(code, "/") {
			x.mark("loads_library")
		}
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
