package command

import "testing"

// TestWhatIsComputedIsExact holds what is said to be printed to what the
// program prints, and everything else to unknown.
func TestWhatIsComputedIsExact(t *testing.T) {
	for _, c := range []struct {
		dialect Dialect
		words   []string
		in      string
		want    string
		known   bool
	}{
		{Bash, []string{"sed", "p"}, "a\nb\n", "a\na\nb\nb\n", true},
		{Bash, []string{"sed", "-n", "p"}, "a\n", "a\n", true},
		{Bash, []string{"sed", "s/a/b/;p"}, "a\n", "b\nb\n", true},
		{Bash, []string{"sed", "p;s/a/b/"}, "a\n", "", false},
		{Bash, []string{"sed", "-e", "p", "-e", "s/a/b/"}, "a\n", "", false},
		{Bash, []string{"sed", "p;p"}, "a\n", "", false},
		{Bash, []string{"echo", `a\nb`}, "", `a\nb` + "\n", true},
		{Fish, []string{"echo", `a\nb`}, "", `a\nb` + "\n", true},
		{Bash, []string{"echo", "-e", `a\nb`}, "", "a\nb\n", true},
		{Zsh, []string{"echo", `a\nb`}, "", "", false},
		{POSIX, []string{"echo", `a\0012b`}, "", "", false},
		{Mksh, []string{"echo", `a\c`}, "", "", false},
		{Zsh, []string{"echo", "a"}, "", "a\n", true},
		{Bash, []string{"awk", "{print $2}"}, "a  b\tc\n", "b\n", true},
		{Bash, []string{"awk", "{print $2}"}, "a\fb c\n", "", false},
		{Bash, []string{"awk", "{print $2}"}, "a\u00a0b c\n", "", false},
		{Bash, []string{"awk", "{print $2}"}, "a b\r\n", "", false},
		{Bash, []string{"awk", "1"}, "a\fb\n", "a\fb\n", true},
		{Bash, []string{"which", "ls"}, "", "/usr/bin/ls\n", true},
		{Bash, []string{"which"}, "", "", false},
	} {
		got, known := c.dialect.printed(c.words[0], c.words[1:], input{text: c.in, known: c.in != ""})
		if known != c.known || known && got != c.want {
			t.Errorf("%s: %q: %q, known %v; want %q, known %v", c.dialect, c.words, got, known, c.want, c.known)
		}
	}
}
