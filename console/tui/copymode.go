package tui

import (
	tea "charm.land/bubbletea/v2"

	"sallyport/console/keys"
	"sallyport/console/screen"
	"sallyport/console/tty"
)

// copying is copy mode and search: a cursor of its own in what was printed.
// Line numbers stay with their text while new output arrives.
type copying struct {
	at      screen.Point
	anchor  screen.Point
	marking bool
	block   bool
	lines   bool // whole lines

	top  int // line number of the first row in view
	rows int
	cols int
	from int // first and end of the lines there are
	end  int

	asking bool // the text to search for is being typed
	back   bool
	query  edit
	found  []screen.Selection // in view
	none   bool               // nothing was found
}

// startCopy opens copy mode at the cursor, or asks what to search for.
func (t *tab) startCopy(m *Model, search bool) tea.Cmd {
	c := &copying{asking: search, back: true}
	t.sess.Screen(func(s *screen.Screen) {
		cur := s.Cursor()
		c.top = s.Top() - t.scroll
		c.at = screen.Point{Line: s.Top() + cur.Y, Col: cur.X}
		if t.scroll > 0 {
			c.at = screen.Point{Line: c.top, Col: 0}
		}
		c.refresh(s, m.lay.term.Dx(), m.lay.term.Dy())
	})
	t.copying = c // the next frame takes off what its strip covers
	m.toShell()
	return nil
}

// refresh follows the screen: what fell out of the scrollback cannot be chosen.
func (c *copying) refresh(s *screen.Screen, w, h int) {
	c.from, c.end = s.Lines()
	c.cols, c.rows = w, h
	c.clamp()
	if q := c.query.String(); q != "" {
		c.found = s.Matches(q, c.top, c.top+h)
	} else {
		c.found = nil
	}
}

func (c *copying) clamp() {
	c.at.Line = min(max(c.at.Line, c.from), max(c.end-1, c.from))
	c.at.Col = min(max(c.at.Col, 0), max(c.cols-1, 0))
	if c.at.Line < c.top {
		c.top = c.at.Line
	}
	if c.at.Line >= c.top+c.rows {
		c.top = c.at.Line - c.rows + 1
	}
	c.top = min(max(c.top, c.from), max(c.end-c.rows, c.from))
}

// selection is what y copies.
func (c *copying) selection() (screen.Selection, bool) {
	if !c.marking {
		return screen.Selection{}, false
	}
	from, to := c.anchor, c.at
	if c.lines {
		from.Line, to.Line = min(c.anchor.Line, c.at.Line), max(c.anchor.Line, c.at.Line)
		from.Col, to.Col = 0, max(c.cols-1, 0)
	}
	return screen.Select(from, to, c.block), true
}

// copyMoves are the keys that move the cursor of copy mode.
var copyMoves = map[string]func(*copying){
	"Left": func(c *copying) { c.at.Col-- }, "h": func(c *copying) { c.at.Col-- },
	"Right": func(c *copying) { c.at.Col++ }, "l": func(c *copying) { c.at.Col++ },
	"Up": func(c *copying) { c.at.Line-- }, "k": func(c *copying) { c.at.Line-- },
	"Down": func(c *copying) { c.at.Line++ }, "j": func(c *copying) { c.at.Line++ },
	"PageUp": func(c *copying) { c.page(-1) }, "C-b": func(c *copying) { c.page(-1) },
	"PageDown": func(c *copying) { c.page(1) }, "C-f": func(c *copying) { c.page(1) },
	"C-u": func(c *copying) { c.at.Line -= c.rows / 2 }, "C-d": func(c *copying) { c.at.Line += c.rows / 2 },
	"Home": func(c *copying) { c.at.Col = 0 }, "0": func(c *copying) { c.at.Col = 0 },
	"End": func(c *copying) { c.at.Col = c.cols - 1 }, "$": func(c *copying) { c.at.Col = c.cols - 1 },
	"g": func(c *copying) { c.at = screen.Point{Line: c.from} },
	"G": func(c *copying) { c.at = screen.Point{Line: c.end - 1} },
	"H": func(c *copying) { c.at.Line = c.top }, "L": func(c *copying) { c.at.Line = c.top + c.rows - 1 },
}

func (c *copying) page(by int) {
	c.at.Line += by * max(c.rows-1, 1)
	c.top += by * max(c.rows-1, 1)
}

func (t *tab) copyKey(m *Model, k keys.Event) tea.Cmd {
	c := t.copying
	if c.asking {
		t.queryKey(k)
		return nil
	}
	name := k.String()
	if move := copyMoves[name]; move != nil {
		move(c)
		c.clamp()
		return nil
	}
	switch name {
	case "Escape", "q", "C-c":
		t.endCopy(c)
	case "v", "Space", "V", "C-v":
		c.mark(name)
	case "y", "Enter":
		return t.copySelection(m)
	case "/", "?":
		c.asking, c.back, c.query = true, name == "?", edit{}
	case "n", "N":
		t.search(c.back == (name == "n"))
	case "w", "b":
		t.jumpWord(name == "b")
	}
	return nil
}

// endCopy leaves a selection first, then copy mode.
func (t *tab) endCopy(c *copying) {
	if c.marking {
		c.marking = false
		return
	}
	t.copying, t.scroll, t.anchored = nil, 0, 0
}

func (c *copying) mark(name string) {
	c.marking = !c.marking || name == "V"
	c.anchor, c.block, c.lines = c.at, name == "C-v", name == "V"
}

func (t *tab) queryKey(k keys.Event) {
	c := t.copying
	switch k.String() {
	case "Escape", "C-c":
		c.asking = false
		if c.query.empty() {
			t.endCopy(c)
		}
	case "Enter":
		c.asking = false
		t.search(c.back)
	default:
		c.query.key(k)
		c.none = false
	}
}

// search goes to the next place that holds the text.
func (t *tab) search(back bool) {
	c := t.copying
	t.sess.Screen(func(s *screen.Screen) {
		sel, ok := s.Search(c.query.String(), c.at, back)
		c.none = !ok && !c.query.empty()
		if ok {
			c.at = sel.From
		}
	})
	c.clamp()
}

func (t *tab) jumpWord(back bool) {
	c := t.copying
	t.sess.Screen(func(s *screen.Screen) {
		w := s.Word(c.at)
		if back {
			c.at = screen.Point{Line: w.From.Line, Col: w.From.Col - 1}
		} else {
			c.at = screen.Point{Line: w.To.Line, Col: w.To.Col + 1}
		}
	})
	c.clamp()
}

func (t *tab) copySelection(m *Model) tea.Cmd {
	sel, ok := t.copying.selection()
	if !ok {
		m.complain("Nothing is selected: v starts a selection.")
		return nil
	}
	t.copying, t.scroll, t.anchored = nil, 0, 0
	return t.copyOut(m, sel)
}

// copyOut puts a selection on the operator's clipboard.
func (t *tab) copyOut(m *Model, sel screen.Selection) tea.Cmd {
	var text string
	t.sess.Screen(func(s *screen.Screen) { text = s.SelectedText(sel) })
	return m.clip(text)
}

func (m *Model) clip(text string) tea.Cmd {
	if text == "" {
		return nil
	}
	m.say("Copied " + plural(len(clusters(text)), "character", "characters") + ".")
	return tty.Clipboard(text)
}

func copySelected(m *Model) tea.Cmd {
	t := m.tab()
	if s := t.suggestion(t.selected); s != nil {
		return m.clip(string(s.Command))
	}
	return nil
}
