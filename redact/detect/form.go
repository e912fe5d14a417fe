package detect

import "strings"

// Layer 3: files whose lines have a form of their own.

// form reads what a mark at [pos,end) begins.
type form func(l *line, pos, end int)

// behind is a form that needs only to know where its mark ends.
func behind(read func(*line, int)) form {
	return func(l *line, _, end int) { read(l, end) }
}

// waits is a form whose secret stands on a later line.
func waits(set func(*Scanner)) form {
	return func(l *line, _, _ int) { set(l.s) }
}

var forms map[string]form

func init() { forms = formTable() } // the forms call the scanner, which asks for the table

func formTable() map[string]form {
	table := map[string]form{}
	for marks, f := range map[string]form{
		"chpasswd":          behind((*line).chpasswdBlock),
		"default login ":    waits(func(s *Scanner) { s.netrc = 6 }),
		"jdbc:oracle:thin:": behind((*line).oracle),
		"key-string |message-digest-key |auth sha|auth md5 |priv aes |priv des |priv 3des ": behind((*line).routerKey),
		"connect ":                           (*line).connect,
		"sp_password|sp_addlogin":            behind((*line).quotedStrings),
		"option key |: psk |: eap |: xauth ": func(l *line, _, end int) { l.quotedAfter(end, "psk") },
		".key='":                             (*line).wirelessKey,
		"creds |credentials ":                behind((*line).loginSlash),
		"auth=(|basicauth(|.auth(|credentials(|authentication(|.login(|changeuserpassword(|.basic_auth(": behind((*line).loginPair),
		"private-lines:":                        behind((*line).putty),
		"=\t":                                   func(l *line, _, _ int) { l.wireguardDump() },
		"machine ":                              func(l *line, pos, _ int) { l.netrc(pos) },
		" * |\t*\t|\" *|\"\t*":                  func(l *line, _, _ int) { l.chapSecrets() },
		"login":                                 (*line).login,
		"auth plain |auth ":                     (*line).authCommand,
		"ugfzc3dvcmq6":                          waits(func(s *Scanner) { s.next = want{key: "password", class: keyPassword, sep: '>', fresh: true} }), // a server's "Password:" in base64
		"::server:":                             behind((*line).restOfToken),
		"<key>":                                 behind((*line).plistKey),
		"send \"|send -- \"":                    behind((*line).expectSend),
		" on >| on #| off >| off #|resetpass >": behind((*line).accessList),
		"pass ":                                 (*line).passCommand,
		"new value: ":                           (*line).newValue,
		"admin/|root/":                          (*line).slashLogin,
		"key content":                           behind((*line).keyContent),
		"borg_key ":                             waits(func(s *Scanner) { s.secretLines = 64 }),
		"p a s s|s e c r e t|t o k e n":         func(l *line, pos, _ int) { l.spaced(pos) },
		"is hidden|be hidden|input hidden":      behind((*line).hiddenPrompt),
		"valid credentials|login successful: |success: '": (*line).validLogin,
		"full-tokenid":                          waits(func(s *Scanner) { s.listed.left = maxTokenList }),
		" value ":                               behind((*line).tokenRow),
		"virtualcleartextutf":                   behind((*line).clearText),
		"relayhost |smarthost ":                 behind((*line).mailLogin),
		"userid=":                               behind((*line).oracle),
		"> key |key hmac-":                      behind((*line).updateKey),
		`"d":|"k":|"p":|"q":|"dp":|"dq":|"qi":`: (*line).webKey,
		"wifi:":                                 func(l *line, _, end int) { l.between(end, ";P:", ";") },
		"secret,id=":                            func(l *line, _, end int) { l.between(end, "data=", ",") },
		" / ":                                   (*line).slashPair,
		"root:|admin:|administrator:":           (*line).rootPair,
		"mnemonic|seed phrase|recovery phrase|secret phrase|wallet phrase|backup phrase": behind((*line).seedPhrase),
		"akia|asia":                  (*line).keyPair,
		"value=\"|value='":           (*line).attribute,
		"]:|:25 |:465 |:587 |:2525 ": (*line).saslPasswd,
	} {
		for mark := range strings.SplitSeq(marks, "|") {
			table[mark] = f
		}
	}
	return table
}

// formAt reads the form whose mark was found at [pos,end). Marks that no table names are
// words for password in other languages.
func (l *line) formAt(pos, end int) {
	if read, ok := forms[lowerASCII(l.text[pos:end])]; ok {
		read(l, pos, end)
		return
	}
	l.foreignPrompt(end)
}

