package screen_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"sallyport/console/screen"
)

// TestHostileSequences: what a hostile host may print, and what becomes of it. Nothing is answered but what reply names, the grid shows
// what text names, and what follows the attack is read as if it had not been there.
func TestHostileSequences(t *testing.T) {
	long := strings.Repeat("A", 1<<20)
	for _, tc := range []struct {
		name, input string
		text        string // of the grid, trimmed
		reply       string
	}{
		{"title report", "\x1b]2;rm -rf /\r\x07\x1b[21tok", "ok", ""},
		{"icon report", "\x1b[20tok", "ok", ""},
		{"window size report", "\x1b[14t\x1b[18t\x1b[19tok", "ok", ""},
		{"window moved, resized, iconified", "\x1b[3;0;0t\x1b[8;1;1t\x1b[2tok", "ok", ""},
		{"title stack", "\x1b[22;0t\x1b[23;0tok", "ok", ""},
		{"answerback", "\x05ok", "ok", ""},
		{"DECRQSS", "\x1bP$q\"p\x1b\\\x1bP$qm\x1b\\ok", "ok", ""},
		{"DECRQCRA", "\x1b[1;1;1;1;5;5*yok", "ok", ""},
		{"DECRQPSR", "\x1b[1$w\x1b[2$wok", "ok", ""},
		{"DECREQTPARM", "\x1b[0x\x1b[1xok", "ok", ""},
		{"XTGETTCAP", "\x1bP+q544e\x1b\\ok", "ok", ""},
		{"XTVERSION", "\x1b[>0qok", "ok", ""},
		{"tertiary attributes", "\x1b[=cok", "ok", ""},
		{"colour query", "\x1b]4;1;?\x07\x1b]10;?\x1b\\\x1b]11;?\x07\x1b]12;?\x07ok", "ok", ""},
		{"palette set", "\x1b]4;0;#ffffff\x07\x1b]104\x07\x1b]P0ffffff\x07ok", "ok", ""},
		{"clipboard read", "\x1b]52;c;?\x07ok", "ok", ""},
		{"clipboard write", "\x1b]52;c;cm0gLXJmIC8=\x07ok", "ok", ""},
		{"font and notification", "\x1b]50;?\x07\x1b]9;hello\x07\x1b]777;notify;a;b\x07\x1b]99;;x\x1b\\ok", "ok", ""},
		{"file transfer", "\x1b]1337;File=name=eA==;inline=1:" + long + "\x07ok", "ok", ""},
		{"dynamic terminfo", "\x1b]1337;ReportCellSize\x07\x1b]1337;RequestUpload=format=tgz\x07ok", "ok", ""},
		{"user-defined keys", "\x1bP0;1|17/726d\x1b\\ok", "ok", ""},
		{"key protocol", "\x1b[>4;2m\x1b[>1u\x1b[?u\x1b[=5;1uok", "ok", ""},
		{"media copy", "\x1b[i\x1b[5iok\x1b[4i", "ok", ""},
		{"tmux passthrough", "\x1bPtmux;\x1b\x1b]52;c;?\x07\x1b\\ok", "ok", ""},
		{"screen title", "\x1bkrm -rf /\x1b\\ok", "rm -rf /ok", ""},
		{"APC, PM, SOS", "\x1b_Gi=31,s=1;AAAA\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\ok", "ok", ""},
		{"sixel flood", "\x1bPq" + strings.Repeat("#0~~@@vv@@~~$-", 1<<16) + "\x1b\\ok", "ok", ""},
		{"string never ended, next sequence ends it", "\x1b]0;x" + long + "\x1b[mok", "ok", ""},
		{"string given up by CAN and SUB", "\x1b]0;x\x18o\x1bPq\x1ak", "ok", ""},
		{"DEL and NUL inside sequences", "\x1b[3\x00\x7f1mok", "ok", ""},
		{"8-bit CSI", "\x9b31mok", "\ufffd31mok", ""},
		{"C1 in UTF-8", "\u009b6n\u009d0;t\u009c\u0090q\u0085ok", "6n0;tqok", ""},
		{"C1 put together from two cells", "\xc2\x1b[m\x9b6nok", "\ufffd\ufffd6nok", ""},
		{"C1 put together by erasing", "\xc2\b\x9b31mok", "\ufffd31mok", ""},
		{"overlong ESC", "\xc0\x9b[31mok\xe0\x80\x9b", "\ufffd\ufffd[31mok\ufffd\ufffd\ufffd", ""},
		{"surrogates and beyond", "\xed\xa0\x80\xf4\x90\x80\x80ok", "\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdok", ""},
		{"bidirectional controls", "a\u202eb\u2066c\u2069\u200f\u061cok", "abcok", ""},
		{"zero width, tags, separators", "r\u200bm\ufeff\u2060\U000e0041\U000e007f\u2028\u2029ok", "rmok", ""},
		{"fillers and soft hyphens", "a\u00ad\u115f\u1160\u3164\uffa0\u034f\u180eok", "aok", ""},
		{"zero width joiner without anything to join", "\u200d\u200d\ufe0fok", "ok", ""},
		{"combining flood", "a" + strings.Repeat("\u0301", 1<<16) + "ok", "a" + strings.Repeat("\u0301", 9) + "ok", ""},
		{"combining flood without base", strings.Repeat("\u0489", 1<<16) + "ok", "ok", ""},
		{"emoji joined without end", strings.Repeat("👩\u200d", 1<<12) + "\r\x1b[Kok", "", ""},
		{"REP bomb", "x\r\x1b[K\x1b[2147483647bok", "ok", ""},
		{"REP of a character", "x\x1b[2147483647b\x1b[2J\x1b[Hok", "ok", ""},
		{"parameter bomb", "\x1b[" + strings.Repeat("1;", 1<<19) + "mok", "ok", ""},
		{"parameter overflow", "\x1b[99999999999999999999;99999999999999999999H\x1b[18446744073709551617A\x1b[H\x1b[99999999999Lok", "ok", ""},
		{"huge scrolls, tabs, inserts", "\x1b[2147483647S\x1b[2147483647T\x1b[2147483647I\x1b[2147483647Z\x1b[2147483647@\x1b[2147483647Pok", "ok", ""},
		{"conceal", "\x1b[8mok", "ok", ""},
		{"cursor and status", "\x1b[6n\x1b[5n", "", "\x1b[1;1R\x1b[0n"},
		{"device attributes", "\x1b[c\x1b[0c\x1b[1c\x1b[>c\x1b[?6n", "", "\x1b[?62;22c\x1b[?62;22c"},
		{"mode queries", "\x1b[?2026$p\x1b[?9999$p\x1b[4$p", "", "\x1b[?2026;2$y\x1b[4;2$y"},
		{"marks of the console", "\x1b]7770;guess;D;0\x07ok", "ok", ""},
		{"shell integration of others", "\x1b]133;A\x07\x1b]633;E;rm\x07ok", "ok", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newScreen(40, 5)
			start := cpu()
			s.Write([]byte(tc.input))
			if d := cpu() - start; d > 2*time.Second {
				t.Errorf("took %v", d)
			}
			check(t, s)
			if got := strings.TrimSpace(s.Text()); got != tc.text && tc.name != "emoji joined without end" {
				t.Errorf("grid %q, want %q", got, tc.text)
			}
			if got := string(s.Replies()); got != tc.reply {
				t.Errorf("reply %q, want %q", got, tc.reply)
			}
		})
	}
}

