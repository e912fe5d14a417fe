package command

import "strings"

// handlers judge the programs that start others, or read and write, in a way
// of their own.
var handlers map[string]func(*invocation)

func init() {
	handlers = map[string]func(*invocation){
		"eval": (*invocation).eval, "source": (*invocation).source, ".": (*invocation).source,
		"alias": (*invocation).aliasBuiltin, "trap": (*invocation).trap, "exec": (*invocation).execute,
		"command": (*invocation).commandBuiltin, "builtin": (*invocation).commandBuiltin,
		"cd": (*invocation).changeFolder, "pushd": (*invocation).changeFolder, "chdir": (*invocation).changeFolder,
		"printf": (*invocation).printfBuiltin, "test": (*invocation).evaluating, "[": (*invocation).evaluating,
		"read": (*invocation).readVariables, "unset": (*invocation).evaluating, "let": (*invocation).evaluating,
		"mapfile": (*invocation).mapfile, "readarray": (*invocation).mapfile, "wait": (*invocation).evaluating,
		"xargs": (*invocation).xargs, "gxargs": (*invocation).xargs, "parallel": (*invocation).parallel, "rush": (*invocation).parallel,
		"find": (*invocation).find, "gfind": (*invocation).find, "fd": (*invocation).fd, "fdfind": (*invocation).fd,
		"ssh": (*invocation).ssh, "slogin": (*invocation).ssh, "autossh": (*invocation).ssh, "rsh": (*invocation).ssh, "mosh": (*invocation).ssh,
		"su": (*invocation).su, "runuser": (*invocation).su,
		"docker": (*invocation).container, "podman": (*invocation).container, "nerdctl": (*invocation).container,
		"docker-compose": (*invocation).compose, "podman-compose": (*invocation).compose,
		"kubectl": (*invocation).kubectl, "oc": (*invocation).kubectl, "kubecolor": (*invocation).kubectl, "k": (*invocation).kubectl, "k3s": (*invocation).k3s, "microk8s": (*invocation).k3s,
		"lxc": behind("exec", 1), "incus": behind("exec", 1), "crictl": behind("exec", 1), "pct": behind("exec", 1), "runc": behind("exec", 1),
		"machinectl": (*invocation).machinectl, "ip": (*invocation).ip, "script": (*invocation).scriptProgram,
		"at": (*invocation).stdinCode, "batch": (*invocation).stdinCode, "crontab": (*invocation).crontab, "make": (*invocation).make, "gmake": (*invocation).make,
		"vi": (*invocation).editor, "vim": (*invocation).editor, "nvim": (*invocation).editor, "view": (*invocation).editor, "ex": (*invocation).editor, "rvim": (*invocation).editor,
		"ed": (*invocation).ed, "red": (*invocation).ed,
		"awk": (*invocation).awk, "gawk": (*invocation).awk, "mawk": (*invocation).awk, "nawk": (*invocation).awk,
		"sed": (*invocation).sed, "gsed": (*invocation).sed,
		"git": (*invocation).git, "man": (*invocation).man, "tar": (*invocation).tar, "gtar": (*invocation).tar, "bsdtar": (*invocation).tar,
		"rsync": (*invocation).rsync, "scp": (*invocation).scp, "sftp": (*invocation).scp,
		"rg": optionCode("rg", "pre", "hostname-bin"), "ag": optionCode("ag", "pager"), "ack": optionCode("ack", "pager"),
		"bat": optionCode("bat", "pager"), "batcat": optionCode("batcat", "pager"), "delta": optionCode("delta", "pager"),
		"multitail": optionCode("multitail", "l", "L", "R"), "lnav": (*invocation).words, "mlr": (*invocation).words, "dasel": (*invocation).words,
		"sort": optionCode("sort", "compress-program"), "split": optionCode("split", "filter"),
		"gdb": (*invocation).gdb, "lldb": (*invocation).gdb, "socat": (*invocation).socat, "nc": (*invocation).nc, "ncat": (*invocation).nc, "netcat": (*invocation).nc,
		"ansible": (*invocation).ansible, "salt": (*invocation).salt, "salt-call": (*invocation).salt,
		"pssh": onHosts, "pdsh": onHosts, "clush": onHosts, "dsh": onHosts, "parallel-ssh": onHosts, "cssh": onHosts, "sshpass": (*invocation).sshpass,
		"tmux": (*invocation).tmux, "screen": (*invocation).screen, "zellij": (*invocation).screen, "dtach": (*invocation).screen, "abduco": (*invocation).screen,
		"systemd-run": (*invocation).systemdRun, "start-stop-daemon": (*invocation).startStop, "capsh": (*invocation).capsh,
		"rpm": (*invocation).rpm, "pip": optionCode("pip", "editor"), "service": (*invocation).service, "wget": (*invocation).wget,
		"less": (*invocation).pager, "more": (*invocation).pager, "most": (*invocation).pager,
		"nmap": (*invocation).nmap, "setarch": (*invocation).setarch, "npx": (*invocation).npx,
		"repeat": (*invocation).repeat, "watch": (*invocation).watch, "dd": (*invocation).dd, "busybox": (*invocation).busybox, "toybox": (*invocation).busybox,
		"sudoedit": (*invocation).sudoedit, "time": (*invocation).timed, "su-exec": nil,
		"bundle": behind("exec", 0), "poetry": behind("run", 0), "pipenv": behind("run", 0), "uv": behind("run", 0), "mise": behind("exec", 0),
		"vagrant": (*invocation).vagrant, "fly": nil, "flyctl": nil, "heroku": nil, "gcloud": (*invocation).gcloud,
		"export": (*invocation).declaration, "declare": (*invocation).declaration, "typeset": (*invocation).declaration,
		"readonly": (*invocation).declaration, "local": (*invocation).declaration,
		"set": (*invocation).setArguments, "shift": (*invocation).shift, "history": nil, "sshfs": nil, "hash": nil, "expect": (*invocation).interpreter,
		"visudo": (*invocation).fedEditor, "telnet": (*invocation).telnet, "sg": (*invocation).group, "newgrp": (*invocation).group, "flatpak": (*invocation).flatpak, "run-parts": nil, "nomad": (*invocation).nomad, "fish_add_path": (*invocation).addPath, "bind": (*invocation).keyBinding, "complete": (*invocation).completion, "zip": (*invocation).zip, "dpkg": nil, "apt": (*invocation).apt, "apt-get": (*invocation).apt, "yum": nil,
	}
	for name, h := range handlers {
		if h == nil {
			delete(handlers, name)
		}
	}
	for name := range shellNames {
		handlers[name] = (*invocation).shellProgram
	}
	for name := range interpreterCode {
		handlers[name] = (*invocation).interpreter
	}
}

