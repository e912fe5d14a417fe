package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"

	"sallyport/console/tty"
)

// span is text of one style; line is what stands on one row.
type (
	span struct {
		text  string
		style tty.Style
	}
	line []span
)

func (l line) width() int {
	n := 0
	for _, s := range l {
		n += displaywidth.String(s.text)
	}
	return n
}

// draw puts a line on row y from x on, at most width columns, with an ellipsis
// where it is cut. It returns the columns used.
func (l line) draw(c *tty.Canvas, x, y, width int) int {
	cut := l.width() > width
	room := width
	if cut {
		room--
	}
	used := 0
	var last tty.Style
	for _, s := range l {
		n := c.Text(x+used, y, room-used, s.text, s.style)
		used += n
		last = s.style
		if n < displaywidth.String(s.text) {
			break
		}
	}
	if cut && width > 0 {
		used += c.Text(x+used, y, 1, "…", last)
	}
	return used
}

// drawRight puts a line so that it ends before column right.
func (l line) drawRight(c *tty.Canvas, left, right, y int) {
	w := min(l.width(), right-left)
	l.draw(c, right-w, y, w)
}

// drawLines draws lines into an area from its top, as many as fit.
func drawLines(c *tty.Canvas, r tty.Rect, lines []line) {
	for i, l := range lines {
		if r.Min.Y+i >= r.Max.Y {
			return
		}
		l.draw(c, r.Min.X, r.Min.Y+i, r.Dx())
	}
}

// wrap breaks spans at spaces into lines of at most width columns; what is
// longer than a line is broken where it must be. Newlines end a line. rest is
// the indentation of all lines but the first.
func wrap(spans line, width int, rest string) []line {
	w := wrapper{width: max(width, 1), rest: rest}
	if displaywidth.String(rest) >= w.width {
		w.rest = ""
	}
	for _, s := range spans {
		for i, part := range strings.Split(s.text, "\n") {
			if i > 0 {
				w.place()
				w.flush()
			}
			for _, word := range words(part) {
				w.unit = append(w.unit, span{word, s.style})
				if strings.HasSuffix(word, " ") {
					w.place()
				}
			}
		}
	}
	w.place()
	w.flush()
	return w.out
}

// together is a space at which a line is not broken.
const together = "\u00a0"

type wrapper struct {
	width int
	rest  string
	unit  line // what has no space inside, and may have several styles
	cur   line
	used  int
	out   []line
}

func (w *wrapper) flush() {
	w.out = append(w.out, w.cur)
	w.cur, w.used = nil, 0
}

func (w *wrapper) start() {
	if len(w.out) > 0 && w.cur == nil && w.rest != "" {
		w.add(w.rest, tty.Style{})
	}
}

func (w *wrapper) add(s string, st tty.Style) {
	s = strings.ReplaceAll(s, together, " ")
	w.used += displaywidth.String(s)
	if n := len(w.cur); n > 0 && w.cur[n-1].style == st {
		w.cur[n-1].text += s
		return
	}
	w.cur = append(w.cur, span{s, st})
}

// place puts the unit on this line or the next.
func (w *wrapper) place() {
	if len(w.unit) == 0 {
		return
	}
	w.start()
	body := w.unit.trimmed()
	if w.used+body.width() > w.width && w.used > displaywidth.String(w.rest) {
		w.flush()
		if body.width() == 0 {
			w.unit = nil
			return
		}
		w.start()
	}
	for _, s := range w.unit {
		w.fill(s)
	}
	w.unit = nil
}

// trimmed is a line without the spaces at its end.
func (l line) trimmed() line {
	out := append(line(nil), l...)
	for n := len(out); n > 0; n-- {
		out[n-1].text = strings.TrimRight(out[n-1].text, " ")
		if out[n-1].text != "" {
			return out[:n]
		}
	}
	return nil
}

// fill puts text on the line, and breaks it where it is longer than a line.
func (w *wrapper) fill(s span) {
	body := strings.TrimRight(s.text, " ")
	blanks := s.text[len(body):]
	for body != "" && displaywidth.String(body) > w.width-w.used {
		if w.used >= w.width {
			w.flush()
			w.start()
		}
		head, tail := cutWidth(body, w.width-w.used)
		w.add(head, s.style)
		w.flush()
		w.start()
		body = tail
	}
	if w.used+displaywidth.String(body+blanks) <= w.width {
		body += blanks
	}
	if body != "" {
		w.add(body, s.style)
	}
}

// words cuts s after each run of spaces.
func words(s string) []string {
	var out []string
	for s != "" {
		i := 0
		for i < len(s) && s[i] != ' ' {
			i++
		}
		for i < len(s) && s[i] == ' ' {
			i++
		}
		out = append(out, s[:i])
		s = s[i:]
	}
	return out
}

// cutWidth splits s so that head has at most width columns, but at least one
// cluster.
func cutWidth(s string, width int) (head, tail string) {
	used, i := 0, 0
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		if i > 0 && used+g.Width() > width {
			break
		}
		used += g.Width()
		i += len(g.Value())
	}
	return s[:i], s[i:]
}

// cut shortens s to at most width columns, with an ellipsis where it is cut.
func cut(s string, width int) string {
	if displaywidth.String(s) <= width {
		return s
	}
	head, _ := cutWidth(s, width-1)
	return head + "…"
}

// count is a number with a space between thousands: 1 284.
func count(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// span of time in at most two units: 45 s, 12 m, 2 h 13 m, 3 d 4 h.
func lasting(d time.Duration) string {
	switch s := int(d.Seconds()); {
	case s < 60:
		return fmt.Sprintf("%d s", max(s, 0))
	case s < 3600:
		return fmt.Sprintf("%d m", s/60)
	case s < 86400:
		return units(s/3600, "h", s%3600/60, "m")
	default:
		return units(s/86400, "d", s%86400/3600, "h")
	}
}

func units(a int, au string, b int, bu string) string {
	if b == 0 {
		return fmt.Sprintf("%d %s", a, au)
	}
	return fmt.Sprintf("%d %s %d %s", a, au, b, bu)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
