package tty

import (
	"image"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/clipperhouse/displaywidth"
)

// Style is how a cell looks. Nil colours are the terminal's own.
type Style = uv.Style

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

// Canvas is the grid of one frame. Positions outside of it are ignored. Its cells
// hold no pointers: clusters and styles are interned.
type Canvas struct {
	Cursor Cursor
	Title  string // window title; one line, already safe
	Bell   int    // the bell rings when this changes, once a second at most

	w, h  int
	cells []cell
	inks  inks
	words words
	anew  bool // what the cells refer to was forgotten since the last frame
}

// cell is a place of the grid; width 0 is the second column of a wide cluster.
type cell struct {
	glyph uint32 // a rune, or cluster base + index
	ink   Ink
	width uint8
}

var blank = cell{glyph: ' ', width: 1}

// Ink names a style of one Canvas until its next Clear.
type Ink uint16

// inks interns styles; number 0 is the zero Style.
type inks struct {
	styles []Style
	index  map[Style]Ink
	last   Style // of the last look-up, which is mostly the next one's too
	lastID Ink
}

const (
	maxInks     = 1 << 15
	clusterBase = 1 << 21 // above every rune
	maxClusters = 1 << 16
)

func (k *inks) get(st Style) Ink {
	if st == k.last {
		return k.lastID
	}
	id, ok := k.index[st]
	if !ok {
		if len(k.styles) >= maxInks {
			return 0
		}
		id = Ink(len(k.styles))
		k.styles = append(k.styles, st)
		k.index[st] = id
	}
	k.last, k.lastID = st, id
	return id
}

// words interns clusters of several runes.
type words struct {
	list  []string
	index map[string]uint32
}

func (w *words) get(s string) uint32 {
	if r, n := utf8.DecodeRuneInString(s); n == len(s) {
		return uint32(r)
	}
	id, ok := w.index[s]
	if !ok {
		id = clusterBase + uint32(len(w.list))
		w.list = append(w.list, s)
		w.index[s] = id
	}
	return id
}

func (w *words) text(glyph uint32) string {
	switch {
	case glyph < utf8.RuneSelf:
		return ascii[glyph]
	case glyph < clusterBase:
		return string(rune(glyph))
	}
	return w.list[glyph-clusterBase]
}

var ascii = makeASCII()

func makeASCII() (t [utf8.RuneSelf]string) {
	for i := 1; i < len(t); i++ {
		t[i] = string(rune(i))
	}
	return t
}

// NewCanvas returns a blank canvas of w columns and h rows.
func NewCanvas(w, h int) *Canvas {
	c := &Canvas{w: max(w, 0), h: max(h, 0)}
	c.cells = make([]cell, c.w*c.h)
	c.forget()
	c.Clear()
	return c
}

// Size is the number of columns and rows.
func (c *Canvas) Size() (w, h int) { return c.w, c.h }

// Bounds is the whole canvas.
func (c *Canvas) Bounds() Rect { return image.Rect(0, 0, c.w, c.h) }

// Clear makes every cell blank and hides the cursor.
func (c *Canvas) Clear() {
	for i := range c.cells {
		c.cells[i] = blank
	}
	c.Cursor, c.Title = Cursor{}, ""
	if c.crowded() {
		c.forget()
	}
}

// Blank makes the cells of an area blank.
func (c *Canvas) Blank(r Rect) {
	r = r.Intersect(c.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := c.row(y)
		split(row, r.Min.X)
		if r.Max.X < len(row) {
			split(row, r.Max.X)
		}
		for x := r.Min.X; x < r.Max.X; x++ {
			row[x] = blank
		}
	}
}

// crowded tells whether the next Clear had better forget.
func (c *Canvas) crowded() bool {
	return len(c.inks.styles) > maxInks/2 || len(c.words.list) > maxClusters
}

func (c *Canvas) forget() {
	c.inks = inks{styles: []Style{{}}, index: map[Style]Ink{{}: 0}}
	c.words = words{index: map[string]uint32{}}
	c.anew = true
}

