package safetext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"sallyport/console/safetext"
)

func TestLine(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"plain", "du -sh /var/log", "du -sh /var/log"},
		{"other scripts", "Привет 日本語 العربية é", "Привет 日本語 العربية é"},
		{"emoji", "👍🏽 👩\u200d👧 ❤\ufe0f", "👍🏽 👩\u200d👧 ❤\ufe0f"},
		{"newlines and tabs", "a\nb\tc\r\n", "a↵b⇥c‹CR›↵"},
		{"colours", "\x1b[31mred\x1b[0m", "‹ESC›[31mred‹ESC›[0m"},
		{"DCS and APC", "\x1bPq\x1b\\\x1b_x\x1b\\", "‹ESC›Pq‹ESC›\\‹ESC›_x‹ESC›\\"},
		{"C1", "\u009b31m", "‹U+009B›31m"},
		{"C1 byte", "\x9b31m", "‹0x9b›31m"},
		{"overwriting", "good\b\b\b\bevil", "good‹BS›‹BS›‹BS›‹BS›evil"},
		{"bidirectional", "a\u202eb\u2066c\u200f", "a‹U+202E›b‹U+2066›c‹U+200F›"},
		{"zero width", "r\u200bm\u2060\ufeff", "r‹U+200B›m‹U+2060›‹U+FEFF›"},
		{"joiner between letters", "r\u200dm", "r‹U+200D›m"},
		{"joiner that Persian needs", "می\u200cخواهم", "می\u200cخواهم"},
		{"tags", "x\U000e0041\U000e007f", "x‹U+E0041›‹U+E007F›"},
		{"variation selectors that carry data", "x\ufe01\U000e0100", "x‹U+FE01›‹U+E0100›"},
		{"fillers", "a\u3164b\u115f\u2800", "a‹U+3164›b‹U+115F›‹U+2800›"},
		{"private use and unassigned", "\ue0b0\U000f0000\u0378", "‹U+E0B0›‹U+F0000›‹U+0378›"},
		{"separators", "a\u2028b\u2029", "a‹U+2028›b‹U+2029›"},
		{"soft hyphen", "pass\u00adword", "pass‹U+00AD›word"},
		{"marks on a letter", "e\u0301", "e\u0301"},
		{"too many marks", "a" + strings.Repeat("\u0301", 6), "a" + strings.Repeat("\u0301", 4) + "‹U+0301›‹U+0301›"},
		{"a mark alone", "\u0301x", "‹U+0301›x"},
		{"invalid UTF-8", "a\xff\xc2", "a‹0xff›‹0xc2›"},
		{"NUL and DEL", "\x00\x7f", "‹NUL›‹DEL›"},
		{"brackets in prose", "‹see›", "‹see›"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := safetext.Line(tc.in); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

func TestBlock(t *testing.T) {
	in := "one\r\ntwo\tx\n\x1b[2Jthree\rfour\n"
	if got, want := safetext.Block(in), "one\ntwo     x\n‹ESC›[2Jthree‹CR›four\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestExact(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{ // marked runs in braces
		{"plain", "ls -l", "ls -l"},
		{"newline and tab", "a\n\tb", "a{↵⇥}b"},
		{"spaces at the end", "ls  ", "ls{␠␠}"},
		{"other spaces", "rm\u00a0-rf\u3000x", "rm{‹U+00A0›}-rf{‹U+3000›}x"},
		{"zero width", "r\u200bm", "r{‹U+200B›}m"},
		{"joined emoji", "👩\u200d👧", "👩{‹U+200D›}👧"},
		{"imitated marks", "a‹U+200B›b↵", "a{‹U+2039›}U+200B{‹U+203A›}b{‹U+21B5›}"},
		{"a Cyrillic letter in a Latin word", "/vаr", "/v{‹U+0430›}r"},
		{"a Russian word", "echo Привет", "echo Привет"},
		{"signs from a word processor", "echo “x” – y", "echo {‹U+201C›}x{‹U+201D›} {‹U+2013›} y"},
		{"full width", "ｒm", "{‹U+FF52›}m"},
		{"ESC", "\x1b]0;x\a", "{‹ESC›}]0;x{‹BEL›}"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var b strings.Builder
			for _, r := range safetext.Exact(tc.in) {
				if r.Marked {
					b.WriteString("{" + r.Text + "}")
				} else {
					b.WriteString(r.Text)
				}
			}
			if b.String() != tc.want {
				t.Errorf("%s, want %s", b.String(), tc.want)
			}
		})
	}
}

// FuzzSafe: whatever comes in, what comes out is valid, visible and stays as it is when it passes again; texts that differ differ at consent.
func FuzzSafe(f *testing.F) {
	f.Add("a\x1b[31m\u202e\xff", "b")
	f.Add("e\u0301\u0301\u0301\u0301\u0301", "👩\u200d👧")
	f.Add("x ", "x␠")
	f.Fuzz(func(t *testing.T, a, b string) {
		line := safetext.Line(a)
		if strings.ContainsFunc(line, func(r rune) bool {
			return r < 0x20 || r == utf8.RuneError || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e
		}) && !strings.Contains(a, "\ufffd") {
			t.Fatalf("%q", line)
		}
		if again := safetext.Line(line); again != line {
			t.Fatalf("%q becomes %q", line, again)
		}
		if a != b && exact(a) == exact(b) {
			t.Fatalf("%q and %q both look like %q", a, b, exact(a))
		}
	})
}

func exact(s string) string {
	var b strings.Builder
	for _, r := range safetext.Exact(s) {
		b.WriteString(r.Text)
	}
	return b.String()
}
