package tui

import (
	"strings"
	"testing"
	"time"

	"sallyport/console/copilot"
	"sallyport/console/tty"
	"sallyport/policy"
)

func TestWrap(t *testing.T) {
	key := tty.Style{Attrs: 1}
	for _, c := range []struct {
		name  string
		spans line
		width int
		rest  string
		want  string
	}{
		{"fits", line{{text: "one two"}}, 10, "", "one two"},
		{"at a space", line{{text: "one two three"}}, 8, "", "one two|three"},
		{"indented", line{{text: "one two three"}}, 8, "  ", "one two|  three"},
		{"a word longer than the line", line{{text: "abcdefghij k"}}, 4, "", "abcd|efgh|ij k"},
		{"a long word, then another", line{{text: "a "}, {text: "bcdefg h i"}}, 4, "", "a|bcde|fg h|i"},
		{"styles do not break", line{{text: "see ["}, {text: "r", style: key}, {text: "] now"}}, 6, "", "see|[r]|now"},
		{"kept together", line{{text: "one two" + together + "three"}}, 10, "", "one|two three"},
		{"newlines", line{{text: "a\n\nb"}}, 9, "  ", "a||  b"},
		{"wide", line{{text: "世界世界"}}, 5, "", "世界|世界"},
		{"nothing", nil, 5, "", ""},
		{"no room at all", line{{text: "ab c"}}, 0, "    ", "a|b|c"},
		{"an indentation that is too wide", line{{text: "ab cd"}}, 2, "    ", "ab|cd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, l := range wrap(c.spans, c.width, c.rest) {
				var b strings.Builder
				for _, s := range l {
					b.WriteString(s.text)
				}
				got = append(got, strings.TrimRight(b.String(), " "))
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

func TestLasting(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 45 * time.Second: "45 s", 3 * time.Minute: "3 m", 2*time.Hour + 13*time.Minute: "2 h 13 m", 26 * time.Hour: "1 d 2 h",
	} {
		if got := lasting(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1284: "1 284", 1234567: "1 234 567"} {
		if got := count(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestWordDiff(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	for _, c := range [][3]string{
		{"a b c", "a b c", "a b c "},
		{"a b", "a b c", "a b [+ c] "},
		{"a b c", "a c", "a [- b] c "},
		{"a b c", "a x c", "a [- b] [+ x] c "},
		{"", "a", "[+ a] "},
		{"rm x", "rm \u200bx", "rm [- x] [+ ‹U+200B›x] "},
	} {
		var got strings.Builder
		for _, s := range w.m.wordDiff(c[0], c[1]) {
			got.WriteString(s.text)
		}
		if got.String() != c[2] {
			t.Errorf("%q to %q: %q, want %q", c[0], c[1], got.String(), c[2])
		}
	}
}

func TestEdit(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	for _, c := range []struct {
		from string
		keys string
		want string
	}{
		{"one two", "C-w", "one "},
		{"one two", "C-a C-k", ""},
		{"one two", "C-Left C-u", "two"},
		{"one", "Left x", "onxe"},
		{"e\u0301", "Backspace", ""},
		{"one two", "C-w C-w C-z", "one "},
		{"one", "a b C-z", "one"},
		{"one two", "M-b M-d", "one "},
		{"one", "Home Delete", "ne"},
		{"one", "F5 C-x", "one"},
	} {
		e := newEdit(c.from)
		for _, k := range strings.Fields(c.keys) {
			e.key(event(teaKey(w.t, k)))
		}
		if got := e.String(); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.from, c.keys, got, c.want)
		}
	}
}

func TestPolicyName(t *testing.T) {
	for _, c := range [][3]string{
		{"acme.prod", "2026.10.1", "acme.prod 2026.10.1"},
		{"sallyport.baseline", "", "sallyport.baseline"},
		{"sallyport.baseline+sallyport.git+sallyport.cloud", "2026.12.1", "sallyport.baseline +2 2026.12.1"},
		{"sallyport.baseline+sallyport.git+acme.prod", "2026.12.1+7", "acme.prod +2 7"},
	} {
		if got := policyName(policy.Identity{ID: c[0], Version: c[1]}); got != c[2] {
			t.Errorf("%s: %q, want %q", c[0], got, c[2])
		}
	}
}

func TestConfidence(t *testing.T) {
	m := newWorld(t, 120, 36, Options{}).m
	sure, plan := 0.7, []copilot.Step{{Text: "x"}}
	for _, c := range []struct {
		in   copilot.Intent
		want string
	}{
		{copilot.Intent{Confidence: &sure, Steps: plan}, "confidence 70 % ▰▰▰▰▱"},
		{copilot.Intent{Confidence: &sure}, ""}, // of what?
		{copilot.Intent{Steps: plan}, ""},
	} {
		got := ""
		for _, s := range m.confidence(c.in) {
			got += s.text
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.in, got, c.want)
		}
	}
}
