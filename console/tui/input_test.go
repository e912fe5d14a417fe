package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/gate"
	"sallyport/console/session"
)

func TestKeysForTheShell(t *testing.T) {
	at := func(name string, set func(*fakeHost), keys []string, want ...string) {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 120, 36, Options{})
			h := work(w)
			if set != nil {
				set(h)
			}
			w.settle()
			h.sess.calls = nil
			w.press(keys...)
			if !slices.Equal(h.sess.calls, want) {
				t.Errorf("calls %q, want %q", h.sess.calls, want)
			}
		})
	}
	at("pass", nil, []string{"l", "s", "Enter", "Up", "C-r", "M-b", "F5", "Tab"},
		"key l", "key s", "key Enter", "key Up", "key C-r", "key M-b", "key F5", "key Tab")
	at("the leader twice is the key", nil, []string{"C-]", "C-]"}, "key C-]")
	at("after the leader is not for the shell", nil, []string{"C-]", "x", "a"}, "key a")
	at("Escape drops what is held", func(h *fakeHost) { h.sess.view.Held, h.sess.view.State = 3, session.Running }, []string{"x", "Escape"}, "key x", "drop held")
	at("Escape is a key otherwise", nil, []string{"Escape"}, "key Escape")
	waiting := func(h *fakeHost) { h.sess.view.State, h.sess.view.Waiting = session.Waiting, midnight }
	at("a choice behind the leader", waiting, []string{"C-]", "d"}, "choose 1")
	field := func(kind session.FieldKind) func(*fakeHost) {
		return func(h *fakeHost) {
			h.sess.view.State, h.sess.view.Field = session.Field, &session.FieldView{ID: 7, Kind: kind, Program: "apt"}
		}
	}
	at("a line field", field(session.LineField), []string{"Y", "Backspace", "n", "Enter"}, `field 7 "n" false`)
	for _, enter := range []string{"KPEnter", "C-j", "C-m"} {
		at("a line field, "+enter, field(session.LineField), []string{"n", enter}, `field 7 "n" false`)
		at(enter+" for the shell", nil, []string{enter}, "key "+enter)
	}
	at("end of file", field(session.LineField), []string{"C-d"}, `field 7 "" true`)
	at("^C in a field", field(session.LineField), []string{"y", "C-c"}, "interrupt")
	at("^Z in a field", field(session.LineField), []string{"C-z"}, "key C-z")
	at("a secret", field(session.SecretField), []string{"s", "3", "Enter"}, `field 7 "s3" false`)
	at("none when it is lost", func(h *fakeHost) { h.link.Phase = Lost }, []string{"l", "s"})
}

// A line that was not sent comes back in a new field, to be edited; what was on its
// way to the session when the field was drawn stands before what was typed since.
func TestAFieldHasWhatTheSessionHasForIt(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := work(w)
	f := &session.FieldView{ID: 7, Kind: session.LineField, Program: "sh", Typed: "ec"}
	h.sess.view.State, h.sess.view.Field = session.Field, f
	w.settle()
	w.press("o", "Left", "Right")
	h.sess.view.Field = &session.FieldView{ID: 7, Kind: session.LineField, Program: "sh", Typed: "ech"}
	w.settle()
	w.press("Space", "1", "Enter")
	h.sess.view.Field = &session.FieldView{ID: 8, Kind: session.LineField, Program: "sh", Typed: "echo 1"}
	h.sess.view.Refused = &gate.Refusal{By: gate.ByOperator}
	drawn := text(w.settle())
	if !strings.Contains(drawn, "echo 1") || !strings.Contains(drawn, "still there to edit; ^U clears it") {
		t.Errorf("drawn:\n%s", drawn)
	}
	w.press("Backspace", "2", "KPEnter")
	if want := []string{`field 7 "echo 1" false`, `field 8 "echo 2" false`}; !slices.Equal(h.sess.calls, want) {
		t.Errorf("calls %q, want %q", h.sess.calls, want)
	}
}

