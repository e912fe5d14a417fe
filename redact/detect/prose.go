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

// directed is the value of a directive, with what decides about it.
type directed struct {
	word  string // the key
	class keyClass
	ks    int // where the key stands
	gap   int // blanks behind it
	first bool
	last  bool
	typed bool // behind the number that tells how a router wrote it
	got   value
	raw   string
	c     valueClass
}

// directive: requirepass VALUE, password 7 VALUE, community VALUE RO.
func (l *line) directive(ks, ke int, class keyClass, word string) {
	if class <= keyWeak && class != keyIdent && !strings.HasSuffix(word, "community") && !strings.HasSuffix(word, "community6") {
		return
	}
	d, ok := l.directed(ks, ke)
	if !ok {
		return
	}
	d.word, d.class = word, class
	if l.isDirected(d) {
		l.add(Span{Start: d.got.start, End: d.got.end, Kind: kindOfKey(word), Sure: strongEnough(d.raw), rank: rankKey})
	} else if class == keyPassword && d.gap == 1 && namesLogin(l.text[:ks]) {
		l.behindUser(d)
	}
}

// directed reads the value behind the key [ks,ke).
func (l *line) directed(ks, ke int) (d directed, ok bool) {
	t := l.text
	v := skipBlanks(t, ke)
	if strings.HasPrefix(t[v:], "ENC ") {
		v += len("ENC ")
	}
	d.ks, d.gap = ks, v-ke
	if v >= len(t) || t[v] == '-' || t[v] == '|' {
		return d, false
	}
	d.first = strings.Trim(l.head(ks), " \t+->#!") == "" || devicePrompt(t) == ks
	if n := v + 1; n < len(t) && isDigit(t[v]) && isSpace(t[n]) && strings.IndexByte("0456789", t[v]) >= 0 {
		v = skipBlanks(t, n)
		d.typed = true
	}
	for _, form := range [...]string{"ascii-text ", "hexadecimal "} { // of Junos
		v += len(t[v:]) - len(strings.TrimPrefix(t[v:], form))
	}
	d.got = l.readValue(ks, v, true)
	d.raw = t[d.got.start:d.got.end]
	if d.raw == "" || strings.Contains(d.raw, "://") {
		return d, false
	}
	d.c = judge(d.raw, d.got.quoted)
	d.last = strings.TrimSpace(t[min(len(t), d.got.end+b2i(d.got.quoted)):]) == ""
	return d, true
}

// behindUser: user pass bob SECRET.
func (l *line) behindUser(d directed) {
	f, at := fields(l.text[d.got.end:], 2)
	if len(f) > 0 && f[0][0] != '-' && isLogin(d.raw) && strongEnough(f[0]) && countClasses(f[0]).digits > 0 {
		l.add(Span{Start: d.got.end + at[0], End: d.got.end + at[0] + len(f[0]), Kind: kindOfKey(d.word), Sure: true, rank: rankKey})
	}
}

// isDirected asks for each way in which directives are written; the first that the line
// is written in decides.
func (l *line) isDirected(d directed) bool {
	if d.c == valueNone {
		return false
	}
	for _, way := range [...]func(*line, directed) (ok, decides bool){
		(*line).deviceLine, (*line).namedDirective, (*line).serverLine, (*line).communityLine, aloneOnLine, (*line).insideLine,
	} {
		if ok, decides := way(l, d); decides {
			return ok
		}
	}
	return false
}

// deviceLine: set … secret X, password 7 X of routers and firewalls.
func (l *line) deviceLine(d directed) (ok, decides bool) {
	sets := func() bool { return strings.HasPrefix(l.text[skipBlanks(l.text, max(l.indent, l.cmd)):], "set ") }
	switch {
	case d.class == keyIdent:
		return d.gap >= 2 && d.first && isUUID(d.raw), true
	case d.last && (sets() || strings.HasSuffix(d.word, "pre-shared-key")) && d.class >= keyToken, d.typed:
		return d.c >= valueMixed, true
	}
	return false, false
}

// namedDirective: those whose names say enough.
func (l *line) namedDirective(d directed) (ok, decides bool) {
	switch {
	case l.s.netrc > 0 && (d.word == "password" || d.word == "passwd"),
		d.word == "requirepass" || d.word == "masterauth" || d.word == "masteruser":
		return true, true
	case strings.HasPrefix(l.text[l.indent:], "ENV "):
		return d.class >= keyToken && d.c >= valueMixed, true
	case d.word == "rocommunity" || d.word == "rwcommunity" || d.word == "rocommunity6" || d.word == "rwcommunity6":
		return d.first, true
	}
	return false, false
}

// serverLine: secret "X"; of a server's file, app config set smtp.password X.
func (l *line) serverLine(d directed) (ok, decides bool) {
	t := l.text
	behind := t[min(len(t), d.got.end+1):]
	switch {
	case d.got.quoted && d.gap == 1 && d.c == valueStrong && d.class >= keyToken && strings.HasPrefix(behind, ";"):
		return true, true
	case d.got.quoted && (d.first || strings.HasSuffix(t[:d.ks], "_header ")) && strings.TrimSpace(behind) == ";":
		return d.c >= valueMixed && d.class >= keyToken, true
	case strings.HasSuffix(t[:d.ks], " set ") && d.class >= keyToken:
		return d.c >= valueMixed && d.last, true
	}
	return false, false
}

