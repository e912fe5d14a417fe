package redact_test

import (
	"strings"
	"testing"

	"sallyport/redact"
)

// TestMarginBehindWideCharacters: a character of two columns, a combining one and a tab
// bring the margin where a terminal has it, so that a token that it cuts is put together.
func TestMarginBehindWideCharacters(t *testing.T) {
	const token = pausedToken
	for name, head := range map[string]string{
		"ascii":         strings.Repeat("x", 59) + " ",
		"wide":          strings.Repeat("日", 29) + "x ",
		"emoji":         strings.Repeat("🔥", 29) + "x ",
		"combining":     strings.Repeat("e\u0301", 59) + " ",
		"tab":           "a\tb\t" + strings.Repeat("x", 43) + " ",
		"wide at odd":   "x" + strings.Repeat("语", 29) + " ",
		"coloured wide": "\x1b[31m" + strings.Repeat("日", 29) + "\x1b[0mx ",
		"korean":        strings.Repeat("한", 29) + "x ",
	} {
		cut := 20 // 60 columns stand before the token
		for how, text := range map[string]string{
			"hard":        head + token[:cut] + "\n" + token[cut:] + "\nafter\n",
			"blank":       head + token[:cut] + " \r" + token[cut:] + " after\n",
			"line editor": head + token[:cut] + "\r\n\r" + token[cut:] + " after\n",
		} {
			for _, width := range []int{0, 80} {
				s := redact.New(redact.Config{}).Target("db1").Stream()
				s.Columns(width)
				got := s.Write([]byte(text)).String() + s.Flush().String()
				if part := shownPart(got, token); part != "" || !strings.Contains(got, "after\n") {
					t.Errorf("%s, %s, width %d: %q in %q", name, how, width, part, got)
				}
			}
		}
	}
	// A wide character does not fit into the last column and leaves it free.
	text := strings.Repeat("x", 79) + "日" + strings.Repeat("y", 57) + " " + token[:20] + " \r" + token[20:] + " after\n"
	s := redact.New(redact.Config{}).Stream()
	s.Columns(80)
	if got := s.Write([]byte(text)).String(); shownPart(got, token[4:]) != "" {
		t.Errorf("%q", got)
	}
}

// TestLogicalSecretsInTheStream: of no secret of the corpus that escapes or wraps cut are
// four characters in a row left in what a reader of the stream sees.
func TestLogicalSecretsInTheStream(t *testing.T) {
	rows, missed := 0, 0
	for n, c := range corpus(t) {
		for _, secret := range c.Logical {
			rows++
			if part := shownPart(stream([]byte(c.Text)), secret); part != "" {
				missed++
				t.Logf("case %d, %s: %q is left", n+1, c.Kind, part)
			}
		}
	}
	if missed*50 > rows {
		t.Errorf("%d of %d secrets are left in part, want 1 in 50", missed, rows)
	}
}
