package detect

import "strings"

// Layer 1 where the key stands in a sentence, a prompt or a directive.

// proseEnd is the end of a word in prose: without the sentence's signs.
func proseEnd(t string, i int) int {
	j := i
	for j < len(t) && !isBlank(t[j]) && strings.IndexByte("\"`", t[j]) < 0 {
		j++
	}
	for j > i && strings.IndexByte(".,;:?)]}'", t[j-1]) >= 0 {
		if t[j-1] == '.' && j < len(t) && !isSpace(t[j]) {
			break
		}
		j--
	}
	return j
}

// prose looks for a secret that the words at [pos,end) announce.
func (l *line) prose(pos, end int) {
	t := l.text
	ks, ke := keyAround(t, pos, end)
	if passwordWords[strings.ToLower(t[ks:ke])] && l.usedAs(ks) {
		return
	}
	if ke >= len(t) || strings.IndexByte(" \t:=,?'", t[ke]) < 0 || t[ks:ke] == "PWD" || ks > 0 && t[ks-1] == '/' {
		return
	}
	word := strings.ToLower(t[ks:ke])
	class := l.proseClass(ks, word)
	if class == keyNone {
		return
	}
	if isSpace(t[ke]) || t[ke] == '\t' {
		l.directive(ks, ke, class, word)
	}
	l.announced(ks, ke, class, word)
}

// proseClass: the words that announce a secret in prose.
func (l *line) proseClass(ks int, word string) keyClass {
	switch word {
	case "password", "passwd", "passphrase", "passcode", "pwd", "pass", "pin", "psk", "passwort", "otp", "puk":
		return keyPassword
	case "token", "secret", "apikey", "api_key", "api-key", "creds", "credentials", "credential":
		return keyToken
	case "key":
		before := strings.ToLower(l.text[max(0, ks-12):ks])
		for _, w := range [...]string{"api ", "access ", "secret ", "private ", "signing ", "license ", "unseal ", "encryption ", "master ", "account ", "the ", "new ", "recovery ", "shared ", "registration ", "auth ", "this ", "my ", "your ", "rotate ", "revoke ", "replace "} {
			if strings.HasSuffix(before, w) {
				if w == "rotate " || w == "revoke " || w == "replace " {
					return keyToken
				}
				if w == "the " || w == "new " || w == "this " || w == "my " || w == "your " {
					return keyWeak
				}
				return keyToken
			}
		}
		return keyNone
	}
	if word == "rocommunity" || word == "rwcommunity" || word == "rocommunity6" || word == "rwcommunity6" {
		return keyWeak
	}
	if strings.HasSuffix(word, "password") || strings.HasSuffix(word, "passphrase") {
		return keyPassword
	}
	return l.s.classify(word)
}

const maxBefore = 256 // bytes in front of a key that say what it is of