func TestTitleIsDataAndVisible(t *testing.T) {
	s := newScreen(40, 5)
	s.Write([]byte("\x1b]2;a\u202eb\u009b" + "\u200b\x07"))
	if got, want := s.Title(), "a‹U+202E›b‹U+009B›‹U+200B›"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	s.Write([]byte("\x1b]2;" + strings.Repeat("é", 5000) + "\x07"))
	if n := len(s.Title()); n > 600 {
		t.Errorf("title of %d bytes", n)
	}
	s.Write([]byte("\x1b]7;file://host/var/l%1bog\x07"))
	if got, want := s.Directory(), "/var/l‹ESC›og"; got != want {
		t.Errorf("directory %q, want %q", got, want)
	}
}

func TestClipboardIsData(t *testing.T) {
	for _, tc := range []struct{ payload, want string }{
		{"c;bHMgLWw=", "ls -l"},
		{";bHMgLWw=", "ls -l"},
		{"c;" + base64.StdEncoding.EncodeToString([]byte("a\x1b[201~\x03\u009bb\n")), "ab\n"},
		{"c;?", ""},
		{"c;!!", ""},
		{"c;", ""},
	} {
		s := newScreen(40, 5)
		fmt.Fprintf(s, "\x1b]52;%s\a", tc.payload)
		if got := s.Clipboard(); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.payload, got, tc.want)
		}
		if got := s.Clipboard() + string(s.Replies()); got != "" {
			t.Errorf("%s: %q is left", tc.payload, got)
		}
	}
}

