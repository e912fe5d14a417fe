package command

import "strings"

// Programs that speak to the network or to a socket.

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