// directive: requirepass VALUE, password 7 VALUE, community VALUE RO.
func (l *line) directive(ks, ke int, class keyClass, word string) {
	t := l.text
	if class <= keyWeak && class != keyIdent && !strings.HasSuffix(word, "community") && !strings.HasSuffix(word, "community6") {
		return
	}
	v := skipBlanks(t, ke)
	if strings.HasPrefix(t[v:], "ENC ") {
		v += len("ENC ")
	}
	gap := v - ke
	if v >= len(t) || t[v] == '-' || t[v] == '|' {
		return
	}
	first := strings.Trim(l.head(ks), " \t+->#!") == "" || devicePrompt(t) == ks
	cisco := false
	if n := v + 1; n < len(t) && isDigit(t[v]) && isSpace(t[n]) && strings.IndexByte("0456789", t[v]) >= 0 {
		v = skipBlanks(t, n)
		cisco = true
	}
	for _, form := range [...]string{"ascii-text ", "hexadecimal "} { // of Junos
		v += len(t[v:]) - len(strings.TrimPrefix(t[v:], form))
	}
	got := l.readValue(ks, v, true)
	raw := t[got.start:got.end]
	if raw == "" || strings.Contains(raw, "://") {
		return
	}
	c := judge(raw, got.quoted)
	last := strings.TrimSpace(t[min(len(t), got.end+b2i(got.quoted)):]) == ""
	ok := false
	switch {
	case c == valueNone:
	case class == keyIdent:
		ok = gap >= 2 && first && isUUID(raw)
	case last && (strings.HasPrefix(t[skipBlanks(t, max(l.indent, l.cmd)):], "set ") || strings.HasSuffix(word, "pre-shared-key")) && class >= keyToken:
		ok = c >= valueMixed
	case cisco:
		ok = c >= valueMixed
	case l.s.netrc > 0 && (word == "password" || word == "passwd"):
		ok = true
	case word == "requirepass" || word == "masterauth" || word == "masteruser":
		ok = true
	case strings.HasPrefix(t[l.indent:], "ENV "):
		ok = class >= keyToken && c >= valueMixed
	case word == "rocommunity" || word == "rwcommunity" || word == "rocommunity6" || word == "rwcommunity6":
		ok = first
	case got.quoted && gap == 1 && c == valueStrong && class >= keyToken && strings.HasPrefix(t[min(len(t), got.end+1):], ";"):
		ok = true
	case got.quoted && (first || strings.HasSuffix(t[:ks], "_header ")) && strings.TrimSpace(t[min(len(t), got.end+1):]) == ";": // secret "X"; of a server's file
		ok = c >= valueMixed && class >= keyToken
	case strings.HasSuffix(t[:ks], " set ") && class >= keyToken: // app config set smtp.password X
		ok = c >= valueMixed && last
	case word == "community" && (raw == "public" || raw == "private"): // what everybody knows
	case word == "psk" && last && gap == 1 && !first:
		ok = c >= valueMixed
	case word == "community":
		next := strings.TrimSpace(t[got.end:])
		ok = strings.Contains(strings.ToLower(t[max(0, ks-maxBefore):ks]), "snmp") || c >= valuePlain && (next == "RO" || next == "RW" || next == "ro" || next == "rw" || strings.HasPrefix(next, "view ") || strings.HasPrefix(next, "authorization "))
	case first && last && gap == 1 && class == keyPassword:
		ok = strongEnough(raw) || c == valueMixed && !strings.ContainsAny(raw, "./") && countClasses(raw).digits > 0
	case first && last && gap == 1:
		ok = strongEnough(raw) && !looksLikeHost(raw) && class != keyNone && (class == keyPassword || c == valueStrong || class == keyToken && countClasses(raw).digits > 0)
	case gap >= 2 && first && last:
		ok = strongEnough(raw) && !strings.Contains(raw, "/tcp") && !strings.Contains(raw, "/udp") || class == keyPassword && c >= valueMixed && !strings.ContainsAny(raw, "./")
	case word == "pass" && gap == 1 && (got.quoted || strings.Contains(strings.ToLower(t[max(0, ks-maxBefore):ks]), "user")):
		ok = strongEnough(raw) && (countClasses(raw).digits > 0 || got.quoted)
	case class == keyPassword && gap == 1 && word != "pass" && !strings.ContainsAny(raw, "/^") && !strings.Contains(word, "."):
		ok = strongEnough(raw) && !isPhrase(raw) && raw[0] != '(' && !assignsName(raw) && !strings.ContainsAny(raw[:1], "<[{") &&
			!strings.HasPrefix(raw, "for") && countClasses(raw).digits > 0 && len(raw) >= 8 && !strings.Contains(raw, ".so")
	case class == keyToken && gap == 1:
		ok = c == valueStrong && countClasses(raw).digits > 1 && (!strings.ContainsAny(raw, "/=.") || len(raw) == 40 && !strings.ContainsAny(raw, "=.") && countClasses(raw).upper > 3) && !isUUID(raw) && len(raw) >= 20
	}
	if !ok && class == keyPassword && gap == 1 && namesLogin(t[:ks]) { // user pass bob SECRET
		if f, at := fields(t[got.end:], 2); len(f) > 0 && f[0][0] != '-' && isLogin(raw) && strongEnough(f[0]) && countClasses(f[0]).digits > 0 {
			l.add(Span{Start: got.end + at[0], End: got.end + at[0] + len(f[0]), Kind: kindOfKey(word), Sure: true, rank: rankKey})
		}
	}
	if ok {
		l.add(Span{Start: got.start, End: got.end, Kind: kindOfKey(word), Sure: strongEnough(raw), rank: rankKey})
	}
}

// assignsName: a name and its value, and no irregular word with a = in it.
func assignsName(v string) bool {
	name, _, ok := strings.Cut(v, "=")
	c := countClasses(name)
	return ok && !(c.digits > 0 && c.upper > 0 && c.lower > 0)
}

func namesLogin(head string) bool {
	low := strings.ToLower(strings.TrimRight(head[max(0, len(head)-16):], " /&"))
	return strings.HasSuffix(low, "user") || strings.HasSuffix(low, "username") || strings.HasSuffix(low, "login")
}

