package policy

import (
	"fmt"
	"path"
	"strings"
)

// A glob is one pattern of a rule: * within a path component, ** across
// them, ?, [a-z], {a,b}, and !{a,b}: any text within a component but a and b.
// "/etc/**" also matches /etc itself.
type glob struct {
	source string
	exact  string  // not "": a literal
	prefix string  // not "": matches it, and everything below it
	tokens []token // else
	lead   string  // of tokens: the text before the first wildcard
	must   string  // of tokens: the longest text without one
	alts   []glob  // {a,b}
	but    []glob  // !{a,b}: what it does not match
}

type tokenKind uint8

const (
	literal tokenKind = iota
	anyByte           // ?
	anyRun            // *
	anyPath           // **
	class             // [a-z]
)

type token struct {
	kind tokenKind
	c    byte
	set  string // of a class, with ranges written out
	not  bool
}

func parseGlob(s string) (glob, error) {
	if strings.Contains(s, "!{") {
		return parseBut(s)
	}
	if strings.ContainsRune(s, '{') {
		return parseBraces(s)
	}
	g := glob{source: s}
	if !strings.ContainsAny(s, "*?[") {
		g.exact = s
		if s == "" {
			return g, &entryFault{"", "empty pattern", `write a path: * stays in one part of it, ** does not; "**" is any`}
		}
		return g, nil
	}
	if base, ok := strings.CutSuffix(s, "/**"); ok && !strings.ContainsAny(base, "*?[") && base != "" {
		g.prefix = base
		return g, nil
	}
	tokens, err := tokenize(s)
	g.tokens = tokens
	g.lead, g.must = literalParts(tokens)
	return g, err
}

// literalParts finds text that every match must have.
func literalParts(tokens []token) (lead, must string) {
	var run []byte
	first := true
	flush := func() {
		if first {
			lead = string(run)
		}
		if len(run) > len(must) {
			must = string(run)
		}
		run, first = nil, false
	}
	for i, t := range tokens {
		if t.kind != literal {
			flush()
			continue
		}
		if t.c == '/' && i+1 < len(tokens) && tokens[i+1].kind == anyPath {
			flush() // "/**" may match nothing
			continue
		}
		run = append(run, t.c)
	}
	flush()
	return lead, must
}

func parseBraces(s string) (g glob, err error) {
	g.source = s
	g.alts, err = alternatives(s, strings.IndexByte(s, '{'), 1)
	return g, err
}

// parseBut reads !{a,b}: what any text in its place would match, without what
// a or b would. Where an operand is a pattern itself it may become any of the
// names, so that what is left out does not count.
func parseBut(s string) (glob, error) {
	open := strings.Index(s, "!{")
	but, err := alternatives(s, open, 2)
	if err != nil {
		return glob{source: s}, err
	}
	end := open + strings.IndexByte(s[open:], '}')
	g, err := parseGlob(s[:open] + "?*" + s[end+1:])
	g.source, g.but = s, append(g.but, but...)
	return g, err
}

// alternatives are the patterns that the braces at open, whose mark is so
// long, stand for.
func alternatives(s string, open, mark int) ([]glob, error) {
	end := strings.IndexByte(s[open:], '}')
	if end < 0 {
		return nil, &entryFault{s, fmt.Sprintf("no closing } in %q", s), "write {a,b}"}
	}
	var out []glob
	for alt := range strings.SplitSeq(s[open+mark:open+end], ",") {
		g, err := parseGlob(s[:open] + alt + s[open+end+1:])
		if err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	return out, nil
}

// tokenize reads a pattern; a rule's and an operand's have the same syntax,
// but for **, which in an operand is *.
func tokenize(s string) ([]token, error) {
	var out []token
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '*':
			if i+1 < len(s) && s[i+1] == '*' {
				i++
				out = append(out, token{kind: anyPath})
				if i+1 < len(s) && s[i+1] == '/' && (i < 2 || s[i-2] == '/') {
					i++ // "**/" also matches nothing
					out[len(out)-1].c = '/'
				}
				continue
			}
			out = append(out, token{kind: anyRun})
		case '?':
			out = append(out, token{kind: anyByte})
		case '[':
			end := strings.IndexByte(s[i+1:], ']')
			if end < 1 {
				out = append(out, token{kind: literal, c: '['})
				continue
			}
			out = append(out, classToken(s[i+1:i+1+end]))
			i += end + 1
		default:
			out = append(out, token{kind: literal, c: s[i]})
		}
	}
	if len(out) > 512 {
		return nil, &entryFault{"", "pattern longer than 512 characters", "write several patterns"}
	}
	return out, nil
}

