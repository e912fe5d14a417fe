package detect

import "strings"

// Layer 4 without a scheme: user:password@host:port, as proxies and old clients take it.

// notLogins are schemes whose address is written name@host.
var notLogins = set(`mailto sip sips xmpp acct im pres tel news ssh git scp http https user to from cc bcc by`)

// loginAt looks at the @ at pos. A name in front of it is common; with a colon and an
// irregular word between them it is a password's place.
func (l *line) loginAt(pos int) {
	t := l.text
	colon := strings.LastIndexByte(t[max(0, pos-96):pos], ':')
	if colon < 0 {
		return
	}
	colon += max(0, pos-96)
	user := colon
	for user > 0 && colon-user < 40 && (isAlnum(t[user-1]) || strings.IndexByte("._-", t[user-1]) >= 0) {
		user--
	}
	secret := t[colon+1 : pos]
	if user == colon || notLogins[strings.ToLower(t[user:colon])] || user > 0 && strings.IndexByte("/:@<", t[user-1]) >= 0 {
		return
	}
	if !strongEnough(secret) || strings.ContainsAny(secret, " \t\"'/") || !hostFollows(t[pos+1:]) {
		return
	}
	l.add(Span{Start: colon + 1, End: pos, Kind: "password", Sure: true, rank: rankForm})
}

// hostFollows: a dotted name or an address, or a name with a port.
func hostFollows(t string) bool {
	n := 0
	for n < len(t) && n < 80 && (isAlnum(t[n]) || t[n] == '.' || t[n] == '-') {
		n++
	}
	host, port := t[:n], 0
	if n < len(t) && t[n] == ':' {
		for n+1+port < len(t) && isDigit(t[n+1+port]) {
			port++
		}
		if port > 5 || n+1+port < len(t) && isAlnum(t[n+1+port]) {
			return false
		}
	}
	return host != "" && (strings.Contains(strings.Trim(host, "."), ".") || port >= 2)
}

// keyPair: a tool that prints an access key's id and its secret in columns.
func (l *line) keyPair(pos, end int) {
	t := l.text
	if t[pos:end] != strings.ToUpper(t[pos:end]) || pos > 0 && !isSpace(t[pos-1]) {
		return
	}
	f, at := fields(t, 12)
	for k, w := range f {
		if at[k] > end && len(w) == 40 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/+") == "" && countClasses(w).upper > 2 && countClasses(w).lower > 2 {
			l.add(Span{Start: at[k], End: at[k] + 40, Kind: "aws-secret", Sure: true, rank: rankForm})
		}
	}
}

// routerKey: key-string X, message-digest-key 1 md5 X, auth sha X, priv aes 128 X.
func (l *line) routerKey(i int) {
	f, at := fields(l.text[i:], 4)
	for k, w := range f {
		if low := strings.ToLower(w); isDigits(w) || low == "md5" || strings.HasPrefix(low, "sha") && len(w) < 8 || strings.HasPrefix(w, "-") {
			continue
		}
		if judge(w, false) >= valueMixed {
			l.add(Span{Start: i + at[k], End: i + at[k] + len(w), Kind: "password", Sure: strongEnough(w), rank: rankForm})
		}
		return
	}
}

// quotedStrings masks the strings in quotes behind i.
func (l *line) quotedStrings(i int) {
	t := l.text
	for n := 0; n < 8; n++ {
		k := strings.IndexAny(t[i:], "'\"")
		if k < 0 {
			return
		}
		v := l.readValue(i+k, i+k, false)
		if !v.quoted {
			return
		}
		if judge(t[v.start:v.end], true) >= valueMixed {
			l.add(Span{Start: v.start, End: v.end, Kind: "password", Sure: true, rank: rankForm})
		}
		if i = v.end + 1; i >= len(t) {
			return
		}
	}
}

// expectSend: what a script sends when a password was asked for.
func (l *line) expectSend(i int) {
	t := l.text
	if !asksInScript(t[:i]) && l.s.expect == 0 {
		return
	}
	v := l.readValue(i-1, i-1, false)
	raw := t[v.start:v.end]
	for _, end := range [...]string{`\r`, `\n`, `\\r`, `\\n`} {
		raw = strings.TrimSuffix(raw, end)
	}
	if v.quoted && judge(raw, true) >= valuePlain && !isReference(raw, true) {
		l.add(Span{Start: v.start, End: v.start + len(raw), Kind: "password", Sure: strongEnough(raw), rank: rankCommand})
	}
}

func asksInScript(t string) bool {
	return strings.Contains(t, "expect") && (strings.Contains(t, "assword") || strings.Contains(t, "assphrase"))
}

// codesNext masks the lines behind the head of a list of recovery codes.
func (s *Scanner) codesNext(l *line) {
	t := l.text
	if s.expect > 0 {
		s.expect--
	}
	if l.jobs.has(jobKey) && asksInScript(t) {
		s.expect = 3
	}
	if s.codes > 0 {
		s.codes--
		if !l.code() && strings.TrimSpace(t) != "" {
			s.codes = 0
		}
		return
	}
	if n := len(t); n < 100 && n > 10 && strings.Contains(t, "odes") && headsCodes(t) {
		s.codes = 24
	}
}

// headsCodes: Recovery codes:, Backup codes, Your emergency scratch codes are:
func headsCodes(t string) bool {
	low := strings.TrimRight(strings.ToLower(t), " :=-")
	low = strings.TrimSuffix(low, " are")
	if !strings.HasSuffix(low, " codes") {
		return false
	}
	for _, w := range [...]string{"recovery", "backup", "emergency", "scratch", "one-time"} {
		if strings.Contains(low, w) {
			return strings.HasSuffix(strings.TrimRight(t, " "), ":") || strings.Count(low, " ") < 3
		}
	}
	return false
}

// code masks the codes of a line: one or two to a line, perhaps numbered.
func (l *line) code() bool {
	f, at := fields(l.text, 6)
	if len(f) > 1 && len(f[0]) <= 3 && strings.Trim(f[0], "0123456789.)-*") == "" {
		f, at = f[1:], at[1:]
	}
	for _, w := range f {
		if len(w) < 6 || len(w) > 40 || countClasses(w).digits == 0 || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
			return false
		}
	}
	for k, w := range f {
		l.add(Span{Start: at[k], End: at[k] + len(w), Kind: "recovery-code", rank: rankForm})
	}
	return len(f) > 0
}
