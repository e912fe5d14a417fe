package remote

import (
	"errors"
	"strings"
	"testing"
)

func TestParseDest(t *testing.T) {
	tests := []struct {
		in   string
		want Dest
	}{
		{"host", Dest{Host: "host"}},
		{"host:2222", Dest{Host: "host", Port: 2222}},
		{"root@host", Dest{User: "root", Host: "host"}},
		{"root@host:22", Dest{User: "root", Host: "host", Port: 22}},
		{"ada@corp.example@host", Dest{User: "ada@corp.example", Host: "host"}},
		{`CORP\ada@host`, Dest{User: `CORP\ada`, Host: "host"}},
		{"10.0.0.1:22", Dest{Host: "10.0.0.1", Port: 22}},
		{"::1", Dest{Host: "::1"}},
		{"root@2001:db8::1", Dest{User: "root", Host: "2001:db8::1"}},
		{"[::1]", Dest{Host: "::1"}},
		{"[::1]:2222", Dest{Host: "::1", Port: 2222}},
		{"root@[fe80::1%eth0]:2222", Dest{User: "root", Host: "fe80::1%eth0", Port: 2222}},
		{"[host]:2222", Dest{Host: "host", Port: 2222}},
		{"prod-web_03.example.com", Dest{Host: "prod-web_03.example.com"}},
	}
	for _, tt := range tests {
		got, err := ParseDest(tt.in)
		if err != nil || got != tt.want {
			t.Errorf("%q: got %+v, %v; want %+v", tt.in, got, err, tt.want)
		}
	}
}

func TestParseDestRefuses(t *testing.T) {
	for _, in := range []string{
		"", "@host", "user@", "-oProxyCommand=id", "root@-oProxyCommand=id", "-host", "-l@host", ":22", "host:", "host:0",
		"host:65536", "host:-1", "host:ssh", "host:22x", "[::1", "[::1]x", "[::1]:", "[]:22", "[-host]:22", "ho st", "host;id", "host\n",
		"host\x00", "$(id)", "`id`", "ho\u200bst", "h\u043est", "user name\x1b@host", "us\u0435r@host", "'x'@host", strings.Repeat("a", 256),
	} {
		got, err := ParseDest(in)
		var e *Error
		if !errors.As(err, &e) || e.Class != ClassConfig || e.Hint == "" {
			t.Errorf("%q: got %+v, %v", in, got, err)
		}
	}
}

func TestHyphenNameSaysWhy(t *testing.T) {
	if _, err := ParseDest("-oProxyCommand=id"); err == nil || !strings.Contains(err.Error(), "begins with a hyphen") {
		t.Errorf("got %v", err)
	}
}

func FuzzParseDest(f *testing.F) {
	for _, s := range []string{"root@host:22", "[::1]:2222", "-oX", "a@b@c", "host:", "[", "]", "@", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDest(s)
		if err != nil {
			return
		}
		for _, part := range []string{d.User, d.Host} {
			if strings.HasPrefix(part, "-") || strings.ContainsFunc(part, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%q gives %+v", s, d)
			}
		}
		if d.Host == "" || d.Port < 0 || d.Port > 65535 {
			t.Errorf("%q gives %+v", s, d)
		}
	})
}
