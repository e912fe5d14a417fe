package command

import "strings"

// macros is m4: syscmd and esyscmd run what stands in their brackets.
func (x *invocation) macros() {
	o := readOptions("m4", x.args)
	if o.has("help", "version") {
		x.mark("usage_only")
		return
	}
	reads := len(o.Operands) == 0
	for _, f := range o.Operands {
		if f.Text == "-" || f.Text == "/dev/stdin" {
			reads = true
			continue
		}
		x.use(f, Runs)
	}
	for _, v := range o.values("D", "define") {
		x.macroCode(v.Text, [2]int{v.Start, v.End})
	}
	if !reads {
		return
	}
	x.mark("inline_code")
	if in := x.cmd.in; in.known && in.from != "file" {
		x.macroCode(in.text, [2]int{x.cmd.start, x.cmd.end})
	} else if in.from != "" {
		x.stdinCodeUnseen()
	}
}

func (x *invocation) macroCode(text string, span [2]int) {
	for {
		i := strings.Index(text, "syscmd(")
		if i < 0 {
			return
		}
		text = text[i+len("syscmd("):]
		code := strings.NewReplacer("`", "", "'", "").Replace(text[:closing(text)])
		x.mark("exec_option")
		x.codeText(code, span, nil, Bash)
	}
}

// closing is where the bracket ends that text stands in.
func closing(text string) int {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// copiedIn is cpio: what it is told to copy into a folder.
func (x *invocation) copiedIn() {
	o := readOptions("cpio", x.args)
	if o.has("p", "pass-through") && len(o.Operands) > 0 {
		x.use(o.Operands[len(o.Operands)-1], Writes)
	}
}
