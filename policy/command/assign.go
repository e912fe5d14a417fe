package command

import (
	"maps"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// assignmentsOnly is a line like X=1, or a bare redirection.
func (w *walker) assignmentsOnly(assigns []Assign, uses []Use, start, end int, in input) {
	for _, a := range assigns {
		w.assign(strings.TrimSuffix(a.Name, "+"), valueOf(a.Word), strings.HasSuffix(a.Name, "+"))
	}
	for i := range assigns {
		assigns[i].Name = strings.TrimSuffix(assigns[i].Name, "+")
	}
	f := Fact{Program: ":", Assigns: assigns, Uses: uses, Start: start, End: end}
	if len(uses) == 1 && uses[0].Access == Reads && uses[0].Redir {
		f.construct("bare_read") // $(<file) prints it
	}
	w.emit(f)
}

// assigns expands the values; one Assign a reading. A trailing + in Name
// marks +=.
func (w *walker) assigns(list []*syntax.Assign) []Assign {
	var out []Assign
	if env := w.env; len(list) > 1 {
		w.env = maps.Clone(env) // in x=/etc y=$x, y has what x just got
		defer func() { w.env = env }()
	}
	for i, a := range list {
		name := ""
		if a.Name != nil {
			name = a.Name.Value
		}
		if a.Append {
			name += "+"
		}
		w.index(a.Index)
		outer := w.flow
		w.flow = nil
		values := w.assignValues(name, a)
		for k := range values {
			w.assigned(values[k], a)
			if w.integers[name] {
				w.evaluated(values[k].Text)
			}
			if i+1 < len(list) {
				w.assign(strings.TrimSuffix(name, "+"), valueOf(values[k].Word), a.Append)
			}
		}
		w.keyed(strings.TrimSuffix(name, "+"), a, values)
		out = append(out, w.tied(values)...)
		w.taintVariable(strings.TrimSuffix(name, "+"), w.flow)
		w.flow = joinFlow(outer, w.flow)
	}
	return out
}

func (w *walker) assignValues(name string, a *syntax.Assign) []Assign {
	span := w.span(a)
	if a.Array != nil {
		var out []Assign
		for _, el := range a.Array.Elems {
			w.index(el.Index)
			if el.Value == nil {
				continue
			}
			for _, reading := range w.expand(el.Value) {
				for _, f := range reading {
					f.Start, f.End = span[0], span[1]
					out = append(out, Assign{Name: name, Word: f})
				}
			}
		}
		return out
	}
	if a.Value == nil {
		return []Assign{{Name: name, Word: Word{Known: true, Start: span[0], End: span[1]}}}
	}
	var out []Assign
	for _, reading := range w.expand(a.Value) {
		word := Word{Known: true, Start: span[0], End: span[1]}
		for i, f := range reading {
			if i > 0 {
				word.Text += " "
			}
			word.Text += f.Text
			word.Known = word.Known && f.Known
			word.Dynamic = word.Dynamic || f.Dynamic
		}
		out = append(out, Assign{Name: name, Word: word})
	}
	return out
}

// declare is export, declare, local, readonly, typeset, nameref.
func (w *walker) declare(c *syntax.DeclClause, s *syntax.Stmt) {
	f := Fact{Program: c.Variant.Value}
	f.Start, f.End = w.bounds(s)
	at := w.emit(f)
	exported, integer := c.Variant.Value == "export", c.Variant.Value == "integer" || c.Variant.Value == "float"
	refers, shows := c.Variant.Value == "nameref", false
	for _, a := range c.Args {
		if a.Naked && a.Name == nil {
			v := w.single(a.Value)
			span := w.span(a)
			exported = exported || strings.HasPrefix(v.text, "-") && strings.Contains(v.text, "x")
			integer = integer || strings.HasPrefix(v.text, "-") && strings.Contains(v.text, "i")
			refers = refers || strings.HasPrefix(v.text, "-") && strings.Contains(v.text, "n")
			f.Args = append(f.Args, Word{Text: v.text, Known: v.known, Start: span[0], End: span[1]})
			w.subscript(at, v.text)
			shows = shows || v.known && strings.HasPrefix(v.text, "-") && strings.ContainsAny(v.text, "pfF")
			if !v.known && !shows && !assignsTo(v.text) {
				w.facts[at].construct("unknown_name")
			}
			if integer && isName(v.text) {
				w.countsWith(v.text)
			}
			continue
		}
		for _, as := range w.assigns([]*syntax.Assign{a}) {
			name := strings.TrimSuffix(as.Name, "+")
			if !a.Naked {
				w.assign(name, valueOf(as.Word), a.Append)
			}
			as.Name = name
			if integer {
				w.countsWith(name)
			}
			if refers && !a.Naked {
				w.refers(name, as)
			}
			if integer {
				w.evaluated(as.Text)
			}
			f.Assigns = append(f.Assigns, as)
		}
	}
	for i := range f.Assigns {
		f.Assigns[i].Exported = exported
	}
	w.facts[at].Args, w.facts[at].Assigns = f.Args, f.Assigns
}

// countsWith notes a variable whose values are evaluated: declare -i.
func (w *walker) countsWith(name string) {
	if w.integers == nil {
		w.integers = map[string]bool{}
	}
	w.integers[name] = true
}

// refers makes name another name of a variable: declare -n. What a later
// line gives that name is not seen here.
func (w *walker) refers(name string, to Assign) {
	w.evaluated(to.Text)
	if !to.Known {
		return
	}
	w.refer(name, to.Text)
	base, _, _ := strings.Cut(to.Text, "[")
	w.binds(base, Word{Dynamic: true, Start: to.Start, End: to.End})
}

func (w *walker) refer(name, to string) {
	if w.refs == nil {
		w.refs = map[string]string{}
	}
	if name != to && isName(to) {
		w.refs[name] = to
	}
}
