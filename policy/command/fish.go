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
		piped := p.command(depth)
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
			words = append(words, p.word(depth))
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
		p.variable(w, depth)
	case '(':
		p.substitution(w, depth)
	case '*', '?':
		w.Glob = true
		b.WriteByte(c)
		p.pos++
	case '{', '}':
		w.Known, w.Dynamic = false, true
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
			p.variable(w, depth)
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

func (p *fishParser) variable(w *Word, depth int) {
	p.pos++
	if p.pos < len(p.src) && p.src[p.pos] == '(' {
		p.substitution(w, depth)
		return
	}
	for p.pos < len(p.src) && (p.src[p.pos] == '$' || isName(p.src[p.pos:p.pos+1]) || p.src[p.pos] >= '0' && p.src[p.pos] <= '9') {
		p.pos++
	}
	w.Known, w.Dynamic = false, true
}

func (p *fishParser) substitution(w *Word, depth int) {
	w.Known, w.Dynamic = false, true
	p.pos++
	start := len(p.w.facts)
	p.list(depth + 1)
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
		case "for", "function", "case", "switch":
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
	p.w.simple(simple{words: words, uses: uses, start: p.w.offset + start, end: end})
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
		p.w.assign(name, value{text: v.Text, known: v.Known}, false)
		p.w.emit(Fact{Program: ":", Assigns: []Assign{{Name: name, Word: v, Exported: true}}, Start: v.Start, End: v.End})
	}
}
