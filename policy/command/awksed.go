package command

import (
	"strings"
)

// awk and sed start programs and write files out of their code.

var (
	awkPipe  = lazily(`\|\s*&?\s*(getline|"[^"]*")|"\s*\|\s*getline`)
	awkWrite = lazily(`(?:print|printf)[^;}|]*>>?\s*"([^"]+)"`)
	awkInto  = lazily(`\bprintf?\b[^;}|(]*>>?\s*[A-Za-z_]\w*`)
	awkStart = lazily(`\bsystem\s*\(`)
)

var (
	sedExec  = lazily(`(?m)^[\s{]*(?:\d+|\$|/[^/]*/)?(?:,(?:\d+|\$|/[^/]*/))?\s*!?[\s{]*e(?:\s+(.*))?$`)
	sedWrite = lazily(`(?:^|[;}\s/,\d$])[wW]\s+(\S+)|/[gpiIMm0-9]*w\s+(\S+)`)
)

// awk runs programs with system(), | getline and print | "cmd".
func (x *invocation) awk() {
	o := readOptions("awk", x.args)
	codes := o.values("e", "source")
	operands := o.Operands
	for _, f := range o.values("f", "file") {
		x.use(f, Runs)
	}
	if len(codes) == 0 && !o.has("f", "file") && len(operands) > 0 {
		codes, operands = operands[:1], operands[1:]
	}
	for _, c := range codes {
		x.awkCode(c)
	}
	for _, f := range operands {
		if !strings.Contains(f.Text, "=") {
			x.use(f, Reads)
		}
	}
	if o.has("i", "inplace") && len(o.values("i")) > 0 && o.values("i")[0].Text == "inplace" {
		for _, f := range operands {
			x.use(f, Writes)
		}
	}
}

func (x *invocation) awkCode(c Word) {
	if c.Text == "" && !c.Known {
		x.mark("unseen_code")
	}
	if awkInto.MatchString(c.Text) {
		x.use(Word{Dynamic: true, Start: c.Start, End: c.End}, Writes)
	}
	if len(c.Text) > maxCode {
		x.mark("unseen_code")
		c.Text = c.Text[:maxCode]
	}
	if spellsOut.MatchString(c.Text) {
		x.mark("decodes_text")
	}
	pattern := awkStart.MatchString(c.Text)
	if pattern || awkPipe.MatchString(c.Text) {
		x.mark("exec_option")
		for _, l := range literals(strings.ReplaceAll(c.Text, "'", " ")) {
			if strings.TrimSpace(l) != "" && (strings.Contains(l, " ") || strings.Contains(l, "/") || shellNames[l]) {
				x.codeText(l, [2]int{c.Start, c.End}, nil, Bash)
			}
		}
	}
	if strings.Contains(c.Text, "/inet/") {
		x.mark("network_code")
		x.mark("reverse_shell")
	}
	for _, m := range awkWrite.FindAllStringSubmatch(c.Text, 8) {
		w := c
		w.Text = m[1]
		x.use(w, Writes)
		x.drop(m[1], dropped{maybe: guesses(c.Text)})
	}
}

// sed runs programs with the e command and flag, writes with w and -i.
func (x *invocation) sed() {
	o := readOptions("sed", x.args)
	codes := o.values("e", "expression")
	operands := o.Operands
	for _, f := range o.values("f", "file") {
		x.use(f, Runs)
	}
	if len(codes) == 0 && !o.has("f", "file") && len(operands) > 0 {
		codes, operands = operands[:1], operands[1:]
	}
	for _, c := range codes {
		x.sedCode(c)
	}
	a := Reads
	if x.sedInPlace() {
		a |= Writes
	}
	for _, f := range operands {
		if strings.Contains(f.Text, "{") {
			x.sedCode(f) // meant as code, with an -e that is missing
		}
		x.use(f, a)
	}
}

func (x *invocation) sedInPlace() bool {
	for _, a := range x.args {
		if strings.HasPrefix(a.Text, "--in-pl") || strings.HasPrefix(a.Text, "-i") {
			return true
		}
		if strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "--") && letters(a.Text[1:]) && strings.Contains(a.Text, "i") && !strings.HasPrefix(a.Text, "-e") && !strings.HasPrefix(a.Text, "-f") {
			return true
		}
	}
	return false
}

func (x *invocation) sedCode(c Word) {
	if c.Text == "" && !c.Known {
		x.mark("unseen_code")
	}
	if len(c.Text) > maxCode {
		x.mark("unseen_code")
		c.Text = c.Text[:maxCode]
	}
	span := [2]int{c.Start, c.End}
	for _, line := range strings.FieldsFunc(c.Text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if m := sedExec.FindStringSubmatch(line); m != nil {
			x.mark("exec_option")
			x.codeText(m[1], span, nil, Bash)
		}
	}
	if flags, ok := sedFlags(c.Text); ok && strings.Contains(flags, "e") {
		x.mark("exec_option")
		x.mark("unseen_code")
		if text, ok := sedText(c.Text); ok {
			x.codeText(text, span, nil, Bash)
		}
	}
	for _, m := range sedWrite.FindAllStringSubmatch(c.Text, 8) {
		w := c
		w.Text = m[1] + m[2]
		x.use(w, Writes)
	}
}

// sedFlags gives the flags of an s command.
func sedFlags(code string) (string, bool) {
	i := strings.IndexByte(code, 's')
	if i < 0 || i+1 >= len(code) {
		return "", false
	}
	if i > 0 && strings.Trim(code[:i], "0123456789,$ /") != "" && !strings.HasPrefix(code, "/") {
		return "", false
	}
	sep := code[i+1]
	if letters(string(sep)) || sep == ' ' {
		return "", false
	}
	n := 0
	for j := i + 2; j < len(code); j++ {
		if code[j] == '\\' {
			j++
			continue
		}
		if code[j] == sep {
			if n++; n == 2 {
				end := strings.IndexAny(code[j+1:], " ;}\n")
				if end < 0 {
					end = len(code) - j - 1
				}
				return code[j+1 : j+1+end], true
			}
		}
	}
	return "", false
}
