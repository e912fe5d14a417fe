package main

import "testing"

func TestPlainLocale(t *testing.T) {
	for _, c := range []struct {
		all, ctype, lang string
		plain            bool
	}{
		{"", "", "", false},
		{"", "", "C", true},
		{"", "", "C.UTF-8", false},
		{"", "POSIX", "en_GB.UTF-8", true},
		{"C", "en_GB.UTF-8", "en_GB.UTF-8", true},
		{"de_DE.UTF-8", "C", "C", false},
	} {
		env := map[string]string{"LC_ALL": c.all, "LC_CTYPE": c.ctype, "LANG": c.lang}
		if got := plainLocale(func(name string) string { return env[name] }); got != c.plain {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
