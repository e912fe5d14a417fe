package command

import "strings"

// fish reads fish's own syntax: lists, pipes, and/or/not, blocks, ( ) for
// command substitution. Blocks are read flat: each of their commands counts.
func (w *walker) fish(text string) {
	if why := shape(text, w.lim); why != "" {
		w.fail(why)
		return
	}
	p := &fishParser{w: w, src: text}
	p.list(0)
	if p.pos < len(text) {
		w.fail("does not parse as fish")
	}
}

type fishParser struct {
	w   *walker
	src string
	pos int
	in  input // of the next command
}

// list reads commands up to the end or a closing parenthesis.
func (p *fishParser) list(depth int) {
	if depth > p.w.lim.Depth {
		p.w.fail("nested deeper than the limit of depth")
		p.pos = len(p.src)
		return
	}
	first := len(p.w.facts)
	var ends []int
	for p.pos < len(p.src) && p.src[p.pos] != ')' {
		start := p.pos
		before := len(p.w.facts)
		piped := p.command(depth)
		p.in = input{}
		if piped {
			p.in = p.w.printedBy(before)
		}
		ends = append(ends, len(p.w.facts))
		if !piped {
			p.w.connect(first, ends)
			first, ends = len(p.w.facts), nil
		}
		if p.pos == start {
			p.pos++
		}
	}
	p.w.connect(first, ends)
}

var fishKeywords = setOf("begin end and or not ! if else while for switch case function")

// command reads one command; true when a pipe follows.
func (p *fishParser) command(depth int) bool {
	var words []Word
	var uses []Use
	start := p.pos
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t':
			p.pos++
		case c == '#' && (p.pos == 0 || strings.IndexByte(" \t;\n", p.src[p.pos-1]) >= 0):
			for p.pos < len(p.src) && p.src[p.pos] != '\n' {
				p.pos++
			}
		case c == ')':
			p.finish(words, uses, start)
			return false
		case c == ';' || c == '\n':
			p.pos++
			p.finish(words, uses, start)
			return false
		case c == '&':
			p.pos++
			if p.pos < len(p.src) && p.src[p.pos] == '&' {
				p.pos++
			} else if p.pos < len(p.src) && p.src[p.pos] == '>' {
				continue
			}
			p.finish(words, uses, start)
			return false
		case c == '|':
			p.pos++
			if p.pos < len(p.src) && p.src[p.pos] == '|' {
				p.pos++
				p.finish(words, uses, start)
				return false
			}
			p.finish(words, uses, start)
			return true
		case c == '>' || c == '<' || (c >= '0' && c <= '9' || c == '^') && p.pos+1 < len(p.src) && (p.src[p.pos+1] == '>' || p.src[p.pos+1] == '<'):
			uses = append(uses, p.redirection(depth)...)
		default:
			words = append(words, p.fields(depth)...)
		}
	}
	p.finish(words, uses, start)
	return false
}

func (p *fishParser) redirection(depth int) []Use {
	a := Writes
	for p.pos < len(p.src) && strings.IndexByte("0123456789^<>&?|", p.src[p.pos]) >= 0 {
		if p.src[p.pos] == '<' {
			a = Reads
		}
		p.pos++
	}
	for p.pos < len(p.src) && p.src[p.pos] == ' ' {
		p.pos++
	}
	if p.pos >= len(p.src) || strings.IndexByte(";)\n|", p.src[p.pos]) >= 0 {
		return nil
	}
	w := p.word(depth)
	if strings.Trim(w.Text, "0123456789-") == "" {
		return nil
	}
	return []Use{{Word: w, Access: a, Redir: true}}
}

func (p *fishParser) word(depth int) Word {
	w := Word{Known: true, Start: p.w.offset + p.pos}
	var b strings.Builder
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if strings.IndexByte(" \t\n;|&<>)", c) >= 0 {
			break
		}
		p.part(&b, &w, depth)
	}
	w.Text, w.End = b.String(), p.w.offset+p.pos
	if p.w.fixed {
		w.Start, w.End = p.w.span0[0], p.w.span0[1]
	}
	return w
}

