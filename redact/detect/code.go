package detect

import "strings"

// Layer 1 for codes that people type: "Your verification code is 482913", "SIM PUK:
// 55072087", a list of recovery codes, the words of a wallet.

// codeMakers are the words before "code" that make it a secret; an exit code, an area
// code and an error code are none.
var codeMakers = set(`verification verify login security access unlock door gate alarm safe entry mfa 2fa otp totp
	sms authentication authenticator authorization auth confirmation signin sign-in one-time onetime backup
	recovery pairing reset token device two-factor twofactor passcode pin puk factor scratch emergency activation lock`)

// codeAt looks at the word "code" or "codes" at [pos,end).
func (l *line) codeAt(pos, end int) {
	t := l.text
	if !isCodeMaker(t, pos) && !madeBehind(t[end:]) && !strings.EqualFold(t[pos:end], "passcode") {
		return
	}
	if end < len(t) && t[end]|0x20 == 's' {
		l.codeList(end + 1)
		return
	}
	if end < len(t) && isAlnum(t[end]) {
		return
	}
	if !l.codeBehind(end) {
		l.codeBefore(pos)
	}
}

// madeBehind: code for the door is …
func madeBehind(t string) bool {
	if !strings.HasPrefix(t, " for ") && !strings.HasPrefix(t, " to ") {
		return false
	}
	f, _ := fields(t[:min(len(t), 48)], 5)
	for _, w := range f {
		if codeMakers[strings.ToLower(w)] {
			return true
		}
	}
	return false
}

// isCodeMaker: the word before pos tells what kind of code it is.
func isCodeMaker(t string, pos int) bool {
	if pos == 0 || t[pos-1] != ' ' {
		return false
	}
	from := pos - 1
	for from > 0 && pos-from < 20 && (isAlnum(t[from-1]) || t[from-1] == '-') {
		from--
	}
	return codeMakers[strings.ToLower(t[from:pos-1])]
}

// codeBehind: … code is C, … code: C, … code for bob: C, backup code C.
func (l *line) codeBehind(end int) bool {
	t := l.text
	if l.oneCode(end) {
		return true
	}
	for i := end; i < min(len(t), end+120); i++ {
		switch {
		case t[i] == '.' && i+1 < len(t) && isSpace(t[i+1]):
			return false
		case (t[i] == ':' || t[i] == '=') && l.oneCode(i+1), strings.HasPrefix(t[i:], " is ") && l.oneCode(i+3):
			return true
		}
	}
	return false
}

// codeBefore: 482913 is your login code, G-482913 is your Google verification code.
func (l *line) codeBefore(pos int) {
	t := l.text
	from := max(0, pos-60)
	k := -1
	for _, w := range [...]string{" is your ", " as your ", " is the ", " as the "} {
		k = max(k, strings.LastIndex(t[from:pos], w))
	}
	if k <= 0 {
		return
	}
	start := from + k
	for start > 0 && !isBlank(t[start-1]) && from+k-start < 16 {
		start--
	}
	l.maskCode(start, from+k)
}

// oneCode masks the code at i, behind blanks.
func (l *line) oneCode(i int) bool {
	t := l.text
	i = skipBlanks(t, i)
	for i < len(t) && strings.IndexByte("\"'`*", t[i]) >= 0 {
		i++
	}
	if l.oauthCode(i) {
		return true
	}
	end := i
	for end < len(t) && end-i < 40 && (isAlnum(t[end]) || t[end] == '-') {
		end++
	}
	if end+4 <= len(t) && end-i == 3 && isDigits(t[i:end]) && t[end] == ' ' && isDigits(t[end+1:end+4]) && (end+4 == len(t) || !isAlnum(t[end+4])) {
		end += 4 // 482 913
	}
	if end < len(t) && (t[end] == '=' || t[end] == '_' || t[end] == '/' || t[end] == ':' || t[end] == '.' && end+1 < len(t) && isAlnum(t[end+1])) {
		return false
	}
	return l.maskCode(i, end)
}

const (
	maxOAuthCode  = 2048
	maxOAuthCodes = 64 // places of a line that are looked at
)

// oauthCode masks the long code at i, behind which the line ends.
func (l *line) oauthCode(i int) bool {
	t := l.text
	if n := len(t) - i; n < 20 || n > maxOAuthCode || strings.ContainsAny(t[i:i+20], " \t\"'`<>,;]\\") {
		return false
	}
	if l.tooManyHere(&l.codes, maxOAuthCodes, i) {
		return true
	}
	v, stop := credentialAt(t, i)
	if len(v) < 20 || strings.TrimSpace(t[stop:]) != "" || strings.Contains(v, "://") || looksLikePath(v) || shapeOf(v) != valueStrong {
		return false
	}
	l.add(Span{Start: i, End: stop, Kind: "code", Sure: true, rank: rankForm})
	return true
}

