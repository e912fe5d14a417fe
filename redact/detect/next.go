package detect

import (
	"strings"
)

// want is a key whose value stands on the next line.
type want struct {
	key   string
	class keyClass
	sep   byte
	fresh bool // from the line at hand
	seen  int
}

// valueNext takes the value of a key that ended the line before.
func (s *Scanner) valueNext(l *line) {
	w := s.next
	if w.key == "" || w.fresh {
		return
	}
	t := l.text
	i := skipBlanks(t, 0)
	if i >= len(t) {
		if w.seen < 1 && w.sep != '=' {
			w.seen++
			w.fresh = true
			s.next = w
		}
		return
	}
	if w.sep == ':' && len(t) >= 4 && strings.Trim(t, "-") == "" { // a rule under the key
		w.sep, w.fresh = '>', true
		s.next = w
		return
	}
	if w.sep == '-' {
		if !strings.HasPrefix(t[i:], "- ") || strings.HasPrefix(t[i:], "- -") {
			return
		}
		i, w.sep = i+2, '|'
	}
	if w.sep == '>' && w.key == "xml" && t[i] == '<' {
		if k := strings.IndexByte(t[i:], '>'); k > 0 && strings.EqualFold(t[i:i+k], "<value") {
			if end := strings.IndexByte(t[i+k:], '<'); end > 1 && judge(t[i+k+1:i+k+end], true) > valueNone {
				l.add(Span{Start: i + k + 1, End: i + k + end, Kind: "password", Sure: true, rank: rankKey})
			}
		}
		return
	}
	if w.sep == '>' {
		i += len(t[i:]) - len(strings.TrimPrefix(strings.TrimPrefix(t[i:], "> "), "C: ")) // a client's side of a trace
	}
	if l.cmd >= 0 && i < l.cmd || i == 0 && w.sep != '>' && w.sep != '!' && !(w.sep == '=' && s.loneValue(t, w.class)) {
		return
	}
	if n := len(stringType.FindString(t[i:])); n > 0 {
		i += n // var_dump's string(9) "…"
	}
	v := l.readValue(i, i, false)
	raw := t[v.start:v.end]
	if v.more || raw == "" || strings.HasSuffix(raw, ":") || strings.Contains(raw, "=") && !v.quoted && w.sep == ':' && !strings.HasSuffix(raw, "=") {
		return
	}
	if _, after := separator(t, skipClosers(t, v.end)); after > v.end && !v.quoted || strings.HasPrefix(raw, "- ") || strings.HasPrefix(raw, "<") {
		return
	}
	if s.partial && v.end == len(t) {
		l.add(Span{Start: v.start, End: v.end, Kind: kindOfKey(w.key), rank: rankKey})
		return
	}
	if w.sep == '!' {
		ok := strongEnough(raw) && countClasses(raw).digits > 0 && !looksLikePath(raw) && (w.class == keyPassword || judge(raw, true) == valueStrong)
		if ok {
			l.add(Span{Start: v.start, End: v.end, Kind: kindOfKey(w.key), Sure: true, rank: rankKey})
		}
		return
	}
	if w.sep == '|' && i > 0 || w.sep == '>' || strongEnough(raw) || w.class == keyPassword && judge(raw, true) >= valueMixed {
		if judge(raw, v.quoted || w.sep == '>') > valueNone && !looksLikeHost(raw) {
			l.add(Span{Start: v.start, End: v.end, Kind: kindOfKey(w.key), Sure: true, rank: rankKey})
		}
	}
}

// loneValue: what follows "password=" on a line of its own, not indented, is its value if
// it is one irregular word.
func (s *Scanner) loneValue(t string, class keyClass) bool {
	if strings.ContainsAny(t, " \t=:/") {
		return false
	}
	return s.partial || strongEnough(t) && countClasses(t).digits > 0 && (class == keyPassword || shapeOf(t) == valueStrong)
}

// hiddenPrompt: a program says that it shows nothing of what is typed behind i, or on the
// next line, and it is there.
func (l *line) hiddenPrompt(i int) {
	t := l.text
	for i < len(t) && strings.IndexByte(" \t])>:?.", t[i]) >= 0 {
		i++
	}
	v := strings.TrimRight(t[i:], " \t")
	if v == "" {
		l.s.next = want{key: "password", class: keyPassword, sep: '!', fresh: true}
		return
	}
	if !strings.Contains(v, " ") && judge(v, true) >= valueMixed {
		l.add(Span{Start: i, End: i + len(v), Kind: "password", Sure: strongEnough(v), rank: rankKey})
	}
}