func optionCode(program string, names ...string) func(*invocation) {
	return func(x *invocation) { x.codeOptions(program, names...) }
}

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

func (x *invocation) k3s() {
	if len(x.args) > 0 && (x.args[0].Text == "kubectl" || x.args[0].Text == "crictl" || x.args[0].Text == "ctr" || x.args[0].Text == "helm3") {
		x.run(x.args)
	}
}

func (x *invocation) machinectl() {
	n := leading("machinectl", x.args)
	if n >= len(x.args) || x.args[n].Text != "shell" && x.args[n].Text != "login" {
		return
	}
	if n+2 >= len(x.args) {
		x.mark("interactive_shell")
		return
	}
	x.inside(x.args[n+2:])
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

func (x *invocation) ed() {
	if x.cmd.in.known {
		x.bangLines(x.cmd.in.text, [2]int{x.cmd.start, x.cmd.end})
	}
	for _, a := range x.args {
		if strings.HasPrefix(a.Text, "!") {
			x.mark("exec_option")
			x.codeText(a.Text[1:], [2]int{a.Start, a.End}, nil, Bash)
		} else if !strings.HasPrefix(a.Text, "-") {
			x.use(a, Writes)
		}
	}
}

// gitExec are settings whose value git runs.
var gitExec = []string{"core.pager", "core.sshcommand", "core.editor", "core.fsmonitor", "core.askpass", "core.gitproxy", "core.hookspath", "diff.external", "sequence.editor", "credential.helper", "gpg.program", "gpg.ssh.program", "pager.", "filter.", "difftool.", "mergetool.", "alias.", "uploadpack.packobjectshook", "sendemail.smtpserver", "protocol.ext.allow", "ssh.variant", "browser.", "man.", "merge.", "diff."}

func isGitExec(name string) bool {
	name = strings.ToLower(name)
	for _, g := range gitExec {
		if name == g || strings.HasSuffix(g, ".") && strings.HasPrefix(name, g) {
			switch {
			case strings.HasPrefix(name, "diff.") || strings.HasPrefix(name, "merge."):
				return strings.HasSuffix(name, "command") || strings.HasSuffix(name, "driver") || strings.HasSuffix(name, "textconv") || strings.HasSuffix(name, "external")
			case strings.HasPrefix(name, "pager."):
				return true
			case strings.HasPrefix(name, "difftool.") || strings.HasPrefix(name, "mergetool."):
				return strings.HasSuffix(name, "cmd") || strings.HasSuffix(name, "path")
			}
			return true
		}
	}
	return false
}

func (x *invocation) git() {
	n := leading("git", x.args)
	o := readOptions("git", x.args[:n])
	for _, c := range o.values("c", "config-env") {
		name, v, ok := strings.Cut(c.Text, "=")
		if ok {
			x.gitSetting(name, v, c)
		}
	}
	for _, d := range o.values("C") {
		x.use(d, Reads)
	}
	if n >= len(x.args) {
		return
	}
	if x.args[n].Text == "clean" {
		x.gitClean(o.values("C"), readOptions("git", x.args[n:]).Operands[1:])
	}
	x.gitSub(x.args[n].Text, x.args[n+1:])
}

// gitClean removes what is untracked in the folder, or below the operands.
func (x *invocation) gitClean(folders, paths []Word) {
	for _, p := range append(folders, paths...) {
		x.use(p, Removes)
	}
	if len(paths) == 0 && len(x.cwds) > 0 {
		x.use(Word{Text: ".", Known: true, Start: x.cmd.start, End: x.cmd.end}, Removes)
	}
}

func (x *invocation) gitSetting(name, v string, at Word) {
	if !isGitExec(name) {
		return
	}
	code, bang := strings.CutPrefix(v, "!")
	if strings.HasPrefix(strings.ToLower(name), "alias.") && !bang {
		return
	}
	if v == "cat" || v == "less" || v == "" || v == "true" || v == "false" || v == "store" || v == "cache" {
		return
	}
	x.mark("exec_option")
	x.codeText(code, [2]int{at.Start, at.End}, nil, Bash)
}

func (x *invocation) gitSub(sub string, args []Word) {
	o := readOptions("git", args)
	span := [2]int{x.cmd.start, x.cmd.end}
	switch sub {
	case "config":
		if len(o.Operands) > 1 {
			x.gitSetting(o.Operands[len(o.Operands)-2].Text, o.Operands[len(o.Operands)-1].Text, o.Operands[len(o.Operands)-1])
		}
	case "grep":
		for _, op := range o.List {
			if op.Name == "O" || op.Name == "open-files-in-pager" {
				x.mark("exec_option")
				if op.HasValue || len(args[op.At].Text) > 2 && op.Name == "O" {
					x.codeText(op.Value.Text, span, nil, Bash)
				}
			}
		}
	case "submodule":
		if len(args) > 1 && args[0].Text == "foreach" {
			x.codeWord(joined(args[1:]), nil)
		}
	case "bisect":
		if len(args) > 1 && args[0].Text == "run" {
			x.run(args[1:])
		}
	case "rebase", "filter-branch", "difftool", "mergetool", "filter-repo":
		for i, a := range args {
			name := strings.TrimLeft(a.Text, "-")
			if name == "exec" || name == "x" || strings.HasSuffix(name, "-filter") || name == "extcmd" {
				if i+1 < len(args) {
					x.mark("exec_option")
					x.codeWord(args[i+1], nil)
				}
			} else if _, code, ok := strings.Cut(a.Text, "--exec="); ok {
				x.mark("exec_option")
				x.codeText(code, span, nil, Bash)
			}
		}
	}
	for _, a := range args {
		x.gitRemote(sub, a)
	}
}

// gitRemote judges ext:: addresses and options that name a program.
func (x *invocation) gitRemote(sub string, a Word) {
	if code, ok := strings.CutPrefix(a.Text, "ext::"); ok {
		x.mark("exec_option")
		if strings.ContainsAny(code, `"'`) {
			x.codeText(code, [2]int{a.Start, a.End}, nil, Bash)
		} else {
			x.run(extWords(code, a))
		}
	}
	for _, p := range []string{"--upload-pack=", "--receive-pack=", "--exec=", "-u=", "--extcmd="} {
		if code, ok := strings.CutPrefix(a.Text, p); ok && sub != "rebase" {
			x.mark("exec_option")
			x.codeText(code, [2]int{a.Start, a.End}, nil, Bash)
		}
	}
	switch sub {
	case "clone", "fetch", "pull", "push":
		if strings.Contains(a.Text, "://") || strings.Contains(a.Text, "@") && strings.Contains(a.Text, ":") {
			x.use(a, Connects)
		}
	}
}

func (x *invocation) man() {
	o := readOptions("man", x.args)
	for _, v := range o.values("P", "pager", "H", "html", "browser", "p", "preprocessor") {
		x.mark("exec_option")
		x.codeWord(v, nil)
	}
	for _, a := range x.args {
		if code, ok := strings.CutPrefix(a.Text, "-H"); ok && code != "" {
			x.mark("exec_option")
			x.codeText(code, [2]int{a.Start, a.End}, nil, Bash)
		}
	}
}

func (x *invocation) tar() {
	o := readOptions("tar", x.args)
	for _, v := range o.values("to-command", "use-compress-program", "I", "rsh-command", "rmt-command", "info-script", "new-volume-script", "F") {
		x.tarProgram(v)
	}
	for _, v := range o.values("checkpoint-action") {
		if code, ok := strings.CutPrefix(v.Text, "exec="); ok {
			x.mark("exec_option")
			x.codeText(code, [2]int{v.Start, v.End}, nil, Bash)
		}
	}
	archive := o.values("f", "file")
	mode, reads := Writes, Reads
	switch {
	case o.has("c", "create", "r", "append", "u", "update", "A"):
		for _, p := range o.Operands {
			x.use(p, reads)
			if o.has("remove-files") {
				x.use(p, Removes)
			}
		}
		for _, d := range o.values("C", "directory") {
			x.use(d, Reads)
		}
	case o.has("x", "extract", "get"):
		mode = Reads
		for _, d := range o.values("C", "directory") {
			x.use(d, Writes)
		}
		if len(o.values("C", "directory")) == 0 {
			x.use(Word{Text: ".", Known: true, Start: x.cmd.start, End: x.cmd.end}, Writes)
		}
	default:
		mode = Reads
	}
	for _, f := range archive {
		if f.Text == "-" {
			continue
		}
		if host, _, ok := strings.Cut(f.Text, ":"); ok && !strings.Contains(host, "/") && !o.has("force-local") {
			x.use(f, Connects)
			for _, p := range o.Operands {
				x.use(p, Sends)
			}
			x.mark("network_upload")
			continue
		}
		x.use(f, mode)
	}
}

func (x *invocation) tarProgram(v Word) {
	switch programOf(v) {
	case "gzip", "bzip2", "xz", "zstd", "pigz", "lz4", "pbzip2", "lzma", "lzop", "pixz", "zstdmt":
		return
	}
	if strings.HasSuffix(v.Text, "bin/ssh") || v.Text == "ssh" {
		return
	}
	x.mark("exec_option")
	x.codeWord(v, nil)
}

func (x *invocation) rsync() {
	o := readOptions("rsync", x.args)
	if o.has("n", "dry-run", "list-only") {
		return
	}
	for _, v := range o.values("e", "rsh") {
		if p := strings.Fields(v.Text); len(p) > 0 && programOf(Word{Text: p[0], Known: true}) != "ssh" || strings.Contains(v.Text, "ProxyCommand") {
			x.mark("exec_option")
			x.codeWord(v, nil)
		}
	}
	for _, v := range o.values("rsync-path") {
		if strings.ContainsAny(v.Text, " ;|&") {
			x.codeWord(v, nil)
		}
	}
	x.copies(o.Operands)
	for i, p := range o.Operands {
		last := i == len(o.Operands)-1
		if _, _, remote := remotePath(p.Text); remote {
			continue
		}
		if last && o.has("delete", "del", "delete-before", "delete-during", "delete-after", "delete-excluded", "delete-delay") || !last && o.has("remove-source-files") {
			x.use(p, Removes)
		}
	}
}

func (x *invocation) scp() {
	o := readOptions("scp", x.args)
	for _, v := range o.values("S") {
		if programOf(v) != "ssh" {
			x.mark("exec_option")
			x.use(v, Runs)
		}
	}
	x.sshOptions(o)
	x.copies(o.Operands)
}

// copies are paths of which the last is written, and any may be on another
// host.
func (x *invocation) copies(operands []Word) {
	for i, p := range operands {
		last := i == len(operands)-1 && len(operands) > 1
		host, path, remote := remotePath(p.Text)
		switch {
		case remote && last:
			w := p
			w.Text = path
			x.use(w, Writes|Connects)
			for _, q := range operands[:i] {
				if _, _, r := remotePath(q.Text); !r {
					x.use(q, Sends|Reads)
				}
			}
		case remote:
			w := p
			w.Text = host
			x.use(w, Connects)
			w.Text = path
			x.use(w, Reads)
			x.received(path, operands)
		case last:
			x.use(p, Writes)
		default:
			x.use(p, Reads)
		}
	}
}

// received notes a file that comes from another host.
func (x *invocation) received(path string, operands []Word) {
	to := operands[len(operands)-1].Text
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		path = path[i+1:]
	}
	x.drop(to, dropped{download: true})
	x.drop(to+"/"+path, dropped{download: true})
}

