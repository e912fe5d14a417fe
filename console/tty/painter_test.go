package tty

import (
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// rowsApp draws its rows.
type rowsApp struct {
	App
	rows []string
}

func (a *rowsApp) Draw(c *Canvas) {
	for y, r := range a.rows {
		for x, ch := range r {
			c.Put(x, y, string(ch), 1, Style{})
		}
	}
}

// TestAFrameAfterAResizeNeedsNothingOfWhatWas: however a resize of the terminal met a frame, also one back to the size that was,
// the next frame takes the margins off and is written whole.
func TestAFrameAfterAResizeNeedsNothingOfWhatWas(t *testing.T) {
	var wrote string
	p := newPainter(io.Discard, []string{"TERM=xterm-256color"}, colorprofile.TrueColor, 20, 6)
	p.out.direct = func(b []byte) int { wrote += string(b); return len(b) }
	app := &rowsApp{rows: []string{"one", "two", "three", "four", "five", "six"}}
	frame := func() string {
		wrote = ""
		p.paint(app)
		return wrote
	}
	frame()
	if got := frame(); got != "" {
		t.Errorf("a frame like the last wrote %q", got)
	}
	app.rows = append(app.rows[1:], "seven")
	if got := frame(); strings.Contains(got, "two") {
		t.Errorf("rows that only moved were written: %q", got)
	}
	for _, size := range [][2]int{{20, 6}, {20, 8}} {
		p.resize(size[0], size[1])
		got := frame()
		if !strings.HasPrefix(got, "\x1b[;r") {
			t.Errorf("%v: the frame keeps the margins that were: %q", size, got)
		}
		for _, row := range app.rows {
			if !strings.Contains(got, row) {
				t.Errorf("%v: %q is not in %q", size, row, got)
			}
		}
	}
}
