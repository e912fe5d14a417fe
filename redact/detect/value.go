package detect

import (
	"math"
	"strings"
)

// valueClass says what a value looks like by itself.
type valueClass uint8

const (
	valueNone   valueClass = iota // a reference, a placeholder, a state: no secret
	valuePlain                    // one word or a number
	valueMixed                    // letters with digits or signs, or several words
	valueStrong                   // long and irregular
)

var stateWords = set(`true false !0 !1 void null nil none undefined yes no on off y n string str int integer bool boolean text
	varchar bytes byte object any char number float double required optional enabled disabled unset empty prompt
	ask hidden masked redacted sensitive unknown invalid valid expired missing incorrect wrong changed updated failed
	failure success successful ok accepted denied error errors file files systemd compat sss ldap nis winbind dns db md5
	sha256 sha1 sha512 plaintext plain basic bearer digest peer trust ident scram-sha-256 scram-sha-1 external oauth2 jwt
	key value values secret password passwd token tokens credentials credential auth created deleted rotated revoked found
	set configured generated provided present absent opaque keyring keychain vault environment env pass interactive
	publickey keyboard-interactive gssapi-with-mic hostbased const var let function class struct interface type
	self this new return await async todo tbd n/a na example sample changed. default auto automatic inherit active
	inactive pending ready running succeeded mismatch mandatory forbidden unauthorized negotiate ntlm kerberos gssapi
	sufficient requisite include substack session account field column description name is was for with from and or not
	the a an in to of must should will can could has have had are were be been if when then else that which your my our
	their it its only also but by at as into does did do use used using see here there now please enter type press
	read write protected input output stdin stdout varchar2 nvarchar uuid guid datetime timestamp json xml yaml
	stored encrypted hashed stolen leaked compromised reset expires expiration expiry authentication authorization
	range authenticated policy policies manager management store storage rotation service server client user username login
	usage length strength minimum maximum empty. unchanged undef unspecified nothing refused rejected supported
	changeme change_me change-me changeit yourpassword your-password your_password mypassword
	xxx yyy zzz foo bar baz placeholder dummy replace_me replaceme replace-me insert_here fixme omitted foobared put_here fill_me_in token_here xxxx public private`)

// judge tells what v looks like. quoted: it stood in quotes, so that bare identifiers
// and calls are not references.
func judge(v string, quoted bool) valueClass {
	if v == "" || isStateWord(v) || isMaskLike(v) || isReference(v, quoted) {
		return valueNone
	}
	return shapeOf(v)
}

// isStateWord: true, enabled, expired, string and other words that are no secret.
func isStateWord(v string) bool {
	return len(v) < 24 && stateWords[strings.ToLower(strings.TrimRight(v, ".,;:!?"))]
}

// shapeOf judges by characters alone.
func shapeOf(v string) valueClass {
	c := countClasses(v)
	switch {
	case c.other > 0 && c.letters == 0 && c.digits == 0:
		return valueNone
	case c.letters == 0 && c.other == 0: // digits
		return valuePlain
	case isWord(v):
		return valuePlain
	case len(v) >= 16 && c.digits > 0 && c.letters > 0 && entropy(v) >= 3:
		return valueStrong
	case len(v) >= 24 && c.upper > 0 && c.lower > 0 && entropy(v) >= 3.5:
		return valueStrong
	case c.letters > 0 && c.digits > 0, c.other > 0, c.upper > 1 && c.lower > 0:
		return valueMixed
	}
	return valuePlain
}

type classes struct{ letters, upper, lower, digits, other int }

func countClasses(v string) (c classes) {
	for i := 0; i < len(v); i++ {
		switch b := v[i]; {
		case isUpper(b):
			c.upper++
		case isLower(b):
			c.lower++
		case isDigit(b):
			c.digits++
		default:
			c.other++
		}
	}
	c.letters = c.upper + c.lower
	return c
}

// isWord: letters of one case, or with a capital first.
func isWord(v string) bool {
	for i := 0; i < len(v); i++ {
		if !isAlpha(v[i]) || i > 1 && isUpper(v[i]) != isUpper(v[1]) {
			return false
		}
	}
	return len(v) < 2 || !(isLower(v[0]) && isUpper(v[1]))
}