func classToken(s string) token {
	t := token{kind: class}
	if s[0] == '!' || s[0] == '^' {
		t.not, s = true, s[1:]
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i+2 < len(s) && s[i+1] == '-' {
			for c := int(s[i]); c <= int(s[i+2]); c++ {
				b.WriteByte(byte(c))
			}
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	t.set = b.String()
	return t
}

func (t token) takes(c byte) bool {
	switch t.kind {
	case literal:
		return t.c == c
	case anyByte, anyRun:
		return c != '/'
	case class:
		return c != '/' && (strings.IndexByte(t.set, c) >= 0) != t.not
	}
	return true
}

// match reports whether the whole of s matches.
func (g *glob) match(s string) bool {
	for i := range g.but {
		if g.but[i].match(s) {
			return false
		}
	}
	switch {
	case g.alts != nil:
		for i := range g.alts {
			if g.alts[i].match(s) {
				return true
			}
		}
		return false
	case g.prefix != "":
		return strings.HasPrefix(s, g.prefix) && (len(s) == len(g.prefix) || s[len(g.prefix)] == '/')
	case g.tokens != nil && (!strings.HasPrefix(s, g.lead) || !strings.Contains(s, g.must)):
		return false
	case g.tokens != nil:
		return matchTokens(g.tokens, s) || strings.HasSuffix(g.source, "/**") && matchTokens(g.tokens[:len(g.tokens)-2], s)
	}
	return g.exact == s
}

// matchTokens backtracks to the last star only, so it is at worst
// quadratic.
func matchTokens(p []token, s string) bool {
	pi, si := 0, 0
	star, from := -1, 0
	for si < len(s) {
		switch {
		case pi < len(p) && p[pi].kind == anyPath && p[pi].c == '/':
			return matchDeep(p[pi+1:], s[si:])
		case pi < len(p) && (p[pi].kind == anyRun || p[pi].kind == anyPath):
			star, from = pi, si
			pi++
		case pi < len(p) && p[pi].takes(s[si]):
			pi++
			si++
		case star >= 0 && p[star].takes(s[from]):
			from++
			pi, si = star+1, from
		default:
			return false
		}
	}
	for pi < len(p) && (p[pi].kind == anyRun || p[pi].kind == anyPath) {
		pi++
	}
	return pi == len(p)
}

// matchDeep matches what follows "**/": at the start of any component.
func matchDeep(p []token, s string) bool {
	if matchTokens(p, s) {
		return true
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '/' && matchTokens(p, s[i+1:]) {
			return true
		}
	}
	return false
}

// meets reports whether some text matches both g and the operand pattern q,
// a shell glob.
func (g *glob) meets(q []token) bool {
	for i := range g.alts {
		if g.alts[i].meets(q) {
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
	return foldersMeet(p, q)
}

// foldersMeet takes the first "**/" for what it is: nothing, or whole folders.
// x-* is no .rhosts of a folder, though x-.rhosts begins and ends like both.
func foldersMeet(p, q []token) bool {
	for i, t := range p {
		if t.kind != anyPath || t.c != '/' {
			continue
		}
		rest := p[i+1:]
		some := append(p[:i:i], token{kind: anyPath}, token{kind: literal, c: '/'})
		return foldersMeet(append(p[:i:i], rest...), q) || foldersMeet(append(some, rest...), q)
	}
	return tokensMeet(p, q)
}

func literals(s string) []token {
	out := make([]token, len(s))
	for i := 0; i < len(s); i++ {
		out[i] = token{kind: literal, c: s[i]}
	}
	return out
}

// tokensMeet is a reachability search over the pairs of positions.
func tokensMeet(p, q []token) bool {
	w := len(q) + 1
	seen := make([]bool, (len(p)+1)*w)
	stack := []int{0}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		i, j := at/w, at%w
		if i == len(p) && j == len(q) {
			return true
		}
		if i < len(p) && (p[i].kind == anyRun || p[i].kind == anyPath) {
			stack = append(stack, (i+1)*w+j)
		}
		if j < len(q) && (q[j].kind == anyRun || q[j].kind == anyPath) {
			stack = append(stack, i*w+j+1)
		}
		if i < len(p) && j < len(q) && overlap(p[i], q[j]) {
			ni, nj := i+1, j+1
			if p[i].kind == anyRun || p[i].kind == anyPath {
				ni = i
			}
			if q[j].kind == anyRun || q[j].kind == anyPath {
				nj = j
			}
			stack = append(stack, ni*w+nj)
			if ni == i {
				stack = append(stack, (i+1)*w+nj)
			}
			if nj == j {
				stack = append(stack, ni*w+j+1)
			}
		}
	}
	return false
}

// overlap reports a byte that both tokens take.
func overlap(a, b token) bool {
	if a.kind == literal && a.not { // a dot that hides a file
		return b.kind == literal && b.c == a.c
	}
	if a.kind == literal {
		return b.takes(a.c)
	}
	if b.kind == literal {
		return a.takes(b.c)
	}
	if a.kind == class && b.kind == class {
		for c := byte('!'); c < 127; c++ {
			if a.takes(c) && b.takes(c) {
				return true
			}
		}
		return false
	}
	return true
}

// cleanPath folds what the kernel folds: //, ., .., and /proc/self/root.
func cleanPath(s string) string {
	if s == "" || !strings.ContainsRune(s, '/') && s != "." && s != ".." {
		return s
	}
	if strings.Contains(s, "://") {
		return s
	}
	c := s
	if simplePath(s) {
		c = strings.TrimSuffix(s, "/")
		if c == "" {
			c = "/"
		}
	} else {
		c = path.Clean(s)
	}
	if c[0] == '~' && s[0] != '~' {
		c = "./" + c // a file of that name
	}
	for strings.HasPrefix(c, "/proc/") {
		rest := c[len("/proc/"):]
		_, after, ok := strings.Cut(rest, "/root")
		if !ok || after != "" && after[0] != '/' || strings.Count(rest[:len(rest)-len(after)-len("/root")], "/") > 2 {
			break
		}
		if c = after; c == "" {
			c = "/"
		}
	}
	return c
}

// simplePath reports a path that path.Clean would not change, but for a
// slash at its end.
func simplePath(s string) bool {
	return !strings.Contains(s, "//") && !strings.Contains(s, "/.") && !strings.HasPrefix(s, "./") && !strings.HasPrefix(s, "../")
}
