package detect

import "strings"

// Layer 1: a key and its value, however written.

const (
	maxKey   = 96
	maxValue = 16 << 10
)

func isKeyByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }

// keyAround gives the key of which [pos,end) is a part.
func keyAround(text string, pos, end int) (ks, ke int) {
	ks, ke = pos, end
	for ks > 0 && pos-ks < maxKey && isKeyByte(text[ks-1]) {
		ks--
	}
	for ke < len(text) && ke-end < maxKey && isKeyByte(text[ke]) {
		ke++
	}
	for ks < pos && !isAlnum(text[ks]) && text[ks] != '_' {
		ks++
	}
	for ke > end && !isAlnum(text[ke-1]) {
		ke--
	}
	if esc := strings.LastIndexByte(text[max(0, ks-1):ks], '\\'); esc == 0 && ks < pos && strings.IndexByte("nrt", text[ks]) >= 0 {
		ks++ // the n of a written \n belongs to no key
	}
	return ks, ke
}

// assignment looks for a value behind the key at [pos,end) and gives the offset from
// which to look for the next key.
func (l *line) assignment(pos, end int) (next int) {
	ks, ke := keyAround(l.text, pos, end)
	if w := l.text[ks:ke]; strings.EqualFold(w, "key") || strings.EqualFold(w, "keys") {
		ks = wordsBefore(l.text, ks)
	}
	key := l.text[ks:ke]
	class := l.s.classify(key)
	if class == keyNone {
		class = l.placedKey(key, ks, ke)
	}
	if class == keyNone {
		return ke
	}
	if v, ok := l.valueAfter(ks, ke, class); ok {
		return l.takeValue(key, class, v)
	}
	return ke
}

// placedKey judges keys that are a secret's only where they stand: the signature and the
// code in a URL's query, the PWD of a data source's name.
func (l *line) placedKey(key string, ks, ke int) keyClass {
	t := l.text
	if key == "PWD" && strings.HasPrefix(t[ke:], " = ") {
		return keyPassword // of odbc.ini
	}
	if strings.EqualFold(key, "key") && randomFollows(t[ke:]) {
		return keyWeak
	}
	if strings.EqualFold(key, "encrypt") && gossipKeyFollows(t[ke:]) {
		return keyToken
	}
	if ke >= len(t) || t[ke] != '=' {
		return keyNone
	}
	switch low := strings.ToLower(key); {
	case low == "appid" && l.inQuery(ks):
		return keyWeak
	case key == "PWD" && (ks > 0 && t[ks-1] == ';' || strings.Contains(t[ke:min(len(t), ke+96)], ";") && strings.Contains(strings.ToLower(t[max(0, ks-96):ks]), "driver=")):
		return keyPassword
	case strings.HasSuffix(low, "signature") && (l.inQuery(ks) || strings.Contains(t[max(0, ks-2048):ks], "AWS4")):
		return keyWeak
	case (low == "code" || low == "key" || low == "samlresponse" || low == "assertion" || low == "ticket") && l.inQuery(ks):
		return keyWeak
	}
	return keyNone
}

// randomFollows: a bare key in a configuration, "key": "…", whose value is random and no
// digest, fingerprint or public key.
func randomFollows(t string) bool {
	i := skipClosers(t, 0)
	sep, after := separator(t, skipBlanks(t, i))
	i = skipBlanks(t, after)
	if sep != ':' && sep != '=' || i >= len(t) || t[i] != '"' {
		return false
	}
	v, _, ok := strings.Cut(t[i+1:min(len(t), i+128)], `"`)
	c := countClasses(v)
	return ok && len(v) >= 32 && len(v) <= 64 && c.upper > 3 && c.lower > 3 && c.digits > 2 && entropy(v) >= 4 &&
		strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=") == "" && !strings.HasPrefix(v, "AAAA") && !strings.HasPrefix(v, "MII")
}

