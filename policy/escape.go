package policy

import (
	"fmt"
	"strconv"
	"strings"
)

// Unescape decodes a command of a case file: \\ \n \t \r \uXXXX \UXXXXXXXX;
// everything else is literal.
func Unescape(s string) (string, error) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		n, err := unescapeOne(&b, s[i+1:])
		if err != nil {
			return "", err
		}
		i += n
	}
	return b.String(), nil
}

func unescapeOne(b *strings.Builder, s string) (int, error) {
	if s == "" {
		return 0, fmt.Errorf("a backslash at the end of a command")
	}
	digits := 4
	switch s[0] {
	case '\\':
		b.WriteByte('\\')
		return 1, nil
	case 'n':
		b.WriteByte('\n')
		return 1, nil
	case 't':
		b.WriteByte('\t')
		return 1, nil
	case 'r':
		b.WriteByte('\r')
		return 1, nil
	case 'U':
		digits = 8
	case 'u':
	default:
		return 0, fmt.Errorf(`unknown escape \%c in a command`, s[0])
	}
	if len(s) < 1+digits {
		return 0, fmt.Errorf(`\%c with too few digits`, s[0])
	}
	v, err := strconv.ParseUint(s[1:1+digits], 16, 32)
	if err != nil {
		return 0, fmt.Errorf(`\%s is no character`, s[:1+digits])
	}
	b.WriteRune(rune(v))
	return 1 + digits, nil
}
