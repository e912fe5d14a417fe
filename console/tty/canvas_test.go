package tty

import (
	"strings"
	"testing"
	"time"
)

func rowText(c *Canvas, y int) string {
	var b strings.Builder
	for x := range c.w {
		s, _, _ := c.Cell(x, y)
		b.WriteString(s)
	}
	return b.String()
}

func TestPut(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(*Canvas)
		want string
	}{
		{"a cluster", func(c *Canvas) { c.Put(1, 0, "a", 1, Style{}) }, " a    "},
		{"wide", func(c *Canvas) { c.Put(1, 0, "世", 2, Style{}) }, " 世   "},
		{"wide without room", func(c *Canvas) { c.Put(5, 0, "世", 2, Style{}) }, "      "},
		{"over the first half of a wide one", func(c *Canvas) { c.Put(1, 0, "世", 2, Style{}); c.Put(1, 0, "a", 1, Style{}) }, " a    "},
		{"over the second half", func(c *Canvas) { c.Put(1, 0, "世", 2, Style{}); c.Put(2, 0, "a", 1, Style{}) }, "  a   "},
		{"a control character", func(c *Canvas) { c.Put(0, 0, "\x1b", 1, Style{}) }, "\uFFFD     "},
		{"C1", func(c *Canvas) { c.Put(0, 0, "\u009b", 1, Style{}) }, "\uFFFD     "},
		{"a control in a cluster", func(c *Canvas) { c.Put(0, 0, "a\u0007", 1, Style{}) }, "\uFFFD     "},
		{"invalid UTF-8", func(c *Canvas) { c.Put(0, 0, "\xff", 1, Style{}) }, "\uFFFD     "},
		{"outside", func(c *Canvas) {
			c.Put(-1, 0, "a", 1, Style{})
			c.Put(6, 0, "a", 1, Style{})
			c.Put(0, 1, "a", 1, Style{})
		}, "      "},
		{"text up to a limit", func(c *Canvas) { c.Text(0, 0, 3, "a世b", Style{}) }, "a世   "},
		{"text that would pass it", func(c *Canvas) { c.Text(0, 0, 2, "a世b", Style{}) }, "a     "},
	} {
		t.Run(c.name, func(t *testing.T) {
			cv := NewCanvas(6, 1)
			c.draw(cv)
			if got := rowText(cv, 0); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPace(t *testing.T) {
	var p pace
	now := time.Now()
	for i := range burst {
		if ok, _ := p.take(now); !ok {
			t.Fatalf("frame %d of a burst has to wait", i)
		}
		p.spend(1)
	}
	ok, wait := p.take(now)
	if ok || wait <= 0 || wait > time.Second/FrameRate {
		t.Errorf("after a burst: %v, %v", ok, wait)
	}
	if ok, _ := p.take(now.Add(wait + time.Microsecond)); !ok {
		t.Error("the next frame is not due when it was said to be")
	}
}

func TestTextTakesWholeClusters(t *testing.T) {
	for s, want := range map[string]string{
		"abc":            "abc   ",
		"ae\u0301b":      "ae\u0301b   ",
		"a\u200db":       "a\u200db    ",
		"1\ufe0f\u20e3x": "1\ufe0f\u20e3x   ",
		"é世x":            "é世x  ",
		"too long":       "too lo",
		"":               "      ",
	} {
		c := NewCanvas(6, 1)
		c.Text(0, 0, 6, s, Style{})
		if got := rowText(c, 0); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
