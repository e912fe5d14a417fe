package detect

import "strings"

// isPromptStart is a cheap test before promptEnd.
func isPromptStart(t string) bool {
	switch c := t[0]; c {
	case '[', '(', '$', '#', '%', '>', '+':
		return true
	case ' ':
		return false
	default:
		return isAlnum(c) || c >= 0x80 || c == '~' || c == '/' || c == '\\'
	}
}

// promptEnd gives the offset behind a shell's prompt at the beginning of a line, or -1.
func promptEnd(t string) int {
	limit := min(len(t), 120)
	if len(t) >= 2 && (t[0] == '$' || t[0] == '#' || t[0] == '%') && t[1] == ' ' {
		return 2
	}
	if strings.HasPrefix(t, "PS ") {
		if k := strings.Index(t[:limit], "> "); k > 0 {
			return k + 2
		}
		return -1
	}
	for _, p := range [...]string{"❯ ", "➜ ", "λ "} {
		if strings.HasPrefix(t, p) {
			return len(p)
		}
	}
	if !holdsPromptSign(t[:limit]) {
		return -1
	}
	at := -1
	for i := 1; i < limit; i++ {
		if (t[i] == '$' || t[i] == '#' || t[i] == '%' || t[i] == '>') && (i+1 == len(t) || t[i+1] == ' ') {
			at = i
			break
		}
	}
	if at < 0 || !isPromptHead(t[:at]) {
		return -1
	}
	return min(len(t), at+2)
}

func holdsPromptSign(t string) bool {
	return strings.IndexByte(t, '$') >= 0 || strings.IndexByte(t, '#') >= 0 || strings.IndexByte(t, '%') >= 0 || strings.IndexByte(t, '>') >= 0
}

// isPromptHead: user@host:dir, [user@host dir], host:dir, mysql, name=.
func isPromptHead(h string) bool {
	h = strings.TrimRight(h, " ")
	if h == "" || strings.Count(h, " ") > 4 {
		return false
	}
	user, host, ok := strings.Cut(strings.TrimLeft(h, "[("), "@")
	if k := strings.LastIndexByte(user, ' '); k >= 0 {
		user = user[k+1:]
	}
	if ok && isLogin(user) && host != "" && isAlnum(host[0]) {
		return strings.ContainsAny(host, ":~] ") || isLogin(host)
	}
	switch h {
	case "mysql", "MariaDB", "sqlite", "redis", "mongo", "sh", "bash", "zsh", "ksh", "psql":
		return true
	}
	name, dir, ok := strings.Cut(h, ":")
	return ok && isLogin(name) && (strings.HasPrefix(dir, "~") || strings.HasPrefix(dir, "/"))
}
