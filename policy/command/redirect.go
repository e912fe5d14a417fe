package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirects gives the paths that a statement's redirections touch and what
// the command then reads from.
func (w *walker) redirects(list []*syntax.Redirect, in input) ([]Use, input) {
	var uses []Use
	for _, r := range list {
		if r.N != nil && r.N.Value != "0" && isDescriptor(r.N.Value) {
			u, other := w.redirects([]*syntax.Redirect{{Op: r.Op, Word: r.Word, Hdoc: r.Hdoc, OpPos: r.OpPos}}, input{})
			uses = append(uses, u...)
			w.open(r.N.Value, other)
			continue
		}
		switch {
		case r.Hdoc != nil:
			in = w.heredoc(r)
		case r.Op == syntax.WordHdoc:
			v := w.single(r.Word)
			in = input{text: v.text + "\n", known: v.known, from: "here"}
		case r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc:
			in = input{known: true, from: "here"}
		default:
			u, isInput := w.redirect(r)
			uses = append(uses, u...)
			if isInput {
				in = w.inputOf(r, u, in)
			}
		}
	}
	return uses, in
}

func isDescriptor(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// open notes what the line lets a descriptor read.
func (w *walker) open(n string, in input) {
	if in.from == "" {
		return
	}
	if w.fds == nil {
		w.fds = map[string]input{}
	}
	w.fds[n] = in
}

// inputOf is what a command reads that was given uses as its input.
func (w *walker) inputOf(r *syntax.Redirect, uses []Use, in input) input {
	if p, ok := processOf(r.Word); ok && r.Op == syntax.RdrIn {
		if text, known := w.outputs(p.Stmts); known {
			return input{text: text, known: true, from: "here"}
		}
		in := input{from: "pipe"}
		if n := len(w.procs); n > 0 {
			in.maybe = w.procs[n-1].maybe
			for i := w.procs[n-1].first; i < w.procs[n-1].end && len(in.flow) < maxFlow; i++ {
				in.flow = append(in.flow, i)
			}
		}
		return in
	}
	v := w.single(r.Word)
	switch n, named := descriptorOf(v.text, r.Op == syntax.DplIn); {
	case named && n == "0":
		return in
	case named:
		return w.descriptor(n)
	case len(uses) > 0 && !uses[0].Known:
		return input{from: "file"}
	case len(uses) > 0:
		return input{from: "file", path: uses[0].Text}
	}
	return input{known: v.known, from: "file"}
}

// descriptor is what the descriptor n reads: what this line opened, or what
// nobody sees.
func (w *walker) descriptor(n string) input {
	if in, ok := w.fds[n]; ok {
		return in
	}
	return input{from: "pipe"}
}

// descriptorOf reads the number of <&3, /dev/fd/3 and /proc/self/fd/3.
func descriptorOf(text string, duplicate bool) (string, bool) {
	if text == "/dev/stdin" {
		return "0", true
	}
	for _, p := range []string{"/dev/fd/", "/proc/self/fd/", "/proc/$$/fd/"} {
		if n, ok := strings.CutPrefix(text, p); ok {
			return n, true
		}
	}
	return strings.TrimSuffix(text, "-"), duplicate && text != "-"
}

func (w *walker) heredoc(r *syntax.Redirect) input {
	if isQuoted(r.Word) {
		text := ""
		if len(r.Hdoc.Parts) > 0 {
			if l, ok := r.Hdoc.Parts[0].(*syntax.Lit); ok {
				text = l.Value
			}
		}
		return input{text: dedent(text, r.Op), known: true, from: "here"}
	}
	e := &expansion{w: w, parts: []partial{{known: true}}, span: w.span(r.Hdoc)}
	for _, part := range r.Hdoc.Parts {
		e.part(part, true, false)
	}
	p := e.parts[0]
	return input{text: dedent(string(p.buf), r.Op), known: p.known && len(e.parts) == 1, from: "here"}
}

func isQuoted(word *syntax.Word) bool {
	for _, p := range word.Parts {
		switch x := p.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		case *syntax.Lit:
			if strings.IndexByte(x.Value, '\\') >= 0 {
				return true
			}
		}
	}
	return false
}

func dedent(s string, op syntax.RedirOperator) string {
	if op != syntax.DashHdoc {
		return s
	}
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "\n")
}

// redirect gives the uses of one file redirection, and whether it is input.
func (w *walker) redirect(r *syntax.Redirect) ([]Use, bool) {
	var access Access
	input := false
	switch r.Op {
	case syntax.RdrIn:
		access, input = Reads, true
	case syntax.RdrInOut:
		access, input = Reads|Writes, true
	case syntax.DplIn:
		return w.duplicate(r, Reads), true
	case syntax.DplOut:
		return w.duplicate(r, Writes), false
	default:
		access = Writes
	}
	var uses []Use
	for _, reading := range w.expand(r.Word) {
		for _, f := range reading {
			if a := deviceAccess(f.Text, access); a != 0 {
				uses = append(uses, Use{Word: f, Access: a, Redir: true})
			}
		}
	}
	return uses, input
}

// duplicate handles >&2 and <&3 (nothing) and >&file (a write).
func (w *walker) duplicate(r *syntax.Redirect, a Access) []Use {
	v := w.single(r.Word)
	if v.text == "-" || v.text == "" || strings.Trim(v.text, "0123456789-") == "" {
		return nil
	}
	if a = deviceAccess(v.text, a); a == 0 {
		return nil
	}
	span := w.span(r.Word)
	return []Use{{Word: Word{Text: v.text, Known: v.known, Start: span[0], End: span[1]}, Access: a, Redir: true}}
}

// deviceAccess knows bash's network devices.
func deviceAccess(path string, a Access) Access {
	if strings.HasPrefix(path, "/dev/tcp/") || strings.HasPrefix(path, "/dev/udp/") {
		if a&Writes != 0 {
			return Connects | Sends
		}
		return Connects
	}
	if a&Writes != 0 && sink(path) {
		a &^= Writes
	}
	if path == "/dev/null" || path == "/dev/stdin" {
		a &^= Reads
	}
	return a
}
