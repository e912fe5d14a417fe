package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What zsh reads beyond the parser: short loops, anonymous functions with
// arguments, pattern qualifiers, and parameter flags.

var (
	zshFor     = lazily(`(?m)(^|[;&|(]\s*)for(?:each)?\s+(\w+)\s*\(([^()]*)\)\s*`)
	zshForeach = lazily(`(^|[;&|(]\s*)foreach\s`)
	zshAnon    = lazily(`^\s*(?:function\s*(?:\(\))?|\(\))\s*\{(.*)\}\s*([^;&|]*)$`)
	zshIf      = lazily(`(^|[;&|]\s*)(if|while|until)\s+(\[\[.*?\]\]|\(\(.*?\)\))\s*([^;{}\s&|].*)$`)
)

// zshForms reads the forms of zsh that the parser takes for something else or
// refuses, written out as every shell writes them.
func (w *walker) zshForms(text string) bool {
	if w.dialect != Zsh {
		return false
	}
	other := strings.ReplaceAll(text, "::=", ":=")
	if m := zshAnon.FindStringSubmatch(text); m != nil {
		other = "anonymous() { " + m[1] + "; }; anonymous " + m[2]
	}
	if m := zshIf.FindStringSubmatch(other); m != nil && !strings.Contains(other, "then") {
		begin, end := "; do ", "; done"
		if m[2] == "if" {
			begin, end = "; then ", "; fi"
		}
		other = other[:strings.Index(other, m[0])] + m[1] + m[2] + " " + m[3] + begin + strings.TrimRight(m[4], "; \n") + end
	}
	if m := zshFor.FindStringSubmatchIndex(other); m != nil {
		body := strings.TrimRight(other[m[1]:], "; \n")
		body = strings.TrimSuffix(body, "; end")
		if zshForeach.MatchString(other) {
			body = strings.TrimRight(strings.TrimSuffix(body, "end"), "; \n")
		}
		other = other[:m[2]] + other[m[2]:m[3]] + "for " + other[m[4]:m[5]] + " in " + other[m[6]:m[7]] + "; do " + body + "; done"
	}
	if other == text {
		return false
	}
	f, err := parse(other, Zsh)
	if err != nil {
		return false
	}
	w.aside(func() {
		w.fixed, w.span0 = true, w.whole(text)
		w.src = other
		w.stmts(f.Stmts)
	})
	return true
}

// qualified takes zsh's qualifiers off the end of a pattern: /(N) is /.
func qualified(text string) (string, bool) {
	if !strings.HasSuffix(text, ")") {
		return text, false
	}
	i := strings.LastIndexByte(text, '(')
	if i <= 0 || strings.ContainsAny(text[i:], "|/") {
		return text, false
	}
	return text[:i], true
}

// zshFlags gives the value of ${(flags)name} and ${(flags):-text}: with most
// flags it is the value, split at blanks.
func (e *expansion) zshFlags(p *syntax.ParamExp) bool {
	w := e.w
	if w.dialect != Zsh || p.Length || p.Width || p.IsSet || p.Index != nil || p.Slice != nil || p.Repl != nil {
		return false
	}
	var values []value
	if p.Param != nil && p.Flags != nil {
		values = append(values, w.env[p.Param.Value]...)
	}
	if p.Exp != nil && (p.Param == nil || p.Param.Value == "" || p.Flags != nil) {
		values = append(values, w.again(p.Exp.Word))
	}
	if len(values) == 0 {
		return false
	}
	e.alternatives(values, false)
	return true
}

// globQualifier judges zsh's (e:'code':) and (+function) behind a pattern.
func (w *walker) globQualifier(pattern string, span [2]int) {
	if w.dialect != Zsh {
		return
	}
	for i := 0; i+1 < len(pattern); i++ {
		if pattern[i] == '+' && strings.HasPrefix(pattern, "(") {
			w.qualifierCall(pattern[i+1:], span)
			return
		}
		if pattern[i] != 'e' {
			continue
		}
		sep := pattern[i+1]
		if letters(string(sep)) {
			continue
		}
		end := strings.IndexByte(pattern[i+2:], sep)
		if end < 0 {
			continue
		}
		code := strings.Trim(pattern[i+2:i+2+end], `'"`)
		w.lineConstruct("eval")
		w.aside(func() {
			w.fixed, w.span0 = true, span
			w.src = code
			w.codeStmts(code, input{})
		})
		return
	}
}

// qualifierCall judges (+name): zsh calls name for each file.
func (w *walker) qualifierCall(rest string, span [2]int) {
	end := 0
	for end < len(rest) && isIdent(rest[end]) {
		end++
	}
	if end == 0 {
		return
	}
	w.lineConstruct("eval")
	w.lineConstruct("arith_string")
}

// zshSubstitution judges =(code) and >(code) inside a word.
func (w *walker) zshSubstitution(s string, span [2]int) {
	code := strings.TrimSuffix(strings.TrimPrefix(s, "("), ")")
	if !strings.Contains(code, " ") {
		return
	}
	w.aside(func() {
		w.fixed, w.span0, w.src = true, span, code
		if f, err := parse(code, Zsh); err == nil {
			w.stmts(f.Stmts)
		}
	})
}

// grouped handles what stands in parentheses behind the start of a word: a
// qualifier is no part of the name, (a|b) is either.
func (e *expansion) grouped(s string) bool {
	if !strings.HasPrefix(s, "(") || !strings.HasSuffix(s, ")") {
		return false
	}
	inner := s[1 : len(s)-1]
	if !strings.Contains(inner, "|") {
		return true
	}
	var values []value
	for _, t := range strings.Split(inner, "|") {
		values = append(values, value{text: t, known: true, glob: true})
	}
	e.alternatives(values[:min(len(values), maxValues)], true)
	return true
}

// tiedArrays are arrays that are another form of a variable.
var tiedArrays = map[string]string{"path": "PATH", "fpath": "FPATH", "cdpath": "CDPATH", "manpath": "MANPATH", "module_path": "MODULE_PATH"}

// tied adds PATH=/a:/b for path=(/a /b).
func (w *walker) tied(assigns []Assign) []Assign {
	if w.dialect != Zsh {
		return assigns
	}
	for name, variable := range tiedArrays {
		var text []string
		var at Assign
		for _, a := range assigns {
			if strings.TrimSuffix(a.Name, "+") == name {
				text, at = append(text, a.Text), a
			}
		}
		if text != nil {
			at.Name, at.Text = variable, strings.Join(text, ":")
			assigns = append(assigns, at)
		}
	}
	return assigns
}
