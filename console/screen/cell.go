package screen

// Cell is one place of the grid: a glyph and an index into the screen's styles. The zero Cell is blank. Cells hold no pointers; Screen's
// Glyph and Style say what they stand for.
type Cell struct {
	glyph uint32 // 0, a rune, or clusterBase + an index into the clusters
	style StyleID
	Flags CellFlags
}

// StyleID names a style of one Screen, until its next Write or Resize. The zero StyleID is the default style.
type StyleID uint16

// Style returns the cell's style.
func (c Cell) Style() StyleID { return c.style }

// Blank reports whether nothing was written into the cell. A written space is not blank.
func (c Cell) Blank() bool { return c.glyph == 0 && c.Flags&Tail == 0 }

// CellFlags say how a cell takes part in the grid.
type CellFlags uint16

// Flags.
const (
	Wide   CellFlags = 1 << iota // the glyph takes this cell and the next
	Tail                         // the second cell of a wide glyph
	Spacer                       // left empty at the margin, since a wide glyph went to the next row
)

// clusterBase is above every rune.
const clusterBase = 1 << 21

// Color is a colour as the remote named it: the terminal's default (0), one of 256, or 24-bit.
type Color uint32

const (
	indexedColor Color = 1 << 24
	directColor  Color = 1 << 25
)

// Indexed returns colour i of the palette.
func Indexed(i uint8) Color { return indexedColor | Color(i) }

// RGB returns a 24-bit colour.
func RGB(r, g, b uint8) Color { return directColor | Color(r)<<16 | Color(g)<<8 | Color(b) }

// Index returns the palette index of a colour that has one.
func (c Color) Index() (uint8, bool) { return uint8(c), c&indexedColor != 0 }

// RGB returns the components of a 24-bit colour.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&directColor != 0
}

// Attr is a set of character attributes.
type Attr uint16

// Attributes of SGR.
const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Blink
	Reverse
	Conceal
	Strike
	Overline
)

// Underline is the shape of an underline.
type Underline uint8

// Underlines, numbered as in SGR 4:n.
const (
	NoUnderline Underline = iota
	Single
	Double
	Curly
	Dotted
	Dashed
)

// Style is how a cell looks. Link is 0, or names the target of a hyperlink (Screen.Link).
type Style struct {
	FG, BG, UL Color
	Attr       Attr
	Underline  Underline
	Link       uint16
}
