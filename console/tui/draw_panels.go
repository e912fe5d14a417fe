package tui

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"sallyport/console/copilot"
	"sallyport/console/safetext"
	"sallyport/console/tty"
	"sallyport/policy"
)

// panelArea is where a panel stands.
type panelArea struct {
	area area
	r    tty.Rect
}

// panelAreas are the panels in view from top to bottom: all three beside the
// shell, or the one that is open over it.
func (m *Model) panelAreas(t *tab) []panelArea {
	if !m.lay.beside {
		if m.open == shellArea {
			return nil
		}
		return []panelArea{{m.open, m.lay.overlay}}
	}
	r := m.lay.panel
	intent, suggest := m.shares(t, r.Dx()-2, r.Dy())
	a := image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+intent)
	b := image.Rect(r.Min.X, a.Max.Y, r.Max.X, a.Max.Y+suggest)
	return []panelArea{{intentArea, a}, {suggestArea, b}, {chatArea, image.Rect(r.Min.X, b.Max.Y, r.Max.X, r.Max.Y)}}
}

// shares divides the rows: the intent and the suggestions get what they need,
// within limits, and the chat the rest.
func (m *Model) shares(t *tab, width, rows int) (intent, suggest int) {
	intent = len(m.intentLines(t, width)) + 2
	suggest = 2
	for i := range t.ai.Suggestions {
		suggest += len(m.suggestionLines(t, i, width))
	}
	suggest = max(suggest, 4)
	whole := intent
	intent = min(intent, max(rows/4, 5))
	suggest = min(suggest, max(rows*2/5, 6))
	switch m.focus {
	case suggestArea:
		suggest = min(max(suggest, rows/2), rows-intent-5)
	case intentArea:
		intent = max(min(whole, rows-suggest-5), intent)
	}
	return intent, suggest
}

func (m *Model) drawPanels(c *tty.Canvas, t *tab) {
	for y := m.lay.rule.Min.Y; y < m.lay.rule.Max.Y; y++ {
		c.Put(m.lay.rule.Min.X, y, "│", 1, m.theme.rule)
	}
	for _, p := range m.panelAreas(t) {
		r := p.r
		if !m.lay.beside {
			r = m.overlayBox(c, r)
		}
		inner := image.Rect(r.Min.X+1, r.Min.Y, r.Max.X-1, r.Max.Y)
		switch p.area {
		case intentArea:
			m.drawIntent(c, t, inner)
		case suggestArea:
			m.drawSuggestions(c, t, inner)
		case chatArea:
			m.drawChat(c, t, inner)
		}
	}
}

// overlayBox clears the area of an open panel and draws its edge.
func (m *Model) overlayBox(c *tty.Canvas, r tty.Rect) tty.Rect {
	c.Fill(r, m.theme.text)
	if within(c.Cursor, r) {
		c.Cursor.Visible = false
	}
	if r.Min.X > 0 {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			c.Put(r.Min.X, y, "│", 1, m.theme.rule)
		}
		return image.Rect(r.Min.X+1, r.Min.Y, r.Max.X, r.Max.Y)
	}
	for x := r.Min.X; x < r.Max.X; x++ {
		c.Put(x, r.Min.Y, "─", 1, m.theme.rule)
	}
	return image.Rect(r.Min.X, r.Min.Y+1, r.Max.X, r.Max.Y)
}

func within(cur tty.Cursor, r tty.Rect) bool { return image.Pt(cur.X, cur.Y).In(r) }

// panelTitle draws the header line of a panel.
func (m *Model) panelTitle(c *tty.Canvas, r tty.Rect, a area, title string, right line) {
	st := m.theme.bold
	if m.focus == a {
		st = m.theme.accent
	}
	line{{title, st}}.draw(c, r.Min.X, r.Min.Y, r.Dx())
	right.drawRight(c, r.Min.X, r.Max.X, r.Min.Y)
}

const (
	offlineIntent  = "AI offline — chat messages will be queued."
	offlineSuggest = "(AI offline — commands may be stale)"
)

func (m *Model) offline(t *tab) bool { return t.ai.Configured && !t.ai.Online }

