package main

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"sallyport/console/screen"
)

// A terminal smaller than the recorded one shows the rows around the cursor and
// where we are, and never more than it has room for.
func TestReplayFitsTheReviewersTerminal(t *testing.T) {
	for _, c := range []struct {
		cols, lines int
		output      string
		want        []string // rows, then the line about where we are
	}{
		{0, 0, "one\r\ntwo", []string{"one", "two", "", "", "", ""}},
		{80, 24, "one\r\ntwo", []string{"one", "two", "", "", "", ""}},
		{80, 4, "one\r\ntwo", []string{"one", "two", ""}},
		{80, 4, "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix", []string{"four", "five", "six"}},
		{80, 4, "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\x1b[H", []string{"one", "two", "three"}},
		{3, 4, "three\r\n宽宽宽", []string{"thr", "宽 ", ""}},
	} {
		var out bytes.Buffer
		s := screen.New(20, 6, screen.Options{})
		s.Write([]byte(c.output))
		r := &replay{playback: &playback{screen: s}, out: bufio.NewWriter(&out), speed: 1, cols: c.cols, lines: c.lines, mark: "7 " + strings.Repeat("long ", 40)}
		r.draw()
		if n := strings.Count(out.String(), "\r\n"); n != len(c.want) {
			t.Errorf("%dx%d: %d rows, want %d", c.cols, c.lines, n, len(c.want))
		}
		cols := c.cols
		if cols == 0 {
			cols = 80
		}
		there := screen.New(max(cols, 3), len(c.want)+1, screen.Options{})
		there.Write(out.Bytes())
		rows := strings.Split(there.Text(), "\n")
		for y, want := range c.want {
			if strings.TrimRight(rows[y], " ") != strings.TrimRight(want, " ") {
				t.Errorf("%dx%d, row %d: %q, want %q", c.cols, c.lines, y, rows[y], want)
			}
		}
	}
}