// announced: the root password is X; Password for the db: X; Enter … for 'bob':X.
func (l *line) announced(ks, ke int, class keyClass, word string) {
	t := l.text
	if class == keyWeak && l.proseClass(ks, word) != keyWeak {
		return
	}
	limit := min(len(t), ke+120)
	i := ke
	if strings.HasPrefix(t[ke:], "'s ") && class == keyPassword { // the password's X
		l.announcedValue(ke+len("'s "), class, word, " is ")
		return
	}
	if strings.IndexByte(" :=,?", t[ke]) < 0 {
		return
	}
	for words := 0; i < limit && words < 14; {
		switch {
		case t[i] == ':' && (i > ke || word == "key" || word == "phrase") && (l.asks(word) && !strings.HasPrefix(t[i:], "://") || i+1 == len(t) || isSpace(t[i+1]) || t[i-1] == '>' || t[i-1] == '\'' || t[i-1] == '"' || t[i-1] == ')'):
			l.announcedValue(i+1, class, word, t[ke:i])
			return
		case t[i] == '=' && i > ke && isSpace(t[i-1]) && !strings.HasPrefix(t[i:], "=="):
			l.announcedValue(i+1, class, word, " = ")
			return
		case isSpace(t[i]):
			words++
			switch n := l.isWord(i + 1); {
			case typedBehind(t[i+1:]) > 0:
				l.announcedValue(i+1+typedBehind(t[i+1:]), class, word, " is ")
			case n > 0:
				l.announcedValue(i+1+n, class, word, " is ")
			case strings.HasPrefix(t[i+1:], "from ") && words < 3:
				l.fromTo(i + len(" from "))
			case strings.HasPrefix(t[i+1:], "to ") && words < 3 && setBefore(t[:ks]):
				l.announcedValue(i+len(" to "), class, word, " is ")
			}
		case t[i] == '?' && class == keyPassword && i+1 < len(t) && isSpace(t[i+1]):
			if v := strings.TrimSpace(t[i+1:]); !strings.ContainsAny(v, " \t") && strongEnough(v) {
				l.announcedValue(i+1, class, word, t[ke:i]) // ? What is the password? …
			}
			return
		case t[i] == '<' && class == keyPassword && strings.Contains(t[i:min(len(t), i+40)], ">: "):
		case t[i] == '>' && class == keyPassword && strings.HasPrefix(t[i:], ">: "):
		case strings.IndexByte("{}<>|&;?", t[i]) >= 0:
			return
		}
		i++
	}
}

// verbsOfBeing stand between a secret's name and the secret.
var verbsOfBeing = [...]string{"is ", "was ", "are ", "lautet ", "ist ", "est ", "es ", "will be "}

// setVerbs stand before "to" and the secret.
var setVerbs = [...]string{"changed", "set", "reset", "updated", "rotated", "switched", "change", "update", "changing"}

// isWord: "is " or, behind a verb, "to " stands at i; it gives its length.
func (l *line) isWord(i int) int {
	if strings.HasPrefix(l.text[i:], "to ") {
		before := strings.TrimRight(l.text[max(0, i-16):i], " ")
		for _, verb := range setVerbs {
			if strings.HasSuffix(before, verb) {
				return len("to ") - 1
			}
		}
		return 0
	}
	for _, v := range verbsOfBeing {
		if strings.HasPrefix(l.text[i:], v) {
			return len(v) - 1
		}
	}
	return 0
}

// typedBehind: …, I typed X.
func typedBehind(t string) int {
	for _, v := range [...]string{"typed ", "entered ", "tried "} {
		if strings.HasPrefix(t, v) {
			return len(v) - 1
		}
	}
	return 0
}

// setBefore: set the …, I changed my …
func setBefore(head string) bool {
	head = strings.ToLower(head[max(0, len(head)-32):])
	for _, verb := range setVerbs {
		if k := strings.LastIndex(head, verb+" "); k >= 0 && (k == 0 || head[k-1] == ' ') && strings.Count(head[k:], " ") <= 4 {
			return true
		}
	}
	return false
}

// fromTo: the password was changed from X to Y.
func (l *line) fromTo(i int) {
	t := l.text
	for n := 0; n < 2; n++ {
		end := proseEnd(t, i)
		if v := t[i:end]; !strongEnough(v) || countClasses(v).digits == 0 && !isPhrase(v) || strings.Contains(v, "://") {
			return
		}
		l.add(Span{Start: i, End: end, Kind: "password", Sure: true, rank: rankKey})
		if !strings.HasPrefix(t[end:], " to ") {
			return
		}
		i = end + len(" to ")
	}
}

// usedAs: enter X when it asks for the password, use X as the passphrase. ks is where the
// name stands.
func (l *line) usedAs(ks int) bool {
	t := l.text
	from := max(0, ks-80)
	head := strings.ToLower(t[from:ks])
	for _, verb := range [...]string{"enter ", "use ", "type ", "with ", "try ", "is "} {
		k := strings.Index(head, verb)
		if k < 0 || k > 0 && head[k-1] != ' ' {
			continue
		}
		i := from + k + len(verb)
		end := proseEnd(t, i)
		v := t[i:end]
		if end >= ks || !strongEnough(v) || countClasses(v).digits == 0 || strings.ContainsAny(v, "/=") {
			continue
		}
		for _, w := range [...]string{" when ", " as ", " at ", " for ", " if ", " still "} {
			if strings.HasPrefix(t[end:], w) {
				l.add(Span{Start: i, End: end, Kind: "password", Sure: true, rank: rankKey})
				return true
			}
		}
	}
	return false
}

