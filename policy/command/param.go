package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A value is one value that a variable may have in this line.
type value struct {
	text  string
	known bool
	glob  bool // text is a pattern: the names it finds
}

func valueOf(w Word) value {
	return value{text: w.Text, known: w.Known && !w.Glob, glob: w.Glob}
}

// maxValues bounds the values kept for one variable.
const maxValues = 8

// assign adds a value; a variable keeps all that it had, because a branch or
// a loop may leave any of them.
func (w *walker) assign(name string, v value, add bool) {
	if w.env == nil {
		w.env = map[string][]value{}
	}
	old := w.env[name]
	if add && len(old) > 0 {
		joined := make([]value, 0, len(old))
		for _, o := range old {
			joined = append(joined, value{text: o.text + v.text, known: o.known && v.known, glob: o.glob || v.glob})
		}
		w.env[name] = joined
		return
	}
	for _, o := range old {
		if o == v {
			return
		}
	}
	if len(old) >= maxValues {
		v = value{}
	}
	w.env[name] = append(old[:len(old):len(old)], v)
}

// param expands a variable: known when the same line assigned it, folded
// where the shell itself gives the value, unknown else.
func (e *expansion) param(p *syntax.ParamExp, quoted bool) {
	e.w.paramCode(p)
	if e.zshFlags(p) {
		return
	}
	if p.Length || p.Width || p.IsSet {
		e.unknown()
		return
	}
	if p.Param == nil {
		if sub, ok := p.NestedParam.(*syntax.CmdSubst); ok {
			e.w.substitution(sub)
		}
		e.unknown()
		return
	}
	name := p.Param.Value
	e.w.flow = joinFlow(e.w.flow, e.w.taint[name])
	if e.special(name, p, quoted) {
		return
	}
	if e.element(name, p, quoted) {
		return
	}
	values := e.values(name, p)
	if values == nil {
		e.unknown()
		return
	}
	e.alternatives(values, quoted && name != "@")
}

// special folds the parameters whose value the console can know.
func (e *expansion) special(name string, p *syntax.ParamExp, quoted bool) bool {
	if e.shaped(name, p, quoted) {
		return true
	}
	if p.Exp != nil || p.Slice != nil || p.Repl != nil || p.Excl || p.Flags != nil || p.Index != nil {
		return false
	}
	if _, assigned := e.w.env[name]; assigned {
		return false
	}
	switch name {
	case "_":
		if len(e.w.last) == 0 {
			return false
		}
		e.alternatives([]value{valueOf(e.w.last[0])}, quoted)
	case "HISTFILE":
		if quoted || len(e.parts[0].buf) == 0 {
			e.text("~/.bash_history")
		}
		e.each(func(q *partial) { q.dynamic = true })
	case "HOME":
		e.each(func(q *partial) { q.dynamicHome() })
	case "PATH", "MANPATH", "PYTHONPATH", "LD_LIBRARY_PATH", "CDPATH":
		e.text("$" + name) // what was there stays, whatever it is
		e.unknown()
	case "SHELL", "BASH":
		e.alternatives([]value{{text: "/bin/bash", known: true}}, quoted)
	case "PWD":
		e.text(".")
		e.each(func(q *partial) { q.dynamic = true })
	case "IFS":
		e.each(func(q *partial) { q.dynamic = true })
		if quoted {
			e.text(" ")
			return true
		}
		e.each(func(q *partial) {
			q.finish(e.span)
			q.dynamic = true
		})
	case "@", "*", "1", "2", "3", "4", "5", "6", "7", "8", "9":
		if e.w.inFunction > 0 {
			return false
		}
		e.positional(quoted)
	default:
		return false
	}
	return true
}

// shaped folds the tricks with which a blank or a slash is cut out of a
// variable that every shell has.
func (e *expansion) shaped(name string, p *syntax.ParamExp, quoted bool) bool {
	switch {
	case name == "IFS" && (p.Slice != nil || p.Exp != nil && len(e.w.env["IFS"]) == 0) && p.Repl == nil && !p.Excl:
		e.alternatives([]value{{text: " ", known: true}}, quoted)
	case p.Slice != nil && (name == "HOME" || name == "PATH" || name == "PWD" || name == "SHELL" || name == "OLDPWD"):
		from, ok := number(p.Slice.Offset)
		length, has := number(p.Slice.Length)
		if !ok || from != 0 || !has || length != 1 {
			return false
		}
		e.alternatives([]value{{text: "/", known: true}}, quoted)
	default:
		return false
	}
	return true
}

// positional is $1, $@ and their like that this line does not set: empty at
// most prompts, but an earlier line may have made it anything.
func (e *expansion) positional(quoted bool) {
	e.alternatives([]value{{known: false}, {known: true}}, quoted)
	e.maybe = true
}

func (p *partial) dynamicHome() {
	if len(p.buf) == 0 {
		p.buf = append(p.buf, '~')
	} else {
		p.known = false
	}
	p.begun = true
}