func remotePath(s string) (host, path string, ok bool) {
	if _, rest, url := strings.Cut(s, "://"); url {
		host, path, _ = strings.Cut(rest, "/")
		return host, "/" + path, true
	}
	host, path, ok = strings.Cut(s, ":")
	if !ok || strings.Contains(host, "/") || host == "" {
		return "", "", false
	}
	if path == "" {
		path = "."
	}
	return host, strings.TrimPrefix(path, ":"), true
}

func (x *invocation) gdb() {
	for i, a := range x.args {
		t := a.Text
		if (t == "-ex" || t == "--ex" || t == "-iex" || t == "--eval-command" || t == "-eval-command" || t == "-o" || t == "--one-line" || t == "-O") && i+1 < len(x.args) {
			x.gdbCommand(x.args[i+1])
		}
		if t == "-x" && i+1 < len(x.args) {
			x.use(x.args[i+1], Runs)
		}
		if t == "--args" && i+1 < len(x.args) {
			x.run(x.args[i+1:])
			return
		}
	}
}

func (x *invocation) gdbCommand(c Word) {
	span := [2]int{c.Start, c.End}
	t := strings.TrimSpace(c.Text)
	for _, p := range []string{"shell ", "!", "make ", "pipe ", "platform shell ", "call (int)system(", "call system(", "run "} {
		if code, ok := strings.CutPrefix(t, p); ok {
			x.mark("exec_option")
			x.codeText(strings.Trim(code, "\")"), span, nil, Bash)
		}
	}
	for _, p := range []string{"python", "py ", "pi ", "script", "guile"} {
		if strings.HasPrefix(t, p) {
			x.mark("exec_option")
			x.interpreted(c)
		}
	}
	if f := strings.Fields(t); len(f) > 2 && f[0] == "dump" {
		for _, p := range f[1:] {
			if strings.Contains(p, "/") {
				w := c
				w.Text = p
				x.use(w, Writes)
			}
		}
	}
}

