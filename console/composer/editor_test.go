package composer_test

import (
	"strings"
	"testing"

	"sallyport/console/composer"
	"sallyport/console/keys"
)

// press sends keys: words are names of keys, words in quotes are typed.
func press(t *testing.T, e *composer.Editor, script string) composer.Action {
	t.Helper()
	var last composer.Action
	for _, word := range strings.Fields(script) {
		if text, ok := strings.CutPrefix(word, `"`); ok {
			for _, r := range strings.ReplaceAll(strings.TrimSuffix(text, `"`), "␣", " ") {
				last = e.Key(keys.Rune(r))
			}
			continue
		}
		ev, err := keys.Parse(word)
		if err != nil {
			t.Fatal(err)
		}
		last = e.Key(ev)
	}
	return last
}

// show marks the cursor in the text.
func show(e *composer.Editor) string {
	text := e.Text()
	return text[:e.Cursor()] + "|" + text[e.Cursor():]
}

type editing struct{ name, keys, want string }

func run(t *testing.T, c composer.Config, cases []editing) {
	t.Helper()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			e := composer.New(c)
			press(t, e, tc.keys)
			if got := show(e); got != tc.want {
				t.Errorf("%s\n got %q\nwant %q", tc.keys, got, tc.want)
			}
		})
	}
}

func TestEmacsKeys(t *testing.T) {
	run(t, composer.Config{Multiline: true, History: []string{"df -h", "du -sh /var/log", "systemctl status nginx"}}, []editing{
		{"typing", `"ls␣-l"`, "ls -l|"},
		{"start and end", `"ls" C-a "x" C-e "y"`, "xlsy|"},
		{"by words", `"du␣-sh␣/var/log" M-b M-b`, "du -sh /|var/log"},
		{"backspace takes a whole cluster", `"e👩‍👩‍👧" Backspace`, "e|"},
		{"delete under the cursor", `"abc" C-a C-d`, "|bc"},
		{"kill to the end and yank", `"rm␣x" C-a M-f C-k C-y C-y`, "rm x x|"},
		{"kills in a row are one", `"a␣b␣c" C-w C-w C-y`, "a b c|"},
		{"yank-pop gives the kill before", `"one" C-u "two" C-u C-y M-y`, "one|"},
		{"transpose", `"sl" C-t`, "ls|"},
		{"case of words", `"abc␣def␣ghi" C-a M-u M-c M-l`, "ABC Def ghi|"},
		{"undo takes typed text as one change", `"ls" C-w "pwd" C-_`, "|"},
		{"undo twice", `"ls" C-w "pwd" C-_ C-_`, "ls|"},
		{"revert", `"ls" C-w "pwd" M-r`, "|"},
		{"history", `C-p C-p`, "du -sh /var/log|"},
		{"history and back keeps the draft", `"dra" Up Up Down Down`, "dra|"},
		{"oldest", `M-<`, "df -h|"},
		{"last argument", `"cat␣" M-.`, "cat nginx|"},
		{"last argument again", `"cat␣" M-. M-.`, "cat /var/log|"},
		{"newline", `"for␣i;␣do" M-Enter "done"`, "for i; do\ndone|"},
		{"up within the text first", `"ab" M-Enter "cd" Up`, "ab|\ncd"},
		{"quoted newline", `"a" C-v C-j "b"`, "a\nb|"},
		{"search backwards", `C-r "st"`, "sy|stemctl status nginx"},
		{"search again finds the one before", `C-r "s" C-r`, "du -|sh /var/log"},
		{"search accepted by moving", `C-r "log" C-e`, "du -sh /var/log|"},
		{"search given up", `"dra" C-r "log" C-g`, "dra|"},
		{"search given up by undo", `"dra" C-r "log" C-e C-_`, "dra|"},
	})
}

