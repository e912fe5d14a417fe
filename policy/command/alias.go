package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Aliases: those that the shell reported, and those that the line itself
// defines.

// aliased puts the text of an alias that the shell reported in front.
func (w *walker) aliased(c *simple) {
	w.lineAlias(c)
	word, ok := w.state.Words[c.words[0].Text]
	if !ok || w.fixed {
		return
	}
	switch word.Kind {
	case KindAlias:
		w.alias(word.Text, c)
	case KindFunction:
		c.words[0].Text = "./" + c.words[0].Text // an unknown program: the body is not seen
	case KindFile:
		if word.Path != "" && !strings.Contains(c.words[0].Text, "/") && !inPath(word.Path) {
			c.words[0].Text = word.Path
		}
	}
}

// alias expands the alias in front of the words, as text of its own.
func (w *walker) alias(text string, c *simple) {
	f, err := parse(text, w.dialect)
	if err != nil {
		w.fail("an alias that does not parse")
		return
	}
	if len(f.Stmts) == 0 {
		return
	}
	w.aside(func() {
		w.fixed, w.span0 = true, [2]int{c.words[0].Start, c.words[0].End}
		w.src = text
		last := f.Stmts[len(f.Stmts)-1]
		w.stmts(f.Stmts[:len(f.Stmts)-1])
		call, ok := last.Cmd.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			w.stmt(last, c.in)
			return
		}
		uses, _ := w.redirects(last.Redirs, input{})
		c.uses = append(c.uses, uses...)
		c.assigns = append(c.assigns, w.assigns(call.Assigns)...)
		var words []Word
		for _, a := range call.Args {
			for _, r := range w.expand(a) {
				words = append(words, r...)
			}
		}
		if len(words) > 0 {
			c.words = append(words, c.words[1:]...)
		}
	})
}

// defineAlias notes an alias of this line. A shell uses it from the next line
// on; a later command counts in both readings.
func (x *invocation) defineAlias(name, text string) {
	if x.aliases == nil {
		x.aliases = map[string]string{}
	}
	x.aliases[name] = text
}

// lineAlias judges a command also as what an alias of this line makes of it.
func (w *walker) lineAlias(c *simple) {
	text, ok := w.aliases[c.words[0].Text]
	if !ok || len(w.via) >= w.lim.Unwrap {
		return
	}
	for _, step := range w.via {
		if step == "alias "+c.words[0].Text {
			return
		}
	}
	code := text
	for _, a := range c.words[1:] {
		code += " " + shellQuoted(a)
	}
	span := [2]int{c.start, c.end}
	w.through("alias "+c.words[0].Text, func() { w.code(code, w.dialect, span, nil, c.in) })
}

// shellQuoted writes a word so that a shell reads it as it is.
func shellQuoted(a Word) string {
	switch {
	case !a.Known && !a.Glob:
		return "\"$unknown\""
	case a.Glob:
		return a.Text
	}
	return "'" + strings.ReplaceAll(a.Text, "'", `'\''`) + "'"
}
