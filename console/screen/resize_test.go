package screen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sallyport/console/screen"
)

// everything returns the whole text, scrollback included, with soft wraps joined.
func everything(s *screen.Screen) string {
	first, end := s.Lines()
	var lines []string
	for _, l := range s.Logical(first, end) {
		lines = append(lines, strings.TrimRight(l.Text, " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func TestResizeLosesNothing(t *testing.T) {
	s := screen.New(40, 10, screen.Options{})
	var want []string
	for i := range 30 {
		line := strings.TrimRight(fmt.Sprintf("%d %s 日本語 %s", i, strings.Repeat("word ", i%13), strings.Repeat("👩\u200d👩\u200d👧", i%3)), " ")
		want = append(want, line)
		fmt.Fprintf(s, "%s\r\n", line)
	}
	want = append(want, "$ prompt")
	s.Write([]byte("$ prompt"))
	for _, size := range [][2]int{{20, 10}, {7, 3}, {100, 50}, {3, 2}, {2, 1}, {80, 24}, {40, 10}} {
		s.Resize(size[0], size[1])
		check(t, s)
		if d := cmp.Diff(strings.Join(want, "\n"), everything(s)); d != "" {
			t.Errorf("at %v (-want +got):\n%s", size, d)
		}
		if got := s.Partial(); got != "$ prompt" {
			t.Errorf("at %v the cursor is behind %q", size, got)
		}
	}
}

func TestSizesAreClamped(t *testing.T) {
	s := screen.New(-1, 0, screen.Options{})
	for _, tc := range [][4]int{{-5, 1 << 30, 2, 1000}, {1 << 30, -1, 1000, 1}, {80, 24, 80, 24}} {
		s.Resize(tc[0], tc[1])
		if cols, rows := s.Size(); cols != tc[2] || rows != tc[3] {
			t.Errorf("%dx%d became %dx%d", tc[0], tc[1], cols, rows)
		}
	}
}

func TestShrinkAndGrow(t *testing.T) {
	for _, tc := range []struct {
		name, input string
		sizes       [][2]int
		want        string
		x, y        int
	}{
		{"a soft wrap is undone", "abcdefgh\r\n$ ", [][2]int{{4, 4}, {8, 4}}, "abcdefgh\n$", 2, 1},
		{"a hard line stays two", "abcd\r\nefgh\r\n$ ", [][2]int{{16, 4}}, "abcd\nefgh\n$", 2, 2},
		{"a wrapped line is joined", "abcdefghij\r\n$ ", [][2]int{{16, 4}}, "abcdefghij\n$", 2, 1},
		{"wide glyphs wrap whole", "ab日本語", [][2]int{{5, 4}, {8, 4}}, "ab日本語", 7, 0},
		{"fewer rows scroll", "1\r\n2\r\n3\r\n$ ", [][2]int{{8, 2}}, "3\n$", 2, 1},
		{"and more bring them back", "1\r\n2\r\n3\r\n$ ", [][2]int{{8, 2}, {8, 4}}, "1\n2\n3\n$", 2, 3},
		{"blank rows below go first", "1\r\n$ ", [][2]int{{8, 2}}, "1\n$", 2, 1},
		{"a cleared screen stays clear", "1\r\n2\r\n3\r\n4\r\n5\x1b[2J\x1b[H$ ", [][2]int{{8, 6}}, "$", 2, 0},
		{"the cursor behind the last column", "abcdefgh", [][2]int{{4, 4}, {8, 4}}, "abcdefgh", 7, 0},
		{"a cursor in the middle", "abcdefgh\x1b[1;6H", [][2]int{{4, 4}}, "abcd\nefgh", 1, 1},
		{"styles of blanks are no text", "ab\x1b[41m\x1b[K\x1b[m", [][2]int{{4, 4}, {8, 4}}, "ab", 2, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newScreen(8, 4)
			s.Write([]byte(tc.input))
			for _, size := range tc.sizes {
				s.Resize(size[0], size[1])
				check(t, s)
			}
			if got := strings.TrimRight(strings.Join(trimBlank(s.Text()), "\n"), "\n"); got != tc.want {
				t.Errorf("grid %q, want %q", got, tc.want)
			}
			if c := s.Cursor(); c.X != tc.x || c.Y != tc.y {
				t.Errorf("cursor %d,%d, want %d,%d", c.X, c.Y, tc.x, tc.y)
			}
		})
	}
}

func TestRowIDsStayWithTheirContent(t *testing.T) {
	s := newScreen(20, 5)
	s.Write([]byte("first\r\n$ command"))
	id := s.CursorRow()
	where := func() string {
		n, ok := s.Find(id)
		if !ok {
			return "(gone)"
		}
		return strings.TrimRight(lineText(s, n), " ")
	}
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"more output", func() { s.Write([]byte("\r\nout\r\nout\r\nout\r\nout")) }},
		{"scrolled into the scrollback", func() { s.Write([]byte(strings.Repeat("\r\nmore", 20))) }},
		{"narrower", func() { s.Resize(5, 4) }},
		{"wider", func() { s.Resize(60, 12) }},
		{"the alternate screen and back", func() { s.Write([]byte("\x1b[?1049hfull\x1b[?1049l")) }},
	} {
		step.do()
		if got := where(); !strings.HasPrefix("$ command", got) || got == "" {
			t.Errorf("%s: the row is %q", step.name, got)
		}
	}
	s.Write([]byte("\x1b[3J"))
	if got := where(); got != "(gone)" {
		t.Errorf("after the scrollback was cleared the row is %q", got)
	}
}

