package detect

import (
	"io/fs"
	"regexp"
	"strings"
)

// Layer 5: tokens of vendors. The table is data/vendors-*.toml: adding one is adding an
// entry there.

// vendor is one shape of token.
type vendor struct {
	ID       string   `toml:"id"`
	Kind     string   `toml:"kind"`
	Literals []string `toml:"literals"` // one of these is in every such token, or before it
	Pattern  string   `toml:"pattern"`  // RE2; the group "secret" or all of it is masked
	Back     int      `toml:"back"`     // how far the pattern begins before the literal
	Example  []string `toml:"example"`  // parts of a made-up token
	Names    bool     `toml:"names"`    // names in programs look like it: it must be irregular
	Source   string   `toml:"source"`
	Licence  string   `toml:"licence"`

	re     *regexp.Regexp
	shape  shape
	group  int
	digits bool // it begins with digits
}

const maxToken = 4096

func loadVendors() []vendor {
	names, _ := fs.Glob(data, "data/vendors-*.toml") // the pattern is well formed
	var all []vendor
	for _, name := range names {
		var file struct{ Token []vendor }
		loadTable(name, &file)
		all = append(all, file.Token...)
	}
	for i := range all {
		v := &all[i]
		v.re = regexp.MustCompile(`^(?:` + v.Pattern + `)`)
		v.shape = shapeOfPattern(v.Pattern)
		v.digits = strings.HasPrefix(v.Pattern, "[0-9]{")
		v.group = max(0, v.re.SubexpIndex("secret"))
	}
	return all
}

// vendor tries one shape at the literal found at pos.
func (l *line) vendor(n, pos int) {
	v := &l.s.eng.vendors[n]
	if pos < l.token && v.Back == 0 && (pos > l.tokenAt || l.tries > maxTries) {
		return
	}
	start := pos
	for start > l.token && pos-start < v.Back && isWordByte(l.text[start-1]) && !(v.digits && !isDigit(l.text[start-1])) {
		start--
	}
	if !l.vendorFrom(v, start) && v.Back == 0 {
		l.openTail(v, start)
	}
}

func (l *line) vendorFrom(v *vendor, start int) bool {
	t := l.text
	if start > 0 && isAlnum(t[start]) && (isAlnum(t[start-1]) || t[start-1] == '_') && !escapedLetter(t, start-1) && !(isDigit(t[start]) && isAlpha(t[start-1])) {
		return false
	}
	if start > 0 && t[start-1] == '+' {
		return false // inside base64
	}
	if !v.shape.fits(t, start) {
		return false
	}
	m := v.re.FindStringSubmatchIndex(t[start:min(len(t), start+l.tokenRoom())])
	if m == nil {
		l.tries++
		return l.longerToken(start)
	}
	from, to := start+m[2*v.group], start+m[2*v.group+1]
	for v.group == 0 && to < len(t) && isAlnum(t[to]) && isAlnum(t[to-1]) {
		to++
	}
	if to == start+usualToken {
		l.longerToken(start)
	}
	if isFiller(t[from:to]) || v.Names && looksNamed(t[from:to]) {
		return true
	}
	l.add(Span{Start: from, End: to, Kind: v.Kind, Sure: true, rank: rankVendor + len(v.Literals[0])})
	if to-from > 64 {
		l.tries += b2i(start < l.token) // found again in itself
		l.token, l.tokenAt = to, from
	}
	return true
}

const (
	maxTries   = 64  // of one line
	usualToken = 256 // bytes that hold all but few tokens
)

// tokenRoom is how far an expression may look: less where many found nothing.
func (l *line) tokenRoom() int {
	if l.tries > maxTries {
		return usualToken
	}
	return maxToken
}

// longerToken masks what may be a token at start that is longer than the expressions look
// any more.
func (l *line) longerToken(start int) bool {
	if l.tokenRoom() == maxToken {
		return false
	}
	end := start
	for end < len(l.text) && end-start < maxToken && isTokenByte(l.text[end]) {
		end++
	}
	if end-start <= usualToken {
		return false
	}
	l.add(Span{Start: start, End: end, Kind: "overlong", rank: rankGuess})
	l.token, l.tokenAt = end, start
	return true
}

// escapedLetter: the n of a written \n is no part of a word.
func escapedLetter(t string, i int) bool {
	return i > 0 && t[i-1] == '\\' && strings.IndexByte("nrt", t[i]) >= 0
}

// isFiller: xoxb-xxxxxxxx, documentation's way to show a shape.
func isFiller(v string) bool {
	tail := v[len(v)/2:]
	return len(tail) > 3 && strings.Trim(tail, "xX.*_-") == "" || len(v) > 12 && isRepeat(v[len(v)-8:])
}

// looksNamed: s.readLengthPrefixed is a method.
func looksNamed(v string) bool {
	v = v[strings.IndexByte(v, '.')+1:]
	return evenCase(strings.TrimRight(v, "0123456789")) && countClasses(v).digits < 4
}

func isWordByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' }

func isTokenByte(c byte) bool {
	return isAlnum(c) || strings.IndexByte("_-.~", c) >= 0
}
