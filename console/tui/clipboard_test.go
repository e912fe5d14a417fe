package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// askingWorld is a console whose policy lets the remote ask for the clipboard.
type askingWorld struct{ *world }

func (askingWorld) ClipboardWrite() bool { return true }

func TestTheRemoteAsksForTheClipboard(t *testing.T) {
	const osc52 = "\x1b]52;c;cm0gLXJmIC9zcnY=\a" // rm -rf /srv
	for _, c := range []struct {
		name    string
		allowed bool
		key     string
		asks    bool
		copied  bool
	}{
		{"the policy says nothing", false, "", false, false},
		{"yes", true, "y", true, true},
		{"no", true, "n", true, false},
		{"refused", true, "Escape", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, 100, 30, Options{})
			if c.allowed {
				w.m.console = askingWorld{w}
			}
			h := w.connect("root@web")
			h.print(osc52)
			w.quiet()
			shown := text(w.frame())
			if asks := strings.Contains(shown, "CLIPBOARD"); asks != c.asks || asks && !strings.Contains(shown, "rm -rf /srv") {
				t.Fatalf("asks: %v\n%s", asks, shown)
			}
			if !c.asks {
				return
			}
			w.cmds = nil
			w.press(c.key)
			w.wait(aloneTime)
			w.frame()
			if got := copies(w.cmds); got != c.copied {
				t.Errorf("copied: %v", got)
			}
			h.print(osc52)
			w.quiet()
			if again := strings.Contains(text(w.frame()), "CLIPBOARD"); again != c.copied {
				t.Errorf("asked again: %v", again)
			}
		})
	}
}

func copies(cmds []tea.Cmd) bool { return len(cmds) > 0 }

// TestTypeAheadDoesNotReachTheClipboard: the question takes no key before the keyboard was quiet.
func TestTypeAheadDoesNotReachTheClipboard(t *testing.T) {
	w := newWorld(t, 100, 30, Options{})
	w.m.console = askingWorld{w}
	w.connect("root@web").print("\x1b]52;c;eA==\a")
	w.frame()
	w.cmds = nil
	w.press("y", "y", "y")
	if copies(w.cmds) {
		t.Error("a key typed ahead put text on the clipboard")
	}
}