// Ink gives the number of a style, for Set.
func (c *Canvas) Ink(st Style) Ink { return c.inks.get(st) }

// Put sets one cluster of the given width (0 is taken as 1, more than 2 as 2).
// A cluster that holds a control character is drawn as U+FFFD.
func (c *Canvas) Put(x, y int, cluster string, width int, st Style) {
	if hasControl(cluster) {
		cluster, width = "\uFFFD", 1
	}
	c.set(x, y, c.words.get(cluster), width, c.inks.get(st))
}

// Set is Put for a single rune and a style that was named by Ink.
func (c *Canvas) Set(x, y int, r rune, width int, ink Ink) {
	if r < 0x20 || r >= 0x7f && r < 0xa0 || r > utf8.MaxRune {
		r, width = utf8.RuneError, 1
	}
	c.set(x, y, uint32(r), width, ink)
}

func (c *Canvas) set(x, y int, glyph uint32, width int, ink Ink) {
	if y < 0 || y >= c.h || x < 0 || x >= c.w {
		return
	}
	row := c.row(y)
	split(row, x)
	if width < 2 {
		row[x] = cell{glyph, ink, 1}
		return
	}
	if x+1 >= c.w {
		row[x] = cell{' ', ink, 1}
		return
	}
	split(row, x+1)
	row[x], row[x+1] = cell{glyph, ink, 2}, cell{ink: ink}
}

// split blanks the other half of a wide cluster that column x belongs to.
func split(row []cell, x int) {
	switch {
	case row[x].width == 2 && x+1 < len(row):
		row[x+1] = cell{' ', row[x].ink, 1}
	case row[x].width == 0 && x > 0:
		row[x-1] = cell{' ', row[x-1].ink, 1}
	}
}

// Text draws s from x on, at most limit columns, and returns the columns used.
// A cluster that would pass the limit is not drawn.
func (c *Canvas) Text(x, y, limit int, s string, st Style) int {
	ink := c.inks.get(st)
	used := 0
	for i := 0; i < len(s) && used < limit; {
		if alone(s, i) {
			c.set(x+used, y, uint32(s[i]), 1, ink)
			used++
			i++
			continue
		}
		g := displaywidth.StringGraphemes(s[i:])
		if !g.Next() {
			break
		}
		i += len(g.Value())
		w := g.Width()
		if used+w > limit {
			break
		}
		if w > 0 {
			c.Put(x+used, y, g.Value(), w, st)
			used += w
		}
	}
	return used
}

// alone tells whether byte i is a printable ASCII character to which nothing
// that follows belongs.
func alone(s string, i int) bool {
	return s[i] >= 0x20 && s[i] < 0x7f && (i+1 == len(s) || s[i+1] < utf8.RuneSelf)
}

// Fill sets every cell of an area to a blank of the style.
func (c *Canvas) Fill(r Rect, st Style) {
	ink := c.inks.get(st)
	r = r.Intersect(c.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c.set(x, y, ' ', 1, ink)
		}
	}
}

// Restyle changes the look of the cells of an area and keeps their text.
func (c *Canvas) Restyle(r Rect, change func(Style) Style) {
	r = r.Intersect(c.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			at := &c.cells[y*c.w+x]
			at.ink = c.inks.get(change(c.inks.styles[at.ink]))
		}
	}
}

// Cell is the text, width and style at a position; "" and 0 for the second
// column of a wide cluster.
func (c *Canvas) Cell(x, y int) (string, int, Style) {
	if y < 0 || y >= c.h || x < 0 || x >= c.w {
		return "", 0, Style{}
	}
	at := c.cells[y*c.w+x]
	return c.words.text(at.glyph), int(at.width), c.inks.styles[at.ink]
}

// row gives the painter its cells.
func (c *Canvas) row(y int) []cell { return c.cells[y*c.w : (y+1)*c.w] }

// cell is a place as the renderer has it.
func (c *Canvas) cell(at cell) uv.Cell {
	if at.width == 0 {
		return uv.Cell{}
	}
	return uv.Cell{Content: c.words.text(at.glyph), Width: int(at.width), Style: c.inks.styles[at.ink]}
}

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
