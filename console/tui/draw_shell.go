package tui

import (
	"fmt"
	"image"
	"strings"
	"time"

	"sallyport/console/safetext"
	"sallyport/console/screen"
	"sallyport/console/session"
	"sallyport/console/tty"
	"sallyport/policy"
)

func (t *tab) safeName() string { return safetext.Line(t.link.Name) }

// account is account@host of a target.
func account(t policy.Target) string {
	name := safetext.Line(targetName(t))
	if t.Account == "" {
		return name
	}
	return safetext.Line(t.Account) + "@" + name
}

// shownName is the host in the header: the innermost frame's once there is one.
func (t *tab) shownName() string {
	if n := len(t.view.Frames); n > 1 {
		return t.safeName() + " › " + account(t.view.Frames[n-1])
	}
	return t.safeName()
}

// drawTabs draws the sessions, when there are several: from the first one, or
// from the first that leaves room for the one in front.
func (m *Model) drawTabs(c *tty.Canvas) {
	if m.lay.tabs.Empty() {
		return
	}
	labels, room := make([]line, len(m.tabs)), m.lay.tabs.Dx()-2
	for i := range m.tabs {
		labels[i] = m.tabLabel(i)
	}
	first := m.front
	for used := labels[first].width(); first > 0; first-- {
		if used += labels[first-1].width() + tabGap; used > room-2*tabMore {
			break
		}
	}
	x := m.lay.tabs.Min.X + 1
	if first > 0 {
		x += line{{"‹ ", m.theme.dim}}.draw(c, x, m.lay.tabs.Min.Y, tabMore)
	}
	for i, l := range labels[first:] {
		left := m.lay.tabs.Max.X - 1 - x
		if i > 0 && l.width() > left-tabMore {
			line{{"›", m.theme.dim}}.draw(c, m.lay.tabs.Max.X-2, m.lay.tabs.Min.Y, 1)
			return
		}
		x += l.draw(c, x, m.lay.tabs.Min.Y, left) + tabGap
	}
}

const (
	tabGap  = 3
	tabMore = 2 // what says that there are more
)

func (m *Model) tabLabel(i int) line {
	t, st := m.tabs[i], m.theme.dim
	if i == m.front {
		st = m.theme.accent
	}
	l := line{{fmt.Sprintf("%d ", i+1), st}, {t.safeName(), st}}
	if s := t.alert(); s != "" {
		l = append(l, span{" " + s, m.theme.warn})
	}
	return l
}

// alert is what a tab that is not in front has to say.
func (t *tab) alert() string {
	switch {
	case t.dialog != nil:
		return "asks"
	case t.link.Phase == Lost, t.link.Phase == Closed:
		return "✕"
	}
	return ""
}

// state is the tab in one word, for the list of sessions.
func (t *tab) state() string {
	switch {
	case t.dialog != nil:
		return "asks something"
	case t.link.Phase == Connecting:
		return "connecting"
	case t.link.Phase == Lost:
		return "lost"
	case t.link.Phase == Closed:
		return "ended"
	case t.view.Running != "":
		return "running"
	}
	return "ready"
}

// doing tells two sessions on one host apart: what runs, or the folder.
func (t *tab) doing() string {
	if t.view.Running != "" {
		return safetext.Line(firstLine(t.view.Running))
	}
	return safetext.Line(t.view.Cwd)
}

func (m *Model) drawHeader(c *tty.Canvas, t *tab) {
	r := m.lay.header
	name := m.theme.bold
	if t.link.Production {
		name = m.theme.warn
	}
	l := line{{t.shownName(), name}}
	if t.view.Shell != "" {
		l = append(l, span{"  " + safetext.Line(t.view.Shell), m.theme.dim})
	}
	if t.view.Cwd != "" {
		l = append(l, span{"  " + safetext.Line(t.view.Cwd), m.theme.text})
	}
	right := m.headerEnd(t)
	room := r.Dx() - 2 - right.width() - 1
	l.draw(c, r.Min.X+1, r.Min.Y, room)
	right.drawRight(c, r.Min.X+1, r.Max.X-1, r.Min.Y)
}

