package detect

import "strings"

// Layer 4: user information in URLs.

// url masks the password in scheme://user:password@host at the :// (or the @( of a
// data source name) found at pos.
func (l *line) url(pos int) {
	if l.text[pos] == '@' {
		l.dsn(pos)
		return
	}
	if pos < l.noLogin {
		return
	}
	t := l.text
	start := pos + len("://")
	end := authorityEnd(t, start)
	auth := t[start:end]
	at := strings.LastIndexByte(auth, '@')
	if at < 0 {
		if k := strings.IndexByte(t[start:min(len(t), start+maxAuthority)], '@'); k < 0 {
			l.noLogin = min(len(t), start+maxAuthority)
		}
		return
	}
	colon := strings.IndexByte(auth[:at], ':')
	if colon < 0 {
		l.bareUser(start, auth[:at])
		return
	}
	if auth[colon:at] == ":x-oauth-basic" { // the token is the user
		l.bareUser(start, auth[:colon])
		return
	}
	l.userPassword(start+colon+1, start+at)
	l.noLogin = start + at
}

const maxAuthority = 1024

// authorityEnd finds the end of the authority. A password may hold a slash only if an @
// still follows before any blank or quote.
func authorityEnd(t string, i int) int {
	limit := min(len(t), i+maxAuthority)
	end := i
	for end < limit && strings.IndexByte(" \t\r\n\"'`<>|\\", t[end]) < 0 {
		end++
	}
	word := t[i:end]
	slash := strings.IndexAny(word, "/?#")
	if slash < 0 {
		return end
	}
	at := strings.LastIndexByte(word, '@')
	if at < slash {
		return i + slash
	}
	colon := strings.IndexByte(word[:slash], ':')
	if colon < 0 || isPort(word[colon+1:slash]) {
		return i + slash
	}
	if rest := strings.IndexAny(word[at:], "/?#"); rest >= 0 {
		return i + at + rest
	}
	return end
}

func isPort(s string) bool { return isDigits(s) && len(s) <= 5 }

func (l *line) userPassword(start, end int) {
	p := l.text[start:end]
	if p == "" || isMaskLike(p) || strings.HasPrefix(p, "$") && isReference(p, false) || strings.HasPrefix(p, "{") || strings.HasPrefix(p, "%(") || strings.HasPrefix(p, "<") {
		return
	}
	if low := strings.ToLower(p); low == "password" || low == "pass" || low == "pw" || len(p) < 16 && (p == "TOKEN" || p == "PAT" || p == "SECRET" || p == "API_KEY") {
		return
	}
	l.add(Span{Start: start, End: end, Kind: "password", Sure: true, rank: rankForm})
}

// bareUser: a token in the place of the user, as in https://ghp_…@github.com.
func (l *line) bareUser(start int, user string) {
	if len(user) >= 16 && shapeOf(user) == valueStrong && !looksLikeHost(user) {
		l.add(Span{Start: start, End: start + len(user), Kind: "token", rank: rankForm})
	}
}

// dsn masks user:password@(host) and user:password@tcp(host).
func (l *line) dsn(at int) {
	t := l.text
	start := at
	for start > 0 && at-start < 256 && strings.IndexByte(" \t\"'`=/", t[start-1]) < 0 {
		start--
	}
	if colon := strings.IndexByte(t[start:at], ':'); colon > 0 {
		l.userPassword(start+colon+1, at)
	}
}