func (m *Model) drawIntent(c *tty.Canvas, t *tab, r tty.Rect) {
	m.panelTitle(c, r, intentArea, "INTENT", m.confidence(t.ai.Intent))
	lines := m.intentLines(t, r.Dx())
	lines = lines[min(t.intentTop, len(lines)):]
	drawLines(c, image.Rect(r.Min.X, r.Min.Y+1, r.Max.X, r.Max.Y), cutTail(lines, r.Dy()-2, m.theme.dim))
}

// panelRows is how many rows of its text a panel's area shows.
func (m *Model) panelRows(r tty.Rect) int { return max(r.Dy()-2-m.overlayEdge(), 1) }

// overlayEdge is the row that an open panel has above it, where it takes the
// whole width.
func (m *Model) overlayEdge() int {
	if !m.lay.beside && m.lay.overlay.Min.X == 0 {
		return 1
	}
	return 0
}

// cutTail says how many lines do not fit.
func cutTail(lines []line, rows int, st tty.Style) []line {
	if len(lines) <= rows || rows < 1 {
		return lines
	}
	more := len(lines) - rows + 1
	return append(lines[:rows-1:rows-1], line{{fmt.Sprintf("… %d more", more), st}})
}

func (m *Model) confidence(in copilot.Intent) line {
	if in.Confidence == nil || len(in.Steps) == 0 {
		return nil // without a plan there is nothing to be sure of
	}
	full := min(max(int(*in.Confidence*5+0.5), 0), 5)
	return line{
		{fmt.Sprintf("confidence %.0f %% ", *in.Confidence*100), m.theme.dim},
		{strings.Repeat("▰", full), m.theme.accent},
		{strings.Repeat("▱", 5-full), m.theme.dim},
	}
}

func (m *Model) makeIntent(t *tab, width int) []line {
	var out []line
	if m.offline(t) {
		out = append(out, wrap(line{{offlineIntent, m.theme.warn}}, width, "")...)
		if t.ai.Reason != "" {
			why := wrap(line{{sentence(safetext.Line(t.ai.Reason)), m.theme.dim}}, width, "")
			out = append(out, why[:min(len(why), 3)]...)
		}
	}
	in := t.ai.Intent
	if in.At.IsZero() {
		if !m.offline(t) {
			out = append(out, wrap(line{{"Linus has not said anything yet. Ask with " + spelled(m.leader) + " c.", m.theme.dim}}, width, "")...)
		}
		return out
	}
	out = append(out, wrap(line{{in.Summary.Line(), m.theme.text}}, width, "")...)
	for _, s := range in.Steps {
		out = append(out, m.stepLines(s, width)...)
	}
	return out
}

func (m *Model) stepLines(s copilot.Step, width int) []line {
	text := s.Text.Line()
	switch s.Status {
	case copilot.Done:
		return wrap(line{{"✓ ", m.theme.low}, {text, m.theme.dim}}, width, "  ")
	case copilot.Current:
		return wrap(line{{"▸ ", m.theme.accent}, {text, m.theme.text}}, width, "  ")
	}
	return wrap(line{{"○ ", m.theme.dim}, {text, m.theme.dim}}, width, "  ")
}

func (m *Model) drawSuggestions(c *tty.Canvas, t *tab, r tty.Rect) {
	n := len(t.ai.Suggestions)
	m.panelTitle(c, r, suggestArea, "SUGGESTED", line{{fmt.Sprint(n), m.theme.dim}})
	area := image.Rect(r.Min.X, r.Min.Y+1, r.Max.X, r.Max.Y-1)
	if m.offline(t) {
		line{{offlineSuggest, m.theme.warn}}.draw(c, area.Min.X, area.Min.Y, area.Dx())
		area.Min.Y++
	}
	if n == 0 {
		line{{"nothing now", m.theme.dim}}.draw(c, area.Min.X, area.Min.Y, area.Dx())
		return
	}
	m.drawList(c, t, area)
}

