package command

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// maxReadings bounds how many values one word may take (variables that were
// assigned twice, loops over literals, braces); beyond it the word is unknown.
const maxReadings = 64

// A partial is a word while it is being expanded: the fields that are
// complete and the one being built. Several partials are several readings.
type partial struct {
	done    []Word
	buf     []byte
	known   bool
	dynamic bool
	glob    bool
	quoted  bool // a quoted part, possibly empty, makes a field
	begun   bool
	spread  bool // an unquoted part is unknown
}

// expansion expands one shell word into the fields of every reading.
type expansion struct {
	w     *walker
	parts []partial
	span  [2]int
	over  bool
	maybe bool // a part is either nothing or unknown
}

// expand gives the readings of word, each a list of fields.
func (w *walker) expand(word *syntax.Word) [][]Word {
	span := w.span(word)
	if f, ok := plain(word, span); ok {
		return [][]Word{{f}}
	}
	if w.braces() {
		// A copy: a word is expanded more than once, and what is split has no
		// position of its own any more.
		if split := (&syntax.Word{Parts: word.Parts}); syntax.SplitBraces(split) {
			return w.expandBraces(split, span)
		}
	}
	return w.expandWord(word, span)
}

// plain is the quick way for the words that most commands are made of.
func plain(word *syntax.Word, span [2]int) (Word, bool) {
	if len(word.Parts) != 1 {
		return Word{}, false
	}
	switch p := word.Parts[0].(type) {
	case *syntax.Lit:
		if strings.ContainsAny(p.Value, "\\*?[~{}=(") {
			return Word{}, false
		}
		return Word{Text: p.Value, Known: true, Start: span[0], End: span[1]}, true
	case *syntax.SglQuoted:
		if p.Dollar || strings.HasPrefix(p.Value, "~") {
			return Word{}, false
		}
		return Word{Text: p.Value, Known: true, Start: span[0], End: span[1]}, true
	}
	return Word{}, false
}

func (w *walker) expandBraces(word *syntax.Word, span [2]int) [][]Word {
	texts := braceWords(word, maxReadings)
	if texts == nil {
		return [][]Word{{{Glob: true, Start: span[0], End: span[1]}}}
	}
	var all []Word
	for _, t := range texts {
		for _, reading := range w.expandWord(t, span) {
			all = append(all, reading...)
		}
	}
	return [][]Word{all}
}

// braceWords multiplies out {a,b} and {1..3}; nil when there are too many.
func braceWords(word *syntax.Word, limit int) []*syntax.Word {
	out := []*syntax.Word{{}}
	for _, part := range word.Parts {
		br, ok := part.(*syntax.BraceExp)
		if !ok {
			for _, o := range out {
				o.Parts = append(o.Parts, part)
			}
			continue
		}
		var alts []*syntax.Word
		if br.Sequence {
			alts = sequence(br, limit)
		} else {
			for _, el := range br.Elems {
				alts = append(alts, braceWords(el, limit)...)
			}
		}
		if len(alts) == 0 || len(out)*len(alts) > limit {
			return nil
		}
		next := make([]*syntax.Word, 0, len(out)*len(alts))
		for _, o := range out {
			for _, a := range alts {
				parts := append(append([]syntax.WordPart{}, o.Parts...), a.Parts...)
				next = append(next, &syntax.Word{Parts: parts})
			}
		}
		out = next
	}
	return out
}

func sequence(br *syntax.BraceExp, limit int) []*syntax.Word {
	from, to := br.Elems[0].Lit(), br.Elems[1].Lit()
	step := 1
	if len(br.Elems) > 2 {
		step, _ = strconv.Atoi(br.Elems[2].Lit())
		step = max(step, -step)
	}
	if step == 0 {
		step = 1
	}
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(to)
	numeric := errA == nil && errB == nil
	if !numeric {
		if len(from) != 1 || len(to) != 1 {
			return nil
		}
		a, b = int(from[0]), int(to[0])
	}
	if a > b {
		step = -step
	}
	var out []*syntax.Word
	for n := a; (step > 0 && n <= b) || (step < 0 && n >= b); n += step {
		if len(out) >= limit {
			return nil
		}
		v := strconv.Itoa(n)
		if !numeric {
			v = string(rune(n))
		}
		out = append(out, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: v, ValuePos: br.Pos(), ValueEnd: br.End()}}})
	}
	return out
}