// fields reads one word; a list in a variable, what a substitution prints and
// braces make several of it.
func (p *fishParser) fields(depth int) []Word {
	start, facts := p.pos, len(p.w.facts)
	w := p.word(depth)
	raw := p.src[start:p.pos]
	var texts []string
	switch {
	case strings.HasPrefix(raw, "$") && isName(raw[1:]) && len(p.w.env[raw[1:]]) > 0:
		var out []Word
		for _, v := range p.w.env[raw[1:]] {
			x := w
			x.Text, x.Known, x.Glob = v.text, v.known, v.glob
			out = append(out, x)
		}
		return out
	case strings.HasPrefix(raw, "(") && strings.HasSuffix(raw, ")"):
		if in := p.w.printedBy(facts); in.known {
			texts = strings.Split(strings.TrimRight(in.text, "\n"), "\n")
		}
	case strings.ContainsRune(w.Text, '\x01'):
		texts = fishBraces(w.Text, maxReadings)
	}
	if texts == nil {
		w.Text = strings.Map(unmarkBrace, w.Text)
		return []Word{w}
	}
	var out []Word
	for _, t := range texts {
		x := w
		x.Text, x.Known, x.Dynamic = t, !strings.ContainsAny(t, "*?"), true
		out = append(out, x)
	}
	return out
}

func unmarkBrace(r rune) rune {
	switch r {
	case 1:
		return '{'
	case 2:
		return '}'
	case 3:
		return ','
	}
	return r
}

// fishBraces multiplies {a,b} out; its characters are marked 1, 2 and 3.
func fishBraces(s string, limit int) []string {
	open := strings.LastIndexByte(s, 1)
	if open < 0 {
		return []string{strings.Map(unmarkBrace, s)}
	}
	end := strings.IndexByte(s[open:], 2)
	if end < 0 {
		return nil
	}
	var out []string
	for _, alt := range strings.Split(s[open+1:open+end], "\x03") {
		more := fishBraces(s[:open]+alt+s[open+end+1:], limit)
		if more == nil || len(out)+len(more) > limit {
			return nil
		}
		out = append(out, more...)
	}
	return out
}

// printedBy is what the facts from first on print: known of one plain echo.
func (w *walker) printedBy(first int) input {
	in := input{from: "pipe"}
	if len(w.facts) != first+1 {
		return in
	}
	f := &w.facts[first]
	var words []string
	for _, a := range f.Args {
		if !a.Known {
			return in
		}
		words = append(words, a.Text)
	}
	if f.Program == "echo" || f.Program == "printf" {
		in.text, in.known = Fish.printed(f.Program, words, input{})
	}
	return in
}

func (p *fishParser) part(b *strings.Builder, w *Word, depth int) {
	switch c := p.src[p.pos]; c {
	case '\'', '"':
		p.quoted(c, b, w, depth)
	case '\\':
		n := 1
		if p.pos+1 < len(p.src) {
			n = 1 + ansiEscapeFish(b, p.src[p.pos+1:])
		}
		p.pos += n
	case '$':
		p.variable(b, w, depth)
	case '(':
		p.substitution(w, depth)
	case '*', '?':
		w.Glob = true
		b.WriteByte(c)
		p.pos++
	case '{':
		w.Known, w.Dynamic = false, true
		b.WriteByte(1)
		p.pos++
	case '}':
		b.WriteByte(2)
		p.pos++
	case ',':
		if strings.ContainsRune(b.String(), 1) {
			c = 3
		}
		b.WriteByte(c)
		p.pos++
	default:
		b.WriteByte(c)
		p.pos++
	}
}

func ansiEscapeFish(b *strings.Builder, s string) int {
	switch s[0] {
	case 'x', 'X', 'u', 'U', 'n', 't', 'r', 'e', 'a', 'b', 'f', 'v', '0', '1', '2', '3', '4', '5', '6', '7':
		return ansiEscape(b, s)
	case '\n':
		return 1
	}
	b.WriteByte(s[0])
	return 1
}

func (p *fishParser) quoted(q byte, b *strings.Builder, w *Word, depth int) {
	p.pos++
	for p.pos < len(p.src) && p.src[p.pos] != q {
		c := p.src[p.pos]
		switch {
		case c == '\\' && p.pos+1 < len(p.src) && (p.src[p.pos+1] == q || p.src[p.pos+1] == '\\' || q == '"' && p.src[p.pos+1] == '$'):
			b.WriteByte(p.src[p.pos+1])
			p.pos += 2
		case c == '$' && q == '"':
			p.variable(b, w, depth)
		default:
			b.WriteByte(c)
			p.pos++
		}
	}
	if p.pos >= len(p.src) {
		p.w.fail("a quote that is not closed")
		return
	}
	p.pos++
}