// drawList draws the suggestions with the selected one in view.
func (m *Model) drawList(c *tty.Canvas, t *tab, r tty.Rect) {
	var lines []line
	first, end := 0, 0
	for i := range t.ai.Suggestions {
		if t.ai.Suggestions[i].ID == t.selected {
			first = len(lines)
		}
		lines = append(lines, m.suggestionLines(t, i, r.Dx())...)
		if t.ai.Suggestions[i].ID == t.selected {
			end = len(lines)
		}
	}
	top := 0
	if end > r.Dy() {
		top = min(end-r.Dy(), first)
	}
	drawLines(c, r, lines[top:])
	if below := len(lines) - top - r.Dy(); below > 0 {
		line{{fmt.Sprintf("↓ %d more", below), m.theme.dim}}.drawRight(c, r.Min.X, r.Max.X, r.Max.Y)
	}
}

// makeSuggestion makes the rows of one suggestion: its command, its risk and
// what it is for.
func (m *Model) makeSuggestion(t *tab, i, width int) []line {
	s := &t.ai.Suggestions[i]
	mark := span{"  ", m.theme.dim}
	if i < 9 {
		mark.text = fmt.Sprintf("%d ", i+1)
	}
	st := m.theme.text
	if s.ID == t.selected {
		mark = span{"› ", m.theme.accent}
		st = m.theme.bold
	}
	if s.Sent {
		st = m.theme.dim
	}
	out := m.commandLines(string(s.Command), mark, st, width)
	return append(out, m.aboutLines(t, s, width)...)
}

const commandRows = 3

// commandLines are a command wrapped, in at most a few rows.
func (m *Model) commandLines(command string, mark span, st tty.Style, width int) []line {
	lines := wrap(append(line{mark}, m.exact(command, st)...), width, "  ")
	if len(lines) > commandRows {
		lines = append(lines[:commandRows:commandRows], line{{"  … open it to read the rest", m.theme.dim}})
	}
	return lines
}

func (m *Model) aboutLines(t *tab, s *copilot.Suggestion, width int) []line {
	d, known := t.verdicts[s.Seq]
	st, glyph := m.theme.risk(shownRisk(*s, d))
	word := shownRisk(*s, d).String()
	about := s.Description.Line()
	switch {
	case known && d.Effect == policy.Deny:
		st, glyph, word = m.theme.verdict(d)
		about = denial(d)
	case known && d.Risk > s.Claimed:
		_, message, _ := reason(d)
		about = strings.TrimSpace(safetext.Line(message) + " (Linus said " + s.Claimed.String() + ")")
	case s.Unclaimed:
		about += " (Linus named no risk)"
	}
	l := line{{"  " + glyph + " ", st}, {fmt.Sprintf("%-7s ", word), st}, {about, m.theme.dim}}
	for _, w := range m.warnings(s) {
		l = append(l, span{"  " + w, m.theme.warn})
	}
	lines := wrap(l, width, "    ")
	if len(lines) > commandRows {
		last := &lines[commandRows-1]
		*last = append(*last, span{" …", m.theme.dim})
		lines = lines[:commandRows]
	}
	return lines
}

func denial(d policy.Decision) string {
	rule, message, _ := reason(d)
	return strings.TrimSuffix(safetext.Line(rule+": "+message), ": ")
}

// mentionMark stands beside a suggestion that Linus speaks of in the chat.
const mentionMark = "◂"

// warnings are what the console sees by itself beside a suggestion.
func (m *Model) warnings(s *copilot.Suggestion) []string {
	var out []string
	if s.Hidden {
		out = append(out, "holds invisible characters")
	}
	if len(s.Injected) > 0 {
		out = append(out, "holds text from the host's output")
	}
	if s.Sent {
		out = append(out, "✓ sent")
	}
	if s.Withdrawn {
		out = append(out, "Linus took it back")
	}
	if s.Newer != nil {
		out = append(out, "Linus has a newer version")
	}
	if s.Mentioned {
		out = append(out, mentionMark)
	}
	return out
}