func (l *line) maskCode(start, end int) bool {
	v := strings.TrimRight(l.text[start:end], ".,;")
	start += len(v) - len(strings.TrimPrefix(v, "G-"))
	v = strings.TrimPrefix(v, "G-")
	if !isCode(v) {
		return false
	}
	l.add(Span{Start: start, End: start + len(v), Kind: "code", rank: rankForm})
	return true
}

// isCode: four to ten digits, or groups of letters and digits.
func isCode(v string) bool {
	c := countClasses(v)
	if c.letters == 0 {
		n := c.digits
		return n >= 4 && n <= 10 && c.other <= 1 && v[0] != '-' && v[len(v)-1] != '-'
	}
	if len(v) < 6 || len(v) > 40 || strings.HasPrefix(v, "-") || strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
		return false
	}
	groups := strings.Split(v, "-")
	if len(groups) > 1 { // ABCD-EFGH
		for _, g := range groups {
			if len(g) != len(groups[0]) || len(g) < 4 {
				return false
			}
		}
		return c.digits > 0 || c.lower == 0
	}
	return c.digits >= 2 || c.digits > 0 && c.lower == 0
}

const maxCodeList = 24 * 48 // bytes in which the codes of one line stand

// codeList masks all codes behind the head of a list on the same line.
func (l *line) codeList(i int) {
	t := l.text
	i = skipBlanks(t, i)
	if strings.HasPrefix(t[i:], "are") {
		i += len("are")
	}
	if i >= len(t) || t[i] != ':' && t[i] != '=' {
		return
	}
	f, at := fields(t[i+1:min(len(t), i+1+maxCodeList)], 24)
	for k, w := range f {
		w = strings.TrimRight(w, ",;")
		if !isCode(w) {
			return
		}
		l.add(Span{Start: i + 1 + at[k], End: i + 1 + at[k] + len(w), Kind: "recovery-code", rank: rankForm})
	}
}

// codesNext masks the lines behind the head of a list of recovery codes.
func (s *Scanner) codesNext(l *line) {
	t := l.text
	if s.codes > 0 {
		switch {
		case strings.TrimSpace(t) == "":
			s.codes--
		case !l.code():
			s.codes = 0
		}
		return
	}
	if n := len(t); n < 100 && n > 10 && (strings.Contains(t, "odes") || strings.Contains(t, "ecovery")) && headsCodes(t) {
		s.codes = 24
	}
}

// headsCodes: Recovery codes:, Backup codes, Your emergency scratch codes are:, BitLocker
// Recovery Password:
func headsCodes(t string) bool {
	low := strings.TrimRight(strings.ToLower(t), " :=-")
	low = strings.TrimSuffix(low, " are")
	if !strings.HasSuffix(low, " codes") {
		return strings.HasSuffix(low, "recovery password") || strings.HasSuffix(low, "recovery key")
	}
	for _, w := range [...]string{"recovery", "backup", "emergency", "scratch", "one-time"} {
		if strings.Contains(low, w) {
			return strings.HasSuffix(strings.TrimRight(t, " "), ":") || strings.Count(low, " ") < 3
		}
	}
	return false
}

// code masks the codes of a line: a few to a line, perhaps numbered.
func (l *line) code() bool {
	f, at := fields(l.text, 6)
	if len(f) > 1 && len(f[0]) <= 3 && strings.Trim(f[0], "0123456789.)-*") == "" {
		f, at = f[1:], at[1:]
	}
	even := true
	for _, w := range f {
		even = even && len(f) > 0 && len(w) == len(f[0])
	}
	for _, w := range f {
		if len(w) < 6 || len(w) > 64 || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
			return false
		}
		if countClasses(w).digits == 0 && !(even && strings.Count(w, "-") > 0 && len(w) < 16) {
			return false
		}
	}
	for k, w := range f {
		l.add(Span{Start: at[k], End: at[k] + len(w), Kind: "recovery-code", rank: rankForm})
	}
	return len(f) > 0
}

// seedPhrase masks the words of a wallet behind "mnemonic" or "… phrase" that ends at i.
func (l *line) seedPhrase(i int) {
	t := l.text
	for n := 0; n < 8 && i < len(t) && strings.IndexByte(" \t:=\"'`>[", t[i]) >= 0; n++ {
		i++
	}
	f, at := fields(t[i:min(len(t), i+512)], 25)
	n := 0
	for n < len(f) && n < 24 && isSeedWord(strings.Trim(f[n], `,"'`)) {
		n++
	}
	if n < 12 {
		return
	}
	last := strings.TrimRight(f[n-1], "\"',.;")
	l.add(Span{Start: i, End: i + at[n-1] + len(last), Kind: "passphrase", Sure: true, rank: rankForm})
}

func isSeedWord(w string) bool {
	return len(w) >= 3 && len(w) <= 8 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == ""
}