func TestLinks(t *testing.T) {
	for _, tc := range []struct{ target, want string }{
		{"https://example.org/a?b=c", "https://example.org/a?b=c"},
		{"http://example.org", "http://example.org"},
		{"javascript:alert(1)", ""},
		{"file:///etc/passwd", ""},
		{"ssh://host", ""},
		{"https:", ""},
		{"https://exam\u200bple.org/", ""},
		{"https://еxample.org/", ""}, // a Cyrillic letter
		{"https://example.org/ x", ""},
		{"https://example.org/" + strings.Repeat("x", 3000), ""},
	} {
		s := newScreen(40, 5)
		fmt.Fprintf(s, "\x1b]8;id=1;%s\x1b\\text\x1b]8;;\x1b\\ after", tc.target)
		if got := s.Link(s.Style(s.Cell(0, 0).Style())); got != tc.want {
			t.Errorf("%q is kept as %q, want %q", tc.target, got, tc.want)
		}
		if got := s.Link(s.Style(s.Cell(5, 0).Style())); got != "" {
			t.Errorf("link goes on: %q", got)
		}
	}
}

func TestRepliesAreLimited(t *testing.T) {
	now := stopped()
	s := screen.New(40, 5, screen.Options{Now: func() time.Time { return now }})
	flood := []byte(strings.Repeat("\x1b[5n", 1000))
	count := func() int { return strings.Count(string(s.Replies()), "\x1b[0n") }
	s.Write(flood)
	if n := count(); n != 32 {
		t.Errorf("%d replies at once, want 32", n)
	}
	s.Write(flood)
	if n := count(); n != 0 {
		t.Errorf("%d replies in the same second", n)
	}
	now = now.Add(time.Second)
	s.Write(flood)
	if n := count(); n != 32 {
		t.Errorf("%d replies in the next second, want 32", n)
	}
}

func TestSynchronizedOutputEnds(t *testing.T) {
	now := stopped()
	s := screen.New(40, 5, screen.Options{Now: func() time.Time { return now }})
	s.Write([]byte("\x1b[?2026h"))
	if !s.Frozen() {
		t.Fatal("not frozen")
	}
	now = now.Add(900 * time.Millisecond)
	s.Write([]byte("\x1b[?2026h"))
	if !s.Frozen() {
		t.Fatal("ended early")
	}
	now = now.Add(100 * time.Millisecond)
	if s.Frozen() {
		t.Fatal("asking again made it longer than a second")
	}
}

func TestStringThatNeverEndsIsGivenUp(t *testing.T) {
	now := stopped()
	s := screen.New(40, 5, screen.Options{Now: func() time.Time { return now }})
	for _, part := range []string{"\x1bPq", "hidden", "hidden", "hidden"} {
		s.Write([]byte(part))
		now = now.Add(2 * time.Second)
	}
	s.Write([]byte("again"))
	if got := s.Partial(); got != "again" {
		t.Errorf("the line is %q", got)
	}
}

// TestTablesAreBounded: more styles, clusters and links than there is room for cost neither memory nor text.
func TestTablesAreBounded(t *testing.T) {
	s := screen.New(100, 30, screen.Options{Scrollback: 3000, Now: stopped})
	before := heap()
	var b strings.Builder
	for i := range 150_000 {
		fmt.Fprintf(&b, "\x1b[38;2;%d;%d;%dmx", i>>16&255, i>>8&255, i&255)
		if i%8 == 0 {
			fmt.Fprintf(&b, "a%c%c", 0x300+i%100, 0x300+i/100%100)
		}
		if i%64 == 0 {
			fmt.Fprintf(&b, "\x1b]8;;http://h/%d\x1b\\", i)
		}
		if b.Len() > 1<<16 {
			s.Write([]byte(b.String()))
			b.Reset()
		}
	}
	if used := int64(heap()) - int64(before); used > 60e6 {
		t.Errorf("%d bytes in use", used)
	}
	s.Write([]byte("\x1b[0m\x1b]8;;\x1b\\\r\nplain"))
	if got := s.Partial(); got != "plain" {
		t.Errorf("last line %q", got)
	}
	check(t, s)
}
