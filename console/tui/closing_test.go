package tui

import (
	"strings"
	"testing"
)

// A session ends by a y that stands alone, not by a letter of what is typed.
func TestASessionIsClosedByAKeyThatStandsAlone(t *testing.T) {
	for _, c := range []struct {
		name   string
		do     func(*world)
		closed bool
	}{
		{"y", func(w *world) { w.wait(quietTime); w.press("y"); w.wait(aloneTime) }, true},
		{"a word", func(w *world) { w.wait(quietTime); w.types("python3"); w.wait(quietTime) }, false},
		{"a word that begins with it", func(w *world) { w.wait(quietTime); w.types("yes"); w.wait(quietTime) }, false},
		{"at once", func(w *world) { w.press("y"); w.wait(quietTime) }, false},
		{"a paste follows", func(w *world) { w.wait(quietTime); w.press("y"); w.paste("um"); w.wait(aloneTime) }, false},
		{"not yet", func(w *world) { w.wait(quietTime); w.press("y") }, false},
		{"n", func(w *world) { w.wait(quietTime); w.press("n"); w.wait(aloneTime) }, false},
		{"taken back", func(w *world) { w.wait(quietTime); w.press("y", "Escape"); w.wait(aloneTime) }, false},
	} {
		w := newWorld(t, 80, 24, Options{})
		h := work(w)
		w.settle()
		w.press("C-]", "q")
		w.settle()
		c.do(w)
		w.settle()
		if h.closed != c.closed {
			t.Errorf("%s: closed %v", c.name, h.closed)
		}
	}
}

func TestWhatClosesASessionIsSaid(t *testing.T) {
	w := newWorld(t, 80, 24, Options{})
	work(w)
	w.settle()
	w.press("C-]", "q", "y")
	if got := text(w.settle()); !strings.Contains(got, notAlone) {
		t.Errorf("drawn:\n%s", got)
	}
}
