package tui

import (
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"sallyport/console/screen"
	"sallyport/console/tty"
)

// grid is a copy of the rows of a screen that are in view, taken once a frame
// so that drawing needs no lock.
type grid struct {
	of      *screen.Screen
	version uint64
	first   int // line number of the first row
	w, h    int
	rows    [][]tty.Cell
	ids     []screen.RowID
	cursor  screen.Cursor
	row     int // the cursor's row in view, or -1
	alt     bool
	above   int // lines of scrollback above the grid
	styles  map[screen.Style]tty.Style
}

// take copies the rows of s from offset lines above the grid's top. It reports
// whether anything can have changed. While the remote holds its screen
// (synchronized output) the copy stays as it is.
func (g *grid) take(s *screen.Screen, offset, w, h int) bool {
	if s == g.of && s.Frozen() && g.w == w && g.h == h {
		return false
	}
	first := s.Top() - offset
	if s == g.of && s.Version() == g.version && first == g.first && g.w == w && g.h == h {
		return false
	}
	g.resize(w, h)
	g.of, g.version, g.first = s, s.Version(), first
	g.alt, g.above = s.AltScreen(), s.Scrollback()
	for y := range h {
		l := s.Line(first + y)
		g.ids[y] = l.ID
		g.copyRow(s, g.rows[y], l)
	}
	g.cursor = s.Cursor()
	g.row = g.cursor.Y + offset
	return true
}

func (g *grid) resize(w, h int) {
	if g.w == w && g.h == h {
		return
	}
	g.w, g.h = w, h
	g.rows, g.ids = make([][]tty.Cell, h), make([]screen.RowID, h)
	for y := range g.rows {
		g.rows[y] = make([]tty.Cell, w)
	}
}

func (g *grid) copyRow(s *screen.Screen, to []tty.Cell, l screen.Line) {
	var id screen.StyleID
	var look tty.Style
	known := false
	reverse := s.ReverseScreen()
	for x := range to {
		c := l.Cell(x)
		if !known || c.Style() != id {
			id, known = c.Style(), true
			look = g.style(s.Style(id), reverse)
		}
		to[x] = cell(s, c, look, x == len(to)-1)
	}
}

func cell(s *screen.Screen, c screen.Cell, look tty.Style, last bool) tty.Cell {
	switch {
	case c.Flags&screen.Tail != 0:
		return tty.Cell{}
	case c.Flags&screen.Wide != 0 && last:
		return tty.Cell{Content: " ", Width: 1, Style: look}
	case c.Flags&screen.Wide != 0:
		return tty.Cell{Content: s.Glyph(c), Width: 2, Style: look}
	}
	return tty.Cell{Content: s.Glyph(c), Width: 1, Style: look}
}

// style is how the operator's terminal shows what the remote asked for. What
// would hide text is not done: concealed text is drawn faint, and text in the
// colour of its ground in the terminal's own colours. Nothing blinks.
func (g *grid) style(st screen.Style, reverse bool) tty.Style {
	st.Link = 0
	if reverse {
		st.Attr ^= screen.Reverse
	}
	if look, ok := g.styles[st]; ok {
		return look
	}
	if g.styles == nil || len(g.styles) > 4096 {
		g.styles = map[screen.Style]tty.Style{}
	}
	look := convert(st)
	g.styles[st] = look
	return look
}

var attrs = []struct {
	from screen.Attr
	to   uint8
}{
	{screen.Bold, uv.AttrBold},
	{screen.Faint, uv.AttrFaint},
	{screen.Conceal, uv.AttrFaint},
	{screen.Italic, uv.AttrItalic},
	{screen.Reverse, uv.AttrReverse},
	{screen.Strike, uv.AttrStrikethrough},
}

func convert(st screen.Style) tty.Style {
	if st.FG == st.BG && st.FG != 0 {
		st.FG, st.BG = 0, 0
	}
	out := tty.Style{Fg: paint(st.FG), Bg: paint(st.BG), UnderlineColor: paint(st.UL), Underline: uv.Underline(st.Underline)}
	for _, a := range attrs {
		if st.Attr&a.from != 0 {
			out.Attrs |= a.to
		}
	}
	return out
}

func paint(c screen.Color) color.Color {
	if i, ok := c.Index(); ok {
		if i < 16 {
			return ansi.BasicColor(i)
		}
		return ansi.IndexedColor(i)
	}
	if r, g, b, ok := c.RGB(); ok {
		return color.RGBA{R: r, G: g, B: b, A: 0xff}
	}
	return nil
}

// shapes are the cursor's, as the remote asked for them.
var shapes = map[screen.CursorShape]tty.Shape{
	screen.DefaultCursor:   tty.ShapeDefault,
	screen.BlockCursor:     tty.ShapeBlock,
	screen.UnderlineCursor: tty.ShapeUnderline,
	screen.BarCursor:       tty.ShapeBar,
}
