package detect

import "strings"

// What stands between a key and its value.

// skipClosers passes what may stand between a key and its separator.
func skipClosers(t string, i int) int {
	for n := 0; n < 8 && i < len(t); n++ {
		switch t[i] {
		case '"', '\'', '`', ']', ')', '*', '\\':
			i++
		default:
			return i
		}
	}
	return i
}

func skipBlanks(t string, i int) int {
	for i < len(t) && isSpace(t[i]) {
		i++
	}
	return i
}

// skipType passes the type of a declaration: token string = "…", token: str = "…".
func skipType(t string, i int) int {
	j := i
	if j < len(t) && t[j] == ':' {
		j = skipBlanks(t, j+1)
	}
	for _, name := range [...]string{"string", "String", "str", "SecretStr", "&str", "[]byte", "*string", "&'static str", "char*", "std::string"} {
		if strings.HasPrefix(t[j:], name) {
			k := skipBlanks(t, j+len(name))
			if k < len(t) && t[k] == '=' {
				return k
			}
		}
	}
	return i
}

// separator reads = : => := ::= ?= .= and the like.
func separator(t string, i int) (sep byte, after int) {
	j := i
	for j < len(t) && j-i < 4 && strings.IndexByte(":?.+|", t[j]) >= 0 {
		j++
	}
	if j < len(t) && t[j] == '=' {
		if j+1 < len(t) && (t[j+1] == '=' || t[j+1] == '~') {
			return 0, i
		}
		if j+1 < len(t) && t[j+1] == '>' {
			return '=', j + 2
		}
		return '=', j + 1
	}
	if strings.HasPrefix(t[i:], "->") || strings.HasPrefix(t[i:], "<-") {
		return '=', i + 2
	}
	if strings.HasPrefix(t[i:], ":: ") { // LDIF: base64
		return ':', i + 2
	}
	if strings.HasPrefix(t[i:], "...") {
		return ':', len(t) - len(strings.TrimLeft(t[i:], ". "))
	}
	if i+1 < len(t) && t[i] == '(' && (t[i+1] == '"' || t[i+1] == '\'') {
		return '(', i + 1
	}
	if i < len(t) && t[i] == ':' && !strings.HasPrefix(t[i:], "://") && !strings.HasPrefix(t[i:], "::") {
		return ':', i + 1
	}
	if strings.HasPrefix(t[i:], "%3D") || strings.HasPrefix(t[i:], "%3d") {
		return '=', i + 3
	}
	if i < len(t) && t[i] == ',' && i > 0 && (t[i-1] == '"' || t[i-1] == '\'') {
		return ',', i + 1
	}
	if strings.HasPrefix(t[i:], `, <<"`) { // {default_pass, <<"…">>} of Erlang
		return '=', i + len(", <<")
	}
	if i < len(t) && (t[i] == '|' && !strings.HasPrefix(t[i:], "||") || strings.HasPrefix(t[i:], "│")) && i > 0 && isSpace(t[i-1]) {
		return '|', i + len("│")*b2i(t[i] != '|') + b2i(t[i] == '|')
	}
	return 0, i
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
