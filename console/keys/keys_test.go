package keys_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"sallyport/console/keys"
)

func TestNames(t *testing.T) {
	for _, tc := range []struct {
		name string
		want keys.Event
		back string // what String gives; name if empty
	}{
		{"a", keys.Rune('a'), ""},
		{"A", keys.Rune('A'), ""},
		{"é", keys.Rune('é'), ""},
		{"-", keys.Rune('-'), ""},
		{"C--", keys.Event{Rune: '-', Mod: keys.Ctrl}, ""},
		{"C-c", keys.Event{Rune: 'c', Mod: keys.Ctrl}, ""},
		{"^C", keys.Event{Rune: 'c', Mod: keys.Ctrl}, "C-c"},
		{"^", keys.Rune('^'), ""},
		{"M-x", keys.Event{Rune: 'x', Mod: keys.Alt}, ""},
		{"Enter", keys.Press(keys.Enter, 0), ""},
		{"enter", keys.Press(keys.Enter, 0), "Enter"},
		{"Space", keys.Rune(' '), ""},
		{"C-Space", keys.Event{Rune: ' ', Mod: keys.Ctrl}, ""},
		{"BTab", keys.Press(keys.Tab, keys.Shift), "S-Tab"},
		{"S-Tab", keys.Press(keys.Tab, keys.Shift), ""},
		{"C-M-S-Left", keys.Press(keys.Left, keys.Ctrl|keys.Alt|keys.Shift), ""},
		{"F1", keys.Press(keys.F1, 0), ""},
		{"F20", keys.Press(keys.F20, 0), ""},
		{"PgUp", keys.Press(keys.PageUp, 0), "PageUp"},
		{"KPEnter", keys.Press(keys.KPEnter, 0), ""},
	} {
		got, err := keys.Parse(tc.name)
		if err != nil || got != tc.want {
			t.Errorf("%s: %+v, %v, want %+v", tc.name, got, err, tc.want)
			continue
		}
		back := tc.back
		if back == "" {
			back = tc.name
		}
		if got.String() != back {
			t.Errorf("%s is written %s, want %s", tc.name, got, back)
		}
		if again, err := keys.Parse(got.String()); err != nil || again != got {
			t.Errorf("%s is read back as %+v, %v", got, again, err)
		}
	}
	for _, name := range []string{"", "ab", "C-", "F21", "\x1b", "\n", "\xff", "\u009b", "X-a"} {
		if e, err := keys.Parse(name); err == nil {
			t.Errorf("%q is read as %+v", name, e)
		}
	}
}