// connect: CONNECT user/password@host of a database's shell.
func (l *line) connect(pos, end int) {
	for _, to := range [...]string{"target ", "catalog ", "auxiliary "} {
		if strings.HasPrefix(strings.ToLower(l.text[end:min(len(l.text), end+len("auxiliary "))]), to) {
			end += len(to)
		}
	}
	if l.cmd == pos || l.leads(pos) || strings.HasSuffix(l.text[:pos], "> ") {
		l.oracle(end)
	}
}

// wirelessKey: wireless.radio0.key='V'.
func (l *line) wirelessKey(pos, end int) {
	if strings.Contains(l.text[max(0, pos-128):pos], "wireless.") {
		l.quotedAfter(end-1, "psk")
	}
}

// login: LOGIN user password of mail, login bob / PASSWORD of a note.
func (l *line) login(pos, end int) {
	l.loginSlash(end)
	l.loginCommand(pos, end)
}

// slashLogin: admin/PASSWORD in a note.
func (l *line) slashLogin(_, end int) {
	if l.cmd < 0 && len(l.text) <= maxSlashPair && strings.IndexByte(l.text, '.') < 0 {
		l.slashPair(end-1, end)
	}
}

// newValue: New value: V, alone on its line, of a password's reset.
func (l *line) newValue(pos, end int) {
	t := l.text
	if !l.leads(pos) {
		return
	}
	if _, stop := credentialAt(t, end); shapeOf(t[end:stop]) == valueStrong && strings.TrimSpace(t[stop:]) == "" {
		l.add(Span{Start: end, End: stop, Kind: "password", Sure: true, rank: rankForm})
	}
}

const maxKeyContent = 256 // a key of a wireless network has 64

// keyContent: Key Content : V of netsh.
func (l *line) keyContent(end int) {
	t := l.text
	if k := strings.IndexByte(t[end:min(len(t), end+24)], ':'); k >= 0 {
		v := skipBlanks(t, end+k+1)
		if w := strings.TrimRight(t[v:], " \t"); w != "" && len(w) <= maxKeyContent && judge(w, true) >= valueMixed {
			l.add(Span{Start: v, End: v + len(w), Kind: "psk", Sure: true, rank: rankForm})
		}
	}
}

// oracle: jdbc:oracle:thin:user/password@host.
func (l *line) oracle(i int) {
	t := l.text
	_, end := credentialAt(t[:min(len(t), i+512)], i)
	slash, at := strings.IndexByte(t[i:end], '/'), strings.IndexByte(t[i:end], '@')
	if slash > 0 && at > slash+1 {
		l.userPassword(i+slash+1, i+at)
	}
}

// loginPair: auth=("user", "password").
func (l *line) loginPair(i int) {
	t := l.text
	u, ok := l.readString(skipBlanks(t, i), false)
	j := skipBlanks(t, u.end+1)
	if !ok || !u.quoted || j >= len(t) || t[j] != ',' {
		return
	}
	v, ok := l.readString(skipBlanks(t, j+1), false)
	if ok && v.quoted && judge(t[v.start:v.end], true) >= valueMixed && !strings.Contains(t[v.start:v.end], " ") {
		l.add(Span{Start: v.start, End: v.end, Kind: "password", Sure: true, rank: rankKey})
	}
}

// putty: Private-Lines: N, and N lines of the key follow.
func (l *line) putty(i int) {
	n := 0
	for _, c := range strings.TrimSpace(l.text[i:min(len(l.text), i+6)]) {
		if c < '0' || c > '9' {
			return
		}
		n = n*10 + int(c-'0')
	}
	l.s.secretLines = min(n, 128)
}

// hexFields are what openssl prints of a private key, in lines of hexadecimal bytes.
var hexFields = set(`privateExponent prime1 prime2 exponent1 exponent2 coefficient priv`)

// secretNext masks a line of a key that is written without armour.
func (s *Scanner) secretNext(l *line) {
	t := strings.TrimSpace(l.text)
	if s.secretLines == 0 {
		if len(t) < 20 && strings.HasSuffix(t, ":") && hexFields[t[:len(t)-1]] {
			s.secretLines, s.hexOnly = 128, true
		}
		return
	}
	s.secretLines--
	if t == "" || s.hexOnly && strings.Trim(t, "0123456789abcdefABCDEF:") != "" || l.cmd >= 0 || strings.Contains(t, " ") {
		s.secretLines, s.hexOnly = 0, false
		s.secretNext(l)
		return
	}
	from := strings.Index(l.text, t)
	l.add(Span{Start: from, End: from + len(t), Kind: "private-key", rank: rankBlock})
}