// The keypad's Enter is Enter wherever the console itself reads keys.
func TestTheKeypadsEnterIsEnter(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	work(w)
	w.settle()
	w.press("C-]", "o")
	w.types("db-1")
	w.press("KPEnter")
	if !slices.Equal(w.opened, []string{"db-1"}) {
		t.Errorf("opened %q", w.opened)
	}
}

// What was typed for a program that went away meanwhile is typed at the shell; a secret is not.
func TestWhatAFieldHeldIsNotLost(t *testing.T) {
	for kind, want := range map[session.FieldKind][]string{session.LineField: {"key l", "key s"}, session.SecretField: nil} {
		w := newWorld(t, 80, 24, Options{})
		h := work(w)
		h.sess.view.State, h.sess.view.Field = session.Field, &session.FieldView{ID: 7, Kind: kind, Program: "cat"}
		w.settle()
		w.press("l", "s")
		h.sess.view.State, h.sess.view.Field = session.Prompt, nil
		w.settle()
		if !slices.Equal(h.sess.calls, want) {
			t.Errorf("%v: calls %q, want %q", kind, h.sess.calls, want)
		}
	}
}

func TestLost(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := work(w)
	h.link.Phase, h.link.Since = Lost, w.at
	got := text(w.settle())
	if !strings.Contains(got, "df -h /var") || !strings.Contains(got, "Last screen kept") {
		t.Errorf("drawn:\n%s", got)
	}
	w.types("quick r")
	w.wait(quietTime)
	w.settle()
	if h.again != 0 || h.closed {
		t.Error("letters of what is typed are taken as choices")
	}
	w.press("r")
	w.wait(aloneTime)
	w.settle()
	if h.again != 1 {
		t.Error("r does not reconnect")
	}
	w.press("q")
	w.wait(aloneTime)
	w.settle()
	if !h.closed {
		t.Error("q does not close")
	}
}

func TestTheLastScreenStaysUntilTheNewShellSpeaks(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := work(w)
	w.settle()
	old := h.sess
	h.sess = &fakeSession{screen: old.screen, view: session.View{ID: "s2", State: session.Boot}}
	*h.sess = fakeSession{screen: newWorld(t, 80, 24, Options{}).connect("x").sess.screen, view: session.View{ID: "s2", State: session.Boot}}
	if got := text(w.settle()); !strings.Contains(got, "df -h /var") {
		t.Errorf("the old screen is gone:\n%s", got)
	}
	h.sess.view.State = session.Prompt
	h.print("new$ ")
	if got := text(w.settle()); strings.Contains(got, "df -h /var") || !strings.Contains(got, "new$") {
		t.Errorf("the new screen is not there:\n%s", got)
	}
}

func TestPaste(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := work(w)
	w.settle()
	w.paste("a\nb")
	if !slices.Contains(h.sess.calls, `paste "a\nb"`) {
		t.Errorf("calls %q", h.sess.calls)
	}
}

// What stands behind a pasted end of paste arrives as keys; it is part of the
// paste all the same, and nothing of it is a key press.
func TestAPasteThatEndsItselfIsOnePaste(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := work(w)
	w.settle()
	w.send(tea.PasteMsg{Content: "echo a"})
	w.press("Enter")
	w.types("rm -rf x")
	w.press("Enter", "C-o", "C-m")
	w.send(tea.PasteMsg{Content: "more"})
	w.endPaste()
	if want := []string{`paste "echo a\nrm -rf x\n\nmore"`}; !slices.Equal(h.sess.calls, want) {
		t.Errorf("calls %q, want %q", h.sess.calls, want)
	}
	w.press("a")
	if n := len(h.sess.calls); n != 2 {
		t.Errorf("after the paste a key is a key again: %q", h.sess.calls)
	}
}

func TestTheShellIsToldItsSize(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	w.settle()
	w.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	w.settle()
	w.send(tea.WindowSizeMsg{Width: 50, Height: 12})
	w.settle()
	w.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	w.settle()
	if want := [][2]int{{80, 34}, {79, 22}}; !slices.Equal(h.sess.resized, want) {
		t.Errorf("told %v, want %v", h.sess.resized, want)
	}
}

