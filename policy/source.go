package policy

import (
	"fmt"
	"strings"
)

// A source is one policy file's text, with the places of its tables and keys:
// the TOML decoder does not keep them.
type source struct {
	name  string
	text  string
	lines []string
	at    map[string]int // "rule[3].effect", "policy.id", "limits" → line
}

func newSource(name string, data []byte) *source {
	s := &source{name: name, text: string(data), at: map[string]int{}}
	s.lines = strings.Split(s.text, "\n")
	s.index()
	return s
}

// index notes the line of every table header and every key at a line's start.
func (s *source) index() {
	table, counts, inString, brackets := "", map[string]int{}, "", 0
	for i, raw := range s.lines {
		line := strings.TrimSpace(raw)
		if inString != "" {
			if strings.Count(line, inString)%2 == 1 {
				inString = ""
			}
			continue
		}
		if brackets > 0 {
			brackets += balance(line)
			continue
		}
		switch {
		case line == "" || line[0] == '#':
			continue
		case strings.HasPrefix(line, "[["):
			name := strings.TrimSpace(strings.Trim(strings.SplitN(line, "#", 2)[0], "[] \t"))
			table = fmt.Sprintf("%s[%d]", name, counts[name])
			counts[name]++
			s.at[table] = i + 1
			continue
		case line[0] == '[':
			table = strings.TrimSpace(strings.Trim(strings.SplitN(line, "#", 2)[0], "[] \t"))
			s.at[table] = i + 1
			continue
		}
		if key, value, ok := strings.Cut(line, "="); ok {
			s.at[join(table, strings.Trim(strings.TrimSpace(key), `"'`))] = i + 1
			for _, q := range []string{`"""`, "'''"} {
				if strings.Count(value, q)%2 == 1 {
					inString = q
				}
			}
			brackets = max(0, balance(value))
		}
	}
}

func join(table, key string) string {
	if table == "" {
		return key
	}
	return table + "." + key
}

// balance counts brackets outside strings and comments.
func balance(s string) int {
	n := 0
	var quote byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			return n
		case c == '[' || c == '{':
			n++
		case c == ']' || c == '}':
			n--
		}
	}
	return n
}

// line finds where key stands, or the nearest table around it.
func (s *source) line(key string) int {
	for {
		if n, ok := s.at[key]; ok {
			return n
		}
		i := strings.LastIndexByte(key, '.')
		if i < 0 {
			return 0
		}
		key = key[:i]
	}
}

// fault makes an error at key; near, if it stands in the lines from there on,
// is what the mark points at.
func (s *source) fault(key, near, what, remedy string) *FileError {
	e := &FileError{File: s.name, Line: max(1, s.line(key)), What: what, Remedy: remedy}
	for i := e.Line - 1; i < len(s.lines) && i < e.Line+80; i++ {
		if i > e.Line-1 && strings.HasPrefix(strings.TrimSpace(s.lines[i]), "[[") {
			break
		}
		if near != "" && strings.Contains(s.lines[i], near) {
			e.Line, e.Column = i+1, strings.Index(s.lines[i], near)+1
			break
		}
	}
	if e.Source = s.lines[e.Line-1]; e.Column == 0 {
		e.Column = columnOf(e.Source, key[strings.LastIndexByte(key, '.')+1:])
	}
	return e
}

// columnOf is where a key stands in a line, or where the line begins.
func columnOf(line, key string) int {
	if i := strings.Index(line, key); i >= 0 && key != "" {
		return i + 1
	}
	return len(line) - len(strings.TrimLeft(line, " \t")) + 1
}