func TestViKeys(t *testing.T) {
	run(t, composer.Config{Mode: composer.Vi, History: []string{"df -h"}}, []editing{
		{"insert mode is left with Escape", `"ls" Escape`, "l|s"},
		{"words", `"du␣-sh␣/var/log" Escape 0 w w`, "du -|sh /var/log"},
		{"WORDS", `"du␣-sh␣/var/log" Escape 0 W W`, "du -sh |/var/log"},
		{"end of word", `"du␣-sh" Escape 0 e`, "d|u -sh"},
		{"delete word", `"du␣-sh␣/var" Escape 0 d w`, "|-sh /var"},
		{"delete two words", `"a␣b␣c␣d" Escape 0 2 d w`, "|c d"},
		{"delete to end", `"ls␣-la" Escape 0 w D`, "ls| "},
		{"change word", `"du␣-sh" Escape 0 c w "df"`, "df| -sh"},
		{"delete to a character", `"a=b;c" Escape 0 d f =`, "|b;c"},
		{"delete up to a character", `"a=b;c" Escape 0 d t ;`, "|;c"},
		{"find again", `"a.b.c" Escape 0 f . ;`, "a.b|.c"},
		{"replace", `"cat" Escape 0 r b`, "|bat"},
		{"count of x", `"abcdef" Escape 0 3 x`, "|def"},
		{"put back", `"ab" Escape 0 x p`, "b|a"},
		{"undo", `"abc" Escape x u`, "ab|c"},
		{"whole line", `"abc" Escape d d`, "|"},
		{"swap case", `"ab" Escape 0 ~ ~`, "A|B"},
		{"append at the end", `"ab" Escape 0 A "c"`, "abc|"},
		{"history", `Escape k`, "df -h|"},
		{"copy and put", `"ab" Escape 0 y $ P`, "a|bab"},
	})
}

func TestActions(t *testing.T) {
	for _, tc := range []struct {
		keys string
		want composer.Action
	}{
		{`"ls" Enter`, composer.Submit},
		{`"ls" C-c`, composer.Interrupt},
		{`C-d`, composer.EOF},
		{`"l" Tab`, composer.Complete},
		{`C-l`, composer.Clear},
		{`Escape`, composer.Cancel},
		{`Backspace`, composer.Bell},
		{`F5`, composer.Bell},
		{`C-^`, composer.Bell},
		{`M-Enter`, composer.Bell}, // not multi-line
	} {
		e := composer.New(composer.Config{})
		if got := press(t, e, tc.keys); got != tc.want {
			t.Errorf("%s: action %d, want %d", tc.keys, got, tc.want)
		}
	}
}

func TestPasteLosesControls(t *testing.T) {
	e := composer.New(composer.Config{})
	e.Paste("ls\x1b[201~\r\nrm\x03 x\x9b\u009b")
	if got, want := e.Text(), "ls rm x"; got != want {
		t.Errorf("pasted %q, want %q", got, want)
	}
}

func TestTextIsBounded(t *testing.T) {
	e := composer.New(composer.Config{MaxBytes: 4})
	press(t, e, `"abcdef"`)
	if e.Text() != "abcd" {
		t.Errorf("text %q", e.Text())
	}
	if a := e.Paste("x"); a != composer.Bell {
		t.Errorf("paste beyond the limit: action %d", a)
	}
}

func TestReplaceForCompletion(t *testing.T) {
	e := composer.New(composer.Config{})
	e.Set("cat /va")
	e.Replace(4, 7, "/var/")
	if got := show(e); got != "cat /var/|" {
		t.Error(got)
	}
}

func TestView(t *testing.T) {
	e := composer.New(composer.Config{Multiline: true, Mode: composer.Vi})
	e.Paste("one\ntwo")
	v := e.View()
	if len(v.Lines) != 2 || v.Row != 1 || v.Col != 3 || v.Mode != "insert" {
		t.Errorf("view %+v", v)
	}
}

// FuzzKeys presses arbitrary keys: the cursor stays between clusters of valid text.
func FuzzKeys(f *testing.F) {
	f.Add("du -sh\x1b0dwp\x12x\x07", true)
	f.Add("a\x01b\x0b\x19\x19\x1f", false)
	f.Fuzz(func(t *testing.T, script string, vi bool) {
		c := composer.Config{Multiline: true, History: []string{"ls -l", "é ö"}}
		if vi {
			c.Mode = composer.Vi
		}
		e := composer.New(c)
		for _, r := range script {
			e.Key(event(r))
			if at := e.Cursor(); at < 0 || at > len(e.Text()) || !validAt(e.Text(), at) {
				t.Fatalf("cursor %d in %q", at, e.Text())
			}
			e.View()
		}
	})
}

func validAt(text string, at int) bool {
	return strings.ToValidUTF8(text[:at], "") == text[:at] && strings.ToValidUTF8(text[at:], "") == text[at:]
}

func event(r rune) keys.Event {
	switch {
	case r == 0x1b:
		return keys.Press(keys.Escape, 0)
	case r == 0x7f:
		return keys.Press(keys.Backspace, 0)
	case r < 0x20:
		return keys.Event{Rune: r + 0x60, Mod: keys.Ctrl}
	case r >= 0x80 && r < 0x100:
		return keys.Event{Rune: r - 0x60, Mod: keys.Alt}
	}
	return keys.Rune(r)
}