// isMaskLike: ****, xxxx, …, [REDACTED], <set>, (sensitive value).
func isMaskLike(v string) bool {
	if strings.Contains(v, "<redacted:") && strings.HasPrefix(v, "<") && strings.HasSuffix(v, ">") {
		return true
	}
	switch v[0] {
	case '<':
		return len(v) > 1 && (strings.IndexByte(v, '>') == len(v)-1 || isAlpha(v[1]) && strings.ContainsAny(v, " :")) || strings.HasPrefix(v, "<%") || strings.HasPrefix(v, "<your")
	case '[':
		return strings.HasSuffix(v, "]") && countClasses(v).digits == 0
	case '(':
		return true
	}
	return strings.HasSuffix(v, "...") || strings.HasSuffix(v, "…") || strings.Trim(v, "*xX.•-_#?") == "" || strings.Contains(v, "****") || strings.HasPrefix(v, "***") || v == "DATA+OMITTED" || isRepeat(v) && !isDigits(v)
}

func isRepeat(v string) bool {
	return len(v) > 2 && strings.Count(v, v[:1]) == len(v)
}

var referenceHeads = []string{
	"${", "$(", "$[", "{{", "{%", "`", "<(", "@{", "#{", "%{", "ref+", "arn:", "vault:", "secret:", "env:", "file:",
	"env.", "process.env", "os.", "ENV[", "getenv", "!vault", "!Ref", "!ref", "!Sub", "!secret", "!sops", "!GetAtt", "ENC[",
	"var.", "local.", "data.", "module.", "each.", "self.", "this.", "config.", "settings.", "secrets.", "params.",
	"request.", "req.", "args.", "opts.", "options.", "cfg.", "conf.", "ctx.", "keyring.", "op://", "http://", "https://",
	"projects/", "sm://", "ssm:", "kv/", "lookup(", "valueFrom", "sha256:", "sha256/", "sha512:", "sha512/", "md5:", "function", "async ", "new ", "&", "%(", "$env(", "!!null", "!include", "!env", "id=", "src=", "source=", "type=",
}

var headsBy = func() (by [256][]string) {
	for _, h := range referenceHeads {
		by[h[0]] = append(by[h[0]], h)
	}
	return by
}()

// isReference: the value is somewhere else. It stays legible.
func isReference(v string, quoted bool) bool {
	for _, h := range headsBy[v[0]] {
		if strings.HasPrefix(v, h) && (v[0] != '&' || len(v) < 3 && !quoted) {
			return true
		}
	}
	switch v[0] {
	case '$':
		return isIdent(v[1:]) && !mixedIdent(v[1:]) || len(v) == 2 || isMember(v[1:])
	case '*':
		return isIdent(strings.ReplaceAll(v[1:], ".", "_")) // a pointer's type
	case '/', '~':
		return looksLikePath(v)
	case '.':
		return strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../")
	case '%':
		return len(v) == 2 || len(v) > 2 && v[len(v)-1] == '%' && isIdent(v[1:len(v)-1])
	case '{':
		return v[len(v)-1] == '}' && (len(v) < 24 || shapeOf(v[1:len(v)-1]) < valueStrong) || len(v) == 1
	case '@':
		return len(v) > 3 && v[len(v)-1] == '@' && isIdent(v[1:len(v)-1]) // of a template
	case '?':
		return true // ${TOKEN:?is required}
	case '0':
		return len(v) > 6 && len(v) <= 18 && v[1] == 'x' && hexRun(v, 2) == len(v) // an address
	case ':':
		return isIdent(v[1:]) && !mixedIdent(v[1:])
	case '|', '>':
		return len(v) <= 3
	}
	if strings.Contains(v, "${{") || strings.Contains(v, "{{") && strings.Contains(v, "}}") || strings.Contains(v, "$(") || strings.Contains(v, "${") {
		return true
	}
	return !quoted && (isExpression(v) || isDefault(v)) || isKeyName(v) || isFormat(v) || isConstant(v)
}

// isDefault: None): or load())=>{ closes the list of a function's parameters.
func isDefault(v string) bool {
	k := unopened(v)
	if k < 1 || strings.Trim(v[k:], ")]:;,{}=>") != "" {
		return false
	}
	head := v[:k]
	return isStateWord(head) || isExpression(head) || isIdent(head) && !mixedIdent(head) && strings.HasSuffix(v, "):")
}

