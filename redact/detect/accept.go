package detect

import "strings"

// Whether a value behind a key is a secret.

// accept is the decision for one value.
func (l *line) accept(key string, class keyClass, v value, raw string) bool {
	c := judge(raw, v.quoted)
	if c == valueNone || strings.EqualFold(raw, key) {
		return false
	}
	low := strings.ToLower(key)
	if (low == "signing key" || low == "signingkey") && isKeyID(raw) {
		return false
	}
	if strings.HasSuffix(low, "code") && class == keyToken {
		return isCode(raw) && !v.more
	}
	if key == "PASS" && !(v.sep == '=' && v.tight && strongEnough(raw)) {
		return false // a test's result
	}
	if v.sep == ',' {
		if i := skipClosers(l.text, v.end); i < len(l.text) && l.text[i] == ':' {
			return false // the next key of an object
		}
		return v.quoted && (!strings.ContainsAny(raw, " /") && strongEnough(raw) || isRandom(raw))
	}
	if v.sep == '(' && isEmail(raw) || v.sep == '=' && v.more && isCmdlet(raw) {
		return false
	}
	if v.sep == '(' || v.sep == '|' {
		return v.quoted && !strings.Contains(raw, " ") && (strongEnough(raw) || class == keyPassword && c >= valueMixed && !strings.ContainsAny(raw, " :")) || v.sep == '|' && (class == keyPassword || countClasses(raw).digits > 0) && l.accept(key, class, value{sep: ':', more: v.more}, raw)
	}
	switch class {
	case keyIdent:
		return isUUID(raw) && !v.more
	case keyWeak:
		if v.sep == '=' && v.tight && (strings.HasSuffix(key, "_AUTH") && strongEnough(raw) || low == "sig" && len(raw) >= 8 && c >= valueMixed) {
			return true
		}
		if strings.EqualFold(key, "session-id") && strings.Trim(raw, "0123456789ABCDEF") == "" {
			return false // of TLS
		}
		return c == valueStrong && !isUUID(raw) && !looksLikeHost(raw) && !isPhrase(raw)
	case keyToken:
		return l.acceptToken(key, v, raw, c)
	}
	return l.acceptPassword(key, v, raw, c)
}

func (l *line) acceptToken(key string, v value, raw string, c valueClass) bool {
	if c == valuePlain {
		if isDigits(raw) {
			return len(raw) >= 6 && !v.more
		}
		return (v.quoted || v.sep == '=') && len(raw) >= 6 && !v.more && !isUpper(raw[0]) || len(raw) >= 20
	}
	if looksLikeHost(raw) || isVersionOrAddress(raw) && len(raw) < 20 || strings.HasSuffix(key, "clientToken") && isUUID(raw) {
		return false
	}
	if v.sep == ':' && !v.quoted && v.more {
		return strongEnough(raw)
	}
	if strings.ContainsAny(raw, " \t") && !v.quoted {
		return false
	}
	return !(v.quoted && strings.Count(raw, " ") > 2)
}

func (l *line) acceptPassword(key string, v value, raw string, c valueClass) bool {
	if isDigits(raw) {
		return len(raw) >= 4 && !v.more
	}
	if v.sep == ' ' && c == valuePlain { // --password PASSWORD, --password option
		return !isUpper(raw[0]) && !flagProse[strings.ToLower(raw)]
	}
	if c == valuePlain && v.sep == ':' && !v.quoted {
		return !v.more && len(raw) >= 3 && !strings.HasSuffix(raw, ".")
	}
	if v.sep == ':' && !v.quoted && v.more {
		return strongEnough(raw) || c == valueStrong
	}
	if v.quoted && strings.Count(raw, " ") > 6 {
		return false
	}
	return true
}

var flagProse = set(`flag flags option options argument arguments parameter parameters switch switches instead
	is are was in on off to for from or and with without via prompt`)

// isKeyID: how OpenPGP names a key, by the end of its fingerprint or all of it.
func isKeyID(v string) bool {
	v = strings.TrimPrefix(strings.TrimRight(v, "'"), "0x")
	if len(v) == 40 && hexRun(v, 0) == 40 {
		return true
	}
	return (len(v) == 8 || len(v) == 16 || len(v) == 40) && strings.Trim(v, "0123456789ABCDEF") == ""
}

// isCmdlet: New-Object, Get-Credential.
func isCmdlet(v string) bool {
	verb, noun, ok := strings.Cut(v, "-")
	return ok && isWord(verb) && len(noun) > 1 && isUpper(noun[0]) && strings.Trim(verb+noun, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// isRandom: long, of all kinds of characters, as the keys that a generator writes.
func isRandom(v string) bool {
	c := countClasses(v)
	return len(v) >= 32 && c.upper > 3 && c.lower > 3 && c.digits > 1 && c.other > 1 && strings.Count(v, " ") < len(v)/10 && entropy(v) >= 4.5
}

func isUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := 0; i < len(v); i++ {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if v[i] != '-' {
				return false
			}
		} else if !isHex(v[i]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