func TestTooSmall(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		{59, 24, "The console needs 60 columns"}, {80, 14, "The console needs 60 columns"}, {30, 8, "needs 60x15"}, {60, 15, "df -h"}, {1, 1, ""},
	} {
		w := newWorld(t, c.w, c.h, Options{})
		work(w)
		if got := text(w.settle()); !strings.Contains(got, c.want) {
			t.Errorf("%dx%d: no %q in\n%s", c.w, c.h, c.want, got)
		}
	}
}

// What nobody can see gets no key; from the first frame that shows the shell
// again, it does.
func TestKeysWhileNothingIsShown(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := work(w)
	w.settle()
	h.sess.calls = nil
	w.send(tea.WindowSizeMsg{Width: 50, Height: 12}) // from here on, not from the next frame on
	w.press("l", "s", "Enter", "Up", "C-]", "d")
	c := w.settle()
	rung := c.Bell
	w.press("x", "Enter")
	w.paste("rm -rf /srv/x\n")
	if len(h.sess.calls) > 0 {
		t.Errorf("sent unseen: %q", h.sess.calls)
	}
	if c := w.settle(); c.Bell == rung {
		t.Error("no bell")
	} else if got := strings.Join(strings.Fields(text(c)), " "); !strings.Contains(got, "keys do not reach it, except ^C") {
		t.Errorf("does not say so: %s", got)
	}
	w.press("C-c")
	w.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	w.press("y") // not drawn yet
	w.settle()
	w.press("n")
	if want := []string{"key C-c", "key n"}; !slices.Equal(h.sess.calls, want) {
		t.Errorf("calls %q, want %q", h.sess.calls, want)
	}
}

// A program that runs gets an Escape if it asks for keys soon; otherwise the
// Escape is dropped without a word. What is typed after it is kept.
func TestEscapeWhileSomethingRuns(t *testing.T) {
	for _, c := range []struct {
		name string
		then func(w *world, h *fakeHost)
		drop bool
	}{
		{"nobody wants it", func(*world, *fakeHost) {}, true},
		{"the program wants keys", func(_ *world, h *fakeHost) { h.sess.view.State, h.sess.view.Held = session.Keys, 0 }, false},
		{"a key follows", func(w *world, h *fakeHost) { w.press("x"); h.sess.view.Held = 2 }, false},
	} {
		w := newWorld(t, 80, 24, Options{})
		h := work(w)
		h.sess.view.State = session.Running
		w.settle()
		w.press("Escape")
		h.sess.view.Held = 1
		if got := text(w.settle()); strings.Contains(got, "held") {
			t.Errorf("%s: drawn:\n%s", c.name, got)
		}
		c.then(w, h)
		w.settle()
		w.wait(escapeTime)
		w.settle()
		if got := slices.Contains(h.sess.calls, "drop held"); got != c.drop || !slices.Contains(h.sess.calls, "key Escape") {
			t.Errorf("%s: calls %q", c.name, h.sess.calls)
		}
	}
}

// An alarm goes with the first key after it stood for a while; the next alarm
// stands again, in the same words or not.
func TestAnAlarmGoes(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := work(w)
	shown := func() bool { return strings.Contains(text(w.settle()), "ALARM") }
	alarm := func(n int) {
		h.sess.view.Alarms, h.sess.view.Alarm = n, "the line changed after it was judged: it was not run"
	}
	alarm(1)
	if !shown() {
		t.Fatal("not shown")
	}
	w.types("ahead")
	if !shown() {
		t.Error("keys typed ahead took it away")
	}
	w.wait(time.Minute)
	if !shown() {
		t.Error("it went without a key")
	}
	w.press("C-u")
	if shown() {
		t.Error("it stays after a key")
	}
	if !slices.Contains(h.sess.calls, "key C-u") {
		t.Error("the key was lost")
	}
	alarm(2)
	if !shown() {
		t.Error("the next one is not shown")
	}
}

// What stood behind a panel or a question was not seen.
func TestAnAlarmThatIsCoveredStays(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := work(w)
	w.settle()
	w.press("C-]", "?")
	h.sess.view.Alarms, h.sess.view.Alarm = 1, "a line that was not judged tried to run: it was stopped"
	w.settle()
	w.wait(time.Minute)
	w.press("Escape", "x")
	if got := text(w.settle()); !strings.Contains(got, "ALARM") {
		t.Errorf("gone:\n%s", got)
	}
}