// asks: the line is a program's question for a passphrase or a password.
func (l *line) asks(word string) bool {
	head := strings.ToLower(strings.TrimLeft(l.text[:min(len(l.text), 24)], " \t"))
	return strings.HasPrefix(strings.TrimPrefix(head, "please "), "enter ") || strings.HasPrefix(head, "[sudo] ") || strings.HasSuffix(word, "passphrase") && strings.HasPrefix(head, "passphrase")
}

func isEmail(v string) bool {
	user, host, ok := strings.Cut(v, "@")
	return ok && isLogin(user) && looksLikeHost(host)
}

func (l *line) announcedValue(i int, class keyClass, word, between string) {
	t := l.text
	i = skipBlanks(t, i)
	for _, w := range [...]string{"now ", "set to ", "still ", "currently ", "just ", "= ", ": "} {
		if strings.HasPrefix(t[i:], w) {
			i += len(w)
		}
	}
	if i >= len(t) {
		if strings.HasPrefix(between, " = ") || strings.HasPrefix(between, " is ") || class == keyWeak {
			return
		}
		if class == keyPassword && !strings.ContainsAny(between, "=@") {
			l.s.next = want{key: word, class: class, sep: ':', fresh: true}
			if strings.Count(strings.TrimSpace(t), " ") >= 4 { // Please use the following password to proceed:
				l.s.next.sep = '!'
			}
		}
		if class == keyToken && strings.Count(between, " ") >= 2 { // Enrollment token for Kibana instances:
			l.s.next = want{key: word, class: keyWeak, sep: '!', fresh: true}
		}
		return
	}
	quoted := t[i] == '"' || t[i] == '`' || t[i] == '\''
	end := 0
	if quoted {
		v := l.readValue(i, i, false)
		i, end = v.start, v.end
	} else {
		end = proseEnd(t, i)
	}
	raw := t[i:end]
	if !quoted && l.overread(i, end) {
		return
	}
	if raw == "" || raw[0] == ':' || strings.Contains(raw, "://") || looksLikePath(raw) || isVersionOrAddress(raw) && !isDigits(raw) || isEmail(raw) {
		return
	}
	rest := strings.TrimSpace(t[min(len(t), end+b2i(quoted)):])
	c := judge(raw, quoted)
	if c == valueNone || (word == "key" || word == "signingkey") && isKeyID(raw) {
		return
	}
	ok := strongEnough(raw) && (class != keyWeak || c == valueStrong)
	if strings.TrimSpace(between) != "is" && strings.TrimSpace(between) != "=" && class == keyPassword && rest == "" && c >= valueMixed {
		// A prompt takes all that follows, the signs of prose too.
		full := strings.TrimRight(t[i:], " \t")
		end = i + len(full)
		ok = !strings.ContainsAny(full, " \t") && !strings.ContainsAny(full, "()[]<>{}") || strongEnough(full)
	}
	if class == keyPassword && !quoted && rest != "" && l.asks(word) {
		if full := strings.TrimRight(t[i:], " \t"); strings.Count(full, " ") < 7 && countClasses(full).digits > 0 {
			end, ok = i+len(full), true // a passphrase of several words, typed at its prompt
		}
	}
	if class == keyToken && strings.Contains(between, " ") && c < valueStrong && countClasses(raw).digits == 0 {
		ok = false
	}
	if countClasses(t[i:end]).letters == 0 && !isDigits(t[i:end]) {
		ok = false
	}
	if isDigits(raw) {
		ok = class == keyPassword && len(raw) >= 4 && len(raw) <= 12 && (rest == "" || end < len(t) && strings.IndexByte(".,;!)", t[end]) >= 0 || word == "pin")
	}
	if class == keyPassword && quoted && strings.Count(raw, " ") >= 2 && strings.Count(raw, " ") < 8 && strings.HasSuffix(word, "phrase") {
		ok = true // "four words in quotes"
	}
	if u, p, both := strings.Cut(raw, ":"); both && class == keyToken && isLogin(u) && p != "" && credsKey(word) {
		i += len(u) + 1
	}
	if ok {
		l.add(Span{Start: i, End: end, Kind: kindOfKey(word), Sure: strongEnough(raw), rank: rankKey})
	}
}
