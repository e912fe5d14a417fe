package command

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What a filter makes of text that is known. Whatever is not computed here
// exactly is unknown: a text that is nearly what a shell will be fed is judged
// as something else than what runs.

func filter(name string, args []string, text string) (string, bool) {
	switch name {
	case "tee":
		return text, true
	case "tac":
		lines := linesOf(text)
		slices.Reverse(lines)
		return strings.Join(lines, ""), len(args) == 0 && strings.HasSuffix(text, "\n")
	case "paste":
		return pasted(args, text)
	case "cut":
		return cutLines(args, text)
	case "awk", "gawk", "mawk", "nawk":
		return awkPrint(args, text)
	case "grep", "egrep", "fgrep":
		return text, len(args) == 1 && (args[0] == "." || args[0] == "")
	case "python":
		if len(args) > 1 && args[0] == "-m" && args[1] == "base64" {
			return decodeBase("base64", args[2:], text)
		}
		return "", false
	case "cat", "less", "more", "sponge", "pv":
		return text, only(args, "-", "-u", "-q")
	case "sort":
		return text, len(args) == 0 && strings.Count(strings.TrimSuffix(text, "\n"), "\n") == 0
	case "uniq":
		return strings.Join(slices.Compact(linesOf(text)), ""), len(args) == 0
	case "head", "tail":
		return ended(name, args, text)
	case "sed":
		return edited(args, text)
	case "rev":
		return reverseLines(text), len(args) == 0
	case "base64", "gbase64", "base32", "openssl":
		return decodeBase(name, args, text)
	case "xxd":
		return decodeHex(args, text)
	case "tr":
		return translate(args, text)
	}
	return "", false
}

// only reports that there are no other words than these.
func only(args []string, allowed ...string) bool {
	return !slices.ContainsFunc(args, func(a string) bool { return !slices.Contains(allowed, a) })
}

// linesOf gives the lines, each with its end.
func linesOf(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// ended is head and tail with a number of lines.
func ended(name string, args []string, text string) (string, bool) {
	count := "10"
	switch {
	case len(args) == 2 && (args[0] == "-n" || args[0] == "--lines"):
		count = args[1]
	case len(args) == 1 && strings.HasPrefix(args[0], "-"):
		count = strings.TrimPrefix(strings.TrimPrefix(args[0], "-"), "n")
	case len(args) > 0:
		return "", false
	}
	n, err := strconv.ParseUint(count, 10, 31)
	if err != nil {
		return "", false
	}
	lines := linesOf(text)
	if n := min(int(n), len(lines)); name == "head" {
		lines = lines[:n]
	} else {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, ""), true
}

func reverseLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		r := []rune(l)
		slices.Reverse(r)
		lines[i] = string(r)
	}
	return strings.Join(lines, "\n")
}

var decodeOptions = []string{"-d", "-D", "-di", "-id", "-i", "--decode", "--ignore-garbage"}

// decodeBase is base64 -d, base32 -d, and what of openssl does the same.
func decodeBase(name string, args []string, text string) (string, bool) {
	if name == "openssl" {
		if len(args) == 0 || !slices.Contains([]string{"base64", "enc"}, args[0]) || args[0] == "enc" && only(args, "enc", "-d", "-A") {
			return "", false
		}
		args = slices.DeleteFunc(slices.Clone(args[1:]), func(a string) bool { return a == "-a" || a == "-A" || a == "-base64" })
	}
	if !only(args, decodeOptions...) || len(args) == 0 || only(args, "-i", "--ignore-garbage") {
		return "", false
	}
	clean := strings.TrimRight(strings.Join(strings.Fields(text), ""), "=")
	decode := base64.RawStdEncoding.DecodeString
	if name == "base32" {
		decode = base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString
	}
	out, err := decode(clean)
	return string(out), err == nil
}

// decodeHex is xxd -r -p.
func decodeHex(args []string, text string) (string, bool) {
	if words := strings.Join(args, " "); !only(args, "-r", "-p", "-ps", "-rp", "-pr", "-plain", "-revert") || !strings.Contains(words, "r") || !strings.Contains(words, "p") {
		return "", false
	}
	out, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	return string(out), err == nil
}