func (x *invocation) socat() {
	x.socketCommand()
	starts, network := false, false
	for _, a := range x.args {
		kind, rest, _ := strings.Cut(a.Text, ":")
		switch strings.ToLower(kind) {
		case "exec", "system", "shell":
			starts = true
			x.mark("exec_option")
			code, _, _ := strings.Cut(rest, ",")
			x.codeText(strings.Trim(code, `"'`), [2]int{a.Start, a.End}, nil, Bash)
		case "tcp-listen", "tcp4-listen", "tcp6-listen", "udp-listen", "tcp-l", "openssl-listen", "udp-l", "vsock-listen", "sctp-listen":
			network = true
			x.mark("listens")
		case "tcp", "tcp4", "tcp6", "udp", "openssl", "ssl", "tcp-connect", "udp-connect", "openssl-connect", "sctp", "socks", "proxy", "vsock-connect", "udp-sendto":
			network = true
			w := a
			w.Text = rest
			x.use(w, Connects)
		case "file", "open", "create", "gopen":
			w := a
			w.Text, _, _ = strings.Cut(rest, ",")
			x.use(w, Reads|Writes)
		}
	}
	if !network {
		return
	}
	if starts {
		x.mark("reverse_shell")
	}
	for i := range x.fact().Uses {
		if u := &x.fact().Uses[i]; u.Access&Reads != 0 && u.Access&Connects == 0 {
			u.Access |= Sends
		}
	}
}

