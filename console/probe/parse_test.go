package probe

import (
	"strings"
	"testing"
)

func FuzzTerminalAnswers(f *testing.F) {
	f.Add("speed 38400 baud; rows 24; columns 80;\nisig -icanon echo", " 12 12 12 S+ root cat")
	f.Add("", "")
	f.Add("-echo icanon isig", "1 1 1 S")
	f.Fuzz(func(t *testing.T, settings, line string) {
		if got, err := parseSettings(settings); err == nil && !strings.Contains(settings, "icanon") {
			t.Errorf("%q gives %+v", settings, got)
		}
		parseProcess(line)
	})
}

func TestSettings(t *testing.T) {
	gnu := "speed 38400 baud; rows 24; columns 80; line = 0;\nintr = ^C; quit = ^\\;\n-parenb cs8 -hupcl\nisig icanon iexten echo echoe -echonl"
	bsd := "speed 38400 baud; 24 rows; 80 columns;\nlflags: icanon isig iexten -echo echoe\niflags: icrnl ixon"
	tests := []struct {
		name, said string
		want       Terminal
		fails      bool
	}{
		{"GNU", gnu, Terminal{Echo: true, Canonical: true, Signals: true}, false},
		{"BSD", bsd, Terminal{Canonical: true, Signals: true}, false},
		{"raw", "-isig -icanon -echo", Terminal{}, false},
		{"no terminal", "stty: /dev/pts/9: No such file or directory", Terminal{}, true},
		{"nothing", "", Terminal{}, true},
	}
	for _, tt := range tests {
		got, err := parseSettings(tt.said)
		if (err != nil) != tt.fails || got.Echo != tt.want.Echo || got.Canonical != tt.want.Canonical || got.Signals != tt.want.Signals {
			t.Errorf("%s: got %+v, %v", tt.name, got, err)
		}
	}
}
