package command

import "mvdan.cc/sh/v3/syntax"

// Functions that the line defines, and calls of them.

// function walks the body once, as if it were called with unknown
// arguments, and keeps it for calls in the same line.
func (w *walker) function(c *syntax.FuncDecl) {
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	f := Fact{Program: "function"}
	f.Start, f.End = w.bounds(c)
	f.construct("function")
	at := w.emit(f)
	start := len(w.facts)
	w.inFunction++
	w.stmt(c.Body, input{})
	w.inFunction--
	for _, n := range names {
		if w.funcs == nil {
			w.funcs = map[string]*syntax.Stmt{}
		}
		w.funcs[n.Value] = c.Body
		if w.callsItself(start, n.Value) {
			w.facts[at].construct("fork_bomb")
		}
		if knownProgram(n.Value) {
			w.facts[at].construct("shadow")
		}
	}
}

// callsItself finds a function that starts itself in a pipe or the
// background.
func (w *walker) callsItself(start int, name string) bool {
	for _, f := range w.facts[start:] {
		if f.Program != name {
			continue
		}
		if len(f.PipesTo)+len(f.FedBy) > 0 {
			return true
		}
		for _, c := range f.Constructs {
			if c == "background" {
				return true
			}
		}
	}
	return false
}

// invoke walks the body of a function of this line with its arguments.
func (w *walker) invoke(name string, args []Word, in input) {
	body, ok := w.funcs[name]
	if !ok || len(w.via) >= w.lim.Unwrap || len(w.calling) > 3 {
		return
	}
	for _, c := range w.calling {
		if c == name {
			return
		}
	}
	old, env := w.calling, w.env
	w.calling = append(w.calling[:len(w.calling):len(w.calling)], name)
	w.env = withArguments(env, args)
	w.through(name+"()", func() { w.stmt(body, in) })
	w.calling, w.env = old, env
}

// argumentList gives the values of $@; the last says what was left out.
func argumentList(args []Word) []value {
	var list []value
	for _, a := range args[:min(len(args), 4*maxValues)] {
		list = append(list, valueOf(a))
	}
	if len(args) > 4*maxValues {
		list = append(list, value{})
	}
	return list
}

func withArguments(env map[string][]value, args []Word) map[string][]value {
	out := make(map[string][]value, len(env)+len(args))
	for k, v := range env {
		out[k] = v
	}
	for i, a := range args {
		v := valueOf(a)
		if i < 9 {
			out[string(rune('1'+i))] = []value{v}
		}
	}
	if len(args) > 0 {
		out["@"] = argumentList(args)
		out["*"] = out["@"]
	}
	return out
}