// unopened gives the offset of the first parenthesis that closes what v did not open, or -1.
func unopened(v string) int {
	depth := 0
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return -1
}

// isConstant: VALUE_SPECIFIED_IN_NO_LOG_PARAMETER says why there is no value.
func isConstant(v string) bool {
	return strings.Count(v, "_") >= 3 && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" && !strings.Contains(v, "__")
}

// isFormat: 0x%x, %s:%s.
func isFormat(v string) bool {
	if strings.IndexByte(v, '%') < 0 {
		return false
	}
	for _, verb := range [...]string{"%s", "%d", "%v", "%q", "%x", "%w", "%+v", "%r", "%@"} {
		v = strings.ReplaceAll(v, verb, "")
	}
	c := countClasses(v)
	return strings.IndexByte(v, '%') < 0 && c.letters+c.digits <= 3
}

// mixedIdent: too irregular for the name of a variable.
func mixedIdent(v string) bool {
	c := countClasses(v)
	return c.digits > 2 && (c.upper > 0 && c.lower > 0 || c.digits > len(v)/4)
}

func isIdent(v string) bool {
	if v == "" || isDigit(v[0]) {
		return false
	}
	for i := 0; i < len(v); i++ {
		if !isAlnum(v[i]) && v[i] != '_' {
			return false
		}
	}
	return true
}

// isMember: _POST['password'], this->password, row[0]; behind a $ that is a variable's.
func isMember(v string) bool {
	i := 0
	for i < len(v) && (isAlnum(v[i]) || v[i] == '_') {
		i++
	}
	return i > 0 && i < len(v) && !isDigit(v[0]) && (strings.HasPrefix(v[i:], "->") || strings.HasPrefix(v[i:], "::") || strings.HasPrefix(v[i:], "['") || strings.HasPrefix(v[i:], "[\""))
}

// closesCall: behind the call that opens at v[i] comes the end, or more of an expression.
func closesCall(v string, i int) bool {
	k := strings.LastIndexByte(v, ')')
	return k < i || k == len(v)-1 || strings.IndexByte(".;,)]}", v[k+1]) >= 0
}

// isExpression: a call, an index, a dotted name.
func isExpression(v string) bool {
	v = strings.TrimRight(v, ";,")
	i := 0
	dots := 0
	for i < len(v) && (isAlnum(v[i]) || v[i] == '_' || v[i] == '.' || v[i] == ':' && i+1 < len(v) && v[i+1] == ':' || v[i] == ':' && i > 0 && v[i-1] == ':') {
		if v[i] == '.' {
			dots++
		}
		i++
	}
	if i == 0 || isDigit(v[0]) {
		return false
	}
	if i < len(v) {
		return v[i] == '?' && dots > 0 && strings.IndexByte(v[i:], ':') > 1 || v[i] == '(' && closesCall(v, i) || v[i] == '{' && dots > 0 || v[i] == '[' && (strings.HasSuffix(v, "]") || i+1 == len(v) || strings.Contains(v, "[\"") || strings.Contains(v, "['"))
	}
	return dots > 0 && dots < 5 && countClasses(v).digits == 0 && v[i-1] != '.' && dottedWords(v)
}

// dottedWords: every part between the dots reads like a name.
func dottedWords(v string) bool {
	for _, p := range strings.Split(v, ".") {
		if len(p) < 1 || len(p) > 3 && vowels(p) == 0 || len(p) > 32 || !evenCase(p) {
			return false
		}
	}
	return true
}

// evenCase: snake_case, camelCase, CONSTANT; no capital stands between two others' small
// letters at random.
func evenCase(p string) bool {
	c := countClasses(p)
	if c.lower == 0 || c.upper == 0 {
		return true
	}
	for i := 1; i < len(p); i++ {
		if isUpper(p[i]) && (i+1 == len(p) || !isLower(p[i+1])) && !(i+1 == len(p) && isUpper(p[i-1])) {
			return false
		}
	}
	return true
}

func vowels(s string) (n int) {
	for i := 0; i < len(s); i++ {
		switch s[i] | 0x20 {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			n++
		}
	}
	return n
}