// TestEncode: the bytes that xterm sends (ctlseqs, "Special Keys" and "PC-Style Function Keys").
func TestEncode(t *testing.T) {
	app, pad := keys.Modes{AppCursor: true}, keys.Modes{AppKeypad: true}
	for _, tc := range []struct {
		name  string
		modes keys.Modes
		want  string
	}{
		{"a", keys.Modes{}, "a"},
		{"日", keys.Modes{}, "日"},
		{"M-a", keys.Modes{}, "\x1ba"},
		{"C-a", keys.Modes{}, "\x01"},
		{"C-A", keys.Modes{}, "\x01"},
		{"C-M-a", keys.Modes{}, "\x1b\x01"},
		{"C-Space", keys.Modes{}, "\x00"},
		{"C-@", keys.Modes{}, "\x00"},
		{"C-[", keys.Modes{}, "\x1b"},
		{`C-\`, keys.Modes{}, "\x1c"},
		{"C-]", keys.Modes{}, "\x1d"},
		{"C-^", keys.Modes{}, "\x1e"},
		{"C-_", keys.Modes{}, "\x1f"},
		{"C-/", keys.Modes{}, "\x1f"},
		{"C-?", keys.Modes{}, "\x7f"},
		{"C-é", keys.Modes{}, "é"},
		{"Enter", keys.Modes{}, "\r"},
		{"Enter", keys.Modes{NewLine: true}, "\r\n"},
		{"M-Enter", keys.Modes{}, "\x1b\r"},
		{"Tab", keys.Modes{}, "\t"},
		{"S-Tab", keys.Modes{}, "\x1b[Z"},
		{"Escape", keys.Modes{}, "\x1b"},
		{"Backspace", keys.Modes{}, "\x7f"},
		{"Backspace", keys.Modes{BackArrow: true}, "\b"},
		{"C-Backspace", keys.Modes{}, "\b"},
		{"M-Backspace", keys.Modes{}, "\x1b\x7f"},
		{"Up", keys.Modes{}, "\x1b[A"},
		{"Up", app, "\x1bOA"},
		{"C-Right", app, "\x1b[1;5C"},
		{"S-Left", keys.Modes{}, "\x1b[1;2D"},
		{"C-M-S-End", keys.Modes{}, "\x1b[1;8F"},
		{"Home", app, "\x1bOH"},
		{"Delete", keys.Modes{}, "\x1b[3~"},
		{"S-Insert", keys.Modes{}, "\x1b[2;2~"},
		{"PageUp", app, "\x1b[5~"},
		{"C-PageDown", keys.Modes{}, "\x1b[6;5~"},
		{"F1", keys.Modes{}, "\x1bOP"},
		{"F4", keys.Modes{}, "\x1bOS"},
		{"S-F1", keys.Modes{}, "\x1b[1;2P"},
		{"F5", keys.Modes{}, "\x1b[15~"},
		{"C-F12", keys.Modes{}, "\x1b[24;5~"},
		{"F20", keys.Modes{}, "\x1b[34~"},
		{"KP5", keys.Modes{}, "5"},
		{"KP5", pad, "\x1bOu"},
		{"KPEnter", keys.Modes{}, "\r"},
		{"KPEnter", pad, "\x1bOM"},
		{"KPAdd", pad, "\x1bOk"},
	} {
		e, err := keys.Parse(tc.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(keys.Encode(e, tc.modes)); got != tc.want {
			t.Errorf("%s in %+v: %q, want %q", tc.name, tc.modes, got, tc.want)
		}
	}
}

func TestEncodeText(t *testing.T) {
	for _, tc := range []struct {
		e    keys.Event
		want string
	}{
		{keys.Event{Rune: '👩', Text: "👩\u200d👧"}, "👩\u200d👧"},
		{keys.Event{Rune: 'a', Text: "a\x1b[201~\u009b"}, "a[201~"},
		{keys.Event{Rune: 0x9b}, ""},
		{keys.Event{Rune: -1}, ""},
		{keys.Event{Key: 250}, ""},
	} {
		if got := string(keys.Encode(tc.e, keys.Modes{})); got != tc.want {
			t.Errorf("%+v: %q, want %q", tc.e, got, tc.want)
		}
	}
}

func TestPaste(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"plain", "ls -l", "ls -l"},
		{"newlines are what Enter sends", "a\nb\r\nc\rd", "a\rb\rc\rd"},
		{"tabs stay", "a\tb", "a\tb"},
		{"end of the frame", "ls\x1b[201~\nrm -rf /\n", "ls\rrm -rf /\r"},
		{"end within the end", "ls\x1b[20\x1b[201~1~x", "lsx"},
		{"end with C1", "ls\u009b201~x", "ls201~x"},
		{"raw C1 byte", "ls\x9b201~x", "ls201~x"},
		{"ESC alone", "\x1b\x1bls\x1b", "ls"},
		{"end put together by a removed control", "\x1b\x00[201~\x1b[\x7f201~", "[201~[201~"},
		{"signals", "\x03\x04\x1a\x1c\x1eok\x7f\x08\x0e", "ok"},
		{"invalid UTF-8", "a\xff\xc2b", "ab"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := string(keys.Paste(tc.text, false)); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
			if got, want := string(keys.Paste(tc.text, true)), "\x1b[200~"+tc.want+"\x1b[201~"; got != want {
				t.Errorf("framed %q, want %q", got, want)
			}
		})
	}
}

// FuzzPaste: nothing in a framed paste ends the frame or is a control, and cleaning again changes nothing.
func FuzzPaste(f *testing.F) {
	f.Add("\x1b[20\x1b[201~1~\u009b\x9b\r\n")
	f.Add("\xc2\x1b[201~\x9b[200~")
	f.Fuzz(func(t *testing.T, text string) {
		framed := string(keys.Paste(text, true))
		inner := strings.TrimSuffix(strings.TrimPrefix(framed, "\x1b[200~"), "\x1b[201~")
		for _, r := range inner {
			if r == utf8.RuneError || r < 0x20 && r != '\r' && r != '\t' || r >= 0x7f && r <= 0x9f {
				t.Fatalf("%q holds %U", inner, r)
			}
		}
		if again := keys.Clean(keys.Clean(text)); again != keys.Clean(text) {
			t.Fatalf("cleaned again: %q", again)
		}
	})
}

func TestMouse(t *testing.T) {
	press := keys.MouseEvent{X: 9, Y: 4, Button: keys.LeftButton}
	release := keys.MouseEvent{X: 9, Y: 4, Button: keys.LeftButton, Release: true}
	drag := keys.MouseEvent{X: 10, Y: 4, Button: keys.LeftButton, Motion: true}
	move := keys.MouseEvent{X: 10, Y: 4, Button: keys.NoButton, Motion: true}
	wheel := keys.MouseEvent{Button: keys.WheelDown, Mod: keys.Ctrl}
	for _, tc := range []struct {
		name  string
		e     keys.MouseEvent
		modes keys.Modes
		want  string
	}{
		{"not asked for", press, keys.Modes{MouseSGR: true}, ""},
		{"press", press, keys.Modes{Mouse: keys.MouseClick, MouseSGR: true}, "\x1b[<0;10;5M"},
		{"release", release, keys.Modes{Mouse: keys.MouseClick, MouseSGR: true}, "\x1b[<0;10;5m"},
		{"press, old form", press, keys.Modes{Mouse: keys.MouseClick}, "\x1b[M *%"},
		{"release, old form", release, keys.Modes{Mouse: keys.MouseClick}, "\x1b[M#*%"},
		{"too far for the old form", keys.MouseEvent{X: 223}, keys.Modes{Mouse: keys.MouseClick}, ""},
		{"drag not asked for", drag, keys.Modes{Mouse: keys.MouseClick, MouseSGR: true}, ""},
		{"drag", drag, keys.Modes{Mouse: keys.MouseDrag, MouseSGR: true}, "\x1b[<32;11;5M"},
		{"motion not asked for", move, keys.Modes{Mouse: keys.MouseDrag, MouseSGR: true}, ""},
		{"motion", move, keys.Modes{Mouse: keys.MouseMotion, MouseSGR: true}, "\x1b[<35;11;5M"},
		{"wheel with control", wheel, keys.Modes{Mouse: keys.MouseClick, MouseSGR: true}, "\x1b[<81;1;1M"},
		{"outside", keys.MouseEvent{X: -1}, keys.Modes{Mouse: keys.MouseMotion, MouseSGR: true}, ""},
	} {
		if got := string(keys.EncodeMouse(tc.e, tc.modes)); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestFocus(t *testing.T) {
	on := keys.Modes{Focus: true}
	if got := string(keys.Focus(true, on)) + string(keys.Focus(false, on)) + string(keys.Focus(true, keys.Modes{})); got != "\x1b[I\x1b[O" {
		t.Errorf("focus reports %q", got)
	}
}
