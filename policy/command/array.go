package command

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// element expands ${a[i]}, ${a[@]} and ${a[*]} of an array that this line
// assigned: one element is any of them, all of them are a field each.
func (e *expansion) element(name string, p *syntax.ParamExp, quoted bool) bool {
	have := e.w.env[name]
	if len(have) > 0 && (name == "@" || name == "*" && !quoted) && p.Exp == nil && p.Slice == nil && p.Repl == nil && !p.Excl {
		e.fields(have, quoted)
		return true
	}
	if p.Index == nil || len(have) == 0 || p.Exp != nil || p.Slice != nil || p.Repl != nil || p.Excl || p.Flags != nil {
		return false
	}
	word, _ := p.Index.(*syntax.Word)
	switch {
	case word != nil && (word.Lit() == "@" || word.Lit() == "*" && !quoted):
		e.fields(have, quoted)
	case word != nil && word.Lit() == "*":
		e.alternatives([]value{joinedValue(have)}, quoted)
	default:
		e.alternatives(have, quoted)
	}
	return true
}

// fields appends every value as a field of its own.
func (e *expansion) fields(values []value, quoted bool) {
	e.each(func(p *partial) {
		for i, v := range values {
			if i > 0 {
				p.finish(e.span)
			}
			p.dynamic, p.begun = true, true
			p.known, p.glob, p.quoted = p.known && v.known, p.glob || v.glob, p.quoted || quoted
			p.buf = append(p.buf, v.text...)
		}
	})
}

func joinedValue(values []value) value {
	out := value{known: true}
	for i, v := range values {
		if i > 0 {
			out.text += " "
		}
		out.text += v.text
		out.known, out.glob = out.known && v.known, out.glob || v.glob
	}
	return out
}

// readVariables is read and mapfile: names get what the input holds, as far
// as the line says.
func (x *invocation) readVariables() {
	x.evaluating()
	names := x.variableNames()
	flow := []int{x.at}
	for _, name := range names {
		x.taintVariable(name, flow)
	}
	in := x.cmd.in
	for _, v := range in.names {
		for _, name := range names {
			x.assign(name, valueOf(v), false)
		}
	}
	if d := x.files[path.Clean(in.path)]; in.from == "file" && in.path != "" && d.known {
		in = input{text: d.text, known: true, from: "here"}
	}
	if !in.known || in.from == "file" {
		for _, name := range names {
			x.bindsUnknown(name)
		}
		return
	}
	lines := strings.Split(strings.TrimRight(in.text, "\n"), "\n")
	for _, l := range lines[:min(len(lines), maxValues)] {
		x.readLine(names, l)
	}
}

func (x *invocation) readLine(names []string, line string) {
	switch {
	case x.program != "read":
		x.bindsValue(names[0], readValue(line))
	case x.readsArray():
		for _, f := range strings.Fields(line) {
			x.bindsValue(names[0], readValue(f))
		}
	default:
		rest := strings.TrimSpace(line)
		for i, name := range names {
			field := rest
			if at := strings.IndexAny(rest, " \t"); at > 0 && i+1 < len(names) {
				field, rest = rest[:at], strings.TrimLeft(rest[at:], " \t")
			} else {
				rest = ""
			}
			x.bindsValue(name, readValue(field))
		}
	}
}

func readValue(text string) value {
	return value{text: text, known: !strings.ContainsAny(text, "*?["), glob: strings.ContainsAny(text, "*?[")}
}

// variableNames are the operands of read and mapfile.
func (x *invocation) variableNames() []string {
	var names []string
	valued := "dinNptu" // options of read that take the next word
	if x.program != "read" {
		valued = "dnOsuCc"
	}
	for i := 0; i < len(x.args); i++ {
		t := x.args[i].Text
		if strings.HasPrefix(t, "-") {
			if len(t) > 1 && strings.Contains(valued, t[len(t)-1:]) {
				i++
			}
			continue
		}
		x.variable(x.args[i])
		if base, _, _ := strings.Cut(t, "["); isName(base) {
			names = append(names, base)
		}
	}
	if len(names) == 0 {
		if x.program == "read" {
			return []string{"REPLY"}
		}
		return []string{"MAPFILE"}
	}
	return names
}

func (x *invocation) readsArray() bool {
	for _, a := range x.args {
		if strings.HasPrefix(a.Text, "-") && strings.ContainsAny(a.Text, "aA") {
			return true
		}
	}
	return false
}

// mapfile also runs the code of -C.
func (x *invocation) mapfile() {
	for i, a := range x.args {
		if a.Text == "-C" && i+1 < len(x.args) {
			x.mark("exec_option")
			x.codeWord(x.args[i+1], nil)
		}
	}
	x.readVariables()
}

// printfBuiltin assigns with -v what it would print.
func (x *invocation) printfBuiltin() {
	x.evaluating()
	if len(x.args) == 0 {
		return
	}
	name, attached := strings.CutPrefix(x.args[0].Text, "-v")
	rest := x.args[1:]
	if attached && name == "" && len(rest) > 0 {
		name, rest = rest[0].Text, rest[1:]
	}
	name, _, _ = strings.Cut(name, "[")
	if !attached || !isName(name) {
		return
	}
	var words []string
	for _, a := range rest {
		if !a.Known {
			x.assign(name, value{}, false)
			x.bindsUnknown(name)
			x.laterText(joined(rest).Text, [2]int{x.cmd.start, x.cmd.end})
			return
		}
		words = append(words, a.Text)
	}
	text, ok := printf(words)
	x.bindsValue(name, value{text: text, known: ok})
	x.taintVariable(name, x.cmd.flow)
}
