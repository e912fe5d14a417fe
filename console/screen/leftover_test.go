package screen_test

import "testing"

// TestLeftovers: what a program that died left on is undone, by what it would have written itself, and nothing else is.
func TestLeftovers(t *testing.T) {
	for input, want := range map[string]string{
		"":                                "",
		"\x1b[1;31mred\x1b[0m\x1b(B text": "",
		"\x1b[?1h\x1b=\x1b[?2004h":        "", // the line editor's own
		"\x1b[?1049hfull":                 "\x1b[?1049l",
		"\x1b[?47hfull":                   "\x1b[?1049l",
		"\x1b[?1003h\x1b[?1006h":          "\x1b[?1000l\x1b[?1006l",
		"\x1b[?1004h\x1b[?5h\x1b[20h":     "\x1b[?1004l\x1b[?5l\x1b[20l",
		"\x1b[?25l":                       "\x1b[!p",
		"\x1b(0":                          "\x1b[!p",
		"\x1b)0\x0e":                      "\x1b[!p",
		"\x1b[2;3r":                       "\x1b[!p",
		"\x1b[?69h":                       "\x1b[!p",
		"\x1b[4h":                         "\x1b[!p",
		"\x1b[?7l":                        "\x1b[!p",
		"\x1b[8m":                         "\x1b[!p",
		"\x1b[?2026h":                     "\x1b[?2026l",
	} {
		s := newScreen(20, 5)
		s.Write([]byte(input))
		p := s.Leftovers()
		if string(p) != want {
			t.Errorf("%q leaves %q, want %q", input, p, want)
		}
		s.Write(p)
		if more := s.Leftovers(); more != nil {
			t.Errorf("%q: %q is left after all", input, more)
		}
	}
}
