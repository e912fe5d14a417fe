package tui

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/creack/pty"

	"sallyport/console/screen"
	"sallyport/console/tty"
)

// remoteAttacks are what a host prints to reach the operator's terminal, or to
// deceive who reads it. Each leaves "seen" on the screen.
var remoteAttacks = []struct{ name, print string }{
	{"title query", "\x1b]2;rm -rf /\r\a\x1b[21t\x1b[20tseen"},
	{"window reports and moves", "\x1b[14t\x1b[18t\x1b[8;1;1t\x1b[2tseen"},
	{"colour query", "\x1b]4;1;?\a\x1b]10;?\x1b\\\x1b]11;?\a\x1b]12;?\aseen"},
	{"palette", "\x1b]4;0;#ffffff\a\x1b]104\a\x1b]Pnffffffseen\x1b\\seen"},
	{"DECRQSS", "\x1bP$q\"p\x1b\\\x1bP$qm\x1b\\seen"},
	{"DECRQCRA and presentation reports", "\x1b[1;1;1;1;5;5*y\x1b[1$w\x1b[2$w\x1b[xseen"},
	{"XTGETTCAP, XTVERSION", "\x1bP+q544e\x1b\\\x1b[>0qseen"},
	{"answerback", "\x05seen"},
	{"clipboard write", "\x1b]52;c;cm0gLXJmIC8=\aseen"},
	{"clipboard read", "\x1b]52;c;?\aseen"},
	{"link look-alike", "\x1b]8;;https://good.example\x1b\\https://evil.example\x1b]8;;\x1b\\seen"},
	{"link with controls", "\x1b]8;;http://h/\x1b[2J\x1b\\x\x1b]8;;javascript:x\x1b\\seen"},
	{"end of paste", "\x1b[200~rm -rf /\r\x1b[201~seen"},
	{"C1 in UTF-8", "\u009b2J\u009d0;t\u009c\u0090q\u009cseen"},
	{"C1 as bytes", "\x9b2J\x9d0;t\x07\x90q\x9cseen"},
	{"C1 put together across cells", "\xc2\x1b[1;2H\x9b2J\x1b[Hseen"},
	{"C1 put together across rows", "\x1b[1;79H\xc2\r\n\x9b2J\r\nseen"},
	{"ESC put together from overlong bytes", "\xc0\x9b[2J\xe0\x80\x9b[2Jseen"},
	{"conceal", "\x1b[8mhidden\x1b[28mseen"},
	{"foreground as background", "\x1b[31;41mhidden\x1b[0m\x1b[38;2;1;2;3;48;2;1;2;3mhidden\x1b[0mseen"},
	{"DCS and APC", "\x1bPq#0~~\x1b\\\x1b_Gi=31,s=1;AAAA\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\seen"},
	{"DCS for tmux and screen", "\x1bPtmux;\x1b\x1b]52;c;cm0=\a\x1b\\\x1bP\x1b]52;c;cm0=\a\x1b\\seen"},
	{"sixel flood", "\x1bPq" + strings.Repeat("#0~~@@vv@@~~$-", 1<<14) + "\x1b\\seen"},
	{"inline images", "\x1b]1337;File=inline=1:" + strings.Repeat("QUFB", 1<<12) + "\aseen"},
	{"REP bomb", "x\x1b[2147483647b\x1b[2J\x1b[Hseen"},
	{"parameter bomb", "\x1b[" + strings.Repeat("9;", 1<<16) + "mseen"},
	{"combining flood", "a" + strings.Repeat("\u0301", 1<<14) + "seen"},
	{"emoji joined without end", strings.Repeat("👩\u200d", 1<<12) + "\r\n\x1b[2J\x1b[Hseen"},
	{"bidirectional text", "a\u202eb\u2066c\u2069\u200fseen"},
	{"zero width, tags", "r\u200bm\ufeff\U000e0041\u2063\u180eseen"},
	{"OSC that never ends", "seen\x1b]0;" + strings.Repeat("A", 1<<18)},
	{"DCS that never ends", "seen\x1bPq" + strings.Repeat("A", 1<<18)},
	{"synchronized output that never ends", "\x1b[?2026hseen"},
	{"synchronized output in a loop", strings.Repeat("\x1b[?2026h\x1b[?2026l", 1<<10) + "\x1b[?2026hseen"},
	{"mouse, focus and paste modes", "\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[?2004l\x1b[?9hseen"},
	{"keyboard protocols", "\x1b[>1u\x1b[=31;1u\x1b[>4;2m\x1b[?1hseen"},
	{"media copy and printing", "\x1b[5i\x1b[?5iseen\x1b[4i"},
	{"alternate screens and resets", "\x1b[?1049h\x1bc\x1b[!p\x1b[?1049l\x1b[?47h\x1b[2J\x1b[Hseen"},
	{"132 columns and reverse screen", "\x1b[?40h\x1b[?3h\x1b[?5hseen"},
	{"double height rows", "\x1b#3\x1b#4\x1b#6seen"},
	{"charsets that draw other letters", "\x1b(0\x0e\x1b)0lqqk\x0f\x1b(Bseen"},
	{"notifications and progress", "\x1b]9;hello\a\x1b]777;notify;a;b\a\x1b]99;;x\x1b\\\x1b]9;4;1;50\aseen"},
	{"bells", strings.Repeat("\a", 1<<12) + "seen"},
	{"backspaces over the prompt", "safe" + strings.Repeat("\b", 4) + "\rseen"},
	{"the console's own look", "\x1b[36;1H● linus   log 1284 ✓\x1b[1;1H■ HIGH RISK seen"},
	{"marks of the console", "\x1b]7770;guess;D;0\a\x1b]133;A\a\x1b]633;E;rm\aseen"},
	{"terminal identity, status, cursor", "\x1b[c\x1b[>c\x1b[=c\x1b[5n\x1b[6n\x1b[?6nseen"},
	{"cursor shape and blinking", "\x1b[1 q\x1b[?12h\x1b[5mseen"},
}

