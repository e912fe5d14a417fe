package tui

import (
	"image/color"
	"unicode/utf8"

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
	rows    [][]gridCell
	ids     []screen.RowID
	cursor  screen.Cursor
	row     int // the cursor's row in view, or -1
	alt     bool
	above   int         // lines of scrollback above the grid
	looks   []tty.Style // what gridCell.look names
	names   map[screen.Style]uint16
	light   bool     // the terminal's own background
	words   []string // clusters of several runes

	from, to int // the rows that the last take copied
}

// gridCell holds no pointers; width 0 is the second column of a wide glyph.
type gridCell struct {
	glyph rune // or -1 - index into the grid's words
	look  uint16
	width uint8
}

// take copies the rows of s from offset lines above the grid's top. It reports
// whether anything can have changed. While the remote holds its screen
// (synchronized output) the copy stays as it is.
func (g *grid) take(s *screen.Screen, offset, w, h int) bool {
	g.from, g.to = 0, 0
	if s == g.of && s.Frozen() && g.w == w && g.h == h {
		return false
	}
	first := s.Top() - offset
	if s == g.of && s.Version() == g.version && first == g.first && g.w == w && g.h == h {
		return false
	}
	g.from, g.to = 0, h
	if from, to := s.Damage(); s == g.of && offset == 0 && first == g.first && g.w == w && g.h == h && s.AltScreen() == g.alt && len(g.words) < maxWords {
		g.from, g.to = min(from, h), min(to, h)
	} else {
		g.resize(w, h)
		g.forget()
	}
	g.of, g.version, g.first = s, s.Version(), first
	g.alt, g.above = s.AltScreen(), s.Scrollback()
	for y := g.from; y < g.to; y++ {
		l := s.Line(first + y)
		g.ids[y] = l.ID
		g.copyRow(s, g.rows[y], l)
	}
	g.cursor = s.Cursor()
	g.row = g.cursor.Y + offset
	return true
}

// maxWords is how many clusters a grid keeps before it forgets those that it does not show any more.
const maxWords = 1 << 14

func (g *grid) resize(w, h int) {
	if g.w == w && g.h == h {
		return
	}
	g.w, g.h = w, h
	g.rows, g.ids = make([][]gridCell, h), make([]screen.RowID, h)
	for y := range g.rows {
		g.rows[y] = make([]gridCell, w)
	}
}

func (g *grid) copyRow(s *screen.Screen, to []gridCell, l screen.Line) {
	var id screen.StyleID
	look := g.look(s.Style(0), s.ReverseScreen())
	for x := range to {
		c := l.Cell(x)
		if c.Style() != id {
			id = c.Style()
			look = g.look(s.Style(id), s.ReverseScreen())
		}
		to[x] = g.cell(s, c, look, x == len(to)-1)
	}
}

func (g *grid) cell(s *screen.Screen, c screen.Cell, look uint16, last bool) gridCell {
	switch {
	case c.Flags&screen.Tail != 0:
		return gridCell{look: look}
	case c.Blank(), c.Flags&screen.Wide != 0 && last:
		return gridCell{' ', look, 1}
	case c.Flags&screen.Wide != 0:
		return gridCell{g.glyph(s.Glyph(c)), look, 2}
	}
	return gridCell{g.glyph(s.Glyph(c)), look, 1}
}

func (g *grid) glyph(cluster string) rune {
	r, n := utf8.DecodeRuneInString(cluster)
	if n == len(cluster) {
		return r
	}
	g.words = append(g.words, cluster)
	return -rune(len(g.words))
}

// text is a cell's cluster; "" for the second column of a wide one.
func (g *grid) text(c gridCell) string {
	switch {
	case c.width == 0:
		return ""
	case c.glyph < 0:
		return g.words[-c.glyph-1]
	}
	return string(c.glyph)
}

// draw draws the first n cells of a row.
func (g *grid) draw(c *tty.Canvas, row, x, y, n int) {
	last, ink := -1, tty.Ink(0)
	for i, cell := range g.rows[row][:min(n, g.w)] {
		if int(cell.look) != last {
			last = int(cell.look)
			ink = c.Ink(g.looks[cell.look])
		}
		switch {
		case cell.width == 0:
		case cell.glyph < 0:
			c.Put(x+i, y, g.text(cell), int(cell.width), g.looks[cell.look])
		default:
			c.Set(x+i, y, cell.glyph, int(cell.width), ink)
		}
	}
}

// look names how the operator's terminal shows what the remote asked for. What
// would hide text is not done, and nothing blinks.
func (g *grid) look(st screen.Style, reverse bool) uint16 {
	st.Link = 0
	if reverse {
		st.Attr ^= screen.Reverse
	}
	if name, ok := g.names[st]; ok {
		return name
	}
	name := uint16(len(g.looks))
	g.looks = append(g.looks, convert(st, g.light))
	g.names[st] = name
	return name
}

// setLight has everything copied anew where the terminal's background turned
// out to be another.
func (g *grid) setLight(light bool) {
	if light != g.light {
		*g = grid{light: light}
	}
}

// forget drops the names of clusters, and of styles when there are many. It is
// called before all rows are copied anew.
func (g *grid) forget() {
	g.words = g.words[:0]
	if g.names == nil || len(g.looks) > 4096 {
		g.names, g.looks = map[screen.Style]uint16{}, nil
	}
}

var attrs = []struct {
	from screen.Attr
	to   uint8
}{
	{screen.Bold, uv.AttrBold},
	{screen.Faint, uv.AttrFaint},
	{screen.Italic, uv.AttrItalic},
	{screen.Reverse, uv.AttrReverse},
	{screen.Strike, uv.AttrStrikethrough},
}

func convert(st screen.Style, light bool) tty.Style {
	st = st.Legible(light)
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
