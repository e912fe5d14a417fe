package command

import "strings"

// Archives and copies: what is read, what is written, and what goes to or
// comes from another host.

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

// takesAway is zip -m: what went into the archive is removed.
func (x *invocation) takesAway() {
	o := readOptions("zip", x.args)
	for _, f := range o.Operands[min(1, len(o.Operands)):] {
		x.use(f, Removes|Reads)
	}
}

// zip -T -TT CODE tests the archive with a program.
func (x *invocation) zip() {
	for i, a := range x.args {
		if code, ok := strings.CutPrefix(a.Text, "--unzip-command="); ok {
			x.mark("exec_option")
			a.Text = code
			x.codeWord(a, nil)
		}
		if len(a.Text) > 1 && a.Text[0] == '-' && a.Text[1] != '-' && a.Text != "-TT" && strings.Contains(a.Text, "m") || a.Text == "--move" {
			x.takesAway()
		}
		if (a.Text == "-TT" || a.Text == "--unzip-command") && i+1 < len(x.args) {
			x.mark("exec_option")
			x.codeWord(x.args[i+1], nil)
		}
	}
}
