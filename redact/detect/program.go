package detect

import (
	"embed"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Layer 2: command lines, by program. The table is data/programs.toml.

//go:embed data/*.toml
var data embed.FS

// program says where a command line of a program holds a password.
type program struct {
	Names    []string `toml:"names"`    // of the file, without folder
	Flags    []string `toml:"flags"`    // the next word, or what follows =, is the secret
	Attached []string `toml:"attached"` // the rest of the word is the secret
	Login    []string `toml:"login"`    // the next word or the rest of this one is user:password
	Percent  []string `toml:"percent"`  // … user%password
	Comma    []string `toml:"comma"`    // … user,password
	Pair     []string `toml:"pair"`     // … name=secret
	Values   []string `toml:"values"`   // the next word is a value, and no operand
	Operands []operand
	Windows  bool   `toml:"windows"` // flags begin with /, and \\host\share is no secret
	Needs    string `toml:"needs"`   // the table holds only with this text in the command
	First    bool   `toml:"first"`   // … and only at the beginning of the line
	Once     bool   `toml:"once"`    // behind the first secret another command's words begin

	wordFlags bool // its flags are words behind one dash
}

// operand is a secret among the operands: the Nth (from 1) behind the words After.
type operand struct {
	After []string `toml:"after"`
	N     int      `toml:"n"`
	Keyed bool     `toml:"keyed"` // any operand, if the one before names a secret
	Login string   `toml:"login"` // the sign between user and password
	Flag  string   `toml:"flag"`  // only with a flag that holds this letter
	Pairs bool     `toml:"pairs"` // of all that are name=value, the value
}

func loadPrograms() []program {
	var file struct{ Program []program }
	loadTable("data/programs.toml", &file)
	for i := range file.Program {
		p := &file.Program[i]
		for _, f := range append(append([]string{}, p.Flags...), p.Values...) {
			p.wordFlags = p.wordFlags || len(f) > 2 && f[0] == '-' && f[1] != '-'
		}
	}
	return file.Program
}

// loadTable reads an embedded table; that it is well formed is tested.
func loadTable(name string, into any) {
	b, err := data.ReadFile(name)
	if err == nil {
		err = toml.Unmarshal(b, into)
	}
	if err != nil {
		panic("redact/detect: " + name + ": " + err.Error())
	}
}

const (
	maxPrograms = 64    // of one command
	maxWords    = 32768 // that are read for all of them
)

// program looks through the words behind the name at [pos,end).
func (l *line) program(n, pos, end int) {
	t := l.text
	if pos > 0 && (isAlnum(t[pos-1]) || strings.IndexByte("_-.=$", t[pos-1]) >= 0 && !(t[pos-1] == '=' || t[pos-1] == '-' && pos == 1)) {
		return
	}
	if strings.HasPrefix(t[end:], `", "`) || strings.HasPrefix(t[end:], `","`) {
		l.programWords(&l.s.eng.programs[n], listed(t, end+1))
		return
	}
	if end >= len(t) || !isSpace(t[end]) {
		return
	}
	p := &l.s.eng.programs[n]
	stop := l.command
	if pos >= l.command {
		stop = commandEnd(t, pos, end)
		l.command, l.programs, l.words = stop, 0, 0
	}
	if l.tooMany(&l.programs, maxPrograms, end, stop) || l.words > maxWords && l.tooMany(&l.words, maxWords, end, stop) {
		return
	}
	if p.First && strings.Trim(l.head(pos), " \t+-!#>0123456789") != "" && l.cmd != pos && devicePrompt(t) != pos {
		return
	}
	if p.Needs != "" && !strings.Contains(t[end:stop], p.Needs) {
		return
	}
	ws := words(t, end, stop, maxWords)
	l.words += len(ws)
	l.programWords(p, ws)
}

func (l *line) programWords(p *program, ws []word) {
	var operands []word
	flags := ""
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		raw := l.text[w.start:w.end]
		next := word{}
		if i+1 < len(ws) {
			next = ws[i+1]
		}
		used, took := l.programFlag(p, w, raw, next)
		switch {
		case used && p.Once:
			return
		case used:
			i += took
		case raw != "" && (raw[0] == '-' || raw[0] == '/' && (p.Windows || len(raw) == 2)) && len(raw) > 1:
			flags += raw
		case p.Windows && strings.HasPrefix(raw, `\\`):
			operands = append(operands, word{}) // counts, and holds nothing
		default:
			operands = append(operands, w)
		}
	}
	for _, o := range p.Operands {
		l.operand(o, operands, flags)
	}
}

