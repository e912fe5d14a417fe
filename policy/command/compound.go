package command

import "mvdan.cc/sh/v3/syntax"

// Loops, conditions and groups.

// compound walks everything that is not a simple command.
func (w *walker) compound(s *syntax.Stmt, uses []Use, in input) {
	if len(uses) > 0 || s.Cmd == nil {
		f := Fact{Program: ":", Uses: uses}
		f.Start, f.End = w.bounds(s)
		defer w.fedTo(w.emit(f))
	}
	switch c := s.Cmd.(type) {
	case nil:
	case *syntax.BinaryCmd:
		w.binary(c, in)
	case *syntax.Subshell:
		cwds := w.cwds
		w.body(c.Stmts, in)
		w.cwds, w.fresh = cwds, nil
	case *syntax.Block:
		w.body(c.Stmts, in)
	case *syntax.IfClause:
		w.ifClause(c, in)
	case *syntax.WhileClause:
		w.while(c, in)
	case *syntax.ForClause:
		w.forClause(c, in)
	case *syntax.CaseClause:
		w.caseClause(c, in)
	case *syntax.FuncDecl:
		w.function(c)
	case *syntax.ArithmCmd:
		w.pseudo("((", s, func() { w.arith(c.X) })
	case *syntax.TestClause:
		w.pseudo("[[", s, func() { w.test(c.X) })
	case *syntax.DeclClause:
		w.declare(c, s)
	case *syntax.LetClause:
		w.pseudo("let", s, func() {
			for _, x := range c.Exprs {
				w.arith(x)
			}
		})
	case *syntax.TimeClause:
		w.through("time", func() { w.stmt(c.Stmt, in) })
	case *syntax.CoprocClause:
		if c.Name != nil {
			span := w.span(c.Name)
			w.binds(c.Name.Lit(), Word{Dynamic: true, Start: span[0], End: span[1]})
		}
		w.through("coproc", func() { w.stmt(c.Stmt, in) })
	case *syntax.TestDecl:
		w.stmt(c.Body, input{})
	default:
		w.fail("holds a construct that the console cannot read")
	}
}

func (w *walker) ifClause(c *syntax.IfClause, in input) {
	for ; c != nil; c = c.Else {
		if !w.node() {
			return
		}
		w.body(c.Cond, in)
		w.body(c.Then, in)
	}
}

func (w *walker) while(c *syntax.WhileClause, in input) {
	start := len(w.facts)
	w.body(c.Cond, in)
	body := len(w.facts)
	w.body(c.Do, input{from: in.from, names: in.names})
	if !c.Until && endless(w.facts[start:body]) && w.spawns(body) {
		w.mark(start, "fork_bomb")
	}
}

func endless(cond []Fact) bool {
	if len(cond) != 1 {
		return false
	}
	p := cond[0].Program
	return p == "true" || p == ":" || p == "((" || p == "[" || p == "[["
}

// spawns reports a background command among the facts from start on, with
// nothing that waits.
func (w *walker) spawns(start int) bool {
	found := false
	for _, f := range w.facts[start:] {
		switch f.Program {
		case "sleep", "wait", "read", "inotifywait":
			return false
		}
		for _, c := range f.Constructs {
			found = found || c == "background"
		}
	}
	return found
}

func (w *walker) forClause(c *syntax.ForClause, in input) {
	switch loop := c.Loop.(type) {
	case *syntax.WordIter:
		w.iterate(loop)
	case *syntax.CStyleLoop:
		for _, x := range []syntax.ArithmExpr{loop.Init, loop.Cond, loop.Post} {
			if x != nil {
				w.arith(x)
			}
		}
	}
	w.body(c.Do, in)
}

func (w *walker) iterate(loop *syntax.WordIter) {
	for _, item := range loop.Items {
		for _, reading := range w.expand(item) {
			for _, f := range reading {
				w.assign(loop.Name.Value, valueOf(f), false)
				w.binds(loop.Name.Value, f)
			}
		}
	}
	if !loop.InPos.IsValid() {
		span := w.span(loop)
		w.binds(loop.Name.Value, Word{Dynamic: true, Start: span[0], End: span[1]})
	}
	w.taintVariable(loop.Name.Value, w.flow)
}

func (w *walker) caseClause(c *syntax.CaseClause, in input) {
	w.expand(c.Word)
	for _, item := range c.Items {
		if !w.node() {
			return
		}
		for _, p := range item.Patterns {
			w.expand(p)
		}
		w.body(item.Stmts, in)
	}
}
