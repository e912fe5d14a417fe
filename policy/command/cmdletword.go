package command

import "strings"

// Words of PowerShell: quotes, variables, what brackets compute.

// cmdletFolders are variables that name a folder on every host.
var cmdletFolders = map[string]string{
	"$home": "~", "$env:userprofile": "~", "$env:home": "~", "$env:windir": "/Windows", "$env:systemroot": "/Windows",
	"$env:systemdrive": "/", "$env:programfiles": "/Program Files", "$env:programdata": "/ProgramData", "$pwd": ".",
}

// word reads one word. Where c is given, it notes a call of a method there.
func (p *cmdletReader) word(depth int, c *cmdletLine) Word {
	w := Word{Known: true, Start: p.w.span0[0], End: p.w.span0[1]}
	var b strings.Builder
	start, first := p.pos, c != nil && len(c.words) == 0 && !c.called
	for p.pos < len(p.src) {
		switch ch := p.src[p.pos]; {
		case strings.IndexByte(" \t\n\r;|&,)}", ch) >= 0:
			return done(&b, w)
		case ch == '=' && (p.src[start] == '$' || first && p.pos > start), ch == '(' && first && plainWord(strings.ToLower(b.String())):
			return done(&b, w)
		case ch == '\'' || ch == '"':
			p.quoted(&b, &w, ch, depth)
		case ch == '`' && p.pos+1 < len(p.src):
			b.WriteByte(p.src[p.pos+1])
			p.pos += 2
		case ch == '@' && p.pos+1 < len(p.src) && strings.IndexByte("'\"", p.src[p.pos+1]) >= 0:
			p.hereString(&b, &w)
		case ch == '$':
			p.variable(&b, &w, depth)
		case ch == '(' || ch == '{':
			if ch == '(' && p.pos > start && p.src[p.pos-1] != '@' && c != nil {
				c.calls = true
			}
			p.bracket(depth)
			w.Known, w.Dynamic = false, true
		case ch == '*' || ch == '?':
			w.Glob = true
			b.WriteByte(ch)
			p.pos++
		default:
			b.WriteByte(ch)
			p.pos++
		}
	}
	return done(&b, w)
}

// done makes a path of Windows one of this console: C:\Users is /Users.
func done(b *strings.Builder, w Word) Word {
	w.Text = b.String()
	if len(w.Text) > 1 && w.Text[1] == ':' && letters(w.Text[:1]) && (len(w.Text) == 2 || w.Text[2] == '\\' || w.Text[2] == '/') {
		w.Text = "/" + strings.TrimLeft(strings.ReplaceAll(w.Text[2:], `\`, "/"), "/")
	} else if strings.HasPrefix(w.Text, `~\`) || strings.HasPrefix(w.Text, `.\`) || strings.HasPrefix(w.Text, `..\`) || strings.HasPrefix(w.Text, "/") {
		w.Text = strings.ReplaceAll(w.Text, `\`, "/")
	}
	return w
}

// bracket reads ( ) or { } with the commands in it.
func (p *cmdletReader) bracket(depth int) {
	p.pos++
	p.list(depth + 1)
	p.pos = min(p.pos+1, len(p.src))
}

func (p *cmdletReader) quoted(b *strings.Builder, w *Word, quote byte, depth int) {
	for p.pos++; p.pos < len(p.src); {
		switch ch := p.src[p.pos]; {
		case ch == quote && p.pos+1 < len(p.src) && p.src[p.pos+1] == quote:
			b.WriteByte(quote)
			p.pos += 2
		case ch == quote:
			p.pos++
			return
		case ch == '`' && quote == '"' && p.pos+1 < len(p.src):
			b.WriteByte(p.src[p.pos+1])
			p.pos += 2
		case ch == '$' && quote == '"':
			p.variable(b, w, depth)
		default:
			b.WriteByte(ch)
			p.pos++
		}
	}
}

// hereString is @' … '@ and @" … "@.
func (p *cmdletReader) hereString(b *strings.Builder, w *Word) {
	quote := p.src[p.pos+1 : p.pos+2]
	body := p.src[p.pos+2:]
	end := strings.Index(body, "\n"+quote+"@")
	if end < 0 {
		end = len(body)
	}
	b.WriteString(strings.TrimPrefix(body[:end], "\n"))
	w.Known = w.Known && (quote == "'" || !strings.Contains(body[:end], "$"))
	p.pos = min(p.pos+2+end+3, len(p.src))
}

// variable reads $x, ${x}, $env:x, $x.y and $( ).
func (p *cmdletReader) variable(b *strings.Builder, w *Word, depth int) {
	p.pos++
	if p.pos < len(p.src) && p.src[p.pos] == '(' {
		p.bracket(depth)
		w.Known, w.Dynamic = false, true
		return
	}
	name := p.variableName()
	if name == "$" {
		b.WriteByte('$')
		return
	}
	if folder, ok := cmdletFolders[name]; ok && b.Len() == 0 {
		b.WriteString(folder)
		return
	}
	if v, ok := p.values[name]; ok {
		b.WriteString(v.Text)
		w.Known, w.Dynamic = w.Known && v.Known, true
		return
	}
	if name == "$null" || name == "$true" || name == "$false" {
		b.WriteString(name)
		return
	}
	if p.pos < len(p.src) && p.src[p.pos] == '=' || strings.HasPrefix(strings.TrimLeft(p.src[p.pos:], " +"), "=") && b.Len() == 0 {
		b.WriteString(name) // it is assigned
		return
	}
	w.Known, w.Dynamic = false, true
}

// variableName reads the name behind $, with it, in lower case.
func (p *cmdletReader) variableName() string {
	start := p.pos
	if p.pos < len(p.src) && p.src[p.pos] == '{' {
		p.skipTo("}")
		name := p.src[start+1 : p.pos]
		p.pos = min(p.pos+1, len(p.src))
		return "$" + strings.ToLower(name)
	}
	for p.pos < len(p.src) && (isIdent(p.src[p.pos]) || p.src[p.pos] == ':' && p.pos+1 < len(p.src) && isIdent(p.src[p.pos+1])) {
		p.pos++
	}
	return "$" + strings.ToLower(p.src[start:p.pos])
}
