package tui

import "testing"

func TestTheGlassIsBrokenForAReasonOnly(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	work(w)
	try := func(reason string) {
		w.settle()
		w.press("C-]", "!")
		w.types(reason)
		w.press("Enter", "Escape")
		w.settle()
	}
	for _, c := range []struct {
		name, refusing string
		glass          bool
		reason, want   string
	}{
		{"the log works", "", true, "fire", ""},
		{"the organisation does not allow it", "no space", false, "fire", ""},
		{"no reason", "no space", true, "  ", ""},
		{"a reason", "no space", true, "fire in the rack", "fire in the rack"},
	} {
		w.log.Refusing, w.glass, w.broken = c.refusing, c.glass, ""
		try(c.reason)
		if w.broken != c.want {
			t.Errorf("%s: broken for %q, want %q", c.name, w.broken, c.want)
		}
	}
}