// wireguardDump: interface, private key, public key, port, of wg show dump.
func (l *line) wireguardDump() {
	if l.wasRead(readWireguard) {
		return
	}
	f, at := fields(l.text, 6)
	for k := 0; k+2 < len(f) && k < 2; k++ {
		if len(f[k]) == 44 && len(f[k+1]) == 44 && f[k][43] == '=' && f[k+1][43] == '=' {
			n := k + b2i(!isPort(f[k+2])) // of a peer the second one is the shared key
			l.add(Span{Start: at[n], End: at[n] + 44, Kind: "private-key", Sure: true, rank: rankForm})
			return
		}
	}
}

const maxForeign = 512 // bytes of what answers a prompt in another language

// foreignPrompt: a password's prompt in another language, found up to i.
func (l *line) foreignPrompt(i int) {
	t := l.text
	limit := min(len(t), i+60)
	for _, verb := range [...]string{" est ", " es ", " é ", " è ", " är ", " jest "} {
		if strings.HasPrefix(t[i:], verb) {
			v := i + len(verb)
			if end := proseEnd(t, v); strongEnough(t[v:end]) {
				l.add(Span{Start: v, End: end, Kind: "password", Sure: true, rank: rankKey})
			}
			return
		}
	}
	k := strings.IndexByte(t[i:limit], ':')
	n := 1
	if wide := strings.Index(t[i:limit], "："); wide >= 0 && (k < 0 || wide < k) {
		k, n = wide, len("：")
	}
	if k < 0 {
		return
	}
	v := skipBlanks(t, i+k+n)
	word := strings.TrimRight(t[v:], " \t")
	if word == "" || len(word) > maxForeign || strings.ContainsAny(word, " \t") || judge(word, false) < valueMixed {
		return
	}
	l.add(Span{Start: v, End: v + len(word), Kind: "password", Sure: true, rank: rankKey})
}

// chpasswdBlock: lines of user:password follow, in cloud-init's YAML or a here-document.
func (l *line) chpasswdBlock(end int) {
	rest := strings.TrimSpace(l.text[end:min(len(l.text), end+256)])
	if strings.HasPrefix(rest, ":") || strings.Contains(rest, "<<") && !strings.Contains(rest, "<<<") {
		l.s.logins = maxLogins
	}
}

// loginNext masks the password of a user:password line.
func (s *Scanner) loginNext(l *line) {
	if s.logins == 0 {
		return
	}
	s.logins--
	t := strings.TrimLeft(l.text, " \t-\"'")
	u, p, ok := strings.Cut(t, ":")
	p = strings.TrimRight(p, " \t\"'")
	if !ok || p == "" || !isLogin(u) || isSpace(p[0]) || strings.Contains(p, " ") {
		return
	}
	from := len(l.text) - len(t) + len(u) + 1
	l.add(Span{Start: from, End: from + len(p), Kind: "password", Sure: true, rank: rankForm})
	s.logins = maxLogins
}

const maxLogins = 12 // lines that are no user:password, until what they stand in is over

// netrc: machine H login U password P, on one line or several.
func (l *line) netrc(pos int) {
	if !l.leads(pos) && l.cmd != pos {
		return
	}
	f, _ := fields(l.text[pos+len("machine "):], 2)
	if len(f) == 1 || len(f) == 2 && (f[1] == "login" || f[1] == "password" || f[1] == "account") {
		l.s.netrc = 6
	}
}

// chapSecrets: client server secret addresses.
func (l *line) chapSecrets() {
	if l.wasRead(readChap) {
		return
	}
	f, at := fields(l.text, 5)
	if len(f) == 4 && f[1] != "*" && f[3] == "*" && len(f[2]) > 5 && f[2][0] == '"' && f[2][len(f[2])-1] == '"' && isLogin(strings.Trim(f[0], `"`)) {
		l.add(Span{Start: at[2] + 1, End: at[2] + len(f[2]) - 1, Kind: "password", Sure: true, rank: rankForm})
		return
	}
	if len(f) < 3 || f[1] != "*" || f[0] == "*" || isDigits(f[0]) || strings.HasPrefix(f[2], "*") {
		return
	}
	v, start := f[2], at[2]
	if len(v) > 1 && (v[0] == '"' || v[0] == '\'') {
		v, start = strings.Trim(v, "\"'"), start+1
	}
	comment := strings.Contains(l.text, "chap-secrets") || strings.Contains(l.text, "pap-secrets")
	if comment && judge(v, true) > valueNone || len(f) > 3 && (f[3] == "*" || looksLikeAddress(f[3])) && strongEnough(v) {
		l.add(Span{Start: start, End: start + len(v), Kind: "password", Sure: true, rank: rankForm})
	}
}