func (m *Model) drawChat(c *tty.Canvas, t *tab, r tty.Rect) {
	m.panelTitle(c, r, chatArea, "CHAT", m.chatState(t))
	field := image.Rect(r.Min.X, r.Max.Y-1, r.Max.X, r.Max.Y)
	area := image.Rect(r.Min.X, r.Min.Y+1, r.Max.X, r.Max.Y-1)
	if t.chat.failed != "" {
		why := wrap(line{{stop(safetext.Line(t.chat.failed)), m.theme.warn}}, area.Dx(), "")
		end := area.Max.Y
		area.Max.Y = max(end-len(why), area.Min.Y)
		drawLines(c, image.Rect(area.Min.X, area.Max.Y, area.Max.X, end), why)
	}
	lines := m.chatLines(t, r.Dx())
	up := min(t.chat.up, max(len(lines)-area.Dy(), 0))
	from := max(len(lines)-area.Dy()-up, 0)
	drawLines(c, area, lines[from:min(from+area.Dy(), len(lines))])
	m.drawChatField(c, t, field)
}

func (m *Model) drawChatField(c *tty.Canvas, t *tab, r tty.Rect) {
	if m.focus == chatArea {
		m.drawField(c, r.Min.X, r.Min.Y, r.Dx(), line{{"› ", m.theme.accent}}, &t.chat.edit)
		return
	}
	l := line{{"› ", m.theme.dim}}
	if t.chat.edit.empty() {
		l = append(l, span{spelled(m.leader) + " c  asks Linus", m.theme.dim})
	} else {
		l = append(l, span{safetext.Line(t.chat.edit.String()), m.theme.dim})
	}
	l.draw(c, r.Min.X, r.Min.Y, r.Dx())
}

func (m *Model) chatState(t *tab) line {
	switch n := t.chat.unread(t.ai.Chat); {
	case n > 0:
		return line{{fmt.Sprintf("%d new ↓", n), m.theme.accent}}
	case t.chat.up > 0:
		return line{{"↓ end", m.theme.dim}}
	case t.ai.Thinking:
		return line{{"Linus is thinking " + m.thinkingFor(t.ai.Chat), m.theme.dim}}
	case t.ai.Queued > 0:
		return line{{fmt.Sprintf("%d queued", t.ai.Queued), m.theme.dim}}
	}
	return nil
}

// thinkingFor is how long the operator has waited for an answer.
func (m *Model) thinkingFor(chat []copilot.Message) string {
	for _, msg := range slices.Backward(chat) {
		if msg.From == copilot.Operator && !msg.At.IsZero() {
			return lasting(m.frame.Sub(msg.At))
		}
	}
	return ""
}

var authors = map[copilot.Author]string{copilot.Operator: "you    ", copilot.Linus: "linus  ", copilot.Notice: "       "}

func (m *Model) makeChat(t *tab, width int) []line {
	if len(t.ai.Chat) == 0 {
		return wrap(line{{"Ask in your own words: “/var is full, what is eating it?”", m.theme.dim}}, width, "")
	}
	var out []line
	for _, msg := range t.ai.Chat {
		out = append(out, m.messageLines(msg, width)...)
	}
	return out
}

func (m *Model) messageLines(msg copilot.Message, width int) []line {
	who, st := m.theme.dim, m.theme.text
	if msg.From == copilot.Linus {
		who = m.theme.accent
	}
	if msg.From == copilot.Notice {
		st = m.theme.warn
	}
	body := markdown(msg.Text.Block(), m, st)
	l := append(line{{authors[msg.From], who}}, body...)
	if s := delivery(msg); s != "" {
		l = append(l, span{"  " + s, m.theme.dim})
	}
	return wrap(l, width, "       ")
}

// delivery says what became of a message that is not simply sent.
func delivery(msg copilot.Message) string {
	if msg.From != copilot.Operator || msg.Delivery == copilot.Sent {
		return ""
	}
	if msg.Reason == "" {
		return "(" + string(msg.Delivery) + ")"
	}
	if msg.Delivery == copilot.Failed {
		return "(failed: " + msg.Reason + "; ^R sends it again)"
	}
	return "(" + string(msg.Delivery) + ": " + msg.Reason + ")"
}