// wordsBefore takes in the word before a bare "key": private key, API key.
func wordsBefore(t string, ks int) int {
	i := ks
	if i == 0 || t[i-1] != ' ' {
		return ks
	}
	i--
	for i > 0 && ks-i < 24 && (isAlpha(t[i-1]) || t[i-1] == '-') {
		i--
	}
	if w := strings.ToLower(t[i : ks-1]); !keyMakers[w] && w != "public" && w != "pre-shared" {
		return ks
	}
	return i
}

// value is a value's place and how it was written.
type value struct {
	start, end int
	sep        byte // '=' ':' ' ' (flag) '>' (XML) '|' (table) ',' (arguments)
	quoted     bool
	more       bool // other words follow
	tight      bool // no blank between key and value
	open       bool // its quote does not end on this line
}

func (l *line) valueAfter(ks, ke int, class keyClass) (value, bool) {
	t := l.text
	i := skipClosers(t, ke)
	if i < len(t) && t[i] == '>' && ks > 0 && (t[ks-1] == '<' || t[ks-1] == ':' || inTag(t, ks)) {
		return l.xmlValue(i + 1)
	}
	if i == ke && ks > 0 && t[ks-1] == '<' && i < len(t) && t[i] == ' ' {
		if k := strings.IndexAny(t[i:min(len(t), i+100)], "<>"); k > 0 && t[i+k] == '>' && t[i+k-1] != '/' && strings.IndexByte(t[i:i+k], '=') > 0 {
			return l.xmlValue(i + k + 1) // <Pass encoding="base64">
		}
	}
	j := skipBlanks(t, i)
	j = skipType(t, j)
	sep, after := separator(t, j)
	if sep == 0 && strings.HasPrefix(t[i:], "> ") && i == ke && l.leads(ks) {
		sep, after = ':', i+1 // a program asks: client_secret> …
	}
	if sep == 0 {
		return l.flagValue(ks, ke, i)
	}
	if sep == '|' && strings.Trim(l.head(ks), " \t|│+-") != "" && strings.IndexByte(t[:ks], '|') < 0 && !strings.Contains(t[:ks], "│") {
		return value{}, false // a pipe
	}
	if sep == ':' && ks > 0 && t[ks-1] == ':' && after < len(t) && !isSpace(t[after]) {
		return value{}, false // a:secret:b, as in an ARN
	}
	if sep == ':' && strings.HasSuffix(t[:ks], "//") {
		return value{}, false // the user of a URL
	}
	if ks > 0 && i == ke && after < len(t) && t[after] == t[ks-1] && (t[after] == '"' || t[after] == '\'') {
		return value{}, false // "password:" is a prompt in quotes
	}
	v := skipBlanks(t, after+len(t[after:])-len(strings.TrimPrefix(t[after:], "** "))) // **Password:** of Markdown
	if strings.HasPrefix(t[v:], "!!str ") {
		v += len("!!str ")
	}
	if v >= len(t) || t[v] == '\n' {
		if sep == ':' || sep == '=' {
			l.wantNext(l.text[ks:ke], class, sep)
		}
		return value{}, false
	}
	if block := strings.TrimSpace(t[v:]); sep == ':' && len(block) <= 3 && strings.Trim(block, "|>+-0123456789") == "" && strings.ContainsAny(block[:1], "|>") {
		l.wantNext(l.text[ks:ke], class, '|')
		return value{}, false
	}
	if (sep == ':' || sep == '=') && strings.IndexByte("[{(", t[v]) >= 0 {
		return value{start: v, end: v + 1, sep: sep, tight: v == after}, true // takeValue reads it
	}
	got := l.readValue(ks, v, sep == '=' && after == v && j == i)
	got.sep = sep
	if sep == '=' && after == v && ks > 0 {
		got = l.quotedWhole(ks, got)
	}
	got = l.phraseToEnd(ks, ke, got)
	got.tight = v == after
	return got, got.end > got.start
}

// quotedWhole: in "KEY=some words" the value goes up to the quote that began before the key.
func (l *line) quotedWhole(ks int, v value) value {
	t := l.text
	q := t[ks-1]
	if q != '"' && q != '\'' || v.quoted || v.end >= len(t) || t[v.end] != ' ' {
		return v
	}
	end := closingQuote(t[:min(len(t), v.start+maxValue)], ks-1, 0, q == '\'')
	if end > v.end && !strings.Contains(t[v.end:end], "=") && strings.Count(t[v.end:end], " ") < 7 {
		v.end, v.quoted, v.more = end, true, false
	}
	return v
}