func (w *walker) expandWord(word *syntax.Word, span [2]int) [][]Word {
	e := &expansion{w: w, parts: []partial{{known: true}}, span: span}
	for i, part := range word.Parts {
		e.part(part, false, i == 0)
	}
	out := make([][]Word, 0, len(e.parts))
	for i := range e.parts {
		e.parts[i].finish(e.span)
		if e.maybe && len(e.parts[i].done) == 1 && e.parts[i].done[0].Text == "" && e.parts[i].done[0].Known {
			continue // the unknown reading is this one too
		}
		out = append(out, e.parts[i].done)
	}
	if e.over {
		out = append(out, []Word{{Glob: true, Dynamic: true, Start: span[0], End: span[1]}})
	}
	return out
}

func (p *partial) finish(span [2]int) {
	if !p.begun && !p.quoted {
		return
	}
	p.done = append(p.done, Word{
		Text: string(p.buf), Known: p.known, Dynamic: p.dynamic, Glob: p.glob,
		Split: p.spread && !p.known,
		Start: span[0], End: span[1],
	})
	*p = partial{done: p.done, known: true}
}

func (e *expansion) text(s string) {
	for i := range e.parts {
		e.parts[i].buf = append(e.parts[i].buf, s...)
		e.parts[i].begun = e.parts[i].begun || s != ""
	}
}

func (e *expansion) each(f func(*partial)) {
	for i := range e.parts {
		f(&e.parts[i])
	}
}

func (e *expansion) unknown() {
	e.each(func(p *partial) { p.known, p.dynamic, p.begun = false, true, true })
}

func (e *expansion) part(part syntax.WordPart, quoted, first bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		e.literal(p.Value, quoted, first)
	case *syntax.SglQuoted:
		e.single(p, first)
	case *syntax.DblQuoted:
		e.each(func(q *partial) { q.quoted = true })
		for i, inner := range p.Parts {
			if l, ok := inner.(*syntax.Lit); ok && first && i == 0 && strings.HasPrefix(l.Value, "~") {
				e.text("./")
			}
			e.part(inner, true, false)
		}
	case *syntax.ParamExp:
		e.param(p, quoted)
		e.loose(quoted)
	case *syntax.CmdSubst:
		e.command(p, quoted)
		e.loose(quoted)
	case *syntax.ArithmExp:
		e.w.arith(p.X)
		e.unknown()
	case *syntax.ProcSubst:
		e.process(p)
	case *syntax.ExtGlob:
		e.extended(p)
	case *syntax.BraceExp:
		e.unknown()
	default:
		e.unknown()
	}
}

// loose notes that an unquoted unknown value may become several words.
func (e *expansion) loose(quoted bool) {
	if !quoted {
		e.each(func(p *partial) { p.spread = p.spread || !p.known })
	}
}

func (e *expansion) single(p *syntax.SglQuoted, first bool) {
	e.each(func(q *partial) { q.quoted = true })
	if first && strings.HasPrefix(p.Value, "~") {
		e.text("./")
	}
	if p.Dollar {
		e.text(ansiC(p.Value))
		return
	}
	e.text(p.Value)
}

// literal takes escapes out, folds a leading tilde and notes patterns.
func (e *expansion) literal(s string, quoted, first bool) {
	if quoted {
		e.text(unescapeDouble(s))
		return
	}
	if first && strings.HasPrefix(s, "~") {
		s = e.tilde(s)
	}
	if i := strings.IndexByte(s, '('); i >= 0 && e.w.dialect == Zsh {
		e.w.globQualifier(s[i:], e.span)
		e.w.zshSubstitution(s[i:], e.span)
		if !first && e.grouped(s) {
			return
		}
		if base, ok := qualified(s); ok && base != "" {
			s = base
			e.each(func(p *partial) { p.glob = p.glob || strings.ContainsAny(base, "*?[") })
		}
	}
	if first && strings.HasPrefix(s, "=") && len(s) > 1 && e.w.dialect == Zsh {
		s = s[1:] // =name is the path of name
	}
	if !strings.ContainsAny(s, "\\*?[") {
		e.text(s)
		return
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i < len(s) {
				b.WriteByte(s[i])
			}
		case '*', '?':
			e.each(func(p *partial) { p.glob = true })
			b.WriteByte(s[i])
		case '[':
			if strings.IndexByte(s[i:], ']') > 1 {
				e.each(func(p *partial) { p.glob = true })
			}
			b.WriteByte('[')
		default:
			b.WriteByte(s[i])
		}
	}
	e.text(b.String())
}

