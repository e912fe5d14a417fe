package tui

import (
	"fmt"
	"image"

	"sallyport/console/tty"
)

// Draw draws the state. It changes nothing.
func (m *Model) Draw(c *tty.Canvas) {
	m.paint(c)
	if m.opts.ASCII {
		foldASCII(c)
	}
}

func (m *Model) paint(c *tty.Canvas) {
	if m.lay.small {
		m.drawSmall(c)
		return
	}
	t := m.tab()
	m.drawTabs(c)
	if t == nil {
		m.drawEmpty(c)
	} else {
		m.drawTab(c, t)
	}
	m.drawStatus(c)
	if m.modal != nil {
		c.Cursor.Visible = false
		m.modal.draw(m, c)
	}
}

func (m *Model) drawTab(c *tty.Canvas, t *tab) {
	c.Title, c.Bell = title(t), m.bell
	m.drawHeader(c, t)
	m.drawShell(c, t)
	if t.host.Copilot() != nil {
		m.drawPanels(c, t)
	}
	switch {
	case t.dialog != nil:
		m.drawDialog(c, t)
	case t.draft != nil:
		m.drawDraft(c, t)
	}
}

func title(t *tab) string { return "sallyport " + t.safeName() }

// drawSmall says what the console needs. The shell lives on, but no key is sent
// to what cannot be seen.
func (m *Model) drawSmall(c *tty.Canvas) {
	w, h := c.Size()
	c.Bell = m.bell
	if t := m.tab(); t != nil {
		c.Title = title(t)
	}
	text := fmt.Sprintf("The console needs %d columns and %d rows; here are %d and %d. The shell lives on, but keys do not reach it, except ^C: make the window larger.", NeedWidth, NeedHeight, w, h)
	if w < LeastWidth || h < LeastHeight {
		text = fmt.Sprintf("needs %dx%d, has %dx%d; keys are dropped, except ^C", NeedWidth, NeedHeight, w, h)
	}
	drawLines(c, c.Bounds(), wrap(line{{text, m.theme.text}}, w, ""))
}

func (m *Model) drawEmpty(c *tty.Canvas) {
	r := m.lay.term
	lines := []line{
		{{"No host is open.", m.theme.bold}},
		nil,
		{{"o", m.theme.accent}, {"  opens one      ", m.theme.text}, {"q", m.theme.accent}, {"  ends the console", m.theme.text}},
	}
	drawLines(c, image.Rect(r.Min.X+2, r.Min.Y+1, r.Max.X, r.Max.Y), lines)
}

// drawField draws a text being edited on one row, with the cursor in view.
func (m *Model) drawField(c *tty.Canvas, x, y, width int, before line, e *edit) {
	used := before.draw(c, x, y, width)
	m.drawText(c, x+used, y, width-used, e.text, e.cursor)
}

// drawText draws clusters on one row and puts the cursor on one of them.
// Whatever would not be seen is drawn as a mark.
func (m *Model) drawText(c *tty.Canvas, x, y, width int, text []string, cursor int) {
	cells := m.visible(text)
	from := windowStart(cells, cursor, width)
	at := 0
	for i := from; i <= len(cells); i++ {
		if i == cursor {
			c.Cursor = tty.Cursor{X: x + at, Y: y, Visible: true, Shape: tty.ShapeBar}
		}
		if i == len(cells) || at+columns(cells[i].text) > width {
			break
		}
		at += c.Text(x+at, y, width-at, cells[i].text, cells[i].style)
	}
}

// windowStart is the first cluster to draw so that the cursor is in view.
func windowStart(cells []span, cursor, width int) int {
	from, used := cursor, 1
	for from > 0 {
		w := columns(cells[from-1].text)
		if used+w > width {
			break
		}
		used += w
		from--
	}
	return from
}