// phraseToEnd: wpa_passphrase=three words of it, alone on its line.
func (l *line) phraseToEnd(ks, ke int, v value) value {
	t := l.text
	low := strings.ToLower(t[ks:ke])
	if v.sep == ':' && !v.quoted && v.more && strings.HasSuffix(low, "passphrase") && strings.Trim(l.head(ks), " \t-#*") == "" {
		rest := strings.TrimRight(t[v.start:], " \t\r")
		if n := strings.Count(rest, " "); n > 0 && n < 8 && countClasses(rest).digits > 0 && !strings.ContainsAny(rest, "()<>[]{}=\"") {
			v.end, v.more, v.quoted = v.start+len(rest), false, true
		}
		return v
	}
	if v.sep != '=' || v.quoted || !v.more || !l.leads(ks) || !strings.HasSuffix(low, "passphrase") && !strings.HasSuffix(low, "psk") {
		return v
	}
	rest := strings.TrimRight(t[v.start:], " \t\r")
	if strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ") == "" && strings.Count(rest, " ") < 8 {
		v.end, v.more, v.quoted = v.start+len(rest), false, true
	}
	return v
}

// inTag: the key is the value of an attribute, as in <entry key="db.password">.
func inTag(t string, ks int) bool {
	head := t[max(0, ks-128):ks]
	open := strings.LastIndexByte(head, '<')
	if open < 0 || strings.IndexByte(head[open:], '>') >= 0 || strings.HasPrefix(head[open:], "<input") {
		return false
	}
	head = strings.TrimRight(head, `"'`)
	return strings.HasSuffix(head, "name=") || strings.HasSuffix(head, "key=")
}

// xmlValue reads <key>VALUE</key>, on this line or the next.
func (l *line) xmlValue(i int) (value, bool) {
	t := l.text
	i = skipBlanks(t, i)
	if i >= len(t) {
		l.wantNext("xml", keyToken, '>')
		return value{}, false
	}
	if low := strings.ToLower(t[i:min(len(t), i+len("<value>"))]); low == "<value>" {
		i += len(low)
	}
	if strings.HasPrefix(t[i:], "<![CDATA[") {
		i += len("<![CDATA[")
	}
	end := strings.IndexByte(t[i:min(len(t), i+maxValue)], '<')
	if end < 0 {
		if t[l.indent] != '<' {
			return value{}, false // <token> in a sentence
		}
		end = len(t) - i
	}
	v := strings.TrimRight(strings.TrimSuffix(t[i:i+end], "]]>"), " \t")
	return value{start: i, end: i + len(v), sep: '>', quoted: true}, v != ""
}

// flagValue reads --key VALUE.
func (l *line) flagValue(ks, ke, i int) (value, bool) {
	t := l.text
	if i == ke && i == len(t) && strings.HasPrefix(strings.TrimLeft(t, " "), "- --") {
		l.wantNext(t[ks:ke], l.s.classify(t[ks:ke]), '-') // the next of a list of arguments
	}
	if ks == 0 || t[ks-1] != '-' || i != ke || i >= len(t) || !isSpace(t[i]) {
		return value{}, false
	}
	v := skipBlanks(t, i)
	if ks < 2 || t[ks-2] != '-' { // one dash: only the plain words
		if k := strings.ToLower(t[ks:ke]); passwordEnding(k) && !passwordWords[k] {
			return value{}, false
		}
	}
	if v >= len(t) || t[v] == '-' || v-i > 2 || strings.IndexByte("|&;<>)[", t[v]) >= 0 {
		return value{}, false
	}
	got := l.readValue(ks, v, true)
	if v-i > 1 && got.more && shapeOf(t[got.start:got.end]) < valueMixed {
		return value{}, false // the text of a help page
	}
	got.sep = ' '
	return got, got.end > got.start
}