// TestBytesOfHostileOutput runs the console on a terminal and reads what it writes there.
func TestBytesOfHostileOutput(t *testing.T) {
	for _, a := range remoteAttacks {
		t.Run(a.name, func(t *testing.T) {
			w := newWorld(t, 120, 36, Options{})
			h := w.connect("root@x")
			h.sess.screen = screen.New(80, 34, screen.Options{})
			w.m.now, w.m.after = time.Now, after
			_, _ = h.sess.screen.Write([]byte(a.print))
			p := onTerminal(t, w.m, "seen")
			onlyOurs(t, p)
			if strings.Contains(p, "cm0gLXJmIC8=") || strings.Contains(p, "rm -rf /\r") {
				t.Errorf("the attack's own text reached the terminal: %q", p)
			}
			if n := strings.Count(oscs.ReplaceAllString(p, ""), "\a"); n > 1 {
				t.Errorf("%d bells", n)
			}
		})
	}
}

// TestBytesOfHostileText is the same of what Linus, agents, the policy and errors say.
func TestBytesOfHostileText(t *testing.T) {
	all := strings.Join(attacks, " ")
	for _, a := range remoteAttacks {
		if len(a.print) < 1<<10 {
			all += " " + a.print
		}
	}
	for name, set := range hostileScenes(all) {
		if name == "remote" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 120, 36, Options{})
			set(w)
			onlyOurs(t, onTerminal(t, w.m, "\x1b[23;0t"))
		})
	}
}

// onTerminal shows a model on a terminal until a text is there, and gives all
// bytes that were written, the leaving included.
func onTerminal(t *testing.T, m *Model, until string) string {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	if err := pty.Setsize(master, &pty.Winsize{Cols: 120, Rows: 36}); err != nil {
		t.Fatal(err)
	}
	term, err := tty.Open(tty.Options{In: slave, Out: slave, Env: []string{"TERM=xterm-256color"}, Profile: colorprofile.TrueColor})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	done := make(chan error, 1)
	go func() {
		err := term.Run(ctx, m)
		slave.Close()
		done <- err
	}()
	term.Wake()
	out := readUntil(master, until, stop)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return out
}

// readUntil reads to the end, and calls stop once the text has come, or the
// frame that began with the window's title.
func readUntil(f *os.File, text string, stop func()) string {
	var out strings.Builder
	buf := make([]byte, 64<<10)
	for {
		n, err := f.Read(buf)
		out.Write(buf[:n])
		if s := out.String(); strings.Contains(s, text) || text[0] == 0x1b && strings.Contains(s, "\x1b]2;sallyport") {
			stop()
		}
		if err != nil {
			return out.String()
		}
	}
}

// What the console writes to a terminal: these sequences and printable text.
var ours = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`\x1b\[[0-9;:]*[ABCDGHJKLMPSTXbdfmr@` + "`" + `]`, // moving, erasing, styles, scroll regions
	`\x1b\[[0-6] q`,                          // the cursor's shape
	`\x1b\[\?(?:25|1049|2004|1004|2026)[hl]`, // the console's own modes
	`\x1b\[\?(?:1000|1002|1003|1006)[hl]`,    // its mouse
	`\x1b\[\?2026\$p`,                        // what the terminal can
	`\x1b\]11;\?\x07`,                        // its background
	`\x1b\[2[23];0t`,                         // keep its title and give it back
	`\x1b\]2;sallyport [^\x00-\x1f\x7f]*\x07`,
	`\x1b\]2;\x07\x1b\[23;0t`, // given back
	`\x1bM`,
	`[\r\n\x08\x07]`,
}, "|") + `)`)

// oscs are the strings that end with a BEL.
var oscs = regexp.MustCompile(`\x1b\][^\a]*\a`)

// onlyOurs reads bytes as a terminal does and fails at the first that the
// console does not write by itself.
func onlyOurs(t *testing.T, p string) {
	t.Helper()
	before := rune(0)
	for at := 0; at < len(p); {
		if m := ours.FindString(p[at:]); m != "" {
			at += len(m)
			before = 0
			continue
		}
		r, n := utf8.DecodeRuneInString(p[at:])
		if why := harmful(r, n, before); why != "" {
			t.Fatalf("%s at %d: %q in %q", why, at, p[at:min(at+20, len(p))], p[max(at-60, 0):min(at+60, len(p))])
		}
		before = r
		at += n
	}
}

func harmful(r rune, n int, before rune) string {
	switch {
	case r == utf8.RuneError && n == 1:
		return "a byte that is no UTF-8"
	case unicode.IsControl(r):
		return fmt.Sprintf("control %U", r)
	case r == '\u200d' && before > 0x7f: // joins a cluster
		return ""
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
		return fmt.Sprintf("invisible %U", r)
	}
	return ""
}
