package detect

import "strings"

// Layer 4: HTTP headers and cookies. The scheme word stays.

func isHeaderKey(key string) bool {
	switch strings.ToLower(key) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie", "x-forwarded-authorization", "http_authorization", "http_cookie":
		return true
	}
	return false
}

// headerAt finds the value of the header that is named at pos, or a bare Bearer TOKEN.
func (l *line) headerAt(pos int) {
	t := l.text
	word := strings.ToLower(t[pos:min(len(t), pos+8)])
	if strings.HasPrefix(word, "bearer ") || strings.HasPrefix(word, "basic ") {
		l.schemeAt(pos)
		return
	}
	if t[pos] == '"' {
		pos++
	}
	ks, ke := keyAround(t, pos, pos+len("cookie"))
	if !isHeaderKey(t[ks:ke]) {
		return
	}
	i := skipBlanks(t, skipClosers(t, ke))
	if sep, after := separator(t, i); sep == ':' || sep == '=' {
		l.header(t[ks:ke], skipBlanks(t, after))
		return
	}
	// proxy_set_header Authorization "Basic …";
	if i > ke && i < len(t) && (t[i] == '"' || t[i] == '\'') && strings.Contains(strings.ToLower(t[max(0, ks-40):ks]), "header") {
		l.header(t[ks:ke], i)
	}
}

// header masks the value of one header at v.
func (l *line) header(key string, v int) {
	t := l.text
	v = skipOpeners(t, v)
	if strings.Contains(strings.ToLower(key), "cookie") {
		l.cookies(v, strings.EqualFold(key, "set-cookie"))
		return
	}
	scheme, i := wordAt(t, v)
	next := skipBlanks(t, i)
	cred, end := credentialAt(t, next)
	if l.overread(next, end) {
		return
	}
	switch {
	case i > v && next > i && isScheme(scheme) && cred != "":
		if strings.EqualFold(scheme, "digest") || strings.HasPrefix(strings.ToUpper(scheme), "AWS4") {
			l.digest(next)
			return // other parameters are masked by name
		}
		l.credential(next, end)
	case i > v && (i >= len(t) || next == i || cred == "" || !isScheme(scheme)):
		_, end = credentialAt(t, v)
		if !isScheme(t[v:end]) {
			l.credential(v, end)
		}
	}
}

// digest masks what a Digest was computed to: who has it can try passwords against it.
func (l *line) digest(i int) {
	t := l.text
	const name = "response="
	k := strings.Index(t[i:min(len(t), i+2048)], name)
	if k < 0 {
		return
	}
	i += k + len(name)
	i += b2i(i < len(t) && t[i] == '"')
	if end := hexRun(t, i); end-i >= 32 {
		l.add(Span{Start: i, End: end, Kind: "credential", Sure: true, rank: rankForm})
	}
}

func (l *line) schemeAt(pos int) {
	t := l.text
	if pos > 0 && isAlnum(t[pos-1]) {
		return
	}
	_, i := wordAt(t, pos)
	v := skipBlanks(t, i)
	cred, end := credentialAt(t, v)
	basic := strings.EqualFold(t[pos:i], "basic")
	if len(cred) < 12 || basic && !isBase64Login(cred) || !basic && shapeOf(cred) < valueStrong && len(cred) < 20 || looksLikeHost(cred) || isPhrase(cred) {
		return
	}
	if !basic && shapeOf(cred) < valueMixed {
		return
	}
	l.credential(v, end)
}

func isBase64Login(v string) bool {
	d, ok := decodeBase64(v)
	return ok && strings.Contains(d, ":")
}

func (l *line) credential(start, end int) {
	v := l.text[start:end]
	if v == "" || isStateWord(v) || isMaskLike(v) || isReference(v, true) || len(v) < 4 || v[0] == '$' && len(v) < 40 {
		return
	}
	if v[0] == '{' || v[0] == '<' {
		return
	}
	l.add(Span{Start: start, End: end, Kind: "credential", Sure: true, rank: rankForm})
}

func skipOpeners(t string, i int) int {
	for n := 0; n < 6 && i < len(t) && strings.IndexByte(" \t\"'[\\(`", t[i]) >= 0; n++ {
		i++
	}
	return i
}

func wordAt(t string, i int) (string, int) {
	j := i
	for j < len(t) && (isAlnum(t[j]) || t[j] == '-' || t[j] == '_') {
		j++
	}
	return t[i:j], j
}

// credentialAt reads up to a blank, quote or closing sign.
func credentialAt(t string, i int) (string, int) {
	j := i
	for j < len(t) && j-i < maxValue && strings.IndexByte(" \t\r\n\"'`<>,;]\\", t[j]) < 0 {
		j++
	}
	for j > i && t[j-1] == ')' {
		j--
	}
	return t[i:j], j
}

func isScheme(w string) bool {
	switch strings.ToLower(w) {
	case "bearer", "basic", "token", "digest", "negotiate", "ntlm", "apikey", "api-key", "hawk", "aws4-hmac-sha256",
		"oauth", "key", "geniekey", "splunk", "ssws", "mac", "dpop", "pat", "jwt", "bot", "snyk", "zoho-oauthtoken",
		"client", "discogs", "sso-key", "x-token", "aws", "goog", "sharedkey", "sharedkeylite", "vapid", "secret":
		return true
	}
	return false
}

// cookies masks the values that keep a session, by the cookie's name or their look.
func (l *line) cookies(i int, setCookie bool) {
	t := l.text
	limit := min(len(t), i+maxValue)
	for n := 0; i < limit; n++ {
		if n == maxCookies {
			l.maskRest(i)
			return
		}
		i = skipBlanks(t, i)
		name, j := cookieName(t, i)
		if j >= limit || t[j] != '=' {
			return
		}
		v := j + 1
		end := v
		for end < limit && strings.IndexByte("; \t\r\n\"',\\", t[end]) < 0 {
			end++
		}
		if l.overread(v, end) {
			return
		}
		if val := t[v:end]; !(setCookie && n > 0) && isSessionCookie(name, val) {
			l.add(Span{Start: v, End: end, Kind: "cookie", Sure: true, rank: rankForm})
		}
		if end >= limit || t[end] != ';' {
			return
		}
		i = end + 1
	}
}

const maxCookies = 64 // of one header

// maskRest masks what stands behind i up to a quote.
func (l *line) maskRest(i int) {
	end := len(l.text)
	if k := strings.IndexAny(l.text[i:], "\"'"); k >= 0 {
		end = i + k
	}
	l.add(Span{Start: i, End: end, Kind: "overlong", rank: rankGuess})
	l.masked = max(l.masked, end)
}

func cookieName(t string, i int) (string, int) {
	j := i
	for j < len(t) && (isKeyByte(t[j]) || t[j] == ':' || t[j] == '[' || t[j] == ']' || t[j] == '%' || t[j] == '*') && j-i < 80 {
		j++
	}
	return t[i:j], j
}

func isSessionCookie(name, v string) bool {
	if len(v) < 4 || judge(v, true) == valueNone {
		return false
	}
	low := strings.ToLower(name)
	for _, w := range [...]string{"sess", "sid", "token", "auth", "jwt", "secret", "csrf", "xsrf", "login", "remember", "ticket", "sso", "key", "credential", "pass"} {
		if strings.Contains(low, w) {
			return shapeOf(v) >= valueMixed || len(v) >= 16
		}
	}
	return len(v) >= 24 && shapeOf(v) == valueStrong && !strings.HasPrefix(low, "_ga") && !strings.HasPrefix(low, "_gid") && low != "_fbp"
}
