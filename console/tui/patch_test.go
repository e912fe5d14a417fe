package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sallyport/console/copilot"
	"sallyport/console/session"
	"sallyport/console/tty"
	"sallyport/policy"
)

// pieces are what a remote prints, and what changes beside it.
var pieces = []func(w *world, h *fakeHost, r *rand.Rand){
	func(w *world, h *fakeHost, r *rand.Rand) { h.print("x") },
	func(w *world, h *fakeHost, r *rand.Rand) { h.print("\b\x1b[K") },
	func(w *world, h *fakeHost, r *rand.Rand) { h.print("日本👩‍👩‍👧e\u0301") },
	func(w *world, h *fakeHost, r *rand.Rand) {
		h.print(fmt.Sprintf("\x1b[%d;%dH\x1b[3%dmcell\x1b[0m", 1+r.IntN(34), 1+r.IntN(84), r.IntN(8)))
	},
	func(w *world, h *fakeHost, r *rand.Rand) { h.print(strings.Repeat("line of output\n", 1+r.IntN(3))) },
	func(w *world, h *fakeHost, r *rand.Rand) { h.print("\x1b[J\x1b[?25l") },
	func(w *world, h *fakeHost, r *rand.Rand) { h.print("\x1b[?25h\x1b[2L") },
	func(w *world, h *fakeHost, r *rand.Rand) { h.print([]string{"\x1b[?1049h", "\x1b[?1049l"}[r.IntN(2)]) },
	func(w *world, h *fakeHost, r *rand.Rand) { h.print([]string{"\x1b[?5h", "\x1b[?5l"}[r.IntN(2)]) },
	func(w *world, h *fakeHost, r *rand.Rand) { h.print("\x1b[?2026h") },
	func(w *world, h *fakeHost, r *rand.Rand) { h.print("\x1b[?2026l") },
	func(w *world, h *fakeHost, r *rand.Rand) {
		h.ran(session.Command{Line: "false", Exit: exit(r.IntN(2)), Risk: policy.Risk(r.IntN(3) + 1)}, "\n")
	},
	func(w *world, h *fakeHost, r *rand.Rand) { h.sess.view.Cwd = fmt.Sprint("/", r.IntN(3)) },
	func(w *world, h *fakeHost, r *rand.Rand) { h.sess.view.Held = r.IntN(2) },
	func(w *world, h *fakeHost, r *rand.Rand) { w.m.say("done"); w.m.stale = true },
	func(w *world, h *fakeHost, r *rand.Rand) { w.log.Records += uint64(r.IntN(2)) },
	func(w *world, h *fakeHost, r *rand.Rand) {
		h.linus.state.Chat = append(h.linus.state.Chat, copilot.Message{Number: len(h.linus.state.Chat) + 1, From: copilot.Linus, Text: "hm"})
	},
	func(w *world, h *fakeHost, r *rand.Rand) { w.press("a") },
	func(w *world, h *fakeHost, r *rand.Rand) {
		w.press("C-]", []string{"c", "s", "i", "v", "?", "w"}[r.IntN(6)])
	},
	func(w *world, h *fakeHost, r *rand.Rand) { w.press("Escape") },
	func(w *world, h *fakeHost, r *rand.Rand) { w.wait(300 * time.Millisecond); w.send(tickMsg{w.m.tickID}) },
	func(w *world, h *fakeHost, r *rand.Rand) {
		h.link.Phase = []Phase{Connected, Connected, Lost}[r.IntN(3)]
	},
}

// TestPatchIsDraw: a canvas that was patched from frame to frame looks as one that was drawn whole, whatever happens in between.
func TestPatchIsDraw(t *testing.T) {
	patched := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 3))
		size := [][2]int{{120, 36}, {100, 30}, {80, 24}}[seed%3]
		w := newWorld(t, size[0], size[1], Options{})
		h := work(w)
		kept := w.settle()
		for step := range 60 {
			pieces[r.IntN([]int{6, len(pieces)}[r.IntN(2)])](w, h, r)
			w.send(tty.FrameMsg{At: w.at})
			if _, _, ok := w.m.Patch(kept); ok {
				patched++
			} else {
				kept.Clear()
				w.m.Draw(kept)
			}
			whole := tty.NewCanvas(size[0], size[1])
			w.m.Draw(whole)
			w.send(tty.DrawnMsg{At: w.at})
			if a, b := text(kept)+looks(kept), text(whole)+looks(whole); a != b {
				t.Fatalf("seed %d step %d: patched\n%s\nwhole\n%s", seed, step, a, b)
			}
			if kept.Bell != whole.Bell || kept.Title != whole.Title {
				t.Fatalf("seed %d step %d: bell or title differ", seed, step)
			}
		}
	}
	if patched < 1000 {
		t.Errorf("only %d frames were patched", patched)
	}
}