// isKeyName: db_password, auth-token: the name of a secret, not one.
func isKeyName(v string) bool {
	c := countClasses(v)
	if camel := c.upper > 0 && c.lower > 0 && evenCase(strings.TrimRight(v, "0123456789")); !strings.ContainsAny(v, "_-.") && !camel || c.digits > 4 || c.digits > 1 && !camel {
		return false
	}
	for i := 0; i < len(v); i++ {
		if !isAlnum(v[i]) && v[i] != '_' && v[i] != '-' && v[i] != '.' {
			return false
		}
	}
	var room [8]string
	w := splitWords(v, room[:0])
	return len(w) > 1 && len(v) < 48 && mentionsSecret(w) && allNames(w)
}

func allNames(w []string) bool {
	for _, x := range w {
		if len(x) > 14 || !isDigits(x) && len(x) > 3 && vowels(x) == 0 {
			return false
		}
	}
	return true
}

func looksLikePath(v string) bool {
	if strings.HasPrefix(v, "~/") {
		return true
	}
	if v[0] != '/' {
		return false
	}
	parts := strings.Split(v[1:], "/")
	for _, p := range parts {
		if len(p) > 40 || len(p) > 0 && !pathish(p) {
			return false
		}
	}
	return len(parts) > 1 || shapeOf(parts[0]) < valueMixed || strings.Contains(v, ".")
}

func pathish(p string) bool {
	for i := 0; i < len(p); i++ {
		if !isAlnum(p[i]) && !strings.ContainsRune("._-+@:$%{}*~", rune(p[i])) {
			return false
		}
	}
	return true
}

// isPhrase: three or more words of four or more letters with a sign between.
func isPhrase(v string) bool {
	words, n := 0, 0
	for i := 0; i <= len(v); i++ {
		if i < len(v) && isAlpha(v[i]) {
			n++
			continue
		}
		if n < 4 || i < len(v) && v[i] != '-' && v[i] != '_' && v[i] != '.' {
			return false
		}
		words++
		n = 0
	}
	return words >= 3
}

// strongEnough: what prose must show before it is taken for a secret.
func strongEnough(v string) bool {
	if len(v) < 6 || judge(v, true) == valueNone || isVersionOrAddress(v) {
		return false
	}
	c := countClasses(v)
	if c.letters > 0 && c.digits > 0 && len(v) >= 8 {
		return true
	}
	if c.letters > 0 && c.digits > 0 && c.other > 0 {
		return true
	}
	if c.upper > 0 && c.lower > 0 && !isWord(v) && !strings.ContainsAny(v, "-/.") && len(v) >= 8 {
		return true
	}
	return isPhrase(v) || c.letters > 3 && c.other > 0 && strings.ContainsAny(v, "!@#$%^&*+=?~")
}

// isVersionOrAddress: 1.2.3-rc1, 10.0.0.1, 2031-01-01, aa:bb:cc, host.example.test:443
func isVersionOrAddress(v string) bool {
	c := countClasses(v)
	if c.digits > 0 && strings.Trim(v, "0123456789.:-/TZ+") == "" {
		return true
	}
	if strings.Count(v, ":") >= 3 && strings.Trim(v, "0123456789abcdefABCDEF:/%.") == "" {
		return true
	}
	if v[0] == 'v' && len(v) > 3 && isDigit(v[1]) && strings.Contains(v, ".") {
		return true
	}
	return looksLikeHost(v)
}

// looksLikeHost: dotted labels of which the last is letters, perhaps with a port.
func looksLikeHost(v string) bool {
	host, port, ok := strings.Cut(v, ":")
	if ok && !isDigits(port) {
		return false
	}
	labels := strings.Split(host, ".")
	if len(labels) < 2 {
		return false
	}
	for _, l := range labels {
		if l == "" || len(l) > 40 || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	last := labels[len(labels)-1]
	return len(last) >= 2 && len(last) <= 12 && countClasses(last).digits == 0
}

// entropy is Shannon's, in bits per byte.
func entropy(v string) float64 {
	var n [256]int
	for i := 0; i < len(v); i++ {
		n[v[i]]++
	}
	h := 0.0
	for _, k := range n {
		if k > 0 {
			p := float64(k) / float64(len(v))
			h -= p * math.Log2(p)
		}
	}
	return h
}