func (x *invocation) nc() {
	o := readOptions("nc", x.args)
	for _, v := range o.values("e", "c", "exec", "sh-exec", "lua-exec") {
		x.mark("exec_option")
		x.mark("reverse_shell")
		x.codeWord(v, nil)
	}
	if o.has("l", "listen") {
		x.mark("listens")
	}
	for _, h := range o.Operands {
		x.use(h, Connects)
	}
	if o.has("z") {
		return
	}
	for i := range x.fact().Uses {
		if u := &x.fact().Uses[i]; u.Redir && u.Access&Reads != 0 && u.Text != "/dev/null" {
			u.Access |= Sends
		}
	}
}

func (x *invocation) ansible() {
	o := readOptions("ansible", x.args)
	module := "command"
	for _, m := range o.values("m", "module-name") {
		module = strings.TrimPrefix(m.Text, "ansible.builtin.")
	}
	switch module {
	case "shell", "command", "raw", "script":
		for _, a := range o.values("a", "args") {
			x.codeWord(a, nil)
		}
	}
}

func (x *invocation) salt() {
	for i, a := range x.args {
		if (a.Text == "cmd.run" || a.Text == "cmd.shell" || a.Text == "cmd.run_all") && i+1 < len(x.args) {
			x.codeWord(joined(x.args[i+1:]), nil)
			return
		}
	}
}

