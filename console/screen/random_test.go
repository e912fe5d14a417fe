package screen_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"sallyport/console/screen"
)

// pick returns one of its arguments.
func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// element returns a piece of a terminal's stream: text, a control, or a sequence that is mostly well formed.
func element(r *rand.Rand) string {
	n := func() string {
		return pick(r, "", "0", "1", "2", "3", "5", "8", "13", "40", "99", "65536", "4294967297")
	}
	switch r.IntN(12) {
	case 0, 1, 2:
		return strings.Repeat(pick(r, "a", "word ", "x\u0301", "~", "日", "本語", "👩\u200d👧", "🇩🇪", "❤\ufe0f", "한", "\u1112\u1161\u11ab", "\u200d", "\ufe0f", "क\u094dष"), 1+r.IntN(9))
	case 3:
		return pick(r, "\r\n", "\r", "\n", "\b", "\t", "\v", "\x0e", "\x0f", "\a")
	case 4, 5, 6:
		return "\x1b[" + n() + ";" + n() + pick(r, "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "P", "S", "T", "X", "Z", "@", "`", "a", "b", "d", "e", "f", "g", "r", "s", "u")
	case 7:
		return "\x1b[" + pick(r, "?6", "?7", "4", "?1049", "?47", "?1047", "?1048", "?69", "?45", "20", "?2026", "?3", "?5") + pick(r, "h", "l")
	case 8:
		return "\x1b" + pick(r, "7", "8", "D", "E", "M", "H", "c", "N", "O", "(0", "(B", ")0", "#8", "[!p", "[2'}", "[2'~", "[2 @", "[2 A", "[3J")
	case 9:
		return fmt.Sprintf("\x1b[%d;%d;%dm", r.IntN(110), 38+10*r.IntN(3), 5) + pick(r, "", "\x1b[38:2::1:2:3m", "\x1b[41m", "\x1b[m")
	case 10:
		return pick(r, "\x1b]0;t\a", "\x1b]8;;http://h/\x1b\\", "\x1bPq", "\x1b\\", "\xff", "\xe2\x82", "\u009b", "\u202e", "\x18", "\x1b[", "\x1b]8;;\a")
	}
	return "\x1b[" + n() + ";" + n() + "s\x1b[" + n() + ";" + n() + "r\x1b[" + n() + ";" + n() + "H"
}

// TestRandomSequences lets programs do what no program does: the grid stays sound, whatever is written, resized and read.
func TestRandomSequences(t *testing.T) {
	rounds := 300
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		rounds = 20_000
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := screen.New(2+r.IntN(20), 1+r.IntN(8), screen.Options{Scrollback: r.IntN(12) - 1, Now: stopped})
		var log strings.Builder
		for range 60 {
			if r.IntN(20) == 0 {
				cols, rows := 1+r.IntN(24), 1+r.IntN(10)
				fmt.Fprintf(&log, "<%dx%d>", cols, rows)
				s.Resize(cols, rows)
			}
			e := element(r)
			log.WriteString(e)
			s.Write([]byte(e))
			check(t, s)
			if t.Failed() {
				break
			}
		}
		use(s)
		if t.Failed() {
			t.Fatalf("seed %d: %q", seed, log.String())
		}
	}
}
