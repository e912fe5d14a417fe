package command

import "strings"

// Terminals inside the terminal, and what types into them; programs that own
// the screen.

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

// pager is less: +!cmd and options that start a program.
func (x *invocation) pager() {
	for _, a := range x.args {
		if code, ok := strings.CutPrefix(a.Text, "+!"); ok {
			x.mark("exec_option")
			x.codeText(code, [2]int{a.Start, a.End}, nil, Bash)
		}
	}
}

// fedEditor is visudo: fed by something, that is what it writes.
func (x *invocation) fedEditor() {
	if x.cmd.in.from != "" {
		x.stdinCodeUnseen()
	}
}

// typed are the ways to write the enter key.
var typed = strings.NewReplacer(`\n`, "\n", `\r`, "\n", `^M`, "\n", `\015`, "\n", `\012`, "\n", "\r", "\n")
