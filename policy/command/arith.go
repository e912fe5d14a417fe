package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// arith walks an arithmetic expression: substitutions in it run, and a
// string that holds a[$(…)] is evaluated again.
func (w *walker) arith(x syntax.ArithmExpr) {
	if x == nil || !w.node() {
		return
	}
	if w.depth++; w.depth > w.lim.Depth*4 {
		w.fail("nested deeper than the limit of depth")
		w.depth--
		return
	}
	defer func() { w.depth-- }()
	switch n := x.(type) {
	case *syntax.BinaryArithm:
		w.arith(n.X)
		w.arith(n.Y)
	case *syntax.UnaryArithm:
		w.arith(n.X)
	case *syntax.ParenArithm:
		w.arith(n.X)
	case *syntax.FlagsArithm:
		if n.X != nil {
			w.rawCode(w.source(n.X))
			w.arith(n.X)
		}
	case *syntax.Word:
		w.arithWord(n)
	}
}

// index walks a subscript. Quotes do not keep the shell from evaluating what
// is in it.
func (w *walker) index(x syntax.ArithmExpr) {
	if x == nil {
		return
	}
	if word, ok := x.(*syntax.Word); ok {
		if v := w.again(word); strings.ContainsAny(v.text, "$`") {
			w.evaluated("a[" + v.text + "]")
		}
	}
	w.arith(x)
}

func (w *walker) arithWord(word *syntax.Word) {
	for _, reading := range w.expand(word) {
		for _, f := range reading {
			w.evaluated(f.Text)
		}
	}
	if name := word.Lit(); name != "" {
		for _, v := range w.env[name] {
			w.evaluated(v.text)
		}
	}
}

// evaluated takes a string that the shell will evaluate as arithmetic.
func (w *walker) evaluated(s string) {
	if !hasSubscriptCode(s) {
		return
	}
	w.lineConstruct("arith_string")
	w.each(substitutions(s), w.whole(w.src))
}

// rawCode walks the substitutions in text that the parser left as it was.
func (w *walker) rawCode(s string) {
	w.each(substitutions(s), w.whole(w.src))
}

// hasSubscriptCode reports a[$(…)] or a[`…`] in a string.
func hasSubscriptCode(s string) bool {
	i := strings.IndexByte(s, '[')
	return i >= 0 && (strings.Contains(s[i:], "$(") || strings.Contains(s[i:], "`") || strings.Contains(s[i:], "${ ") || strings.Contains(s[i:], "${|"))
}

// lineConstruct adds a construct to the fact that is being built, or to one
// of its own.
func (w *walker) lineConstruct(name string) {
	f := Fact{Program: ":"}
	if w.fixed {
		f.Start, f.End = w.span0[0], w.span0[1]
	} else {
		f.Start, f.End = w.offset, w.offset+len(w.src)
	}
	f.construct(name)
	w.emit(f)
}

// subscript judges a variable name that a builtin will evaluate.
func (w *walker) subscript(_ int, name string) { w.evaluated(name) }

func (w *walker) test(x syntax.TestExpr) {
	if x == nil || !w.node() {
		return
	}
	if w.depth++; w.depth > w.lim.Depth*4 {
		w.fail("nested deeper than the limit of depth")
		w.depth--
		return
	}
	defer func() { w.depth-- }()
	switch n := x.(type) {
	case *syntax.BinaryTest:
		w.binaryTest(n)
	case *syntax.UnaryTest:
		w.unaryTest(n)
	case *syntax.ParenTest:
		w.test(n.X)
	case *syntax.Word:
		w.expand(n)
	}
}

func (w *walker) binaryTest(n *syntax.BinaryTest) {
	switch n.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		for _, side := range []syntax.TestExpr{n.X, n.Y} {
			if word, ok := side.(*syntax.Word); ok {
				w.arithWord(word)
				continue
			}
			w.test(side)
		}
		return
	}
	w.test(n.X)
	w.test(n.Y)
}

func (w *walker) unaryTest(n *syntax.UnaryTest) {
	word, ok := n.X.(*syntax.Word)
	if ok && (n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar) {
		w.arithWord(word)
		return
	}
	w.test(n.X)
}

// paramCode walks the code inside ${…}: subscripts, slices, operators, and
// zsh's flags that evaluate.
func (w *walker) paramCode(p *syntax.ParamExp) {
	w.index(p.Index)
	if p.Slice != nil {
		w.arith(p.Slice.Offset)
		w.arith(p.Slice.Length)
	}
	if p.Flags != nil && strings.ContainsAny(p.Flags.Value, "e") {
		w.lineConstruct("arith_string")
	}
	if p.Repl != nil {
		if p.Repl.Orig != nil {
			w.expand(p.Repl.Orig)
		}
		if p.Repl.With != nil {
			w.expand(p.Repl.With)
		}
	}
	if p.Exp == nil || p.Exp.Word == nil {
		return
	}
	if p.Exp.Op == syntax.OtherParamOps {
		if word := p.Exp.Word.Lit(); word == "P" {
			w.lineConstruct("arith_string")
			if p.Param != nil {
				for _, v := range w.env[p.Param.Value] {
					w.rawCode(v.text)
				}
			}
		}
		return
	}
	w.expand(p.Exp.Word)
}
