package policy

import "strings"

// meetsName reports whether the operand pattern form could be a name that one
// of the patterns is about. It is for content that is read, where the patterns
// are known secrets: *.log is no .env.log, since a shell's * takes no leading
// dot, and no terraform.tfstate.log, since what a pattern leaves open is taken
// as it usually is: nothing, or one character.
func (s *globSet) meetsName(form string, bare bool) bool {
	q, err := tokenize(form)
	if err != nil || s.anything {
		return true
	}
	for i := range s.globs {
		g := &s.globs[i]
		if bare && strings.HasPrefix(g.source, "**/") {
			continue
		}
		if g.meetsName(q) {
			return true
		}
	}
	return false
}

func (g *glob) meetsName(q []token) bool {
	for i := range g.alts {
		if g.alts[i].meetsName(q) {
			return true
		}
	}
	if g.alts != nil {
		return false
	}
	p := g.tokens
	switch {
	case g.exact != "":
		p = literals(g.exact)
	case g.prefix != "":
		if tokensMeet(literals(g.prefix), q) {
			return true
		}
		p = append(literals(g.prefix), token{kind: literal, c: '/'}, token{kind: anyPath})
	}
	for _, sample := range []string{"", "x", "1"} {
		if nameMeets(sampled(p, sample), q) {
			return true
		}
	}
	return false
}

// sampled puts text in place of every * of a pattern.
func sampled(p []token, text string) []token {
	out := make([]token, 0, len(p)+4)
	for _, t := range p {
		if t.kind == anyRun {
			out = append(out, literals(text)...)
			continue
		}
		out = append(out, t)
	}
	return out
}

// nameMeets compares what stands behind a leading **/ with every end of q
// that begins a part of the path.
func nameMeets(p, q []token) bool {
	if len(p) == 0 || p[0].kind != anyPath || p[0].c != '/' {
		return tokensMeet(dotted(p), q)
	}
	rest := dotted(p[1:])
	if tokensMeet(rest, q) {
		return true
	}
	for i := range q {
		if q[i].kind == literal && q[i].c == '/' && tokensMeet(rest, q[i+1:]) {
			return true
		}
	}
	return false
}

// dotted marks the dots that begin a part of the path: only a dot that is
// written meets them.
func dotted(p []token) []token {
	out := append([]token(nil), p...)
	for i := range out {
		if out[i].kind == literal && out[i].c == '.' && (i == 0 || out[i-1].kind == literal && out[i-1].c == '/') {
			out[i].not = true
		}
	}
	return out
}