// takeValue decides whether v is a secret and gives the offset behind it.
func (l *line) takeValue(key string, class keyClass, v value) int {
	t := l.text
	raw := t[v.start:v.end]
	if !v.quoted && l.overread(v.start, v.end) {
		return v.end
	}
	if isHeaderKey(key) && v.sep == ':' {
		l.header(key, v.start)
		return v.start
	}
	if strings.HasPrefix(raw, "pass:") {
		v.start += len("pass:")
		raw = raw[len("pass:"):]
	}
	if v.sep == ':' || v.sep == '=' {
		if strings.HasPrefix(raw, "[") || strings.HasPrefix(raw, "{") || strings.HasPrefix(raw, "(") {
			return l.listValue(key, class, v)
		}
	}
	if strings.HasPrefix(raw, "base64:") {
		v.start += len("base64:")
		raw = raw[len("base64:"):]
	}
	if strings.Contains(raw, "@(") || strings.Contains(raw, "@tcp(") || strings.Contains(raw, "@unix(") {
		return v.start
	}
	if strings.Contains(raw, "://") && !strings.Contains(raw, "://**") {
		return v.start // layer 4 masks what is secret in it
	}
	if raw == "" || !l.accept(key, class, v, raw) {
		return v.start
	}
	if u, p, ok := strings.Cut(raw, ":"); ok && class != keyPassword && isLogin(u) && p != "" && credsKey(key) {
		v.start += len(u) + 1
	}
	l.add(Span{Start: v.start, End: v.end, Kind: kindOfKey(key), Sure: true, rank: rankKey})
	if i := skipBlanks(t, skipClosers(t, v.end)); strings.HasPrefix(t[i:], "-> \"") || strings.HasPrefix(t[i:], "=> \"") { // a plan: old -> new
		next := l.readValue(i, i+3, false)
		next.sep = v.sep
		return l.takeValue(key, class, next)
	}
	return v.end
}

func credsKey(key string) bool {
	k := strings.ToLower(key)
	return strings.Contains(k, "cred") || strings.Contains(k, "login") || strings.HasSuffix(k, "auth")
}

func isLogin(u string) bool {
	return u != "" && len(u) < 40 && strings.Trim(strings.ToLower(u), "abcdefghijklmnopqrstuvwxyz0123456789._-@") == ""
}

// listValue masks the strings of a list: "keys_base64": ["…", "…"].
func (l *line) listValue(key string, class keyClass, v value) int {
	t := l.text
	i := v.start + 1
	if t[v.start] == '{' {
		return l.objectValue(key, class, v)
	}
	if t[v.start] != '[' {
		return i
	}
	for i < len(t) {
		i = skipBlanks(t, i)
		if i >= len(t) || t[i] != '"' && t[i] != '\'' && t[i] != '\\' {
			return i
		}
		item := l.readValue(v.start, i, false)
		if !item.quoted || item.end <= item.start {
			return i + 1
		}
		if judge(t[item.start:item.end], true) >= valueMixed {
			l.add(Span{Start: item.start, End: item.end, Kind: kindOfKey(key), Sure: true, rank: rankKey})
		}
		i = skipBlanks(t, skipClosers(t, item.end))
		if i >= len(t) || t[i] != ',' {
			return i
		}
		i++
	}
	return i
}

// objectValue masks the value in "db_password": {"type": "string", "value": "…"}.
func (l *line) objectValue(key string, class keyClass, v value) int {
	t := l.text
	shut := strings.IndexAny(t[v.start+1:], "{}")
	if shut < 0 || class < keyToken || t[v.start+1+shut] != '}' {
		return v.start + 1
	}
	end := v.start + 1 + shut
	i, ok := fieldValue(t[:end], v.start, []string{"value", "Value", "content", "result", "plaintext"})
	if !ok {
		return v.start + 1
	}
	got := l.readValue(i, i, false)
	got.sep = ':'
	if raw := t[got.start:min(got.end, end)]; got.quoted && raw != "" && l.accept(key, class, got, raw) {
		l.add(Span{Start: got.start, End: got.end, Kind: kindOfKey(key), Sure: true, rank: rankKey})
		return got.end
	}
	return v.start + 1
}
