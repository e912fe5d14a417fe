package screen_test

import (
	"strings"
	"testing"
)

// TestLeavingTheAlternateScreenRestoresTheCursor: DECRST 1049 is DECRC even where the main screen is shown, as xterm's ctlseqs has it
// ("Use Normal Screen Buffer and restore cursor as in DECRC").
func TestLeavingTheAlternateScreenRestoresTheCursor(t *testing.T) {
	for input, want := range map[string]string{
		"one\r\n\x1b[1;2H\x1b7\x1b[4;5Habc\x1b[?1049lX":      "oXe\n\n\n    abc",
		"one\x1b[?1049hfull\x1b[?1049lX":                     "oneX",
		"one\x1b[?1049hfull\x1b[?1049l\x1b[2;2H\x1b[?1049lX": "oneX",
		"one\x1b[2;1H\x1b[?47htwo\x1b[?47lX":                 "one\n   X",
	} {
		s := newScreen(20, 5)
		s.Write([]byte(input))
		if got := strings.Join(trimBlank(s.Text()), "\n"); strings.TrimRight(got, "\n") != want {
			t.Errorf("%q:\n%s\nwant\n%s", input, got, want)
		}
	}
}