// programFlag masks the value of one flag; took says whether it was the next word.
func (l *line) programFlag(p *program, w word, raw string, next word) (used bool, took int) {
	if slices.Contains(p.Values, raw) {
		return true, 1
	}
	kinds := [...]struct {
		names []string
		sign  string
	}{{p.Flags, ""}, {p.Login, ":"}, {p.Percent, "%"}, {p.Comma, ","}, {p.Pair, "="}}
	for _, k := range kinds {
		for _, f := range k.names {
			switch {
			case raw == f:
				if next.end <= next.start || l.text[next.start] == '-' {
					return true, 0
				}
				l.secretWord(next, k.sign)
				return true, 1
			case strings.HasPrefix(raw, f) && (strings.HasPrefix(raw[len(f):], "=") || k.sign != "" && len(f) == 2 && raw[len(f)] != '-'):
				w.start += len(f) + b2i(raw[len(f)] == '=')
				l.secretWord(unquote(l.text, w), k.sign)
				return true, 0
			}
		}
	}
	if sign, ok := p.clusterEnd(raw); ok && next.end > next.start && l.text[next.start] != '-' {
		l.secretWord(next, sign)
		return true, 1
	}
	if n := clusterLogin(raw, p.Login); n > 0 {
		w.start += n
		l.secretWord(unquote(l.text, w), ":")
		return true, 0
	}
	for _, f := range p.Attached {
		if len(raw) > len(f) && strings.HasPrefix(raw, f) && !(len(f) == 2 && raw[2] == '=') {
			w.start += len(f)
			l.secretWord(unquote(l.text, w), "")
			return true, 0
		}
	}
	return false, 0
}

