package detect

import "strings"

// Layer 3: password hashes, of shadow, htpasswd, LDAP, databases, boot loaders.

// maxHashMarks is how many marks in one word are looked at.
const maxHashMarks = 24

// hashAt masks the hash whose mark was found at [pos,end).
func (l *line) hashAt(pos, end int) {
	t := l.text
	if pos >= l.hashEnd {
		l.hashes = 0
	}
	if l.tooMany(&l.hashes, maxHashMarks, pos, l.hashEnd) {
		return
	}
	switch {
	case t[pos] == '$':
		l.cryptHash(pos)
	case t[pos] == '{':
		l.braceHash(pos)
	case t[pos] == ':':
		l.descrypt(pos)
	case (t[pos] == ' ' || t[pos] == '\'') && t[end-1] == '*':
		l.mysqlHash(end - 1)
	case strings.EqualFold(t[pos:end], "md5"):
		l.postgresMD5(pos)
	default:
		l.longHash(pos)
	}
}

// cryptHash: $id$…$…, at least two more dollars and a hash behind them.
func (l *line) cryptHash(pos int) {
	t := l.text
	end := pos
	for end < len(t) && end-pos < 512 && (isAlnum(t[end]) || strings.IndexByte("$./+=,-_*@", t[end]) >= 0) {
		end++
	}
	l.hashEnd = end
	for end > pos && (t[end-1] == ',' || t[end-1] == '.' && t[end-2] == '$') {
		end--
	}
	h := t[pos:end]
	if n := strings.Count(h, "$"); n == 2 && len(h) >= 14 && strings.ContainsAny(h[1:2], "PH89ph") && shapeOf(h[3:]) >= valueMixed {
		l.add(Span{Start: pos, End: end, Kind: "password-hash", Sure: true, rank: rankForm})
		return
	}
	if strings.Count(h, "$") < 3 || len(h)-strings.LastIndexByte(h, '$') < 14 && len(h) < 40 {
		return
	}
	if pos > 0 && isAlnum(t[pos-1]) && !strings.HasPrefix(h, "$krb5") {
		for pos > 0 && (isAlnum(t[pos-1]) || t[pos-1] == '_') { // pbkdf2_sha256$…
			pos--
		}
	}
	l.add(Span{Start: pos, End: end, Kind: "password-hash", Sure: true, rank: rankForm})
}

// braceHash: {SSHA}base64.
func (l *line) braceHash(pos int) {
	t := l.text
	close := strings.IndexByte(t[pos:min(len(t), pos+24)], '}')
	if close < 0 {
		return
	}
	end := pos + close + 1
	for end < len(t) && end-pos < 256 && (isAlnum(t[end]) || strings.IndexByte("+/=$.", t[end]) >= 0) {
		end++
	}
	if end-pos-close > 12 {
		l.add(Span{Start: pos, End: end, Kind: "password-hash", Sure: true, rank: rankForm})
	}
}

// descrypt: the second field of a shadow line that has no dollars.
func (l *line) descrypt(int) {
	if f := strings.SplitN(l.text, ":", 5); len(f) == 5 && len(f[2]) == 32 && len(f[3]) == 32 && hexRun(f[2]+f[3], 0) == 64 {
		start := len(f[0]) + len(f[1]) + 2 // LM and NT hashes
		l.add(Span{Start: start, End: start + 65, Kind: "password-hash", Sure: true, rank: rankForm})
		return
	}
	f := strings.SplitN(l.text, ":", 4)
	if len(f) < 4 || len(f[1]) != 13 || !isLogin(f[0]) || !isDigits(f[2]) || shapeOf(f[1]) < valueMixed {
		return
	}
	l.add(Span{Start: len(f[0]) + 1, End: len(f[0]) + 14, Kind: "password-hash", Sure: true, rank: rankForm})
}

// mysqlHash: * and 40 hexadecimal digits.
func (l *line) mysqlHash(pos int) {
	end := hexRun(l.text, pos+1)
	if end-pos == 41 {
		l.add(Span{Start: pos, End: end, Kind: "password-hash", Sure: true, rank: rankForm})
	}
}

// postgresMD5: md5 and 32 hexadecimal digits.
func (l *line) postgresMD5(pos int) {
	t := l.text
	end := hexRun(t, pos+3)
	if end-pos == 35 && (pos == 0 || !isAlnum(t[pos-1])) && (end >= len(t) || !isAlnum(t[end]) && t[end] != '-') {
		l.add(Span{Start: pos, End: end, Kind: "password-hash", Sure: true, rank: rankForm})
	}
}

func hexRun(t string, i int) int {
	for i < len(t) && isHex(t[i]) {
		i++
	}
	return i
}

// longHash: grub.pbkdf2.sha512.…, SCRAM-SHA-256$…, pbkdf2:sha256:….
func (l *line) longHash(pos int) {
	t := l.text
	for mark := pos; pos > 0 && mark-pos < 64 && (isAlnum(t[pos-1]) || t[pos-1] == '.' || t[pos-1] == '_'); {
		pos--
	}
	end := pos
	for end < len(t) && end-pos < 1024 && (isAlnum(t[end]) || strings.IndexByte("$./+=:-_", t[end]) >= 0) {
		end++
	}
	l.hashEnd = end
	h := t[pos:end]
	if len(h) >= 60 && strings.Count(h, "$")+strings.Count(h, ".")+strings.Count(h, ":") >= 2 && countClasses(h).digits > 8 {
		l.add(Span{Start: pos, End: end, Kind: "password-hash", Sure: true, rank: rankForm})
	}
}
