package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// command expands a command substitution: its commands count, and what a
// plain echo in it prints is the value.
func (e *expansion) command(c *syntax.CmdSubst, quoted bool) {
	w := e.w
	text, ok := w.outputs(c.Stmts)
	first := len(w.facts)
	w.substitution(c)
	w.carry(first, len(w.facts))
	w.procs = append(w.procs, proc{op: "$(", maybe: w.mayPrintAll(c.Stmts, ok), first: first, end: len(w.facts), span: e.span})
	if !ok {
		if names := w.listed(first, input{}); len(names) > 0 {
			e.alternatives([]value{valueOf(names[0])}, quoted)
			return
		}
		if text, ok := w.followed(c.Stmts); ok {
			e.alternatives([]value{{text: text, known: true}, {}}, quoted)
			return
		}
		e.unknown()
		return
	}
	e.alternatives([]value{{text: strings.TrimRight(text, "\n"), known: true}}, quoted)
}

func (w *walker) substitution(c *syntax.CmdSubst) {
	cwds := w.cwds
	start := len(w.facts)
	w.aside(func() { w.stmts(c.Stmts) })
	w.cwds, w.fresh = cwds, nil
	for i := start; i < len(w.facts); i++ {
		w.facts[i].construct("substitution")
	}
}

func (e *expansion) process(p *syntax.ProcSubst) {
	w := e.w
	start, in := len(w.facts), input{}
	if p.Op == syntax.CmdOut {
		in = w.outgoing()
	}
	w.aside(func() { w.body(p.Stmts, in) })
	w.carry(start, len(w.facts))
	w.fresh = nil
	name := "<("
	switch p.Op {
	case syntax.CmdOut:
		name = ">("
	case syntax.CmdInTemp:
		name = "=("
	}
	text, ok := w.outputs(p.Stmts)
	e.each(func(q *partial) {
		q.begun, q.dynamic = true, true
		q.known = false
	})
	e.text(name)
	w.procs = append(w.procs, proc{op: name, text: text, known: ok, maybe: w.mayPrintAll(p.Stmts, ok), first: start, end: len(w.facts), span: e.span})
}

// A proc is a process substitution: a program that reads it as code runs
// what it prints.
type proc struct {
	op         string
	text       string
	known      bool
	maybe      []string // where it is not known
	first, end int
	span       [2]int
}
