package redact

import "strings"

// The redactor is no eraser: in a command, only the literal characters of a value may be
// masked. protected gives the parts that stay readable whatever was learned.

type span struct{ start, end int }

// protected lists programs, subcommands, flag names, operators, redirections, names of
// assignments and all that the shell expands.
func protected(line string) []span {
	p := protector{s: line}
	p.command(0, len(line))
	return p.out
}

type protector struct {
	s   string
	out []span
}

func (p *protector) keep(start, end int) {
	if end > start {
		p.out = append(p.out, span{start, end})
	}
}

// command walks the words of s[i:end].
func (p *protector) command(i, end int) {
	first, second := true, false
	for i < end {
		switch c := p.s[i]; {
		case c == ' ' || c == '\t':
			i++
		case c == '\n' || strings.IndexByte("|&;()<>{}!", c) >= 0:
			j := i
			for j < end && strings.IndexByte("|&;()<>{}!\n", p.s[j]) >= 0 {
				j++
			}
			p.keep(i, j)
			redirect := strings.ContainsAny(p.s[i:j], "<>")
			if !redirect || strings.Contains(p.s[i:j], "(") {
				first, second = true, false
			}
			i = j
			if redirect && !first {
				i = p.target(i, end)
			}
		default:
			j := p.word(i, end)
			first, second = p.role(i, j, first, second)
			i = j
		}
	}
}

// target keeps the file of a redirection readable.
func (p *protector) target(i, end int) int {
	for i < end && (p.s[i] == ' ' || p.s[i] == '\t') {
		i++
	}
	j := p.word(i, end)
	p.keep(i, j)
	return j
}

// word finds the end of the word at i and keeps what the shell expands in it.
func (p *protector) word(i, end int) int {
	quote := byte(0)
	for i < end {
		c := p.s[i]
		switch {
		case quote == '\'' && c != '\'':
		case c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '`' || c == '$' && i+1 < end:
			if j := p.expansion(i, end); j > i {
				i = j
				continue
			}
		case quote == 0 && strings.IndexByte(" \t\n|&;()<>", c) >= 0:
			return i
		}
		i++
	}
	return min(i, end)
}

// expansion keeps $name, ${…}, $(…) and `…`, and gives the offset behind it.
func (p *protector) expansion(i, end int) int {
	j := i
	switch c := p.s[i]; {
	case c == '`':
		k := strings.IndexByte(p.s[i+1:end], '`')
		if k < 0 {
			j = end
		} else {
			j = i + k + 2
		}
	case p.s[i+1] == '(':
		j = closing(p.s[:end], i+1, '(', ')')
	case p.s[i+1] == '{':
		j = closing(p.s[:end], i+1, '{', '}')
	default:
		j = i + 1
		for j < end && (charClass(p.s[j]) != 4 || p.s[j] == '_') {
			j++
		}
		if j == i+1 {
			return i
		}
	}
	p.keep(i, j)
	return j
}

func closing(s string, i int, open, close byte) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case open:
			depth++
		case close:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// role keeps what the word at [i,j) may not lose, by its place in the command.
func (p *protector) role(i, j int, first, second bool) (bool, bool) {
	w := p.s[i:j]
	eq := strings.IndexByte(w, '=')
	switch {
	case first && eq > 0 && isName(w[:eq]):
		p.keep(i, i+eq+1)
		return true, false
	case first:
		p.keep(i, j)
		return wrappers[w], true
	case strings.HasPrefix(w, "-"):
		p.flag(i, j, eq)
		return false, second
	case second && isSubcommand(w):
		p.keep(i, j)
		return false, second && !finalWord[w]
	case eq > 0 && isName(w[:eq]):
		p.keep(i, i+eq+1)
	}
	return false, false
}

// flag keeps the name of a flag: --name, -x, the -p of -pVALUE.
func (p *protector) flag(i, j, eq int) {
	switch {
	case eq > 0:
		p.keep(i, i+eq+1)
	case strings.HasPrefix(p.s[i:j], "--"):
		p.keep(i, j)
	case j-i <= 3 || !strings.ContainsAny(p.s[i+1:j], "0123456789!@#$%^*'\""):
		p.keep(i, min(j, i+2))
		if j-i > 2 && len(strings.Trim(p.s[i+1:j], "abcdefghijklmnopqrstuvwxyz")) == 0 && j-i <= 8 {
			p.keep(i, j)
		}
	default:
		p.keep(i, i+2)
	}
}

// wrappers run the command that follows them.
var wrappers = map[string]bool{
	"sudo": true, "env": true, "nohup": true, "time": true, "exec": true, "command": true, "builtin": true, "nice": true,
	"ionice": true, "doas": true, "then": true, "do": true, "else": true, "if": true, "while": true, "until": true, "xargs": true,
	"watch": true, "timeout": true, "setsid": true, "stdbuf": true, "eval": true, "elif": true,
}

var finalWord = map[string]bool{"login": true, "exec": true, "run": true}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		if charClass(s[i]) == 4 && s[i] != '_' || i == 0 && charClass(s[0]) == 3 {
			return false
		}
	}
	return s != ""
}

// isSubcommand: a short word of small letters behind the program.
func isSubcommand(w string) bool {
	return len(w) > 1 && len(w) <= 16 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz-") == "" && w[0] != '-'
}

// spare takes the protected parts out of the masks.
func spare(masks []mask, keep []span) []mask {
	var out []mask
	for _, m := range masks {
		parts := []mask{m}
		for _, k := range keep {
			parts = without(parts, k)
		}
		out = append(out, parts...)
	}
	return out
}

func without(parts []mask, k span) (out []mask) {
	for _, m := range parts {
		if k.end <= m.start || k.start >= m.end {
			out = append(out, m)
			continue
		}
		if k.start > m.start {
			out = append(out, mask{m.start, k.start, m.kind, m.value[:min(len(m.value), k.start-m.start)], m.more})
		}
		if k.end < m.end {
			out = append(out, mask{k.end, m.end, m.kind, m.value[min(len(m.value), k.end-m.start):], m.more})
		}
	}
	return out
}