// onHosts are pssh and its like: the words behind the options go to a shell
// on every host.
func onHosts(x *invocation) {
	var rest []Word
	for i := 0; i < len(x.args); i++ {
		t := x.args[i].Text
		if strings.HasPrefix(t, "-") {
			if len(t) == 2 && strings.Contains("hHlpotwxguRfMPSdeO", t[1:]) {
				i++
			}
			continue
		}
		rest = x.args[i:]
		break
	}
	if len(rest) > 0 {
		x.remote(joined(rest))
	}
}

func (x *invocation) sshpass() {
	for i := 0; i < len(x.args); i++ {
		t := x.args[i].Text
		if t == "-p" || t == "-f" || t == "-d" || t == "-P" {
			i++
			continue
		}
		if !strings.HasPrefix(t, "-") {
			x.run(x.args[i:])
			return
		}
	}
}

// tmux starts commands in windows, and types keys into them.
func (x *invocation) tmux() {
	o := readOptions("tmux", x.args)
	for _, v := range o.values("c") {
		x.codeWord(v, nil)
	}
	for _, v := range o.values("f") {
		x.use(v, Runs)
	}
	n := leading("tmux", x.args)
	if n >= len(x.args) {
		if !o.has("V") {
			x.mark("interactive_shell")
		}
		return
	}
	x.tmuxSub(x.args[n].Text, x.args[n+1:])
}

