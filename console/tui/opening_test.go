package tui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/tty"
)

// openingOf is the first screen of a console that w will be.
func openingOf(w *world) *opening {
	return &opening{
		open: func() (Console, error) { return w, nil }, name: "prod-web-03", theme: w.m.theme,
		begin: func(Console) *Model { return w.m },
	}
}

// TestTheScreenIsThereBeforeTheConsole: it says what is waited for, and what is typed
// meanwhile is not lost.
func TestTheScreenIsThereBeforeTheConsole(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		w := newWorld(t, 80, 24, Options{ASCII: ascii})
		h := w.connect("root@prod-web-03")
		h.prompt()
		w.m = newModel(w.m.ctx, Deps{Console: w, Dialogs: w.dialogs, Options: w.m.opts}, w.m.profile) // one that has seen nothing
		o := openingOf(w)
		o.ascii = ascii
		o.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		for _, k := range []string{"q", "o", "l"} { // without a host, q would end the console
			o.Update(keyPress(t, k))
		}
		c := tty.NewCanvas(80, 24)
		o.Draw(c)
		if got := text(c); !strings.Contains(got, "prod-web-03") || !strings.Contains(got, "Reading the policy, opening the log.") {
			t.Errorf("before: %s", got)
		}
		if _, _, ok := o.Patch(c); ok {
			t.Error("there is nothing to patch")
		}
		o.Update(o.Init()())
		o.Update(keyPress(t, "s"))
		o.Update(tty.FrameMsg{At: w.at})
		c.Clear()
		o.Draw(c)
		if got := text(c); !strings.Contains(got, "/var/log#") || strings.Contains(got, "opening the log") {
			t.Errorf("after: %s", got)
		}
		o.Update(tty.DrawnMsg{At: w.at})
		o.Update(keyPress(t, "x"))
		if got := strings.Join(h.sess.calls, ", "); !strings.Contains(got, "key q, key o, key l, key s, key x") {
			t.Errorf("the shell got %s", got)
		}
	}
}

func TestAConsoleThatCannotBeOpened(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	o := openingOf(w)
	broken := errors.New("policy.toml:3: unknown key")
	o.open = func() (Console, error) { return nil, broken }
	_, cmd := o.Update(o.Init()())
	if _, quits := cmd().(tea.QuitMsg); !quits || !errors.Is(o.err, broken) {
		t.Errorf("%v, quits %v", o.err, quits)
	}
}

func TestOpeningIsLeftByCtrlC(t *testing.T) {
	o := openingOf(newWorld(t, 80, 24, Options{}))
	_, cmd := o.Update(keyPress(t, "C-c"))
	if cmd == nil {
		t.Fatal("nothing happens")
	}
	if _, quits := cmd().(tea.QuitMsg); !quits {
		t.Error("it goes on")
	}
}

// A window of any size shows as much as it can.
func TestOpeningInAWindowOfAnySize(t *testing.T) {
	o := openingOf(newWorld(t, 80, 24, Options{}))
	for w := range 12 {
		for h := range 5 {
			o.Draw(tty.NewCanvas(w+1, h+1))
		}
	}
}
