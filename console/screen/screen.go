package screen

import (
	"time"

	"sallyport/console/keys"
)

// Limits of a grid. A wide character needs two columns.
const (
	minCols = 2
	maxCols = 1000
	maxRows = 1000
)

// DefaultScrollback is how many rows the scrollback keeps.
const DefaultScrollback = 10000

// Options of a Screen. The zero value is ready to use.
type Options struct {
	Scrollback int              // rows; 0 means DefaultScrollback, less than 0 none
	Now        func() time.Time // for the limits on replies and synchronized output; nil means time.Now
}

// grid is one of the two screens.
type grid struct {
	rows  []*row
	room  []*row // what rows is a part of, from at on, once the grid has slid
	at    int
	x, y  int
	pend  bool // the cursor stands behind the last column: the next character wraps
	saved saved
}

// saved is what DECSC keeps.
type saved struct {
	x, y    int
	pend    bool
	pen     pen
	origin  bool
	charset charsets
}

// pen is what characters are written with.
type pen struct {
	style Style
	id    StyleID
}

// Screen is a terminal: New, then Write what the remote prints, read the grid, send what Replies gives.
type Screen struct {
	cols, rows int
	grid       *grid // main or alt
	main, alt  grid
	past       history
	spare      []*row // for new rows
	lastID     RowID
	version    uint64
	damage     damage

	top, bottom int // scroll region, bottom exclusive
	left, right int // margins, right exclusive
	pen         pen
	aside       pen // the pen while another one writes for a moment
	charset     charsets
	tabs        []bool
	mode        modes
	last        lastGlyph

	tok      Tokenizer
	styles   styles
	recent   recent
	clusters clusters
	wait     int // see makeSpace
	links    links

	title string
	cwd   string

	clipboard string // what the remote asked to put there
	bells     int
	titles    []string
	replies   replies
	now       func() time.Time
	frozen    time.Time // when synchronized output began

	inString time.Time // since when every Write found a string begun and not ended
}

// New returns a blank screen.
func New(cols, rows int, o Options) *Screen {
	s := &Screen{now: o.Now}
	if s.now == nil {
		s.now = time.Now
	}
	switch s.past.limit = o.Scrollback; {
	case o.Scrollback == 0:
		s.past.limit = DefaultScrollback
	case o.Scrollback < 0:
		s.past.limit = 0
	}
	s.cols, s.rows = clampSize(cols, rows)
	s.styles.reset()
	s.clusters.reset()
	s.links.reset()
	s.grid = &s.main
	s.main.rows = s.freshRows(s.rows)
	s.alt.rows = s.freshRows(s.rows)
	s.reset()
	s.damage.all()
	return s
}

func clampSize(cols, rows int) (int, int) {
	return min(max(cols, minCols), maxCols), min(max(rows, 1), maxRows)
}

// Write takes what the remote printed. It never fails.
func (s *Screen) Write(p []byte) (int, error) {
	total := len(p)
	s.limitString()
	for len(p) > 0 {
		tok, n := s.tok.Next(p)
		p = p[n:]
		if tok != nil {
			y := s.grid.y
			s.take(tok)
			s.note(tok, y)
		}
	}
	s.version++
	return total, nil
}

// maxStringTime is how long the remote may take for one string.
const maxStringTime = 5 * time.Second

// limitString gives up a string that was begun long ago and never ended: what follows is shown again.
func (s *Screen) limitString() {
	switch now := s.now(); {
	case !s.tok.inString():
		s.inString = time.Time{}
	case s.inString.IsZero():
		s.inString = now
	case now.Sub(s.inString) > maxStringTime:
		s.tok.state = ground
	}
}

func (s *Screen) take(t *Token) {
	switch t.Kind {
	case Text:
		s.print(t.Bytes)
	case Control:
		s.control(t.Final)
	case Escape:
		s.escape(t)
	case CSI:
		s.csi(t)
	case OSC:
		s.osc(t.Bytes)
	}
}

// Size returns the grid's size.
func (s *Screen) Size() (cols, rows int) { return s.cols, s.rows }

// Version changes with every Write, Ring and Resize: what was drawn at one version need not be drawn again.
func (s *Screen) Version() uint64 { return s.version }

// Cursor is where the cursor stands, and how.
type Cursor struct {
	X, Y    int
	Visible bool
	Shape   CursorShape
	Blink   bool
}

// CursorShape is the shape that the remote asked for (DECSCUSR).
type CursorShape uint8

// Shapes.
const (
	DefaultCursor CursorShape = iota
	BlockCursor
	UnderlineCursor
	BarCursor
)

// Cursor returns the cursor; X is always within the grid.
func (s *Screen) Cursor() Cursor {
	return Cursor{X: s.grid.x, Y: s.grid.y, Visible: s.mode.cursorVisible, Shape: s.mode.shape, Blink: s.mode.blink}
}

// CursorRow returns the ID of the cursor's row.
func (s *Screen) CursorRow() RowID { return s.grid.rows[s.grid.y].id }

// Modes returns what the remote asked of keyboard and mouse.
func (s *Screen) Modes() keys.Modes { return s.mode.keys }

// AltScreen reports whether the alternate screen is shown: a program owns the screen, and there is no scrollback.
func (s *Screen) AltScreen() bool { return s.grid == &s.alt }

// ReverseScreen reports DECSCNM: foreground and background are to be swapped everywhere.
func (s *Screen) ReverseScreen() bool { return s.mode.reverse }

// Title returns the title that the remote set, made visible by safetext. It is the remote's claim, for show only.
func (s *Screen) Title() string { return s.title }

// Directory returns the directory that the remote named by OSC 7 or OSC 1337, made visible. It is for show only.
func (s *Screen) Directory() string { return s.cwd }

// Ring rings the bell as if the remote had.
func (s *Screen) Ring() {
	s.bells++
	s.version++
}

// Bells returns how often the bell rang since the last call.
func (s *Screen) Bells() int {
	n := s.bells
	s.bells = 0
	return n
}

// Frozen reports whether the remote asked to draw nothing now (synchronized output, mode 2026). It ends after a second in any case.
func (s *Screen) Frozen() bool {
	return s.mode.synchronized && s.now().Sub(s.frozen) < time.Second
}
