package screen_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sallyport/console/screen"
)

// TestDamageNamesEveryChange: a row that Damage does not name looks as it did.
func TestDamageNamesEveryChange(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := screen.New(2+r.IntN(20), 1+r.IntN(8), screen.Options{Scrollback: r.IntN(12) - 1, Now: stopped})
		was := gridRows(s)
		s.Damage()
		var log strings.Builder
		for range 60 {
			e := element(r)
			fmt.Fprintf(&log, "%q ", e)
			s.Write([]byte(e))
			now := gridRows(s)
			from, to := s.Damage()
			for y := range now {
				if (y < from || y >= to) && !slices.Equal(was[y], now[y]) {
					t.Fatalf("seed %d: row %d changed outside of %d…%d after %s", seed, y, from, to, log.String())
				}
			}
			was = now
		}
	}
}

// TestDamageOfAnEcho: a key at the prompt changes its row alone.
func TestDamageOfAnEcho(t *testing.T) {
	s := screen.New(80, 24, screen.Options{})
	s.Write([]byte("one\r\n$ "))
	s.Damage()
	for _, p := range []string{"x", "\b\x1b[K", "\x1b[?2004l\x1b[?2004h", "\x1b[3Gyy\x1b[1P"} {
		s.Write([]byte(p))
		if from, to := s.Damage(); from != to && (from != 1 || to != 2) {
			t.Errorf("%q: rows %d…%d", p, from, to)
		}
	}
}

// gridRows is what each row of the grid shows, and whose it is.
func gridRows(s *screen.Screen) [][]string {
	cols, rows := s.Size()
	out := make([][]string, rows)
	for y := range rows {
		l := s.Line(s.Top() + y)
		out[y] = append(out[y], fmt.Sprint(l.ID))
		for x := range cols {
			c := l.Cell(x)
			out[y] = append(out[y], fmt.Sprint(s.Glyph(c), c.Flags, s.Style(c.Style())))
		}
	}
	return out
}
