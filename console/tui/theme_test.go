package tui

import (
	"image/color"
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"sallyport/console/tty"
)

// Every colour can be read on the backgrounds that terminals come with, by the
// measure of the Web Content Accessibility Guidelines 2.2 (1.4.3: at least 4.5).
func TestColoursCanBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		p           palette
		backgrounds []uint32
	}{
		"dark":  {darkColors, []uint32{0x000000, 0x1e1e1e, 0x282828}},
		"light": {lightColors, []uint32{0xffffff, 0xfdf6e3, 0xf6f8fa}},
	} {
		for what, fg := range map[string]color.Color{"accent": c.p.accent, "dim": c.p.dim, "low": c.p.low, "medium": c.p.medium, "high": c.p.high} {
			for _, bg := range c.backgrounds {
				if r := contrast(fg, rgb(bg)); r < 4.5 {
					t.Errorf("%s on %s %06x: contrast %.1f", what, name, bg, r)
				}
			}
		}
	}
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		s := float64(v) / 0xffff
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// Of 16 colours none is the bright black, which is the background of some
// schemes; without colour there is none.
func TestColoursOfPoorTerminals(t *testing.T) {
	for _, s := range scenes {
		for _, theme := range []Theme{ThemeDark, ThemeLight} {
			w := newWorld(t, 80, 24, Options{Profile: colorprofile.ANSI, Theme: theme})
			s.set(w)
			if got := looks(w.settle()); strings.Contains(got, "808080") || strings.Contains(got, "7f7f7f") {
				t.Errorf("%s, %s of 16: bright black:\n%s", s.name, theme, got)
			}
		}
		w := newWorld(t, 80, 24, Options{Profile: colorprofile.ASCII})
		s.set(w)
		coloured(t, s.name, w, w.settle())
	}
}

// coloured fails where the console itself uses a colour; what the remote asked
// for goes to the terminal, which has none.
func coloured(t *testing.T, name string, w *world, c *tty.Canvas) {
	t.Helper()
	cols, rows := c.Size()
	for y := range rows {
		for x := range cols {
			if y >= w.m.lay.term.Min.Y && y < w.m.lay.term.Max.Y && x >= w.m.lay.term.Min.X {
				continue
			}
			if _, _, st := c.Cell(x, y); st.Fg != nil || st.Bg != nil {
				t.Fatalf("%s: a colour at %d,%d", name, x, y)
			}
		}
	}
}

// The session in front is always among the tabs that are shown, and what is
// left out is pointed at.
func TestManyTabs(t *testing.T) {
	w := newWorld(t, 60, 15, Options{})
	for range 9 {
		w.connect("operator@a-host-with-a-name")
	}
	for i := range 9 {
		w.m.front = i
		row, _, _ := strings.Cut(text(w.settle()), "\n")
		if !strings.Contains(row, string(rune('1'+i))+" operator@") {
			t.Errorf("tab %d is not shown: %q", i+1, row)
		}
		if strings.Contains(row, "…") || i > 1 && !strings.HasPrefix(row, " ‹ ") || i < 8 && !strings.HasSuffix(row, "›") {
			t.Errorf("tab %d: %q", i+1, row)
		}
	}
	w.send(tea.WindowSizeMsg{Width: 300, Height: 15})
	if row, _, _ := strings.Cut(text(w.settle()), "\n"); strings.ContainsAny(row, "‹›") {
		t.Errorf("all fit: %q", row)
	}
}