func TestRowIDsInARegion(t *testing.T) {
	s := newScreen(20, 5)
	s.Write([]byte("a\r\nb\r\nc\r\nd\r\ne\x1b[3;1H"))
	c := s.CursorRow()
	s.Write([]byte("\x1b[2;4r\x1b[S"))
	if n, ok := s.Find(c); !ok || n != s.Top()+1 {
		t.Errorf("row c is line %d (%v) after its region scrolled, want %d", n, ok, s.Top()+1)
	}
	s.Write([]byte("\x1b[r\x1b[2J"))
	if n, ok := s.Find(c); !ok || n >= s.Top() {
		t.Errorf("row c is line %d (%v) after the screen was cleared, want it in the scrollback", n, ok)
	}
	s.Write([]byte("new\x1b[H"))
	id := s.CursorRow()
	s.Write([]byte("\x1b[1J\x1b[J\x1b[2;1H\x1b[1J"))
	if _, ok := s.Find(id); ok {
		t.Error("a row that was cleared and not kept is still there")
	}
}

// lineText returns the text of one line.
func lineText(s *screen.Screen, n int) string {
	var b strings.Builder
	for _, c := range s.Line(n).Cells {
		b.WriteString(s.Glyph(c))
	}
	return b.String()
}

func TestScrollback(t *testing.T) {
	s := newScreen(10, 3) // 50 rows of scrollback
	for i := range 100 {
		fmt.Fprintf(s, "%d\r\n", i)
	}
	first, end := s.Lines()
	if s.Scrollback() != 50 || end-first != 53 {
		t.Fatalf("scrollback %d, lines %d to %d", s.Scrollback(), first, end)
	}
	if got := lineText(s, first); got != "48" {
		t.Errorf("oldest line %q", got)
	}
	n := s.Top() - 5
	before := lineText(s, n)
	s.Write([]byte("x\r\ny\r\n"))
	if got := lineText(s, n); got != before {
		t.Errorf("line %d was %q, is %q after more output", n, before, got)
	}
	s.Write([]byte("\x1b[?1049h"))
	if s.Scrollback() != 0 || !s.AltScreen() {
		t.Error("the alternate screen has a scrollback")
	}
	if got := lineText(s, n); got != "" {
		t.Errorf("line %d is %q on the alternate screen", n, got)
	}
}

func TestClearedScreenIsKept(t *testing.T) {
	s := newScreen(10, 4)
	s.Write([]byte("1\r\n2\r\n\x1b[H\x1b[2J$ "))
	if got := everything(s); got != "1\n2\n$" {
		t.Errorf("all lines: %q", got)
	}
	s.Write([]byte("\x1b[H\x1b[2J\x1b[3J"))
	if got := everything(s); got != "" {
		t.Errorf("after the scrollback was cleared too: %q", got)
	}
}

func TestRegionAtTheTopKeepsHistoryOnlyWhenItScrolls(t *testing.T) {
	s := newScreen(10, 4)
	s.Write([]byte("1\r\n2\r\n3\r\n4\x1b[H\x1b[M"))
	if s.Scrollback() != 0 {
		t.Error("a deleted line went into the scrollback")
	}
	s.Write([]byte("\x1b[S"))
	if s.Scrollback() != 1 {
		t.Error("a scrolled line did not")
	}
}