// headerEnd is the right end of the header: what runs, or how the last command
// ended.
func (m *Model) headerEnd(t *tab) line {
	v := t.view
	switch {
	case t.scroll > 0 && t.copying == nil:
		return line{{plural(t.scroll, "line", "lines") + " up", m.theme.accent}}
	case v.Program != "" && v.State == session.Keys:
		return line{{"keys to " + safetext.Line(v.Program), m.theme.dim}}
	case v.Running != "" && !v.Since.IsZero() && m.frame.Sub(v.Since) >= slowTime:
		return line{{"running " + lasting(m.frame.Sub(v.Since)), m.theme.dim}}
	case v.LastExit == nil:
		return nil
	case *v.LastExit != 0:
		return line{{fmt.Sprintf("exit %d", *v.LastExit), m.theme.high}}
	}
	return line{{"exit 0", m.theme.dim}}
}

// drawShell draws the remote's screen, and below it what the console has to say
// about it. The rows move up as far as is needed to keep the cursor in view.
func (m *Model) drawShell(c *tty.Canvas, t *tab) {
	strip := m.strip(t)
	r := m.lay.term
	covered := min(strip.height(), r.Dy())
	shift := m.shift(t, strip.height())
	for y := 0; y < r.Dy()-covered && y+shift < t.grid.h; y++ {
		m.drawRow(c, t, y+shift, r.Min.Y+y)
	}
	m.shellCursor(c, t, shift, r.Dy()-covered)
	if t.view.Compose != nil && t.scroll == 0 {
		m.drawCompose(c, t, shift, r.Dy()-covered)
	}
	if t.link.Phase == Connecting || t.grid.of == nil {
		m.drawConnecting(c, t)
	}
	strip.draw(m, c, image.Rect(0, r.Max.Y-covered, m.lay.header.Max.X, r.Max.Y))
}

// shift is how many of the grid's first rows are not drawn, so that what counts
// stands above the strip of that height.
func (m *Model) shift(t *tab, height int) int {
	rows := m.lay.term.Dy()
	covered := min(height, rows)
	switch {
	case t.grid.of == nil:
		return 0
	case t.copying != nil:
		return min(max(t.copying.top-t.grid.first, 0), covered)
	case t.scroll > 0:
		return 0
	}
	return min(max(t.grid.row-(rows-1-covered), 0), covered)
}

func (m *Model) drawRow(c *tty.Canvas, t *tab, from, y int) {
	r := m.lay.term
	row := t.grid.rows[from]
	t.grid.draw(c, from, r.Min.X, y, r.Dx())
	if mk, ok := t.marks[t.grid.ids[from]]; ok && t.grid.ids[from] != 0 {
		m.drawMark(c, &t.grid, row, mk, y)
	}
	m.drawChosen(c, t, t.grid.first+from, y)
}

// drawMark draws the gutter and the exit code of a command's row.
func (m *Model) drawMark(c *tty.Canvas, g *grid, row []gridCell, mk mark, y int) {
	x := m.lay.gutter.Min.X
	st, glyph := m.theme.risk(mk.risk)
	switch {
	case mk.suggested:
		if mk.risk == policy.Low {
			st = m.theme.accent
		}
		c.Put(x, y, "→", 1, st)
		from := max(commandStart(g, row, mk.line), 0)
		c.Restyle(image.Rect(m.lay.term.Min.X+from, y, m.lay.term.Max.X, y+1), m.theme.quiet)
	case mk.risk > policy.Low:
		c.Put(x, y, glyph, 1, st)
	}
	if s := failure(mk); s != "" && blankEnd(row, columns(s)+2) {
		line{{s, m.theme.high}}.drawRight(c, m.lay.term.Min.X, m.lay.term.Max.X-1, y)
	}
}

// failure is what the right edge says of a command that did not end well.
func failure(mk mark) string {
	switch {
	case mk.status == session.Vetoed, mk.status == session.Mismatch:
		return string(mk.status)
	case mk.exit != nil && *mk.exit != 0:
		return fmt.Sprintf("exit %d", *mk.exit)
	}
	return ""
}

func blankEnd(row []gridCell, n int) bool {
	if n > len(row) {
		return false
	}
	for _, cell := range row[len(row)-n:] {
		if cell.glyph != ' ' {
			return false
		}
	}
	return true
}

// commandStart is the column where a command begins on its row, or -1.
func commandStart(g *grid, row []gridCell, command string) int {
	var b strings.Builder
	offsets := make([]int, 0, len(row))
	for x, cell := range row {
		text := g.text(cell)
		for range len(text) {
			offsets = append(offsets, x)
		}
		b.WriteString(text)
	}
	i := strings.LastIndex(b.String(), command)
	if command == "" || i < 0 {
		return -1
	}
	return offsets[i]
}

