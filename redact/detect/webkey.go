package detect

import (
	"encoding/base64"
	"strings"
)

// Layer 3: keys whose names are short or common words, so that the value must have the
// key's form.

// webKey: the private members of a JSON Web Key (RFC 7518, 6.2.2, 6.3.2 and 6.4.1): beside
// its "kty", or on a line of their own.
func (l *line) webKey(pos, end int) {
	t := l.text
	if !l.leads(pos) && !l.saysKeyType() {
		return
	}
	i := skipBlanks(t, end)
	if i >= len(t) || t[i] != '"' {
		return
	}
	v, _, ok := strings.Cut(t[i+1:min(len(t), i+1+maxToken)], `"`)
	if ok && len(v) >= 22 && strings.Trim(v, base64URL) == "" && shapeOf(v) == valueStrong && !isKeyName(v) {
		l.add(Span{Start: i + 1, End: i + 1 + len(v), Kind: "private-key", Sure: true, rank: rankForm})
	}
}

const base64URL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// saysKeyType: the line holds a "kty"; it is looked for once.
func (l *line) saysKeyType() bool {
	if l.keyType == 0 {
		l.keyType = 1 + b2i(strings.Contains(l.text, `"kty"`))
	}
	return l.keyType == 2
}

// updateKey: key hmac-sha256:NAME SECRET, key NAME SECRET, typed into nsupdate.
func (l *line) updateKey(end int) {
	f, at := fields(l.text[end:], 3)
	if len(f) == 2 && isKeyOf(f[1], 10, 64) {
		l.add(Span{Start: end + at[1], End: end + at[1] + len(f[1]), Kind: "key", Sure: true, rank: rankForm})
	}
}

// gossipKeyFollows: encrypt = "KEY", of the agents of a cluster: 16, 24 or 32 bytes.
func gossipKeyFollows(t string) bool {
	sep, after := separator(t, skipBlanks(t, skipClosers(t, 0)))
	if sep != '=' && sep != ':' {
		return false
	}
	i := skipOpeners(t, after)
	v, _ := credentialAt(t[:min(len(t), i+64)], i)
	return isKeyOf(v, 16, 32) && len(v)%4 == 0
}

// isKeyOf: base64 of so many random bytes.
func isKeyOf(v string, least, most int) bool {
	b, err := base64.StdEncoding.DecodeString(v)
	return err == nil && len(b) >= least && len(b) <= most && shapeOf(v) == valueStrong
}