// clusterEnd: -su user:SECRET, -xw SECRET: several flags of one letter, of which the last
// takes the secret. A program whose flags are words behind one dash has no such.
func (p *program) clusterEnd(raw string) (sign string, ok bool) {
	if len(raw) < 3 || len(raw) > 4 || raw[0] != '-' || strings.IndexByte("uUpPwak", raw[len(raw)-1]) < 0 || strings.Trim(raw[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || p.wordFlags {
		return "", false
	}
	last := "-" + raw[len(raw)-1:]
	switch {
	case slices.Contains(p.Login, last):
		return ":", true
	case slices.Contains(p.Percent, last):
		return "%", true
	case slices.Contains(p.Flags, last) && !slices.Contains(p.Attached, last):
		return "", true
	}
	return "", false
}

// clusterLogin: -sSuadmin:SECRET, several flags in one word. It gives the login's offset.
func clusterLogin(raw string, flags []string) int {
	for _, f := range flags {
		if len(f) != 2 || len(raw) < 5 || raw[0] != '-' {
			continue
		}
		k := strings.IndexByte(raw[:min(len(raw), 8)], f[1])
		if k > 1 && strings.Trim(raw[1:k], "sSkLvifgGIjnNqR") == "" && strings.IndexByte(raw[k:], ':') > 1 {
			return k + 1
		}
	}
	return 0
}

func (l *line) operand(o operand, ops []word, flags string) {
	at := 0
	for _, a := range o.After {
		k := at
		for k < len(ops) && l.text[ops[k].start:ops[k].end] != a {
			k++
		}
		if k == len(ops) {
			return
		}
		at = k + 1
	}
	if o.Flag != "" && !strings.Contains(flags, o.Flag) {
		return
	}
	if o.Pairs {
		for _, op := range ops[at:] {
			raw := l.text[op.start:op.end]
			if assigns(raw) && strongEnough(raw[strings.IndexByte(raw, '=')+1:]) {
				l.secretWord(op, "=")
			}
		}
		return
	}
	if o.Keyed {
		for k := at; k+1 < len(ops); k++ {
			name := l.text[ops[k].start:ops[k].end]
			if assigns(name) || name != "" && isMaskLike(name) || ops[k+1].end-ops[k+1].start < 4 {
				continue
			}
			name = name[strings.LastIndexAny(name, ":/")+1:]
			if c := classify(name); c != keyNone && judge(l.text[ops[k+1].start:ops[k+1].end], true) > valueNone {
				l.secretWord(ops[k+1], "")
				return
			}
		}
		return
	}
	i := at + o.N - 1
	if i+1 < len(ops) && ops[i].end-ops[i].start == 1 && isDigit(l.text[ops[i].start]) {
		i++ // the kind of a hash in front of it
	}
	if i < len(ops) && !assigns(l.text[ops[i].start:ops[i].end]) {
		l.secretWord(ops[i], o.Login)
	}
}

// exampleWords stand for a password in documentation.
var exampleWords = set(`public password passwd pwd pass secret passphrase pw PASSWORD PASS SECRET PASSWD`)

// hashNames stand between a password's flag and the hash.
var hashNames = set(`md5 sha sha1 sha256 sha512 sha-256 sha-512 scrypt bcrypt argon2 argon2id plain plaintext`)

// namesPlain: region=eu among the values that a secret is made of.
func namesPlain(name, v string) bool {
	var room [8]string
	w := splitWords(name, room[:0])
	return len(w) > 0 && aboutWords[w[len(w)-1]] && (v == "" || isWord(v)) && classify(name) == keyNone
}

// assigns: name=value, which has a detector of its own.
func assigns(w string) bool {
	k := strings.IndexByte(w, '=')
	return k > 0 && isIdent(w[:k]) && strings.Trim(w[k:], "=") != ""
}

// secretWord masks the literal parts of a word, or of what stands behind the sign.
func (l *line) secretWord(w word, sign string) {
	t := l.text
	raw := t[w.start:w.end]
	if sign != "" {
		k := 0
		if strings.HasPrefix(raw, "<redacted:") {
			k = strings.IndexByte(raw, '>') + 1
		}
		if n := strings.Index(raw[k:], sign); n >= 0 {
			k += n
		} else {
			return
		}
		if k < 0 || strings.HasPrefix(raw, "$") || strings.Contains(raw, "://") {
			return
		}
		if sign == "=" && namesPlain(raw[:k], raw[k+1:]) {
			return
		}
		w.start += k + len(sign)
		if sign == "/" { // user/password@host
			if at := strings.LastIndexByte(t[w.start:w.end], '@'); at >= 0 {
				w.end = w.start + at
			}
		}
		raw = t[w.start:w.end]
		if len(raw) > 1 && (raw[0] == '\'' || raw[0] == '"') && raw[len(raw)-1] == raw[0] {
			w.start, w.end = w.start+1, w.end-1
			raw = t[w.start:w.end]
		}
	}
	for _, p := range [...]string{"pass:", "password:", "s:"} { // openssl's, virt-sysprep's, iwconfig's
		if strings.HasPrefix(raw, p) {
			w.start += len(p)
			raw = raw[len(p):]
		}
	}
	if raw == "" || exampleWords[raw] || hashNames[strings.ToLower(raw)] || isMaskLike(raw) || shapeOf(raw) == valueNone || strings.HasPrefix(raw, "env:") || strings.HasPrefix(raw, "file:") || strings.HasPrefix(raw, "fd:") || raw == "stdin" ||
		strings.HasPrefix(raw, "{{") || strings.HasPrefix(raw, "${{") || flagProse[raw] {
		return
	}
	for _, r := range literalRuns(t, w.start, w.end, w.quote == '\'') {
		l.add(Span{Start: r[0], End: r[1], Kind: "password", Sure: true, rank: rankCommand})
	}
}
