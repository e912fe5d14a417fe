package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/session"
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

// What is typed before there is a shell waits for one: nothing else gets it.
func TestWhatIsTypedAheadIsForTheShellAlone(t *testing.T) {
	ahead := func(name string, typed []string, then func(*aheadWorld), want ...string) {
		t.Run(name, func(t *testing.T) {
			w := newAheadWorld(t, typed)
			if then != nil {
				then(w)
			}
			w.connected(session.Prompt)
			if got := w.shell.calls; !slices.Equal(got, want) {
				t.Errorf("the shell got %q, want %q", got, want)
			}
		})
	}
	line := []string{"l", "s", "Enter"}
	ahead("the host connects", []string{"l", "s", "Escape", "q", "Enter"}, nil, "key l", "key s", "key Escape", "key q", "key Enter")
	ahead("its shell starts", line, func(w *aheadWorld) { w.connected(session.Boot) }, "key l", "key s", "key Enter")
	ahead("typed on while it connects", line[:1], func(w *aheadWorld) { w.o.Update(keyPress(w.t, "s")); w.draw() }, "key l", "key s")
	ahead("it asks for a password", line, func(w *aheadWorld) {
		q := &question{host: w.h.id, ask: secretQuestion{prompt: "Password:"}, answer: make(chan any, 1)}
		w.dialogs.open = append(w.dialogs.open, q)
		w.draw()
		if d := w.m.tab().dialog; d == nil || d.edit.String() != "" || len(q.answer) > 0 {
			t.Errorf("the question got something: %v", d)
		}
		w.dialogs.open = nil
		w.draw()
	})
	ahead("it fails", []string{"r", "q", "Escape"}, func(w *aheadWorld) {
		w.h.link.Phase = Lost
		w.draw()
		if w.h.again > 0 || w.h.closed || w.m.quitting {
			t.Error("what was typed ahead was a command of the screen")
		}
	})
	ahead("a program asks", line, func(w *aheadWorld) {
		w.shell.view.Field = &session.FieldView{ID: 7, Kind: session.SecretField}
		w.connected(session.Field)
		w.shell.view.Field = nil
	})
	ahead("left by Escape", line, func(w *aheadWorld) {
		if _, cmd := w.o.Update(keyPress(w.t, "Escape")); cmd == nil || cmd() == nil || !w.h.closed {
			t.Error("Escape does not close what connects")
		}
		w.h.link.Phase = Closed
		w.draw()
	})
}

// aheadWorld is a console whose host still connects.
type aheadWorld struct {
	*world
	o     *opening
	h     *fakeHost
	shell *fakeSession
}

func newAheadWorld(t *testing.T, typed []string) *aheadWorld {
	w := newWorld(t, 80, 24, Options{})
	h := w.connect("root@prod-web-03")
	shell := h.sess
	h.link.Phase, h.sess = Connecting, nil
	w.m.tabs = nil
	aw := &aheadWorld{world: w, o: openingOf(w), h: h, shell: shell}
	aw.o.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	for _, k := range typed {
		aw.o.Update(keyPress(t, k))
	}
	aw.o.Update(aw.o.Init()())
	aw.draw()
	if h.closed || w.m.quitting || h.again > 0 {
		t.Fatal("what was typed ahead was a command of the screen")
	}
	return aw
}

func (w *aheadWorld) draw() {
	w.o.Update(tty.FrameMsg{At: w.at})
	w.o.Draw(tty.NewCanvas(80, 24))
	w.o.Update(tty.DrawnMsg{At: w.at})
}

func (w *aheadWorld) connected(s session.State) {
	if w.h.link.Phase == Connecting {
		w.h.link.Phase = Connected
	}
	w.h.sess, w.shell.view.State = w.shell, s
	w.draw()
}
