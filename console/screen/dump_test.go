package screen_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sallyport/console/screen"
)

// stopped is a clock that stands still, so that limits by time are the same in every run.
func stopped() time.Time { return time.Unix(1_800_000_000, 0) }

// dump writes down all that can be seen of a screen.
func dump(s *screen.Screen) string {
	var b strings.Builder
	first, end := s.Lines()
	for n := first; n < end; n++ {
		l := s.Line(n)
		fmt.Fprintf(&b, "%d %d %v ", n, l.ID, l.Wrapped)
		cols, _ := s.Size()
		for x := range cols {
			c := l.Cell(x)
			if st := s.Style(c.Style()); st != (screen.Style{}) {
				fmt.Fprintf(&b, "{%s %s}", strings.TrimPrefix(st.SGR(), "\x1b["), s.Link(st))
			}
			b.WriteString(s.Glyph(c))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%+v %+v alt=%v title=%q dir=%q bells=%d replies=%q frozen=%v partial=%q", s.Cursor(), s.Modes(), s.AltScreen(), s.Title(), s.Directory(), s.Bells(), s.Replies(), s.Frozen(), s.Partial())
	return b.String()
}

func newScreen(cols, rows int) *screen.Screen {
	return screen.New(cols, rows, screen.Options{Scrollback: 50, Now: stopped})
}

// check fails for what no screen may show: controls, characters that act on their neighbours, cells and a cursor out of place.
func check(t *testing.T, s *screen.Screen) {
	t.Helper()
	cols, rows := s.Size()
	if c := s.Cursor(); c.X < 0 || c.X >= cols || c.Y < 0 || c.Y >= rows {
		t.Errorf("cursor %+v on %dx%d", c, cols, rows)
	}
	first, end := s.Lines()
	for n := first; n < end; n++ {
		l := s.Line(n)
		if len(l.Cells) > cols {
			t.Errorf("line %d has %d cells", n, len(l.Cells))
		}
		for x := range cols {
			checkCell(t, s, l, n, x, cols)
		}
	}
	for _, text := range []string{s.Title(), s.Directory()} {
		if i := strings.IndexFunc(text, forbidden); i >= 0 {
			t.Errorf("%q is shown as title or directory", text)
		}
	}
}

func checkCell(t *testing.T, s *screen.Screen, l screen.Line, n, x, cols int) {
	c := l.Cell(x)
	if i := strings.IndexFunc(s.Glyph(c), forbidden); i >= 0 {
		t.Errorf("line %d column %d holds %q", n, x, s.Glyph(c))
	}
	if c.Flags&screen.Wide != 0 && (x+1 == cols || l.Cell(x+1).Flags&screen.Tail == 0) {
		t.Errorf("line %d column %d: wide %q without its second half", n, x, s.Glyph(c))
	}
	if c.Flags&screen.Tail != 0 && (x == 0 || l.Cell(x-1).Flags&screen.Wide == 0) {
		t.Errorf("line %d column %d: second half without its first", n, x)
	}
}

func forbidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f, r == 0xfeff, r == 0x200b, r == 0x200e, r == 0x200f, r == 0x061c, r == 0xad, r == 0x3164, r == 0x115f:
		return true
	case r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}