// shellCursor puts the cursor where the remote has it.
func (m *Model) shellCursor(c *tty.Canvas, t *tab, shift, rows int) {
	y := t.grid.row - shift
	cur := t.grid.cursor
	live := t.link.Phase == Connected && t.sess != nil && t.copying == nil
	if !live || m.focus != shellArea || y < 0 || y >= rows || !cur.Visible {
		return
	}
	x := min(m.lay.term.Min.X+cur.X, m.lay.term.Max.X-1)
	c.Cursor = tty.Cursor{X: x, Y: m.lay.term.Min.Y + y, Visible: true, Shape: shapes[cur.Shape]}
}

// drawCompose draws a line that is composed here, where the remote's prompt
// ends.
func (m *Model) drawCompose(c *tty.Canvas, t *tab, shift, rows int) {
	v := t.view.Compose
	r := m.lay.term
	x, y := r.Min.X+t.grid.cursor.X, r.Min.Y+t.grid.row-shift
	if v.Search != "" {
		x += line{{"(search " + safetext.Line(v.Search) + ") ", m.theme.dim}}.draw(c, x, y, r.Max.X-x)
	}
	end := r.Min.Y + rows
	for i, l := range v.Lines {
		cells := m.visible(clusters(l))
		col := 0
		for k := 0; k <= len(cells); k++ {
			if i == v.Line && col >= v.Column && !c.Cursor.Visible || i == v.Line && k == len(cells) && col <= v.Column {
				c.Cursor = tty.Cursor{X: min(x, r.Max.X-1), Y: y, Visible: y < end && m.focus == shellArea, Shape: tty.ShapeBar}
			}
			if k == len(cells) {
				break
			}
			if x+columns(cells[k].text) > r.Max.X {
				x, y = r.Min.X, y+1
			}
			if y < end {
				x += c.Text(x, y, r.Max.X-x, cells[k].text, cells[k].style)
			}
			col += len([]rune(cells[k].text))
		}
		x, y = r.Min.X, y+1
	}
}

// drawChosen draws what is selected and found on one row.
func (m *Model) drawChosen(c *tty.Canvas, t *tab, number, y int) {
	var sel screen.Selection
	var found []screen.Selection
	switch cp := t.copying; {
	case cp != nil:
		sel, _ = cp.selection()
		found = cp.found
	case t.drag != nil && t.drag.moved:
		sel = screen.Select(t.drag.from, t.drag.to, false)
	default:
		return
	}
	r := m.lay.term
	for x := range r.Dx() {
		at := image.Rect(r.Min.X+x, y, r.Min.X+x+1, y+1)
		p := screen.Point{Line: number, Col: x}
		for _, f := range found {
			if f.Contains(p) {
				c.Restyle(at, m.theme.found)
			}
		}
		if !sel.Empty() && sel.Contains(p) {
			c.Restyle(at, m.theme.chosen)
		}
	}
	if cp := t.copying; cp != nil && cp.at.Line == number && !cp.asking {
		c.Cursor = tty.Cursor{X: r.Min.X + cp.at.Col, Y: y, Visible: true, Shape: tty.ShapeBlock}
	}
}

// drawConnecting says what is waited for.
func (m *Model) drawConnecting(c *tty.Canvas, t *tab) {
	l := t.link
	wait := m.frame.Sub(l.Since)
	if l.Phase == Lost || l.Phase == Closed {
		m.drawGone(c, t)
		return
	}
	if wait < slowTime {
		return
	}
	what := safetext.Line(l.Step)
	if l.Phase == Connected {
		what = "starting the shell"
	}
	lines := []line{
		{{"Connecting to ", m.theme.text}, {t.safeName(), m.theme.bold}},
		{{what, m.theme.dim}, {"  " + lasting(wait.Round(time.Second)), m.theme.dim}},
	}
	if wait > 2*time.Second && t.dialog == nil {
		lines = append(lines, line{{"Esc", m.theme.accent}, {"  gives up", m.theme.dim}})
	}
	r := m.lay.term
	area := image.Rect(r.Min.X+1, r.Min.Y+1, r.Max.X-1, min(r.Min.Y+1+len(lines), r.Max.Y))
	c.Fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, min(r.Min.Y+2+len(lines), r.Max.Y)), m.theme.text)
	drawLines(c, area, lines)
}

// drawGone says why there never was a shell.
func (m *Model) drawGone(c *tty.Canvas, t *tab) {
	r := m.lay.term
	if t.grid.of != nil {
		return
	}
	area := image.Rect(r.Min.X+1, r.Min.Y+1, r.Max.X-1, r.Max.Y)
	drawLines(c, area, wrap(m.goneLine(t), area.Dx(), ""))
}
