package screen_test

import (
	"strings"
	"testing"
)

// TestClusters: what is one character for a reader is one cell, or two when it is wide, however the writes cut it.
func TestClusters(t *testing.T) {
	for _, tc := range []struct {
		name, input string
		glyph       string
		width       int
	}{
		{"letter with a mark", "e\u0301", "e\u0301", 1},
		{"letter with marks", "a\u0323\u0302", "a\u0323\u0302", 1},
		{"ideograph", "字", "字", 2},
		{"ideograph with a variation", "葛\U000e0100", "葛", 2},
		{"Hangul from parts", "\u1112\u1161\u11ab", "\u1112\u1161\u11ab", 2},
		{"Thai vowel", "ก\u0e33", "ก\u0e33", 2},
		{"Devanagari conjunct", "क\u094dष", "क\u094dष", 2},
		{"flag", "🇩🇪", "🇩🇪", 2},
		{"family", "👩\u200d👩\u200d👧\u200d👦", "👩\u200d👩\u200d👧\u200d👦", 2},
		{"skin", "👍🏽", "👍🏽", 2},
		{"text made emoji", "❤\ufe0f", "❤\ufe0f", 2},
		{"keycap", "1\ufe0f\u20e3", "1\ufe0f\u20e3", 2},
		{"mark after a style", "e\x1b[31m\u0301", "e\u0301", 1},
		{"full width", "Ａ", "Ａ", 2},
		{"half width with voicing", "ｶﾞ", "ｶﾞ", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for cut := range len(tc.input) + 1 {
				s := newScreen(20, 3)
				s.Write([]byte(tc.input[:cut]))
				s.Write([]byte(tc.input[cut:] + "|"))
				if got := s.Glyph(s.Cell(0, 0)); got != tc.glyph {
					t.Fatalf("cut at %d: glyph %q, want %q", cut, got, tc.glyph)
				}
				if got := s.Glyph(s.Cell(tc.width, 0)); got != "|" {
					t.Fatalf("cut at %d: %q at column %d, row %q", cut, got, tc.width, s.Text())
				}
			}
		})
	}
}

func TestTwoCharactersStayTwo(t *testing.T) {
	for _, tc := range []struct{ input, second string }{
		{"한국", "국"}, {"🇩🇪🇫🇷", "🇫🇷"}, {"👩👩", "👩"}, {"字e\u0301", "e\u0301"},
	} {
		s := newScreen(20, 3)
		s.Write([]byte(tc.input))
		if got := s.Glyph(s.Cell(2, 0)); got != tc.second {
			t.Errorf("%q: second is %q, want %q", tc.input, got, tc.second)
		}
	}
}

func TestWideAtTheMargin(t *testing.T) {
	for _, tc := range []struct{ name, input, want string }{
		{"wraps whole", "abc字", "abc\n字"},
		{"fits exactly", "ab字", "ab字"},
		{"without autowrap is lost", "\x1b[?7labc字", "abc"},
		{"becomes wide in the last column", "abc❤\ufe0fx", "abc\n❤\ufe0fx"},
		{"overwritten in its second half", "字\x1b[1;2Hx", " x"},
		{"overwritten in its first half", "字\x1b[1;1Hx", "x"},
		{"erased in its second half", "a字b\x1b[1;3H\x1b[X", "a  b"},
		{"cut by deletion", "字b\x1b[1;2H\x1b[P", " b"},
		{"cut by insertion", "字b\x1b[1;2H\x1b[@", "   b"},
		{"pushed over the margin", "ab字\x1b[1;1H\x1b[@", " ab"},
		{"cut by a margin", "a字b\x1b[?69h\x1b[1;2s\x1b[1;1H\x1b[@", " a b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newScreen(4, 3)
			s.Write([]byte(tc.input))
			check(t, s)
			if got := strings.TrimRight(s.Text(), "\n"); got != tc.want {
				t.Errorf("grid %q, want %q", got, tc.want)
			}
		})
	}
}
