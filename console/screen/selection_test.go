package screen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sallyport/console/screen"
	"sallyport/redact"
)

func at(line, col int) screen.Point { return screen.Point{Line: line, Col: col} }

func TestSelectedText(t *testing.T) {
	s := newScreen(10, 6)
	s.Write([]byte("short\r\na line that wraps  \r\n日本語 x\r\nend"))
	for _, tc := range []struct {
		name string
		sel  screen.Selection
		want string
	}{
		{"one cell", screen.Select(at(0, 1), at(0, 1), false), "h"},
		{"either order", screen.Select(at(0, 3), at(0, 0), false), "shor"},
		{"to the end of a line", screen.Select(at(0, 2), at(0, 9), false), "ort"},
		{"over a hard end", screen.Select(at(0, 4), at(1, 5), false), "t\na line"},
		{"over a soft wrap", screen.Select(at(1, 2), at(2, 9), false), "line that wraps"},
		{"wide glyphs whole", screen.Select(at(3, 1), at(3, 3), false), "日本"},
		{"a block", screen.Select(at(1, 0), at(3, 1), true), "a\nt\n日"},
		{"a block from the right", screen.Select(at(0, 4), at(1, 2), true), "ort\nlin"},
		{"beyond all", screen.Select(at(-5, 0), at(50, 3), false), "short\na line that wraps\n日本語 x\nend\n"},
	} {
		if got := s.SelectedText(tc.sel); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestWordsAndLines(t *testing.T) {
	s := newScreen(16, 6)
	s.Write([]byte("cat /var/log/nginx/access.log | wc -l\r\n日本語 テスト (x)"))
	for _, tc := range []struct {
		at   screen.Point
		word string
		line string
	}{
		{at(0, 1), "cat", "cat /var/log/nginx/access.log | wc -l"},
		{at(0, 10), "/var/log/nginx/access.log", "cat /var/log/nginx/access.log | wc -l"},
		{at(1, 2), "/var/log/nginx/access.log", "cat /var/log/nginx/access.log | wc -l"},
		{at(1, 14), "|", "cat /var/log/nginx/access.log | wc -l"},
		{at(3, 3), "日本語", "日本語 テスト (x)"},
		{at(3, 15), "x", "日本語 テスト (x)"},
	} {
		if got := s.SelectedText(s.Word(tc.at)); got != tc.word {
			t.Errorf("word at %v: %q, want %q", tc.at, got, tc.word)
		}
		if got := s.SelectedText(s.LogicalLine(tc.at)); got != tc.line {
			t.Errorf("line at %v: %q, want %q", tc.at, got, tc.line)
		}
	}
}

func TestSelectionContains(t *testing.T) {
	sel := screen.Select(at(1, 5), at(3, 2), false)
	block := screen.Select(at(1, 5), at(3, 2), true)
	for _, tc := range []struct {
		p         screen.Point
		sel, blok bool
	}{
		{at(1, 4), false, true},
		{at(1, 5), true, true},
		{at(1, 9), true, false},
		{at(2, 0), true, false},
		{at(2, 3), true, true},
		{at(3, 2), true, true},
		{at(3, 3), false, true},
		{at(4, 2), false, false},
	} {
		if got := sel.Contains(tc.p); got != tc.sel {
			t.Errorf("selection contains %v: %v", tc.p, got)
		}
		if got := block.Contains(tc.p); got != tc.blok {
			t.Errorf("block contains %v: %v", tc.p, got)
		}
	}
}

func TestSearch(t *testing.T) {
	s := newScreen(12, 4)
	for i := range 20 {
		fmt.Fprintf(s, "line %d\r\n", i)
	}
	s.Write([]byte("an Error over a soft wrap 日本語 error"))
	first, end := s.Lines()
	next := func(text string, from screen.Point, back bool) string {
		sel, ok := s.Search(text, from, back)
		if !ok {
			return "none"
		}
		return fmt.Sprintf("%d:%d %s", sel.From.Line-first, sel.From.Col, s.SelectedText(sel))
	}
	last := at(end-1, 0)
	for _, tc := range []struct {
		name, text string
		from       screen.Point
		back       bool
		want       string
	}{
		{"backwards", "line 1", last, true, "19:0 line 1"},
		{"again", "line 1", at(first+19, 0), true, "18:0 line 1"},
		{"forwards", "line 1", at(first, 0), false, "1:0 line 1"},
		{"round the end", "line 0", last, false, "0:0 line 0"},
		{"round the start", "line 19", at(first, 0), true, "19:0 line 19"},
		{"either case", "error", at(first, 0), false, "20:3 Error"},
		{"a capital means it", "Error", at(first+20, 3), false, "20:3 Error"},
		{"over a soft wrap", "error over", at(first, 0), false, "20:3 Error over"},
		{"behind wide text", "error", at(first+20, 3), false, "22:9 error"},
		{"not a pattern", ".*", last, true, "none"},
		{"nothing", "", last, true, "none"},
	} {
		if got := next(tc.text, tc.from, tc.back); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
	if got := len(s.Matches("line", first, end)); got != 20 {
		t.Errorf("%d matches", got)
	}
}

func TestLogicalLinesKeepStyles(t *testing.T) {
	s := newScreen(10, 4)
	s.Write([]byte("pass\x1b[1;31mword=abc\x1b[0mdef\r\n\x1b[48;5;20m \x1b[m x"))
	first, end := s.Lines()
	want := []redact.Line{
		{Text: "password=abcdef", SGR: []redact.SGR{{At: 4, Seq: "\x1b[0;1;31m"}, {At: 12, Seq: "\x1b[0m"}}},
		{Text: "  x", SGR: []redact.SGR{{At: 0, Seq: "\x1b[0;48;5;20m"}, {At: 1, Seq: "\x1b[0m"}}},
	}
	if d := cmp.Diff(want, s.Logical(first, end)[:2]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestTail(t *testing.T) {
	s := newScreen(10, 4)
	for i := range 9 {
		fmt.Fprintf(s, "line %d that wraps\r\n", i)
	}
	s.Write([]byte("$ "))
	var got []string
	for _, l := range s.Tail(3) {
		got = append(got, l.Text)
	}
	if want := []string{"line 7 that wraps", "line 8 that wraps", "$ "}; !cmp.Equal(got, want) {
		t.Errorf("tail %q, want %q", got, want)
	}
	s = newScreen(10, 4)
	s.Write([]byte("only"))
	if got := s.Tail(100); len(got) != 1 || got[0].Text != "only" {
		t.Errorf("tail of a short screen: %v", got)
	}
}

func TestPartial(t *testing.T) {
	for _, tc := range []struct{ input, want string }{
		{"Password: ", "Password: "},
		{"done\r\n", ""},
		{"Do you want to continue? [Y/n] ", "Do you want to continue? [Y/n] "},
		{"Continue? (y)\x1b[3D", "Continue? "},
		{"0123456789", "0123456789"},
	} {
		s := newScreen(10, 4)
		s.Write([]byte(tc.input))
		if got := s.Partial(); got != tc.want {
			t.Errorf("%q: partial line %q, want %q", tc.input, got, tc.want)
		}
	}
}

func TestStyleSequencesReadBack(t *testing.T) {
	for _, sgr := range []string{
		"0", "1;3;4;9", "2;5;7;8;53", "4:3;58;5;9", "21", "31;42", "95;106", "38;5;200;48;5;16", "38;2;1;2;3;48;2;255;254;253",
		"38:2::1:2:3", "38:5:7", "48:2:9:8:7", "58:2::4:5:6;4:5",
	} {
		s := newScreen(10, 2)
		fmt.Fprintf(s, "\x1b[%smx", sgr)
		st := s.Style(s.Cell(0, 0).Style())
		fmt.Fprintf(s, "%sy", st.SGR())
		if got := s.Style(s.Cell(1, 0).Style()); got != st || (sgr != "0" && st == screen.Style{}) {
			t.Errorf("%s: %+v, written as %q and read as %+v", sgr, st, strings.TrimPrefix(st.SGR(), "\x1b"), got)
		}
	}
}
