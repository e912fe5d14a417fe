package runes

import "testing"

func TestClasses(t *testing.T) {
	for r, want := range map[rune]Class{
		'a': Plain, ' ': Plain, '\n': Plain, '\t': Plain, 'é': Plain, '漢': Plain, '🚀': Plain, 'ж': Plain,
		0x00: Control, 0x0b: Control, 0x1b: Control, 0x7f: Control, 0x9b: Control,
		0x202e: Bidi, 0x2066: Bidi, 0x200f: Bidi, 0x061c: Bidi,
		0x200b: Invisible, 0x2060: Invisible, 0xfeff: Invisible, 0xad: Invisible, 0xe0072: Invisible, 0x3164: Invisible, 0xfe0f: Invisible, 0x200d: Invisible,
		0xa0: Space, 0x3000: Space, 0x2028: Space, 0x2003: Space,
		'а': Confusable, 'о': Confusable, 'ѕ': Confusable, 'Α': Confusable, 'ｒ': Confusable, '𝗿': Confusable, '‐': Confusable, '｜': Confusable, '∕': Confusable, 'ⅼ': Confusable,
		0xe000: Private, 0x10fffd: Private,
	} {
		if got := Of(r); got != want {
			t.Errorf("%U: %v, not %v", r, got, want)
		}
	}
}

func TestSkeletons(t *testing.T) {
	for r, want := range map[rune]rune{'а': 'a', 'ѕ': 's', 'м': 'm', 'ο': 'o', 'ｒ': 'r', '𝗿': 'r', '𝟙': '1', '‐': '-', '｜': '|', 'Ⓐ': 'A', 'x': 'x', '漢': '漢'} {
		if got := Skeleton(r); got != want {
			t.Errorf("%q looks like %q, not %q", r, got, want)
		}
	}
	for r, s := range skeletons {
		if s < 0x21 || s > 0x7e {
			t.Errorf("%U looks like %U, which is not printable ASCII", r, s)
		}
	}
}

func TestJoinersInOrdinaryWriting(t *testing.T) {
	for _, c := range []struct {
		prev, r, next rune
		want          bool
	}{
		{'👨', 0x200d, '👩', true},
		{'❤', 0xfe0f, 'x', true},
		{'ی', 0x200c, 'خ', true},
		{'क', 0x200d, 'ष', true},
		{'r', 0x200d, 'm', false},
		{'s', 0x200b, 'h', false},
		{'l', 0xfe0f, 's', false},
		{' ', 0x200d, '👩', false},
	} {
		if got := Joins(c.prev, c.r, c.next); got != c.want {
			t.Errorf("%q %U %q: %v", c.prev, c.r, c.next, got)
		}
	}
}
