package command

import (
	"strconv"
	"strings"
	"unicode"
)

// Filters that take parts out of each line: cut, and awk that prints.

// cutLines is cut -c, -b and -f with one range.
func cutLines(args []string, text string) (string, bool) {
	what, ranges, sep := byte(0), "", "\t"
	for i := 0; i < len(args); i++ {
		a := args[i]
		if len(a) < 2 || a[0] != '-' || strings.IndexByte("bcfd", a[1]) < 0 {
			return "", false
		}
		v := a[2:]
		if v == "" {
			if i++; i >= len(args) {
				return "", false
			}
			v = args[i]
		}
		if a[1] == 'd' {
			sep = v
		} else {
			what, ranges = a[1], v
		}
	}
	from, to, ok := cutRange(ranges)
	if !ok || what == 0 || len(sep) != 1 {
		return "", false
	}
	if what != 'f' {
		sep = ""
	}
	return cutAll(text, sep, from, to), true
}

func cutAll(text, sep string, from, to int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		if sep == "" {
			lines[i] = l[min(from-1, len(l)):min(to, len(l))]
			continue
		}
		parts := strings.Split(l, sep)
		if len(parts) > 1 {
			lines[i] = strings.Join(parts[min(from-1, len(parts)):min(to, len(parts))], sep)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// pasted is paste -s: all lines in one.
func pasted(args []string, text string) (string, bool) {
	sep, serial := "\t", false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-":
		case strings.HasPrefix(a, "-s"):
			serial = true
			if d, ok := strings.CutPrefix(a, "-sd"); ok {
				if sep = d; d == "" && i+1 < len(args) {
					i++
					sep = args[i]
				}
			}
		case strings.HasPrefix(a, "-d") && len(a) > 2:
			sep = a[2:]
		case a == "-d" && i+1 < len(args):
			i++
			sep = args[i]
		default:
			return "", false
		}
	}
	return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", sep) + "\n", serial && len(sep) == 1
}

// cutRange reads N, N-, -M and N-M.
func cutRange(s string) (from, to int, ok bool) {
	a, b, dash := strings.Cut(s, "-")
	from, to = 1, maxOutput
	if a != "" {
		n, err := strconv.ParseUint(a, 10, 15)
		if err != nil || n == 0 {
			return 0, 0, false
		}
		if from = int(n); !dash {
			to = from
		}
	}
	if b != "" {
		n, err := strconv.ParseUint(b, 10, 15)
		if err != nil {
			return 0, 0, false
		}
		to = int(n)
	}
	return from, to, s != "" && s != "-" && from <= to
}

// awkFields is a program that prints whole lines, fields of them, or one
// text.
var (
	awkLine   = lazily(`^\s*(?:1|\{\s*print(?:\s+\$0)?\s*;?\s*\})\s*$`)
	awkFields = lazily(`^\s*\{\s*print\s+((?:\$\d+|"[^"\\]*")(?:\s*,?\s*(?:\$\d+|"[^"\\]*"))*)\s*;?\s*\}\s*$`)
	awkBegin  = lazily(`^\s*BEGIN\s*\{\s*printf?\s*\(?\s*"([^"%]*)"\s*\)?\s*;?\s*(?:exit\s*;?\s*)?\}\s*$`)
	awkItem   = lazily(`\$\d+|"[^"\\]*"|,`)
)

// awkPrint is awk with one of these programs.
func awkPrint(args []string, text string) (string, bool) {
	if len(args) != 1 {
		return "", false
	}
	if awkLine.MatchString(args[0]) {
		return text, true
	}
	m := awkFields.FindStringSubmatch(args[0])
	if m == nil {
		return "", false
	}
	if strings.ContainsFunc(text, otherSpace) {
		return "", false
	}
	var b strings.Builder
	for _, l := range linesOf(text) {
		fields := strings.FieldsFunc(l, awkSpace)
		for _, item := range awkItem.FindAllString(m[1], -1) {
			b.WriteString(awkValue(item, strings.TrimSuffix(l, "\n"), fields))
		}
		b.WriteByte('\n')
	}
	return b.String(), true
}

// awkSpace is what stands between fields in every awk and locale; some awks
// take other kinds of space too.
func awkSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

func otherSpace(r rune) bool { return unicode.IsSpace(r) && !awkSpace(r) }

func awkValue(item, line string, fields []string) string {
	switch {
	case item == ",":
		return " "
	case item[0] == '"':
		return item[1 : len(item)-1]
	case item == "$0":
		return line
	}
	n, err := strconv.Atoi(item[1:])
	if err != nil || n < 1 || n > len(fields) {
		return ""
	}
	return fields[n-1]
}
