package command

import "strings"

// cmdletReader reads PowerShell's commands. Blocks and brackets are read
// flat: each command in them counts. What is computed is unknown; calls of
// methods are scanned as code of any language is.
type cmdletReader struct {
	w      *walker
	src    string
	pos    int
	values map[string]Word // of variables that the code gives plain text
	fedBy  int             // the first fact of what feeds the next command; -1: nothing
	piped  Word            // plain text that feeds the next command

	downloads bool // something in the code fetches
}

// A cmdletLine is one command with what it is given.
type cmdletLine struct {
	words    []Word
	uses     []Use
	computed bool // it is an expression, no command
	called   bool // & or . stands in front
	calls    bool // of methods
	start    int
}

const cmdletEnds = ";|&\n\r)}"

// list reads up to a closing bracket.
func (p *cmdletReader) list(depth int) {
	if depth > p.w.lim.Depth {
		p.w.fail("nested deeper than the limit of depth")
		p.pos = len(p.src)
		return
	}
	first, ends := len(p.w.facts), []int(nil)
	outer, piped := p.fedBy, p.piped
	p.fedBy, p.piped = -1, Word{}
	for p.pos < len(p.src) && p.src[p.pos] != ')' && p.src[p.pos] != '}' {
		if !p.w.node() {
			p.pos = len(p.src)
			break
		}
		more := p.command(depth)
		ends = append(ends, len(p.w.facts))
		if more {
			p.fedBy = first
			continue
		}
		p.w.connect(first, ends)
		first, ends = len(p.w.facts), nil
		p.fedBy, p.piped = -1, Word{}
	}
	p.w.connect(first, ends)
	p.fedBy, p.piped = outer, piped
}

// command reads one command of a pipeline; true when a pipe follows.
func (p *cmdletReader) command(depth int) bool {
	c := cmdletLine{start: p.pos}
	for p.pos < len(p.src) {
		switch b := p.src[p.pos]; {
		case b == ' ' || b == '\t' || b == ',':
			p.pos++
		case b == '`' && p.pos+1 < len(p.src):
			if p.pos += 2; p.src[p.pos-1] != '\n' {
				p.pos -= 2
				p.argument(&c, depth)
			}
		case b == '#':
			p.skipTo("\n")
		case strings.HasPrefix(p.src[p.pos:], "<#"):
			p.skipTo("#>")
			p.pos = min(p.pos+2, len(p.src))
		case b == ')' || b == '}':
			p.finish(&c)
			return false
		case b == '|' || b == ';' || b == '\n' || b == '\r' || b == '&' && (len(c.words) > 0 || c.computed || strings.HasPrefix(p.src[p.pos:], "&&")):
			return p.ended(&c)
		case b == '&' || b == '.' && p.pos+1 < len(p.src) && p.src[p.pos+1] == ' ' && len(c.words) == 0:
			p.pos++
			c.called = true
		case b == '>' || (b >= '1' && b <= '6' || b == '*') && p.pos+1 < len(p.src) && p.src[p.pos+1] == '>':
			p.redirection(&c, depth)
		default:
			p.argument(&c, depth)
		}
	}
	p.finish(&c)
	return false
}

// ended takes the sign behind a command away.
func (p *cmdletReader) ended(c *cmdletLine) bool {
	b := p.src[p.pos]
	p.finish(c)
	p.pos++
	if p.pos < len(p.src) && p.src[p.pos] == b && (b == '|' || b == '&') {
		p.pos++
		return false
	}
	return b == '|'
}

func (p *cmdletReader) skipTo(mark string) {
	if i := strings.Index(p.src[p.pos:], mark); i >= 0 {
		p.pos += i
		return
	}
	p.pos = len(p.src)
}

