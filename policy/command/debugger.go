package command

import "strings"

func (x *invocation) gdb() {
	if x.cmd.in.known && x.cmd.in.from != "file" {
		for l := range strings.Lines(x.cmd.in.text) {
			x.gdbCommand(Word{Text: l, Known: true, Start: x.cmd.start, End: x.cmd.end})
		}
	}
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