func (x *invocation) tmuxSub(sub string, args []Word) {
	switch sub {
	case "ls", "list-sessions", "lsw", "list-windows", "list-panes", "lsp", "info", "capture-pane", "display-message", "show-options", "list-keys", "list-clients", "has-session", "has":
		return
	case "new", "new-session", "neww", "new-window", "splitw", "split-window", "respawn-pane", "respawn-window", "run", "run-shell", "popup", "display-popup", "if-shell", "pipe-pane":
		rest := afterOptions(args, "ctnsxyFelp")
		if len(rest) > 0 {
			x.codeWord(joined(rest), nil)
			return
		}
		x.mark("interactive_shell")
	case "send-keys", "send", "set-buffer", "paste-buffer":
		rest := afterOptions(args, "tN")
		x.mark("typed_keys")
		for _, r := range rest {
			x.codeText(typed.Replace(r.Text), [2]int{r.Start, r.End}, nil, Bash)
		}
	default:
		x.mark("interactive_shell")
	}
}

// afterOptions skips options; letters in valued take the next word.
func afterOptions(args []Word, valued string) []Word {
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if t == "--" {
			return args[i+1:]
		}
		if len(t) < 2 || t[0] != '-' {
			return args[i:]
		}
		if strings.Contains(valued, t[len(t)-1:]) {
			i++
		}
	}
	return nil
}