// values gives what name can be, after its operator; nil is unknown.
func (e *expansion) values(name string, p *syntax.ParamExp) []value {
	w := e.w
	have := w.env[name]
	if to, ok := w.refs[name]; ok { // either: it may have been assigned before or after
		have = append(have[:len(have):len(have)], w.env[to]...)
	}
	if p.Excl && p.Exp == nil && p.Repl == nil && p.Slice == nil && p.Index == nil && p.Names == 0 {
		return w.indirect(have)
	}
	if p.Excl || p.Flags != nil || p.Index != nil || len(p.Modifiers) > 0 {
		return nil
	}
	switch {
	case p.Exp != nil:
		return w.operator(have, p)
	case p.Repl != nil:
		return w.replaced(have, p.Repl)
	case p.Slice != nil:
		return w.sliced(have, p.Slice)
	}
	return have
}

// indirect is ${!x}: the values of the variables that x names.
func (w *walker) indirect(names []value) []value {
	var out []value
	for _, n := range names {
		w.evaluated(n.text)
		if n.known && len(out) < maxValues {
			out = append(out, w.env[n.text]...)
		}
	}
	return out
}

func (w *walker) operator(have []value, p *syntax.ParamExp) []value {
	arg := w.again(p.Exp.Word)
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
			w.assign(p.Param.Value, arg, false)
			span := w.span(p)
			w.binds(p.Param.Value, Word{Text: arg.text, Known: arg.known, Start: span[0], End: span[1]})
		}
		return append(append([]value(nil), have...), arg)
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if len(have) > 0 {
			return []value{arg}
		}
		return []value{{known: false}, arg}
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return trimmed(have, arg, p.Exp.Op)
	case syntax.UpperAll, syntax.UpperFirst, syntax.LowerAll, syntax.LowerFirst:
		return cased(have, p.Exp.Op)
	}
	return nil
}

// trimmed handles the patterns without wildcards; others stay unknown.
func trimmed(have []value, arg value, op syntax.ParExpOperator) []value {
	if !arg.known || strings.ContainsAny(arg.text, "*?[") {
		return nil
	}
	var out []value
	for _, v := range have {
		if op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix {
			v.text = strings.TrimPrefix(v.text, arg.text)
		} else {
			v.text = strings.TrimSuffix(v.text, arg.text)
		}
		out = append(out, v)
	}
	return out
}

func cased(have []value, op syntax.ParExpOperator) []value {
	var out []value
	for _, v := range have {
		switch op {
		case syntax.UpperAll:
			v.text = strings.ToUpper(v.text)
		case syntax.LowerAll:
			v.text = strings.ToLower(v.text)
		case syntax.UpperFirst:
			v.text = strings.ToUpper(v.text[:min(1, len(v.text))]) + v.text[min(1, len(v.text)):]
		case syntax.LowerFirst:
			v.text = strings.ToLower(v.text[:min(1, len(v.text))]) + v.text[min(1, len(v.text)):]
		}
		out = append(out, v)
	}
	return out
}

func (w *walker) replaced(have []value, r *syntax.Replace) []value {
	from, to := w.again(r.Orig), w.again(r.With)
	if !from.known || !to.known || from.text == "" || strings.ContainsAny(from.text, "*?[#%") {
		return nil
	}
	n := 1
	if r.All {
		n = -1
	}
	var out []value
	for _, v := range have {
		v.text = strings.Replace(v.text, from.text, to.text, n)
		out = append(out, v)
	}
	return out
}

func (w *walker) sliced(have []value, s *syntax.Slice) []value {
	from, ok := number(s.Offset)
	if !ok {
		return nil
	}
	length, hasLength := number(s.Length)
	if s.Length != nil && !hasLength {
		return nil
	}
	var out []value
	for _, v := range have {
		v.text = slice(v.text, from, length, hasLength)
		out = append(out, v)
	}
	return out
}

func slice(s string, from, length int, hasLength bool) string {
	if from < 0 {
		from += len(s)
	}
	from = min(max(from, 0), len(s))
	end := len(s)
	if hasLength {
		end = from + length
		if length < 0 {
			end = len(s) + length
		}
	}
	return s[from:min(max(end, from), len(s))]
}

func number(x syntax.ArithmExpr) (int, bool) {
	neg := 1
	for {
		switch n := x.(type) {
		case *syntax.UnaryArithm:
			if n.Op == syntax.Minus {
				neg = -neg
			}
			x = n.X
			continue
		case *syntax.ParenArithm:
			x = n.X
			continue
		case *syntax.Word:
			s := n.Lit()
			if s == "" || len(s) > 6 {
				return 0, false
			}
			v := 0
			for _, c := range s {
				if c < '0' || c > '9' {
					return 0, false
				}
				v = v*10 + int(c-'0')
			}
			return v * neg, true
		}
		return 0, false
	}
}

// again is single of a word whose commands were walked before.
func (w *walker) again(word *syntax.Word) value {
	facts, procs := len(w.facts), len(w.procs)
	v := w.single(word)
	w.facts, w.procs = w.facts[:facts], w.procs[:procs]
	return v
}

// single gives the value of a word that does not split: its first reading,
// known only if there is no other.
func (w *walker) single(word *syntax.Word) value {
	if word == nil {
		return value{known: true}
	}
	readings := w.expand(word)
	var texts []string
	known := len(readings) == 1
	if len(readings) > 0 {
		for _, f := range readings[0] {
			texts = append(texts, f.Text)
			known = known && f.Known
		}
	}
	return value{text: strings.Join(texts, " "), known: known}
}