func (p *fishParser) variable(b *strings.Builder, w *Word, depth int) {
	p.pos++
	start := p.pos
	if p.pos < len(p.src) && p.src[p.pos] == '(' {
		p.substitution(w, depth)
		return
	}
	for p.pos < len(p.src) && (p.src[p.pos] == '$' || isName(p.src[p.pos:p.pos+1]) || p.src[p.pos] >= '0' && p.src[p.pos] <= '9') {
		p.pos++
	}
	w.Dynamic = true
	if have := p.w.env[p.src[start:p.pos]]; len(have) > 0 {
		v := joinedValue(have)
		b.WriteString(v.text)
		w.Known, w.Glob = w.Known && v.known, w.Glob || v.glob
		return
	}
	w.Known = false
	if p.src[start:p.pos] == "HOME" && b.Len() == 0 {
		b.WriteByte('~')
		w.Known = true
	}
}

func (p *fishParser) substitution(w *Word, depth int) {
	w.Known, w.Dynamic = false, true
	p.pos++
	start, in := len(p.w.facts), p.in
	p.in = input{}
	p.list(depth + 1)
	p.in = in
	p.w.carry(start, len(p.w.facts))
	p.w.mark(start, "substitution")
	if p.pos < len(p.src) && p.src[p.pos] == ')' {
		p.pos++
		return
	}
	p.w.fail("a parenthesis that is not closed")
}

// finish judges the words; keywords in front are taken away.
func (p *fishParser) finish(words []Word, uses []Use, start int) {
	for len(words) > 0 && fishKeywords[words[0].Text] && !words[0].Dynamic {
		switch words[0].Text {
		case "for":
			p.loop(words)
			words = nil
		case "function", "case", "switch":
			words = nil
		default:
			words = words[1:]
		}
	}
	end := p.w.offset + p.pos
	if len(words) == 0 {
		if len(uses) > 0 {
			p.w.emit(Fact{Program: ":", Uses: uses, Start: p.w.offset + start, End: end})
		}
		return
	}
	if words[0].Text == "set" {
		p.set(words[1:])
	}
	p.w.simple(simple{words: words, uses: uses, in: p.in, start: p.w.offset + start, end: end})
}

// set is fish's assignment.
func (p *fishParser) set(args []Word) {
	i := 0
	for ; i < len(args) && strings.HasPrefix(args[i].Text, "-"); i++ {
	}
	if i+1 >= len(args) {
		return
	}
	name := args[i].Text
	for _, v := range args[i+1:] {
		p.w.assign(name, valueOf(v), false)
		p.w.emit(Fact{Program: ":", Assigns: []Assign{{Name: name, Word: v, Exported: true}}, Start: v.Start, End: v.End})
	}
}

// loop is for NAME in LIST.
func (p *fishParser) loop(words []Word) {
	if len(words) < 4 || words[2].Text != "in" {
		return
	}
	for _, v := range words[3:] {
		p.w.assign(words[1].Text, valueOf(v), false)
	}
}

// addPath is fish_add_path: the folders come first in PATH.
func (x *invocation) addPath() {
	for _, a := range x.args {
		if strings.HasPrefix(a.Text, "-") {
			continue
		}
		a.Text += ":$PATH"
		x.fact().Assigns = append(x.fact().Assigns, Assign{Name: "PATH", Word: a, Exported: true})
	}
}

// keyBinding is bind: bash's -x runs the line behind the keys, fish's last
// words are commands.
func (x *invocation) keyBinding() {
	for i, a := range x.args {
		if _, code, ok := strings.Cut(a.Text, "\":"); ok {
			x.mark("exec_option")
			a.Text = strings.TrimSpace(code)
			x.codeWord(a, nil)
		} else if i > 0 && x.dialect == Fish && !strings.HasPrefix(a.Text, "-") {
			x.codeText(a.Text, [2]int{a.Start, a.End}, nil, Fish)
		}
	}
}