// Every action of the tables is reachable by keyboard, and shown in the help
// and in the palette; what is not possible now has a reason.
func TestEveryActionIsShown(t *testing.T) {
	w := newWorld(t, 120, 100, Options{})
	work(w)
	w.settle()
	w.press("C-]", "?")
	help := text(w.frame())
	w.press("Escape", "C-]", ":")
	palette := text(w.frame())
	for _, b := range leaderKeys {
		if !strings.Contains(help, b.name) {
			t.Errorf("help lacks %q", b.name)
		}
		if !strings.Contains(palette, b.name) {
			t.Errorf("the palette lacks %q", b.name)
		}
	}
	for _, b := range suggestKeys {
		if !strings.Contains(help, b.name) {
			t.Errorf("help lacks %q", b.name)
		}
	}
	if !strings.Contains(help, "reconnect — It is connected") {
		t.Errorf("help gives no reason:\n%s", help)
	}
}

// With nothing open every key still says something, and none crashes.
func TestKeysWithoutAnything(t *testing.T) {
	for _, set := range []func(*world){
		func(*world) {},
		func(w *world) {
			w.hosts = append(w.hosts, &fakeHost{w: w, id: "h", link: Link{Phase: Connecting, Since: w.at}})
		},
		func(w *world) { work(w).linus = nil },
		func(w *world) { work(w).sess = nil },
	} {
		for _, b := range append(append([]binding(nil), leaderKeys...), suggestKeys...) {
			for _, key := range b.keys {
				w := newWorld(t, 80, 24, Options{})
				set(w)
				w.settle()
				w.press("C-]", key)
				w.settle()
				w.press("j", "k", "Enter", "Escape")
				w.settle()
			}
		}
	}
}

func TestAnotherLeader(t *testing.T) {
	w := newWorld(t, 120, 36, Options{Leader: "C-a"})
	h := work(w)
	w.settle()
	w.press("C-a", "c")
	if w.m.focus != chatArea {
		t.Error("C-a c does not open the chat")
	}
	w.press("Escape", "C-]")
	if !slices.Contains(h.sess.calls, "key C-]") {
		t.Errorf("calls %q", h.sess.calls)
	}
}

func TestPanelsByKeyboard(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	work(w)
	w.settle()
	w.press("C-]", "i")
	want := []area{suggestArea, chatArea, intentArea}
	for _, a := range want {
		w.press("Tab")
		if w.m.focus != a {
			t.Errorf("focus %d, want %d", w.m.focus, a)
		}
	}
	w.press("S-Tab")
	if w.m.focus != chatArea {
		t.Errorf("S-Tab: focus %d", w.m.focus)
	}
	w.press("Escape")
	if w.m.focus != shellArea {
		t.Errorf("Esc: focus %d", w.m.focus)
	}
}

func TestCopyMode(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	for range 100 {
		h.print("more and more\n")
	}
	h.print("the needle\nand on\n")
	w.settle()
	w.press("C-]", "/")
	w.types("needle")
	w.press("Enter", "v", "l", "l", "l", "l", "l")
	w.frame()
	w.cmds = nil
	w.press("y")
	if len(w.cmds) == 0 {
		t.Fatal("nothing was copied")
	}
	if got := w.m.note.text; got != "Copied 6 characters." {
		t.Errorf("note %q", got)
	}
	if w.m.tab().copying != nil {
		t.Error("copy mode goes on")
	}
}

// V takes whole lines, whichever way the cursor goes then; the space bar begins as v does.
func TestSelectionsOfCopyMode(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"V", "k", "y"}, "Copied 17 characters."},
		{[]string{"V", "j", "y"}, "Copied 17 characters."},
		{[]string{"V", "y"}, "Copied 10 characters."},
		{[]string{" ", "l", "l", "y"}, "Copied 3 characters."},
	} {
		w := newWorld(t, 120, 36, Options{})
		h := work(w)
		h.print("\nbefore\nthe needle\nbehind\n")
		w.settle()
		w.press("C-]", "/")
		w.types("needle")
		w.press("Enter")
		for _, k := range c.keys {
			if k == " " {
				w.types(k)
				continue
			}
			w.press(k)
		}
		if got := w.m.note.text; got != c.want {
			t.Errorf("%v: %q, want %q", c.keys, got, c.want)
		}
	}
}