// translate is tr with plain sets and ranges, and -d.
func translate(args []string, text string) (string, bool) {
	if len(args) != 2 {
		return "", false
	}
	drops := args[0] == "-d"
	if strings.HasPrefix(args[0], "-") && !drops {
		return "", false
	}
	to, ok := members(args[1])
	if drops || !ok || to == "" {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(to, r) {
				return -1
			}
			return r
		}, text), ok && drops
	}
	from, ok := members(args[0])
	return strings.Map(func(r rune) rune {
		if i := strings.LastIndexByte(from, byte(r)); r < 0x80 && i >= 0 {
			return rune(to[min(i, len(to)-1)])
		}
		return r
	}, text), ok
}

var classes = strings.NewReplacer("[:upper:]", "A-Z", "[:lower:]", "a-z", "[:digit:]", "0-9", "[:space:]", `\t-\r `, "[:blank:]", `\t `)

// setEscapes are those that tr knows.
var setEscapes = lazily(`^(?:[^\\]|\\[0-7]{1,3}|\\[abfnrtv\\])*$`)

// members are the characters of a set of tr, in their order.
func members(set string) (string, bool) {
	set = classes.Replace(set)
	if strings.Contains(set, "[:") || strings.Contains(set, "[=") || strings.Contains(set, "[") && strings.Contains(set, "*") || !setEscapes.MatchString(set) {
		return "", false
	}
	set = ansiC(set)
	var b strings.Builder
	for i := 0; i < len(set); i++ {
		if set[i] >= 0x80 {
			return "", false
		}
		if i+2 >= len(set) || set[i+1] != '-' {
			b.WriteByte(set[i])
			continue
		}
		if set[i+2] >= 0x80 || set[i+2] < set[i] {
			return "", false
		}
		for c := set[i]; c <= set[i+2]; c++ {
			b.WriteByte(c)
		}
		i += 2
	}
	return b.String(), true
}

// plainPattern is what means the same to sed and here.
var plainPattern = lazily(`^\^?(?:[\w ,:;=@%"'<>/~#!-]\*?|\.\*?)*\$?$`)

// edited is sed with s commands that are simple, or with nothing but p.
func edited(args []string, text string) (string, bool) {
	var codes []string
	quiet := false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-n":
			quiet = true
		case a == "-e" && i+1 < len(args):
			i++
			codes = append(codes, args[i])
		case strings.HasPrefix(a, "-") || len(codes) > 0:
			return "", false
		default:
			codes = append(codes, a)
		}
	}
	if quiet && (len(codes) != 1 || codes[0] != "p") {
		return "", false
	}
	return editedBy(codes, quiet, text)
}

// editedBy runs the commands one after another over the whole text. That is
// what sed does line by line as long as no command prints in between: what p
// printed, a later s does not change. So p is exact as the last command alone.
func editedBy(codes []string, quiet bool, text string) (string, bool) {
	ok, printed := len(codes) > 0, false
	for c := range strings.SplitSeq(strings.Join(codes, ";"), ";") {
		switch c = strings.TrimSpace(c); {
		case c == "":
		case printed:
			return "", false
		case c == "p":
			if printed = true; !quiet {
				text = doubled(text)
			}
		default:
			if text, ok = substituted(c, text); !ok {
				return "", false
			}
		}
	}
	return text, ok
}

// doubled is sed p at the end: each line twice.
func doubled(text string) string {
	var b strings.Builder
	for _, l := range linesOf(text) {
		b.WriteString(strings.TrimSuffix(l, "\n") + "\n" + l)
	}
	return b.String()
}

// substituted is one s command whose pattern and text are simple.
func substituted(code, text string) (string, bool) {
	if len(code) < 4 || code[0] != 's' || code[1] >= 0x80 || strings.ContainsAny(code, "\\\n&") {
		return "", false
	}
	parts := strings.Split(code[2:], code[1:2])
	if len(parts) != 3 || parts[0] == "" || !plainPattern.MatchString(parts[0]) || parts[2] != "" && parts[2] != "g" {
		return "", false
	}
	pattern, err := regexp.CompilePOSIX(parts[0])
	if err != nil {
		return "", false
	}
	lines := linesOf(text)
	for i, l := range lines {
		bare := strings.TrimSuffix(l, "\n")
		lines[i] = replaced(bare, pattern, parts[1], parts[2] == "g") + l[len(bare):]
	}
	return strings.Join(lines, ""), true
}

func replaced(line string, pattern *regexp.Regexp, by string, all bool) string {
	if all {
		return pattern.ReplaceAllLiteralString(line, by)
	}
	at := pattern.FindStringIndex(line)
	if at == nil {
		return line
	}
	return line[:at[0]] + by + line[at[1]:]
}
