package tty

import (
	"image"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/clipperhouse/displaywidth"
)

// Style is how a cell looks. Nil colours are the terminal's own.
type Style = uv.Style

// Cell is one grapheme cluster with its width and style; the second column of a
// wide cluster is the zero Cell.
type Cell = uv.Cell

// Rect is an area of cells; Max is exclusive.
type Rect = image.Rectangle

// Shape is the form of the text cursor, numbered as DECSCUSR has it.
type Shape int

// The shapes that are used. ShapeDefault leaves the operator's own.
const (
	ShapeDefault   Shape = 0
	ShapeBlock     Shape = 2
	ShapeUnderline Shape = 4
	ShapeBar       Shape = 6
)

// Cursor is where the text cursor stands after a frame.
type Cursor struct {
	X, Y    int
	Visible bool
	Shape   Shape
}

// Canvas is the grid of one frame. Positions outside of it are ignored.
type Canvas struct {
	Cursor Cursor
	Title  string // window title; one line, already safe

	w, h  int
	cells []uv.Cell
}

// NewCanvas returns a blank canvas of w columns and h rows.
func NewCanvas(w, h int) *Canvas {
	c := &Canvas{}
	c.resize(w, h)
	return c
}

// Size is the number of columns and rows.
func (c *Canvas) Size() (w, h int) { return c.w, c.h }

// Bounds is the whole canvas.
func (c *Canvas) Bounds() Rect { return image.Rect(0, 0, c.w, c.h) }

func (c *Canvas) resize(w, h int) {
	c.w, c.h = max(w, 0), max(h, 0)
	c.cells = make([]uv.Cell, c.w*c.h)
	c.Clear()
}

// Clear makes every cell blank and hides the cursor.
func (c *Canvas) Clear() {
	if len(c.cells) > 0 {
		c.cells[0] = uv.EmptyCell
		for n := 1; n < len(c.cells); n *= 2 {
			copy(c.cells[n:], c.cells[:n])
		}
	}
	c.Cursor, c.Title = Cursor{}, ""
}

// Put sets one cluster of the given width (0 is taken as 1, more than 2 as 2).
// A cluster that holds a control character is drawn as U+FFFD.
func (c *Canvas) Put(x, y int, cluster string, width int, st Style) {
	if y < 0 || y >= c.h || x < 0 || x >= c.w {
		return
	}
	if hasControl(cluster) {
		cluster, width = "\uFFFD", 1
	}
	row := uv.Line(c.cells[y*c.w : (y+1)*c.w])
	if width <= 1 && row[x].Width == 1 {
		row[x] = uv.Cell{Content: cluster, Width: 1, Style: st}
		return
	}
	row.Set(x, &uv.Cell{Content: cluster, Width: min(max(width, 1), 2), Style: st})
}

// Row sets cells of row y from x on. They must be clean: no control characters,
// and no wide cluster cut at either end.
func (c *Canvas) Row(x, y int, cells []Cell) {
	if y < 0 || y >= c.h || x < 0 || x >= c.w {
		return
	}
	copy(c.cells[y*c.w+x:(y+1)*c.w], cells)
}

// Text draws s from x on, at most limit columns, and returns the columns used.
// A cluster that would pass the limit is not drawn.
func (c *Canvas) Text(x, y, limit int, s string, st Style) int {
	used := 0
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		w := g.Width()
		if w == 0 {
			continue
		}
		if used+w > limit {
			break
		}
		c.Put(x+used, y, g.Value(), w, st)
		used += w
	}
	return used
}

// Fill sets every cell of an area to a blank of the style.
func (c *Canvas) Fill(r Rect, st Style) {
	r = r.Intersect(c.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c.Put(x, y, " ", 1, st)
		}
	}
}

// Restyle changes the look of the cells of an area and keeps their text.
func (c *Canvas) Restyle(r Rect, change func(Style) Style) {
	r = r.Intersect(c.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			cell := &c.cells[y*c.w+x]
			cell.Style = change(cell.Style)
		}
	}
}

// Cell is the text, width and style at a position; "" and 0 for the second
// column of a wide cluster.
func (c *Canvas) Cell(x, y int) (string, int, Style) {
	if y < 0 || y >= c.h || x < 0 || x >= c.w {
		return "", 0, Style{}
	}
	cell := c.cells[y*c.w+x]
	return cell.Content, cell.Width, cell.Style
}

// row gives the painter its cells.
func (c *Canvas) row(y int) []uv.Cell { return c.cells[y*c.w : (y+1)*c.w] }

func hasControl(s string) bool {
	if len(s) == 1 {
		return s[0] < 0x20 || s[0] >= 0x7f
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r < 0x20 || (r >= 0x7f && r < 0xa0) || (r == utf8.RuneError && n <= 1) {
			return true
		}
		i += n
	}
	return s == ""
}
