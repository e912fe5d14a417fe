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
	if ke >= len(t) || strings.IndexByte(" \t:=,", t[ke]) < 0 || t[ks:ke] == "PWD" || ks > 0 && t[ks-1] == '/' {
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
	case "password", "passwd", "passphrase", "passcode", "pwd", "pass", "pin", "psk", "passwort", "otp":
		return keyPassword
	case "token", "secret", "apikey", "api_key", "api-key", "creds", "credentials", "credential":
		return keyToken
	case "key":
		before := strings.ToLower(l.text[max(0, ks-12):ks])
		for _, w := range [...]string{"api ", "access ", "secret ", "private ", "signing ", "license ", "unseal ", "encryption ", "master ", "account ", "the ", "new ", "recovery ", "shared ", "registration ", "auth "} {
			if strings.HasSuffix(before, w) {
				if w == "the " || w == "new " {
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
	first := skipBlanks(t, 0) == ks || strings.Trim(t[:ks], " \t+->#!") == ""
	cisco := false
	if n := v + 1; n < len(t) && isDigit(t[v]) && isSpace(t[n]) && strings.IndexByte("0456789", t[v]) >= 0 {
		v = skipBlanks(t, n)
		cisco = true
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
	case last && (strings.HasPrefix(strings.TrimLeft(t, " "), "set ") || strings.HasSuffix(word, "pre-shared-key")) && class >= keyToken:
		ok = c >= valueMixed
	case cisco:
		ok = c >= valueMixed
	case l.s.netrc > 0 && (word == "password" || word == "passwd"):
		ok = true
	case word == "requirepass" || word == "masterauth" || word == "masteruser":
		ok = true
	case strings.HasPrefix(strings.TrimLeft(t, " \t"), "ENV "):
		ok = class >= keyToken && c >= valueMixed
	case word == "rocommunity" || word == "rwcommunity" || word == "rocommunity6" || word == "rwcommunity6":
		ok = first
	case got.quoted && (first || strings.HasSuffix(t[:ks], "_header ")) && strings.TrimSpace(t[min(len(t), got.end+1):]) == ";": // secret "X"; of a server's file
		ok = c >= valueMixed && class >= keyToken
	case strings.HasSuffix(t[:ks], " set ") && class >= keyToken: // app config set smtp.password X
		ok = c >= valueMixed && last
	case word == "community":
		next := strings.TrimSpace(t[got.end:])
		ok = strings.Contains(strings.ToLower(t[:ks]), "snmp") || c >= valuePlain && (next == "RO" || next == "RW" || next == "ro" || next == "rw")
	case first && last && gap == 1 && class == keyPassword:
		ok = strongEnough(raw) || c == valueMixed && !strings.ContainsAny(raw, "./") && countClasses(raw).digits > 0
	case first && last && gap == 1:
		ok = strongEnough(raw) && !looksLikeHost(raw) && class != keyNone && (class == keyPassword || c == valueStrong || class == keyToken && countClasses(raw).digits > 0)
	case gap >= 2 && first && last:
		ok = strongEnough(raw) && !strings.Contains(raw, "/tcp") && !strings.Contains(raw, "/udp") || class == keyPassword && c >= valueMixed && !strings.ContainsAny(raw, "./")
	case class == keyPassword && gap == 1 && word != "pass" && !strings.ContainsAny(raw, "/^") && !strings.Contains(word, "."):
		ok = strongEnough(raw) && !isPhrase(raw) && raw[0] != '(' && !strings.Contains(raw, "=") && !strings.ContainsAny(raw[:1], "<[{") &&
			!strings.HasPrefix(raw, "for") && countClasses(raw).digits > 0 && len(raw) >= 8 && !strings.Contains(raw, ".so")
	case class == keyToken && gap == 1:
		ok = c == valueStrong && countClasses(raw).digits > 1 && !strings.ContainsAny(raw, "/=.") && !isUUID(raw) && len(raw) >= 20
	}
	if ok {
		l.add(Span{Start: got.start, End: got.end, Kind: kindOfKey(word), Sure: strongEnough(raw), rank: rankKey})
	}
}

// announced: the root password is X; Password for the db: X; Enter … for 'bob':X.
func (l *line) announced(ks, ke int, class keyClass, word string) {
	t := l.text
	if class == keyWeak && l.proseClass(ks, word) != keyWeak {
		return
	}
	limit := min(len(t), ke+120)
	i := ke
	if strings.IndexByte(" :=,", t[ke]) < 0 {
		return
	}
	for words := 0; i < limit && words < 14; {
		switch {
		case t[i] == ':' && i > ke && (i+1 == len(t) || isSpace(t[i+1]) || t[i-1] == '\'' || t[i-1] == '"' || t[i-1] == ')'):
			l.announcedValue(i+1, class, word, t[ke:i])
			return
		case t[i] == '=' && i > ke && isSpace(t[i-1]) && !strings.HasPrefix(t[i:], "=="):
			l.announcedValue(i+1, class, word, " = ")
			return
		case isSpace(t[i]):
			words++
			if l.isWord(i + 1) {
				l.announcedValue(i+3+b2i(t[i+1] == 'w' || t[i+1] == 'a'), class, word, " is ")
			}
		case strings.IndexByte("{}<>|&;?", t[i]) >= 0:
			return
		}
		i++
	}
}

// isWord: "is " or "to " stands at i.
func (l *line) isWord(i int) bool {
	if strings.HasPrefix(l.text[i:], "to ") {
		before := strings.TrimRight(l.text[max(0, i-16):i], " ")
		for _, verb := range [...]string{"changed", "set", "reset", "updated", "rotated", "switched"} {
			if strings.HasSuffix(before, verb) {
				return true
			}
		}
		return false
	}
	return strings.HasPrefix(l.text[i:], "is ") || strings.HasPrefix(l.text[i:], "was ") || strings.HasPrefix(l.text[i:], "are ")
}

// asks: the line is a program's question for a passphrase or a password.
func (l *line) asks(word string) bool {
	head := strings.ToLower(strings.TrimLeft(l.text[:min(len(l.text), 24)], " \t"))
	return strings.HasPrefix(strings.TrimPrefix(head, "please "), "enter ") || strings.HasSuffix(word, "passphrase") && strings.HasPrefix(head, "passphrase")
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
	if raw == "" || raw[0] == ':' || strings.Contains(raw, "://") || looksLikePath(raw) || isVersionOrAddress(raw) || isEmail(raw) {
		return
	}
	rest := strings.TrimSpace(t[min(len(t), end+b2i(quoted)):])
	c := judge(raw, quoted)
	if c == valueNone {
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
	if (word == "pin" || word == "otp") && isDigits(raw) && len(raw) >= 4 && len(raw) <= 8 {
		ok = true
	}
	if u, p, both := strings.Cut(raw, ":"); both && class == keyToken && isLogin(u) && p != "" && credsKey(word) {
		i += len(u) + 1
	}
	if ok {
		l.add(Span{Start: i, End: end, Kind: kindOfKey(word), Sure: strongEnough(raw), rank: rankKey})
	}
}