// Forms that are a whole line's: the first mark of a line reads them, for all others.
const (
	readChap = iota
	readWireguard
	readSASL
	readKeyPair
)

// wasRead tells whether a form of the whole line was read, and that it is now.
func (l *line) wasRead(form uint) bool {
	was := l.read&(1<<form) != 0
	l.read |= 1 << form
	return was
}

func looksLikeAddress(v string) bool { return strings.Trim(v, "0123456789./:abcdef") == "" }

// fields splits at blanks, with the offsets of the fields.
func fields(t string, n int) (f []string, at []int) {
	for i := 0; i < len(t) && len(f) < n; {
		i = skipBlanks(t, i)
		j := i
		for j < len(t) && !isBlank(t[j]) {
			j++
		}
		if j > i {
			f, at = append(f, t[i:j]), append(at, i)
		}
		i = j + 1
	}
	return f, at
}

// quotedAfter masks the string at i: ipsec.secrets.
func (l *line) quotedAfter(i int, kind string) {
	i = skipBlanks(l.text, i)
	if i < len(l.text) && (l.text[i] == '"' || l.text[i] == '\'') {
		v := l.readValue(i, i, false)
		l.add(Span{Start: v.start, End: v.end, Kind: kind, Sure: true, rank: rankForm})
	}
}

// loginSlash: login with admin / PASSWORD.
func (l *line) loginSlash(i int) {
	t := l.text
	rest := t[i:min(len(t), i+96)]
	if f, at := fields(rest, 1); len(f) > 0 && isSpace(t[min(i, len(t)-1)]) && l.cmd < 0 {
		u, p, ok := strings.Cut(f[0], "/")
		if p = p[:proseEnd(p, 0)]; ok && isLogin(u) && strongEnough(p) && countClasses(p).digits > 0 && !strings.ContainsAny(p, "/.") {
			l.add(Span{Start: i + at[0] + len(u) + 1, End: i + at[0] + len(u) + 1 + len(p), Kind: "password", Sure: true, rank: rankKey})
		}
	}
	k := strings.Index(rest, " / ")
	if k < 0 || strings.Count(rest[:k], " ") > 5 {
		return
	}
	v := i + k + 3
	end := proseEnd(t, v)
	if strongEnough(t[v:end]) {
		l.add(Span{Start: v, End: end, Kind: "password", Sure: true, rank: rankKey})
	}
}

// loginCommand: IMAP's LOGIN user password.
func (l *line) loginCommand(pos, end int) {
	t := l.text
	if t[pos:end] != "LOGIN" || end >= len(t) || t[end] != ' ' || pos > 0 && t[pos-1] != ' ' {
		return
	}
	if u := l.readValue(end, end+1, false); !u.quoted {
		if v := l.readValue(u.end, skipBlanks(t, u.end), false); v.quoted && v.start > u.end+1 && strings.TrimSpace(t[min(len(t), v.end+1):]) == "" {
			l.add(Span{Start: v.start, End: v.end, Kind: "password", Sure: true, rank: rankForm})
			return
		}
	}
	f, at := fields(t[end:], 3)
	if len(f) == 2 && judge(f[1], false) >= valueMixed {
		l.add(Span{Start: end + at[1], End: end + at[1] + len(f[1]), Kind: "password", Sure: true, rank: rankForm})
	}
}

