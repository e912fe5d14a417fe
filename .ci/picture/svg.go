package main

import (
	"fmt"
	"html"
	"strings"

	"sallyport/console/screen"
)

// The size of a cell and the room around the screen, in pixels.
const (
	cellW, cellH = 8.4, 18.0
	margin       = 14.0
	fontSize     = 14
)

// ground is the colours of the terminal itself.
type ground struct{ back, text string }

var (
	dark  = ground{"#14171c", "#d6dae0"}
	light = ground{"#fbfbf9", "#24292f"}
)

// palette is the first sixteen colours.
var palette = [16]string{
	"#3b4048", "#ef6a6a", "#86c08a", "#e0b06a", "#7fb4ff", "#c397d8", "#70c0b1", "#d6dae0",
	"#6b727c", "#ff7f7a", "#9fd6a3", "#f0c674", "#9cc7ff", "#d7aeea", "#8ad8c9", "#ffffff",
}

func draw(s *screen.Screen, onLight bool) string {
	g := dark
	if onLight {
		g = light
	}
	cols, rows := s.Size()
	w, h := float64(cols)*cellW+2*margin, float64(rows)*cellH+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="%d">`+"\n", w, h, w, h, fontSize)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", g.back)
	for y := range rows {
		drawRow(&b, s, g, y, cols)
	}
	if c := s.Cursor(); c.Visible {
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" opacity="0.75"/>`+"\n", left(c.X), top(c.Y), cellW, cellH, g.text)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func left(x int) float64 { return margin + float64(x)*cellW }
func top(y int) float64  { return margin + float64(y)*cellH }

// drawRow draws runs of one style; the length of each is fixed, so that columns
// stay aligned in any font.
func drawRow(b *strings.Builder, s *screen.Screen, g ground, y, cols int) {
	for x := 0; x < cols; {
		id := s.Cell(x, y).Style()
		n := 1
		for x+n < cols && s.Cell(x+n, y).Style() == id {
			n++
		}
		drawRun(b, s, g, x, y, n, s.Style(id))
		x += n
	}
}

func drawRun(b *strings.Builder, s *screen.Screen, g ground, x, y, n int, st screen.Style) {
	fg, bg := color(st.FG, g.text), color(st.BG, "")
	if st.Attr&screen.Reverse != 0 {
		fg, bg = color(st.BG, g.back), color(st.FG, g.text)
	}
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", left(x), top(y), float64(n)*cellW, cellH, bg)
	}
	var text strings.Builder
	for i := range n {
		text.WriteString(s.Glyph(s.Cell(x+i, y)))
	}
	body := text.String()
	trimmed := strings.TrimLeft(body, " ")
	skip := len(body) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, " ")
	if trimmed == "" {
		return
	}
	width := float64(screenColumns(s, x+skip, y, trimmed)) * cellW
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs" fill="%s"%s xml:space="preserve">%s</text>`+"\n",
		left(x+skip), top(y)+13.5, width, fg, attributes(st), html.EscapeString(trimmed))
}

// screenColumns is how many cells a text takes from a place on.
func screenColumns(s *screen.Screen, x, y int, text string) int {
	n := 0
	for text != "" {
		c := s.Cell(x+n, y)
		text = strings.TrimPrefix(text, s.Glyph(c))
		n++
		if c.Flags&screen.Wide != 0 {
			n++
		}
		if n > 2000 {
			break
		}
	}
	return n
}

func attributes(st screen.Style) string {
	out := ""
	if st.Attr&screen.Bold != 0 {
		out += ` font-weight="bold"`
	}
	if st.Attr&screen.Italic != 0 {
		out += ` font-style="italic"`
	}
	if st.Attr&screen.Faint != 0 {
		out += ` opacity="0.6"`
	}
	if st.Underline != screen.NoUnderline {
		out += ` text-decoration="underline"`
	}
	return out
}

func color(c screen.Color, otherwise string) string {
	if r, g, b, ok := c.RGB(); ok {
		return fmt.Sprintf("#%02x%02x%02x", r, g, b)
	}
	i, ok := c.Index()
	switch {
	case !ok:
		return otherwise
	case i < 16:
		return palette[i]
	case i >= 232:
		v := 8 + 10*int(i-232)
		return fmt.Sprintf("#%02x%02x%02x", v, v, v)
	}
	i -= 16
	return fmt.Sprintf("#%02x%02x%02x", level(i/36), level(i/6%6), level(i%6))
}

// level is a step of the colour cube of xterm.
func level(i uint8) uint8 {
	if i == 0 {
		return 0
	}
	return 55 + 40*i
}
