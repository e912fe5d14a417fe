package detect

import "strings"

// Layer 2 for programs that no table names: beside a flag that gives a user, -p, -P, -w
// and their like take a password.

// unknownFlag looks at the flag, or the here-string, found at [pos,end).
func (l *line) unknownFlag(pos, end int) {
	t := l.text
	if t[pos:end] == "<<<" {
		l.hereString(pos, end)
		return
	}
	if l.user == 0 {
		l.user = 1 + b2i(givesUser(t))
	}
	if l.user == 1 || l.tooManyHere(&l.flags, maxFlags, end) {
		return
	}
	from := max(0, pos-400)
	if k := strings.LastIndexAny(t[from:pos], "|;&"); k >= 0 {
		from += k
	}
	if !givesUser(t[from:min(len(t), end+120)]) || strings.Contains(t[from:pos], "mkdir ") {
		return
	}
	i := end
	if t[end-1] != ' ' { // -p
		switch {
		case end < len(t) && (t[end] == ' ' || t[end] == ':'):
			i++
		case strings.HasPrefix(t[end:], "w "):
			i += 2
		}
	}
	if i >= len(t) {
		return
	}
	w := unquote(t, word{start: i, end: wordEnd(t, i)})
	v := t[w.start:w.end]
	c := countClasses(v)
	if !strongEnough(v) || c.digits == 0 || c.letters < 3 || strings.ContainsAny(v, "/\\$`=,(){}<>") || i == end && t[end-1] != ' ' && c.upper == 0 {
		return
	}
	l.secretWord(w, "")
}

// maxFlags and maxHere are how many flags and here-strings of one line are looked at.
const maxFlags, maxHere = 64, 256

// givesUser: -u NAME, -U NAME, --user NAME and the like.
func givesUser(t string) bool {
	for _, f := range [...]string{" -u ", " -U ", " -user ", " --user ", " --username ", " -username ", " -login ", " -au ", " -u:", " --username=", " --user="} {
		if strings.Contains(t, f) {
			return true
		}
	}
	return false
}

// textTools read a here-string as text.
var textTools = set(`cat grep egrep fgrep rg sed awk gawk cut tr wc sort uniq head tail rev fold fmt nl tee xargs jq yq bc dc xxd od
	hexdump base64 base32 base58 md5sum sha1sum sha256sum sha512sum b2sum cksum column paste diff comm python python3 perl ruby node
	bash sh zsh while for mapfile readarray lolcat figlet cowsay less more iconv gzip zcat urlencode`)

// hereString masks one irregular word in a here-string for a program that is no tool for
// text.
func (l *line) hereString(pos, i int) {
	t := l.text[:min(len(l.text), i+1024)]
	if pos > 0 && t[pos-1] == '<' || l.tooManyHere(&l.here, maxHere, i) {
		return
	}
	from := max(0, pos-1024, l.cmd)
	from = min(from, pos)
	from += strings.LastIndexAny(t[from:pos], "|;&") + 1
	f, _ := fields(t[from:pos], 2)
	if len(f) == 0 || textTools[f[0]] || f[0] == "sudo" && len(f) > 1 && textTools[f[1]] || f[0] == "read" {
		return
	}
	i = skipBlanks(t, i)
	if i >= len(t) {
		return
	}
	if strings.HasPrefix(t[i:], "$'") {
		i++
	}
	w := unquote(t, word{start: i, end: wordEnd(t, i)})
	for _, part := range strings.Split(t[w.start:w.end], `\n`) {
		c := countClasses(part)
		if strongEnough(part) && c.digits > 0 && c.upper > 0 && c.lower > 0 && !strings.ContainsAny(part, " $`(){}<>/=:") {
			at := w.start + strings.Index(t[w.start:w.end], part)
			l.add(Span{Start: at, End: at + len(part), Kind: "password", rank: rankCommand})
		}
	}
}

// devicePrompt gives the offset behind a network device's prompt, R1(config)#, or -1.
func devicePrompt(t string) int {
	i := 0
	for i < len(t) && i < 64 && (isAlnum(t[i]) || strings.IndexByte("-_.@:/", t[i]) >= 0) {
		i++
	}
	if i == 0 || i >= len(t) {
		return -1
	}
	if t[i] == '(' {
		k := strings.IndexByte(t[i:min(len(t), i+40)], ')')
		if k < 0 {
			return -1
		}
		i += k + 1
	}
	if i >= len(t) || t[i] != '#' && t[i] != '>' {
		return -1
	}
	return skipBlanks(t, i+1)
}
