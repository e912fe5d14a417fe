package tui

import (
	"testing"

	"sallyport/console/tty"
)

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		w, h, tabs    int
		panels        bool
		term          [2]int
		beside, small bool
		full          bool
	}{
		{120, 36, 1, true, [2]int{80, 34}, true, false, false},
		{120, 36, 2, true, [2]int{80, 33}, true, false, false},
		{120, 36, 1, false, [2]int{119, 34}, false, false, false},
		{119, 36, 1, true, [2]int{118, 34}, false, false, false},
		{160, 50, 1, true, [2]int{98, 48}, true, false, false},
		{250, 60, 1, true, [2]int{188, 58}, true, false, false},
		{100, 30, 1, true, [2]int{99, 28}, false, false, false},
		{80, 24, 1, true, [2]int{79, 22}, false, false, true},
		{60, 15, 1, true, [2]int{59, 13}, false, false, true},
		{59, 15, 1, true, [2]int{58, 13}, false, true, true},
		{130, 14, 1, true, [2]int{129, 12}, false, true, true},
	} {
		l := place(c.w, c.h, c.tabs, c.panels)
		if got := [2]int{l.term.Dx(), l.term.Dy()}; got != c.term || l.beside != c.beside || l.small != c.small || l.full != c.full {
			t.Errorf("%dx%d: term %v beside %v small %v full %v, want %+v", c.w, c.h, got, l.beside, l.small, l.full, c)
		}
	}
}

// Areas never overlap where they must not, at any size.
func TestPlaceIsSound(t *testing.T) {
	for w := 1; w <= 300; w += 7 {
		for h := 1; h <= 100; h += 3 {
			for _, panels := range []bool{true, false} {
				l := place(w, h, 1, panels)
				if l.small {
					continue
				}
				for _, p := range [][2]tty.Rect{{l.term, l.panel}, {l.term, l.header}, {l.term, l.status}, {l.panel, l.status}, {l.gutter, l.term}} {
					if p[0].Overlaps(p[1]) {
						t.Fatalf("%dx%d: %v overlaps %v", w, h, p[0], p[1])
					}
				}
			}
		}
	}
}

// No state panics at any size.
func TestEverySizeIsDrawn(t *testing.T) {
	for _, s := range scenes {
		for _, size := range [][2]int{{1, 1}, {40, 10}, {61, 16}, {250, 60}} {
			s.draw(t, size, Options{})
		}
	}
}

// BenchmarkEcho is the frame after a key: a character more in the shell's line.
func BenchmarkEcho(b *testing.B) {
	w := newWorld(b, 120, 36, Options{})
	h := work(w)
	c := w.settle()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		h.print([]string{"x", "\b \b"}[i%2])
		w.send(tty.FrameMsg{At: w.at})
		if _, _, ok := w.m.Patch(c); !ok {
			b.Fatal("drawn whole")
		}
		w.send(tty.DrawnMsg{At: w.at})
	}
}

func BenchmarkFrame(b *testing.B) {
	w := newWorld(b, 120, 36, Options{})
	h := work(w)
	w.settle()
	c := tty.NewCanvas(120, 36)
	b.ReportAllocs()
	for b.Loop() {
		h.print("\x1b[32mx\x1b[0m\n")
		w.send(tty.FrameMsg{At: w.at})
		c.Clear()
		w.m.Draw(c)
	}
}