// clearText: virtualClearTextUTF8: V of a directory, or :: and base64.
func (l *line) clearText(i int) {
	t := l.text
	for i < len(t) && isDigit(t[i]) {
		i++
	}
	sep, after := separator(t, i)
	if sep != ':' {
		return
	}
	v := skipBlanks(t, after+b2i(after < len(t) && t[after] == ':'))
	if w := strings.TrimRight(t[v:min(len(t), v+1024)], " \t"); w != "" && judge(w, true) > valueNone {
		l.add(Span{Start: v, End: v + len(w), Kind: "password", Sure: strongEnough(w), rank: rankForm})
	}
}

var stringType = lazily(`^string\(\d+\) `)

// named is "name: DB_PASSWORD", whose value: comes next.
type named struct {
	key   string
	class keyClass
	left  int // lines that the value may still be away
}

var nameKeys = []string{"name", "key", "Name", "Key", "variable", "param", "parameter", "field", "Field", "Variable"}

// namedNext joins the two lines of a named value, also on one line.
func (s *Scanner) namedNext(l *line) {
	t := l.text
	if c := secretBlock(t); c != keyNone {
		s.named = named{key: "value", class: c, left: 6}
		return
	}
	if _, ok := fieldValue(t, 0, []string{"keyName"}); ok { // of a storage account
		s.named = named{key: "key", class: keyWeak, left: 3}
		return
	}
	if name, ok := blockName(t); ok {
		if c := classify(name); c != keyNone {
			s.named = named{key: name, class: c, left: 5}
		}
		return
	}
	if i, ok := fieldValue(t, 0, nameKeys); ok {
		v := l.readValue(i, i, false)
		name := t[v.start:v.end]
		if c := classify(name); c != keyNone && isName(name) {
			s.named = named{key: name, class: c, left: 3}
			if !l.takeNamed(v.end) {
				return
			}
			s.named = named{}
			return
		}
		if s.named.left > 0 {
			s.named = named{}
		}
		return
	}
	if s.named.left > 0 {
		s.named.left--
		if l.takeNamed(0) {
			s.named = named{}
		}
	}
}

// blockName: variable "db_password" { … default = "…".
func blockName(t string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(t, " \t"), "variable \"")
	if !ok {
		return "", false
	}
	name, rest, ok := strings.Cut(rest, "\"")
	return name, ok && strings.TrimSpace(rest) == "{" && isName(name)
}

// secretBlock: "db_password": { … "value": "…", and a generator's resource, whose
// result comes below.
func secretBlock(t string) keyClass {
	trimmed := strings.TrimSpace(t)
	if !strings.HasSuffix(trimmed, "{") {
		return keyNone
	}
	if strings.HasPrefix(trimmed, `resource "random_password"`) || strings.HasPrefix(trimmed, `resource "random_string"`) {
		return keyPassword
	}
	name, rest, ok := strings.Cut(strings.TrimPrefix(trimmed, `"`), `"`)
	if !ok || strings.TrimSpace(rest) != ": {" || !isName(name) {
		return keyNone
	}
	if c := classify(name); c >= keyToken {
		return c
	}
	return keyNone
}

func isName(v string) bool {
	return v != "" && len(v) < 80 && strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:") == ""
}

func (l *line) takeNamed(from int) bool {
	n := l.s.named
	i, ok := fieldValue(l.text, from, []string{"value", "Value", "val", "string", "content", "default", "result"})
	if !ok {
		return false
	}
	v := l.readValue(i, i, false)
	v.sep = ':'
	raw := l.text[v.start:v.end]
	if raw == "" || strings.Contains(raw, "://") || !l.accept(n.key, n.class, v, raw) {
		return false
	}
	l.add(Span{Start: v.start, End: v.end, Kind: kindOfKey(n.key), Sure: true, rank: rankKey})
	return true
}

// fieldValue finds the value of one of the fields behind from: field: V, "field": "V",
// field="V", <field>V</field>.
func fieldValue(t string, from int, fields []string) (int, bool) {
	for _, f := range fields {
		for at := from; ; {
			k := strings.Index(t[at:], f)
			if k < 0 {
				break
			}
			i := at + k
			at = i + len(f)
			if i > 0 && isKeyByte(t[i-1]) && !(t[i-1] == '-' && i > 1 && isSpace(t[i-2])) || at-from > 2048 {
				continue
			}
			j := skipClosers(t, at)
			if j < len(t) && t[j] == '>' && i > 0 && t[i-1] == '<' {
				return j + 1, true
			}
			sep, after := separator(t, skipBlanks(t, j))
			if sep == ':' || sep == '=' {
				if v := skipBlanks(t, after); v < len(t) {
					return v, true
				}
			}
		}
	}
	return 0, false
}