// communityLine: community X RO, and a key that devices share.
func (l *line) communityLine(d directed) (ok, decides bool) {
	switch {
	case d.word == "community" && (d.raw == "public" || d.raw == "private"): // what everybody knows
		return false, true
	case d.word == "psk" && d.last && d.gap == 1 && !d.first:
		return d.c >= valueMixed, true
	case d.word != "community":
		return false, false
	case strings.Contains(l.before(d.ks), "snmp"):
		return true, true
	}
	next := strings.TrimSpace(l.text[d.got.end:])
	rights := next == "RO" || next == "RW" || next == "ro" || next == "rw" || strings.HasPrefix(next, "view ") || strings.HasPrefix(next, "authorization ")
	return d.c >= valuePlain && rights, true
}

// before is what stands in front of a key, in lower case.
func (l *line) before(ks int) string {
	return strings.ToLower(l.text[max(0, ks-maxBefore):ks])
}

// aloneOnLine: nothing but the key and its value.
func aloneOnLine(_ *line, d directed) (ok, decides bool) {
	if !d.first || !d.last || d.gap < 1 {
		return false, false
	}
	digits := countClasses(d.raw).digits > 0
	switch {
	case d.gap > 1:
		return strongEnough(d.raw) && !strings.Contains(d.raw, "/tcp") && !strings.Contains(d.raw, "/udp") ||
			d.class == keyPassword && d.c >= valueMixed && !strings.ContainsAny(d.raw, "./"), true
	case d.class == keyPassword:
		return strongEnough(d.raw) || d.c == valueMixed && !strings.ContainsAny(d.raw, "./") && digits, true
	}
	return strongEnough(d.raw) && !looksLikeHost(d.raw) && d.class != keyNone && (d.c == valueStrong || d.class == keyToken && digits), true
}

// insideLine: the key and its value among other words.
func (l *line) insideLine(d directed) (ok, decides bool) {
	c := countClasses(d.raw)
	switch {
	case d.gap != 1:
		return false, false
	case d.word == "pass" && (d.got.quoted || strings.Contains(l.before(d.ks), "user")):
		return strongEnough(d.raw) && (c.digits > 0 || d.got.quoted), true
	case d.class == keyPassword && d.word != "pass" && !strings.ContainsAny(d.raw, "/^") && !strings.Contains(d.word, "."):
		return strongEnough(d.raw) && !isPhrase(d.raw) && d.raw[0] != '(' && !assignsName(d.raw) && !strings.ContainsAny(d.raw[:1], "<[{") &&
			!strings.HasPrefix(d.raw, "for") && c.digits > 0 && len(d.raw) >= 8 && !strings.Contains(d.raw, ".so"), true
	case d.class == keyToken:
		sha := len(d.raw) == 40 && !strings.ContainsAny(d.raw, "=.") && c.upper > 3
		return d.c == valueStrong && c.digits > 1 && (!strings.ContainsAny(d.raw, "/=.") || sha) && !isUUID(d.raw) && len(d.raw) >= 20, true
	}
	return false, false
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
	for words := 0; i < limit && words < 14; i++ {
		switch {
		case l.colonAnnounces(i, ke, word):
			l.announcedValue(i+1, class, word, t[ke:i])
			return
		case t[i] == '=' && i > ke && isSpace(t[i-1]) && !strings.HasPrefix(t[i:], "=="):
			l.announcedValue(i+1, class, word, " = ")
			return
		case isSpace(t[i]):
			words++
			l.announcedBehind(i+1, ks, words, class, word)
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
	}
}

// colonAnnounces: the colon at i ends what asks for the value, or what the value is of.
func (l *line) colonAnnounces(i, ke int, word string) bool {
	t := l.text
	if t[i] != ':' || i == ke && word != "key" && word != "phrase" {
		return false
	}
	return l.asks(word) && !strings.HasPrefix(t[i:], "://") || i+1 == len(t) || isSpace(t[i+1]) || strings.IndexByte(">'\")", t[i-1]) >= 0
}

// announcedBehind: is X, I typed X, from X to Y, or to X, at i.
func (l *line) announcedBehind(i, ks, words int, class keyClass, word string) {
	t := l.text
	switch n, typed := l.isWord(i), typedBehind(t[i:]); {
	case typed > 0:
		l.announcedValue(i+typed, class, word, " is ")
	case n > 0:
		l.announcedValue(i+n, class, word, " is ")
	case strings.HasPrefix(t[i:], "from ") && words < 3:
		l.fromTo(i + len("from "))
	case strings.HasPrefix(t[i:], "to ") && words < 3 && setBefore(t[:ks]):
		l.announcedValue(i+len("to"), class, word, " is ")
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