func (p *cmdletReader) redirection(c *cmdletLine, depth int) {
	for p.pos < len(p.src) && strings.IndexByte("123456*>& ", p.src[p.pos]) >= 0 {
		p.pos++
	}
	if p.pos < len(p.src) && strings.IndexByte(cmdletEnds, p.src[p.pos]) < 0 {
		if w := p.word(depth, c); !strings.EqualFold(w.Text, "$null") {
			c.uses = append(c.uses, Use{Word: w, Access: Writes, Redir: true})
		}
	}
}

var cmdletKeywords = setOf(`if else elseif foreach for while do until switch try catch finally function filter param return throw begin process end
exit break continue trap class enum data using in dynamicparam workflow parallel sequence inlinescript`)

// argument reads one word of a command, or of an expression.
func (p *cmdletReader) argument(c *cmdletLine, depth int) {
	start, b := p.pos, p.src[p.pos]
	w := p.word(depth, c)
	if p.pos == start {
		p.pos++
		return
	}
	if len(c.words) > 0 || c.called {
		c.words = append(c.words, splitParameter(w)...)
		return
	}
	if name := strings.ToLower(w.Text); cmdletKeywords[name] && b|0x20 >= 'a' {
		if c.start = p.pos; name == "function" || name == "filter" {
			p.word(depth, c) // its name
		}
		return
	}
	if p.assigned(w, b, depth) {
		c.start = p.pos
		return
	}
	if c.computed = c.computed || strings.IndexByte("$\"'@([{0123456789-+!", b) >= 0; c.computed {
		if w.Known && (b == '\'' || b == '"') {
			p.piped = w
		}
		return
	}
	c.words = append(c.words, w)
}

// assigned reads the = behind a variable, and keeps plain text that follows.
func (p *cmdletReader) assigned(w Word, b byte, depth int) bool {
	rest := strings.TrimLeft(p.src[p.pos:], " ")
	rest = strings.TrimLeft(rest, "+")
	if !strings.HasPrefix(rest, "=") {
		return false
	}
	p.pos = len(p.src) - len(rest) + 1
	name := strings.ToLower(w.Text)
	if b != '$' {
		return true
	}
	value := strings.TrimLeft(rest[1:], " ")
	if value == "" || value[0] != '\'' && value[0] != '"' {
		delete(p.values, name)
		return true
	}
	p.pos = len(p.src) - len(value)
	v := p.word(depth, nil)
	if old, ok := p.values[name]; ok && old.Text != v.Text {
		v.Known = false
	}
	p.values[name] = v
	return true
}

// splitParameter makes two words of -Name:value.
func splitParameter(w Word) []Word {
	name, v, ok := strings.Cut(w.Text, ":")
	if !ok || len(name) < 2 || name[0] != '-' || !letters(name[1:]) {
		return []Word{w}
	}
	value := w
	w.Text, value.Text = name, v
	return []Word{w, value}
}

// finish judges the command.
func (p *cmdletReader) finish(c *cmdletLine) {
	if raw := p.src[min(c.start, p.pos):p.pos]; c.calls || strings.Contains(raw, "::") {
		p.scanned(raw)
	}
	if len(c.words) > 0 {
		p.emit(c)
	} else if len(c.uses) > 0 {
		p.w.emit(Fact{Program: ":", Uses: c.uses, Start: p.w.span0[0], End: p.w.span0[1]})
	}
}

// scanWeight is what a scan counts: it takes as long as that many commands.
const scanWeight = 6

// scanned looks at calls of methods as at code of any language.
func (p *cmdletReader) scanned(raw string) {
	if !p.w.spend(scanWeight) {
		return
	}
	at := p.w.emit(Fact{Program: "pwsh", Name: Word{Text: "pwsh", Known: true}, Start: p.w.span0[0], End: p.w.span0[1]})
	x := &invocation{walker: p.w, at: at, program: "pwsh", cmd: simple{start: p.w.span0[0], end: p.w.span0[1]}}
	x.mark("inline_code")
	x.interpreted(Word{Text: raw, Known: true, Start: p.w.span0[0], End: p.w.span0[1]})
}