// tilde keeps ~ and ~/x (matchers know the operator's home by that name),
// and guesses the home of another account.
func (e *expansion) tilde(s string) string {
	name, rest, slash := strings.Cut(s[1:], "/")
	if slash {
		rest = "/" + rest
	}
	switch {
	case name == "":
		return s
	case name == "root":
		return "/root" + rest
	case name == "+":
		return "." + rest
	case name == "-" || strings.ContainsAny(name, "0123456789$`"):
		e.unknown()
		return rest
	}
	return "/home/" + name + rest
}

func unescapeDouble(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// ansiC decodes $'..' as bash does (bash manual, ANSI-C Quoting).
func ansiC(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		i += ansiEscape(&b, s[i:]) - 1
	}
	return b.String()
}

// ansiEscape writes the escape at the start of s, after its backslash, and
// gives its length.
func ansiEscape(b *strings.Builder, s string) int {
	const simple = "a\ab\be\x1bE\x1bf\fn\nr\rt\tv\v\\\\''\"\"??"
	for i := 0; i < len(simple); i += 2 {
		if s[0] == simple[i] {
			b.WriteByte(simple[i+1])
			return 1
		}
	}
	switch s[0] {
	case 'x':
		return ansiNumber(b, s, 1, 2, 16, false)
	case 'u':
		return ansiNumber(b, s, 1, 4, 16, true)
	case 'U':
		return ansiNumber(b, s, 1, 8, 16, true)
	case 'c':
		if len(s) > 1 {
			b.WriteByte(s[1] & 0x1f)
			return 2
		}
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return ansiNumber(b, s, 0, 3, 8, false)
	}
	b.WriteByte('\\')
	b.WriteByte(s[0])
	return 1
}

func ansiNumber(b *strings.Builder, s string, skip, digits, base int, asRune bool) int {
	n := skip
	for n < len(s) && n-skip < digits && isDigit(s[n], base) {
		n++
	}
	v, err := strconv.ParseUint(s[skip:n], base, 32)
	if err != nil {
		b.WriteByte('\\')
		b.WriteByte(s[0])
		return 1
	}
	if asRune && v <= utf8.MaxRune {
		b.WriteRune(rune(v))
	} else {
		b.WriteByte(byte(v))
	}
	return n
}

func isDigit(c byte, base int) bool {
	if base == 8 {
		return c >= '0' && c <= '7'
	}
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// set replaces every reading by its product with values.
func (e *expansion) alternatives(values []value, quoted bool) {
	if len(e.parts)*len(values) > maxReadings {
		e.over = true
		e.unknown()
		return
	}
	old := e.parts
	e.parts = nil
	for _, v := range values {
		for _, p := range old {
			q := p
			q.buf = append([]byte(nil), p.buf...)
			q.done = append([]Word(nil), p.done...)
			q.dynamic = true
			q.known = q.known && v.known
			q.glob = q.glob || v.glob
			if quoted {
				q.quoted = true
				q.buf = append(q.buf, v.text...)
			} else {
				q.split(v.text, e.separators(), e.span)
			}
			if !v.known {
				q.begun = true
			}
			e.parts = append(e.parts, q)
		}
	}
}

// split appends an unquoted value: blanks end fields, patterns stay live.
func (p *partial) split(s, blanks string, span [2]int) {
	for s != "" {
		i := strings.IndexAny(s, blanks)
		if i < 0 {
			p.add(s)
			return
		}
		if i > 0 {
			p.add(s[:i])
		}
		dynamic := p.dynamic
		p.finish(span)
		p.dynamic = dynamic
		s = strings.TrimLeft(s[i:], blanks)
	}
}

// separators end an unquoted field: blanks, and what this line put into IFS.
func (e *expansion) separators() string {
	blanks := " \t\n"
	for _, v := range e.w.env["IFS"] {
		blanks += v.text
	}
	return blanks
}

func (p *partial) add(s string) {
	p.buf = append(p.buf, s...)
	p.begun = true
	if strings.ContainsAny(s, "*?[") {
		p.glob = true
	}
}

// extended expands @(a|b) and its like: the names that it lists, or any.
func (e *expansion) extended(p *syntax.ExtGlob) {
	text := p.Pattern.Value
	e.w.globQualifier("("+p.Op.String()[:1]+text+")", e.span)
	e.each(func(q *partial) { q.glob = true })
	if p.Op == syntax.GlobExcept || p.Op == syntax.GlobZeroOrMore || strings.ContainsAny(text, "*?[(!") || strings.Count(text, "|") >= maxValues {
		e.text("*")
		return
	}
	var values []value
	for _, t := range strings.Split(text, "|") {
		values = append(values, value{text: t, known: true, glob: true})
	}
	e.alternatives(values, true)
}
