package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What a line binds counts however it binds it: by an assignment, a loop,
// read, printf -v, ${x:=…}, another name. A shell runs the text of some
// variables by itself, at each prompt; and text that holds a command runs
// where a later line evaluates it: in a sum, a subscript, eval. A later line
// shows only the name, so the text is judged where it is bound.

// promptNames are variables whose text a shell expands before it shows it.
var promptNames = setOf("PS0 PS1 PS2 PS3 PS4 PROMPT PROMPT2 PROMPT3 PROMPT4 RPROMPT RPROMPT2 RPS1 RPS2 SPROMPT")

// binds judges a variable that something else than an assignment sets.
func (w *walker) binds(name string, v Word) {
	if to, ok := w.refs[name]; ok {
		name = to
	}
	if shellVariable(name, v) && w.dialect <= Fish {
		w.emit(Fact{Program: ":", Assigns: []Assign{{Name: name, Word: v}}, Start: v.Start, End: v.End})
	}
	w.runsLater(name, v)
}

// binds is the same for a name that a builtin is given.
func (x *invocation) binds(name string, v Word) {
	name, _, _ = strings.Cut(name, "[")
	if shellVariable(name, v) && x.dialect <= Fish {
		x.fact().Assigns = append(x.fact().Assigns, Assign{Name: name, Word: v})
	}
	x.runsLater(name, v)
}

// assigned judges the text that an assignment gives, and what it becomes
// behind what the variable has.
func (w *walker) assigned(v Assign, a *syntax.Assign) {
	if a.Naked {
		return
	}
	name := strings.TrimSuffix(v.Name, "+")
	if to, ok := w.refs[name]; ok {
		name = to
	}
	w.runsLater(name, v.Word)
	if !a.Append || a.Array != nil {
		return
	}
	for _, old := range w.env[name] {
		whole := v.Word
		whole.Text, whole.Known = old.text+v.Text, v.Known && old.known
		w.runsLater(name, whole)
	}
}

// bindsValue assigns, and judges what is assigned.
func (x *invocation) bindsValue(name string, v value) {
	x.assign(name, v, false)
	x.binds(name, Word{Text: v.text, Known: v.known || v.glob, Start: x.cmd.start, End: x.cmd.end})
}

// bindsUnknown judges a variable that gets what nobody knows.
func (x *invocation) bindsUnknown(name string) {
	x.binds(name, Word{Dynamic: true, Start: x.cmd.start, End: x.cmd.end})
}

// shellVariable reports a name that a shell, or what it starts, may look at
// by itself. A loop over ENV is about a word like any other.
func shellVariable(name string, v Word) bool {
	if name == "ENV" {
		return v.Known && strings.Contains(v.Text, "/")
	}
	return name != "" && name[0] >= 'A' && name[0] <= 'Z' || tiedArrays[name] != "" || strings.HasSuffix(name, "_functions") || strings.HasPrefix(name, "fish_")
}

// runsLater judges the text that a variable was given as what runs it.
func (w *walker) runsLater(name string, v Word) {
	span := [2]int{v.Start, v.End}
	switch prompt := promptNames[name] || name == "prompt" && w.dialect == Zsh; {
	case w.dialect > Zsh:
	case prompt && !v.Known:
		w.lineConstruct("prompt_unseen")
		w.laterText(v.Text, span)
	case prompt:
		w.promptCode(v)
	default:
		w.laterText(v.Text, span)
	}
}

// promptCode judges what a prompt runs.
func (w *walker) promptCode(v Word) {
	if strings.ContainsAny(v.Text, "$`") {
		w.expandedText(v.Text, "prompt", [2]int{v.Start, v.End})
	}
}

// expandedText judges text that a shell expands as between double quotes.
func (w *walker) expandedText(text, why string, span [2]int) {
	code := ": \"" + strings.ReplaceAll(text, `"`, `\"`) + `"`
	w.through(why, func() { w.code(code, w.dialect, span, nil, input{}) })
}

// laterText judges the commands in text that nothing runs yet.
func (w *walker) laterText(text string, span [2]int) {
	if w.dialect > Zsh || !strings.ContainsAny(text, "$`") || len(w.via) >= w.lim.Unwrap {
		return
	}
	codes := substitutions(text)
	if len(codes) == 0 {
		return
	}
	rough := w.rough
	w.rough = true
	w.through("later", func() { w.each(codes, span) })
	w.rough = rough
}

// each walks pieces of code, and roughly those that do not parse.
func (w *walker) each(codes []string, span [2]int) {
	w.aside(func() {
		w.fixed, w.span0 = true, span
		for _, code := range codes {
			w.src = code
			if f, err := parse(code, w.dialect); err == nil {
				w.stmts(f.Stmts)
				continue
			}
			rough := w.rough
			w.rough = false
			w.salvage(code)
			w.rough = rough
		}
	})
}

// maxSubstitutions bounds those that are cut out of one text.
const maxSubstitutions = 16

// substitutions cuts the code out of $(…), `…` and ${ …; } in a string; one
// that does not end goes on to the end of the string.
func substitutions(s string) []string {
	var out []string
	for i := 0; i < len(s) && len(out) < maxSubstitutions; i++ {
		switch rest := s[i:]; {
		case strings.HasPrefix(rest, "$("):
			code, sum := enclosed(rest[2:], '(', ')'), false
			if sum = strings.HasPrefix(code, "(") && strings.HasSuffix(code, ")"); !sum || strings.ContainsAny(code, " ;|&") {
				out = append(out, code)
			}
			if i++; !sum {
				i += len(code)
			}
		case rest[0] == '`':
			code, _, _ := strings.Cut(rest[1:], "`")
			out = append(out, strings.ReplaceAll(code, `\`, ""))
			i += len(code) + 1
		case strings.HasPrefix(rest, "${ "), strings.HasPrefix(rest, "${|"), strings.HasPrefix(rest, "${\n"), strings.HasPrefix(rest, "${\t"):
			code := enclosed(rest[3:], '{', '}')
			out = append(out, code)
			i += len(code) + 2
		}
	}
	return out
}

// enclosed is s up to the closing mark that no quote hides.
func enclosed(s string, open, closing byte) string {
	depth, quote := 1, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == open:
			depth++
		case c == closing:
			if depth--; depth == 0 {
				return s[:i]
			}
		}
	}
	return s
}

// codeArrays are arrays whose elements are code or programs under the name
// of their key: BASH_ALIASES[ls]='ls -l'.
var codeArrays = map[string]string{
	"BASH_ALIASES": "alias", "aliases": "alias", "galiases": "alias", "saliases": "alias", "dis_aliases": "alias",
	"functions": "function", "dis_functions": "function", "BASH_CMDS": "shadow", "commands": "shadow",
}

// keyed judges an assignment to an element of such an array.
func (w *walker) keyed(name string, a *syntax.Assign, values []Assign) {
	kind := codeArrays[name]
	if kind == "" || a.Index == nil && a.Array == nil || w.dialect > Zsh {
		return
	}
	w.lineConstruct(kind)
	for _, v := range values {
		span := [2]int{v.Start, v.End}
		if !v.Known {
			w.lineConstruct("unseen_code")
		}
		w.through(kind, func() { w.code(v.Text, w.dialect, span, nil, input{}) })
	}
}