// authCommand: AUTH PLAIN base64 of mail, AUTH password of a cache.
func (l *line) authCommand(pos, end int) {
	t := l.text
	before := strings.TrimSpace(l.head(pos))
	if strings.EqualFold(t[pos:end], "auth plain ") && t[pos] == 'A' {
		if v, stop := credentialAt(t, end); len(v) >= 12 && shapeOf(v) >= valueMixed {
			l.add(Span{Start: end, End: stop, Kind: "password", Sure: true, rank: rankForm})
		}
		return
	}
	if t[pos:pos+4] == "AUTH" && strings.HasSuffix(before, `"`) { // of a trace
		if v, stop := credentialAt(t, end); strongEnough(v) && strings.HasPrefix(t[stop:], `\r`) {
			l.add(Span{Start: end, End: stop, Kind: "password", Sure: true, rank: rankForm})
		}
		return
	}
	if t[pos:pos+4] != "AUTH" || before != "" && !strings.HasSuffix(before, ">") && !strings.HasSuffix(before, ":") {
		return
	}
	f, at := fields(t[end:], 3)
	if len(f) == 0 || len(f) > 2 || f[0] == "PLAIN" || f[0] == "LOGIN" {
		return
	}
	n := len(f) - 1
	if judge(f[n], false) >= valueMixed {
		l.add(Span{Start: end + at[n], End: end + at[n] + len(f[n]), Kind: "password", Sure: true, rank: rankForm})
	}
}

// restOfToken masks the word at i: the secret part of K10…::server:SECRET.
func (l *line) restOfToken(i int) {
	if i < l.rest {
		return
	}
	_, end := credentialAt(l.text, i)
	l.rest = end
	if end-i >= 8 {
		l.add(Span{Start: i, End: end, Kind: "token", Sure: true, rank: rankForm})
	}
}

// plistKey: <key>NAME</key> before <string>VALUE</string>.
func (l *line) plistKey(i int) {
	end := strings.IndexByte(l.text[i:], '<')
	if end <= 0 {
		return
	}
	name := l.text[i : i+end]
	if c := classify(name); c != keyNone {
		l.s.named = named{key: name, class: c, left: 2}
	}
}

// attribute: <entry key="password" value="V"/>, <add name='x' value='V' …>.
func (l *line) attribute(pos, end int) {
	t := l.text
	tag := strings.LastIndexByte(t[max(0, pos-256):pos], '<')
	if tag < 0 {
		return
	}
	from := max(0, pos-256) + tag
	i, ok := fieldValue(t[:pos], from, []string{"key", "name", "Name", "Key", "property", "id"})
	if !ok {
		return
	}
	n := l.readValue(i, i, false)
	name := t[n.start:n.end]
	v := l.readValue(end-1, end-1, false)
	v.sep = '='
	if c := classify(name); c != keyNone && l.accept(name, c, v, t[v.start:v.end]) {
		l.add(Span{Start: v.start, End: v.end, Kind: kindOfKey(name), Sure: true, rank: rankKey})
	}
}

// saslPasswd: [host]:port user:password.
func (l *line) saslPasswd(pos, end int) {
	t := l.text
	if strings.HasPrefix(t[pos:], "]:") {
		from := end
		for end < len(t) && isDigit(t[end]) {
			end++
		}
		if end == from {
			return
		}
	}
	if l.wasRead(readSASL) {
		return
	}
	f, at := fields(t, 3)
	if len(f) != 2 || at[1] <= end-1 && at[1] < end-1 || at[0]+len(f[0]) < end-1 {
		return
	}
	u, p, ok := strings.Cut(f[1], ":")
	if !ok || p == "" || !isLogin(u) || isMaskLike(p) || isReference(p, true) || isPort(p) || strings.HasPrefix(p, "//") {
		return
	}
	l.add(Span{Start: at[1] + len(u) + 1, End: at[1] + len(f[1]), Kind: "password", Sure: true, rank: rankForm})
}

// pgpass: host:port:database:user:password.
func (l *line) pgpass() {
	t := l.text
	if len(t) < 9 || len(t) > 400 || t[0] == '/' {
		return
	}
	c := strings.IndexByte(t[:min(len(t), 80)], ':')
	if c <= 0 || c+1 >= len(t) || !isDigit(t[c+1]) && t[c+1] != '*' {
		return
	}
	if strings.IndexByte(t, ' ') >= 0 || strings.Count(t, ":") < 4 {
		return
	}
	f := strings.SplitN(t, ":", 5)
	if len(f) != 5 || f[4] == "" || strings.ContainsAny(t, " \t") || !isPort(f[1]) && f[1] != "*" {
		return
	}
	if countClasses(f[4]).letters+countClasses(f[4]).digits == 0 || isDigits(f[2]) || f[2] == "" || f[3] == "" || isDigits(f[3]) || strings.ContainsAny(f[0]+f[2]+f[3], "/\"'=(){}") || strings.Count(f[4], ":") > 2 {
		return
	}
	l.add(Span{Start: len(t) - len(f[4]), End: len(t), Kind: "password", Sure: true, rank: rankForm})
}