func (x *invocation) screen() {
	o := readOptions("screen", x.args)
	for _, a := range x.args {
		switch a.Text {
		case "-ls", "-list", "-v", "--version", "-wipe", "--help", "list-sessions":
			return
		}
	}
	for i, a := range x.args {
		if a.Text == "-Logfile" && i+1 < len(x.args) {
			x.use(x.args[i+1], Writes)
		}
	}
	if o.has("X") {
		x.mark("typed_keys")
		for i, a := range x.args {
			if (a.Text == "stuff" || a.Text == "exec" || a.Text == "screen") && i+1 < len(x.args) {
				x.codeText(typed.Replace(joined(x.args[i+1:]).Text), [2]int{a.Start, a.End}, nil, Bash)
			}
		}
		return
	}
	rest := afterOptions(x.args, "ceghpsStT")
	if len(x.args) > 0 && strings.HasPrefix(x.args[0].Text, "-") && strings.Contains(x.args[0].Text, "S") && len(rest) > 0 {
		first := x.args[0].Text
		if first[len(first)-1] == 'S' {
			rest = afterOptions(x.args[min(2, len(x.args)):], "ceghpsStT")
		}
	}
	if len(rest) == 0 {
		x.mark("interactive_shell")
		return
	}
	x.run(rest)
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

func (x *invocation) wget() {
	o := readOptions("wget", x.args)
	for _, v := range o.values("use-askpass", "e", "execute") {
		if _, code, ok := strings.Cut(v.Text, "="); ok && !strings.Contains(v.Text, "askpass") {
			_ = code
			continue
		}
		x.mark("exec_option")
		x.use(v, Runs)
	}
	for _, v := range o.values("i", "input-file") {
		x.use(Word{Text: "*", Start: v.Start, End: v.End}, Connects) // the addresses stand in the file
	}
}

// pager is less: +!cmd and options that start a program.
func (x *invocation) pager() {
	for _, a := range x.args {
		if code, ok := strings.CutPrefix(a.Text, "+!"); ok {
			x.mark("exec_option")
			x.codeText(code, [2]int{a.Start, a.End}, nil, Bash)
		}
	}
}

func (x *invocation) nmap() {
	o := readOptions("nmap", x.args)
	for _, v := range o.values("script") {
		if strings.Contains(v.Text, "/") || strings.HasSuffix(v.Text, ".nse") {
			x.mark("exec_option")
			x.use(v, Runs)
		}
	}
	if o.has("interactive") {
		x.mark("interactive_shell")
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

func (x *invocation) dd() {
	for _, a := range x.args {
		name, path, ok := strings.Cut(a.Text, "=")
		a.Text = path
		switch {
		case !ok:
		case name == "if":
			x.use(a, Reads)
		case name == "of":
			x.use(a, Writes)
		}
	}
}

func (x *invocation) busybox() {
	if len(x.args) > 0 && !strings.HasPrefix(x.args[0].Text, "-") {
		x.run(x.args)
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

func (x *invocation) vagrant() {
	for i, a := range x.args {
		if (a.Text == "-c" || a.Text == "--command") && i+1 < len(x.args) {
			x.remote(x.args[i+1])
		}
	}
}

// gcloud compute ssh HOST --command=CODE.
func (x *invocation) gcloud() {
	for i, a := range x.args {
		if code, ok := strings.CutPrefix(a.Text, "--command="); ok {
			a.Text = code
			x.remote(a)
		} else if a.Text == "--command" && i+1 < len(x.args) {
			x.remote(x.args[i+1])
		}
	}
}

// zip -T -TT CODE tests the archive with a program.
func (x *invocation) zip() {
	for i, a := range x.args {
		if (a.Text == "-TT" || a.Text == "--unzip-command") && i+1 < len(x.args) {
			x.mark("exec_option")
			x.codeWord(x.args[i+1], nil)
		}
	}
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

// flatpak run --command=NAME APP ARGS.
func (x *invocation) flatpak() {
	for i, a := range x.args {
		if v, ok := strings.CutPrefix(a.Text, "--command="); ok {
			a.Text = v
			words := []Word{a}
			for k, rest := range x.args[i+1:] {
				if !strings.HasPrefix(rest.Text, "-") {
					words = append(words, x.args[i+k+2:]...)
					break
				}
			}
			x.inside(words)
			return
		}
	}
}

// nomad alloc exec [options] ID CMD.
func (x *invocation) nomad() {
	o := readOptions("nomad", x.args)
	if len(o.Operands) > 3 && o.Operands[0].Text == "alloc" && o.Operands[1].Text == "exec" {
		x.inside(o.Operands[3:])
	}
}

// fedEditor is visudo: fed by something, that is what it writes.
func (x *invocation) fedEditor() {
	if x.cmd.in.from != "" {
		x.mark("stdin_code")
	}
}

// telnet sends what it is fed.
func (x *invocation) telnet() {
	for i := range x.fact().Uses {
		if u := &x.fact().Uses[i]; u.Redir && u.Access&Reads != 0 && u.Text != "/dev/null" {
			u.Access |= Sends
		}
	}
	for _, h := range readOptions("telnet", x.args).Operands {
		x.use(h, Connects)
	}
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

// socketCommand tells whether what is said to a service through its socket
// looks or changes.
func (x *invocation) socketCommand() {
	in := x.cmd.in
	local := false
	for _, a := range x.args {
		t := strings.ToLower(a.Text)
		local = local || strings.HasSuffix(t, ".sock") || strings.HasPrefix(t, "unix") || strings.Contains(t, "/run/")
	}
	if !local || in.from == "" {
		return
	}
	for _, line := range strings.Split(in.text, "\n") {
		first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch strings.ToLower(first) {
		case "", "show", "help", "get", "info", "stats", "prompt", "status", "list", "ping":
		default:
			x.mark("writes_socket")
		}
	}
	if in.known && !has(x.fact().Constructs, "writes_socket") {
		x.mark("reads_socket")
	} else {
		x.mark("writes_socket")
	}
}

// extWords splits the command of git's ext:: address: "% " is a blank inside
// a word.
func extWords(code string, at Word) []Word {
	var words []Word
	for _, f := range strings.Fields(strings.ReplaceAll(code, "% ", "\x00")) {
		at.Text = strings.ReplaceAll(f, "\x00", " ")
		words = append(words, at)
	}
	return words
}

// typed are the ways to write the enter key.
var typed = strings.NewReplacer(`\n`, "\n", `\r`, "\n", `^M`, "\n", `\015`, "\n", `\012`, "\n", "\r", "\n")
