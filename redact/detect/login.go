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
	if l.wasRead(readKeyPair) {
		return
	}
	f, at := fields(t, 12)
	for k, w := range f {
		if at[k] > end && len(w) == 40 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/+") == "" && countClasses(w).upper > 2 && countClasses(w).lower > 2 {
			l.add(Span{Start: at[k], End: at[k] + 40, Kind: "aws-secret", Sure: true, rank: rankForm})
		}
	}
}

// quotedStrings masks the strings in quotes behind i.
func (l *line) quotedStrings(i int) {
	t := l.text
	for n := 0; n < 8; n++ {
		k := strings.IndexAny(t[i:min(len(t), i+256)], "'\"")
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
	asked := l.s.expect > 0 || l.asksBefore(i)
	if !asked && !strings.Contains(t[max(0, i-512):i], "expect") && !strings.Contains(t[max(0, i-512):i], "spawn ") {
		return
	}
	v := l.readValue(i-1, i-1, false)
	raw := t[v.start:v.end]
	for _, end := range [...]string{`\r`, `\n`, `\\r`, `\\n`} {
		raw = strings.TrimSuffix(raw, end)
	}
	if !asked && (!strongEnough(raw) || countClasses(raw).digits == 0 || strings.ContainsAny(raw, " /")) {
		return
	}
	if v.quoted && judge(raw, true) >= valuePlain && !isReference(raw, true) {
		l.add(Span{Start: v.start, End: v.start + len(raw), Kind: "password", Sure: strongEnough(raw), rank: rankCommand})
	}
}

// asksBefore: a script has asked for a password in front of i.
func (l *line) asksBefore(i int) bool {
	if l.expects == 0 {
		l.expects = scriptAsks(l.text)
	}
	return l.expects <= i
}

// scriptAsks gives the offset behind which a script has named both: that it waits, and
// for a password; without it, one behind the text.
func scriptAsks(t string) int {
	behind := func(word string) int {
		if k := strings.Index(t, word); k >= 0 {
			return k + len(word)
		}
		return len(t) + 1
	}
	return max(behind("expect"), min(behind("assword"), behind("assphrase")))
}

// expectNext remembers that a script waits for a password's prompt.
func (s *Scanner) expectNext(l *line) {
	if s.expect > 0 {
		s.expect--
	}
	if (l.jobs.has(jobKey) || l.jobs.has(jobName)) && l.asksBefore(len(l.text)) {
		s.expect = 3
	}
}

// validLogin: "ops:SECRET - Valid credentials", "Success: 'ops:SECRET'" of a scanner.
func (l *line) validLogin(pos, end int) {
	t := l.text
	from := end
	if strings.EqualFold(t[pos:end], "valid credentials") {
		head := strings.TrimRight(t[max(0, pos-200):pos], " -")
		from = max(0, pos-200) + strings.LastIndexByte(head, ' ') + 1
		end = max(0, pos-200) + len(head)
	} else {
		_, end = credentialAt(t, from)
	}
	u, p, ok := strings.Cut(t[from:end], ":")
	if ok && judge(p, true) >= valuePlain && isLogin(strings.ReplaceAll(u, `\`, "")) {
		l.add(Span{Start: from + len(u) + 1, End: end, Kind: "password", Sure: strongEnough(p), rank: rankForm})
	}
}

// mailLogin: relayhost ops@example.test:SECRET.
func (l *line) mailLogin(i int) {
	t := l.text
	i = skipBlanks(t, i)
	v, end := credentialAt(t, i)
	u, p, ok := strings.Cut(v, ":")
	if ok && isEmail(u) && strongEnough(p) && countClasses(p).letters > 0 {
		l.add(Span{Start: i + len(u) + 1, End: end, Kind: "password", Sure: true, rank: rankForm})
	}
}

// accessList: a cache's "user app on >PASSWORD ~*" or "#SHA256" behind i.
func (l *line) accessList(i int) {
	t := l.text
	_, end := credentialAt(t, i)
	if v := t[i:end]; t[i-1] == '#' && hexRun(t, i)-i == 64 || t[i-1] == '>' && strongEnough(v) && strings.Contains(strings.ToLower(t[max(0, i-80):i]), "user") {
		l.add(Span{Start: i, End: end, Kind: "password", Sure: true, rank: rankForm})
	}
}

// passCommand: PASS of FTP, POP and IRC, alone on its line or in a trace's string.
func (l *line) passCommand(pos, end int) {
	t := l.text
	if t[pos:end] != "PASS " || pos > 0 && strings.IndexByte(" \"'>:", t[pos-1]) < 0 || pos > 40 {
		return
	}
	if head := strings.TrimRight(l.head(pos), " "); head != "" && strings.IndexByte("\"'>:", head[len(head)-1]) < 0 {
		return
	}
	v, stop := credentialAt(t, end)
	rest := t[stop:]
	if rest != "" && strings.TrimSpace(rest) != "" && rest[0] != '"' && !strings.HasPrefix(rest, `\r`) && !strings.HasPrefix(rest, `\n`) {
		return
	}
	if judge(v, false) >= valueMixed && !strings.HasPrefix(v, "Test") && strings.IndexByte(v, '/') < 0 {
		l.add(Span{Start: end, End: stop, Kind: "password", Sure: true, rank: rankForm})
	}
}

// loginWords tell that "NAME / WORD" is a login.
var loginWords = [...]string{"log in", "login", "use ", "sign in", "wifi", "wi-fi", "ssid", "cred", "user", "account", "password", "access", "auth"}

const maxSlashPair = 200 // bytes of a line that holds one

// slashPair: use bob / PASSWORD to log in; Wifi: HOME / PASSWORD.
func (l *line) slashPair(pos, end int) {
	t := l.text
	if len(t) > maxSlashPair || pos == 0 || !isAlnum(t[pos-1]) {
		return
	}
	stop := proseEnd(t, end)
	v := t[end:stop]
	if strings.IndexByte(v, '/') >= 0 || countClasses(v).digits == 0 || !strongEnough(v) {
		return
	}
	low := strings.ToLower(t)
	for _, w := range loginWords {
		if strings.Contains(low, w) {
			l.add(Span{Start: end, End: stop, Kind: "password", Sure: true, rank: rankKey})
			return
		}
	}
}

// rootPair: root:PASSWORD in a note, and not root:group or a line of passwd.
func (l *line) rootPair(pos, end int) {
	t := l.text
	if pos > 0 && strings.IndexByte(" \t\"'(`", t[pos-1]) < 0 {
		return
	}
	stop := proseEnd(t[:min(len(t), end+128)], end)
	v := t[end:stop]
	if len(v) > 64 || strings.ContainsAny(v, ":/$<>{}") {
		return
	}
	if c := countClasses(v); c.letters < 3 || c.digits == 0 || !strongEnough(v) {
		return
	}
	l.add(Span{Start: end, End: stop, Kind: "password", Sure: true, rank: rankKey})
}

// between masks what stands between two signs behind i.
func (l *line) between(i int, open, shut string) {
	t := l.text
	k := strings.Index(t[i:min(len(t), i+256)], open)
	if k < 0 {
		return
	}
	start := i + k + len(open)
	end := start
	for end < len(t) && !isBlank(t[end]) && strings.IndexByte("'\"", t[end]) < 0 && !strings.HasPrefix(t[end:], shut) {
		end++
	}
	if v := t[start:end]; v != "" && judge(v, true) > valueNone {
		l.add(Span{Start: start, End: end, Kind: "password", Sure: true, rank: rankForm})
	}
}