func TestTheViewFollowsCopyModeAndSearch(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	for i := range 200 {
		h.print(fmt.Sprintf("row%03d\n", i))
	}
	w.settle()
	sees := func(after, row string) {
		t.Helper()
		if !strings.Contains(text(w.frame()), row) {
			t.Errorf("%s: %s is not in view", after, row)
		}
	}
	sees("at the prompt", "row199")
	w.press("C-]", "v")
	sees("copy mode", "row199")
	w.press("PageUp", "PageUp", "PageUp")
	sees("three pages up", "row100")
	h.print("later\n")
	sees("output below", "row100")
	w.press("g", "/")
	w.types("row042")
	w.press("Enter")
	sees("a search", "row042")
	w.press("G")
	sees("the end", "later")
	w.press("g")
	w.press("q")
	sees("copy mode left", "later")
}

func TestTheWheelScrolls(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := work(w)
	for range 100 {
		h.print("more and more\n")
	}
	w.settle()
	w.send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelUp})
	w.send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelUp})
	if got := text(w.settle()); !strings.Contains(got, "6 lines up") {
		t.Errorf("drawn:\n%s", got)
	}
	before := text(w.settle())
	h.print("news\nnews\n")
	after := text(w.settle())
	if strings.Contains(after, "news") || !strings.Contains(after, "8 lines up") {
		t.Errorf("what is read moved:\n%s\n%s", before, after)
	}
	w.press("x")
	if got := text(w.settle()); !strings.Contains(got, "news") {
		t.Errorf("a key does not go back to the end:\n%s", got)
	}
}

func TestTheMouseSelects(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	work(w)
	w.settle()
	w.send(tea.MouseClickMsg{X: 1, Y: 2, Button: tea.MouseLeft})
	w.send(tea.MouseMotionMsg{X: 10, Y: 2, Button: tea.MouseLeft})
	w.settle()
	w.send(tea.MouseReleaseMsg{X: 10, Y: 2, Button: tea.MouseLeft})
	if got := w.m.note.text; got != "Copied 10 characters." {
		t.Errorf("note %q", got)
	}
}

func TestTheRemoteGetsTheMouseItAskedFor(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	h := work(w)
	h.print("\x1b[?1000h\x1b[?1006h")
	w.settle()
	w.send(tea.MouseClickMsg{X: 4, Y: 3, Button: tea.MouseLeft})
	if !slices.Contains(h.sess.calls, "mouse 3,2 0") {
		t.Errorf("calls %q", h.sess.calls)
	}
	w.send(tea.MouseClickMsg{X: 4, Y: 3, Button: tea.MouseLeft, Mod: tea.ModShift})
	if w.m.tab().drag == nil {
		t.Error("with Shift it does not select")
	}
}

func TestLight(t *testing.T) {
	w := newWorld(t, 80, 24, Options{Theme: ThemeLight})
	work(w)
	if got := looks(w.settle()); !strings.Contains(got, "626a73") {
		t.Errorf("looks:\n%s", got)
	}
}

func TestSlowThingsAreShownLate(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	w.hosts = append(w.hosts, &fakeHost{w: w, id: "h1", link: Link{Name: "x", Phase: Connecting, Step: "connect", Since: w.at}})
	if got := text(w.settle()); strings.Contains(got, "Connecting") {
		t.Errorf("shown at once:\n%s", got)
	}
	w.wait(slowTime)
	if got := text(w.settle()); !strings.Contains(got, "Connecting") || strings.Contains(got, "gives up") {
		t.Errorf("after 300 ms:\n%s", got)
	}
	w.wait(2 * time.Second)
	if got := text(w.settle()); !strings.Contains(got, "gives up") {
		t.Errorf("after 2 s:\n%s", got)
	}
}
