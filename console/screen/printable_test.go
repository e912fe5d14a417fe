package screen_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"sallyport/console/screen"
	"sallyport/redact"
)

// lineElement returns a piece of what programs print that only write lines: text, colours, titles, corrections, progress.
func lineElement(r *rand.Rand) string {
	switch r.IntN(10) {
	case 0, 1, 2, 3:
		return pick(r, "password=", "hunter2", "ab", "cd ef", "x")
	case 4:
		return pick(r, "\x1b[31m", "\x1b[0m", "\x1b[m", "\x1b[38;2;1;2;3m", "\x1b[01;31m\x1b[K", "\x1b[38:5:9m")
	case 5:
		return pick(r, "\x1b]0;title\a", "\x1b]8;;http://h/\x1b\\", "\x1b]8;;\x1b\\", "\x1b]133;A\a", "\x1bP1$r0m\x1b\\", "\x1b_apc\x1b\\", "\x1b(B", "\x1b=", "\x1b[?2004h")
	case 6:
		return pick(r, "\b", "\b \b", "x\b")
	case 7:
		return pick(r, "\r", "\r\x1b[K", "\r\x1b[2K")
	case 8:
		return pick(r, "\x00", "\x7f", "\a", "\u009b", "\x0e\x0f", "\x18", "\u200b", "\u202e", "\ufeff", "\u00ad", "\u2060", "\u2066", "\u3164", "\u2028", "\U000e0041")
	}
	return "\r\n"
}

// TestRedactorReadsWhatTheScreenShows: the redactor's own reading of a stream is the text that a wide screen shows, so that what hides a
// secret from one hides it from the other.
func TestRedactorReadsWhatTheScreenShows(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		for range 1 + r.IntN(14) {
			b.WriteString(lineElement(r))
		}
		s := screen.New(500, 40, screen.Options{})
		s.Write([]byte(b.String()))
		shown, read := strings.Join(trimBlank(s.Text()), "\n"), strings.Join(trimBlank(redact.Printable(b.String())), "\n")
		if shown != read {
			t.Errorf("seed %d: %q\nscreen   %q\nredactor %q", seed, b.String(), shown, read)
		}
	}
}

// TestRedactorDropsWhatTheScreenDrops: of all characters that hide, and the other way round only joiners and selectors, which the screen
// keeps inside the cell of another character.
func TestRedactorDropsWhatTheScreenDrops(t *testing.T) {
	s := screen.New(40, 2, screen.Options{})
	for r := rune(0xa0); r <= unicode.MaxRune; r++ {
		if r >= 0x30000 && r < 0xe0000 || r >= 0xe1000 && r%0x100 != 0 {
			continue
		}
		s.Write([]byte("\ra" + string(r) + "b\x1b[K"))
		shown, read := strings.TrimSpace(s.Text()), redact.Printable("a"+string(r)+"b")
		if shown == "ab" && read != "ab" {
			t.Errorf("%U: the screen drops it, the redactor reads %q", r, read)
		}
		if read == "ab" && shown != "ab" && !unicode.In(r, unicode.Variation_Selector) && r != 0x200c && r != 0x200d && r != 0x17b4 && r != 0x17b5 {
			t.Errorf("%U: the redactor drops it, the screen shows %q", r, shown)
		}
	}
}
