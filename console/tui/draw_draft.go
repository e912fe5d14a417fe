package tui

import (
	"fmt"
	"image"
	"strings"

	"sallyport/console/safetext"
	"sallyport/console/tty"
	"sallyport/policy"
)

// fieldRows is how many rows a suggestion being edited may take.
const fieldRows = 8

// drawDraft draws the suggestion that is open, over the lower part of the
// screen.
func (m *Model) drawDraft(c *tty.Canvas, t *tab) {
	b := t.draft
	width := m.w - 2
	below := m.draftBelow(t, width)
	bottom := m.lay.status.Min.Y
	room := bottom - m.lay.header.Min.Y - 3 // without the edge, the title and the keys
	rows, cx, cy := m.editRows(&b.edit, width-2, min(fieldRows, max(room-len(below), 2)))
	below = cutTail(below, room-len(rows), m.theme.warn)
	need := 3 + len(rows) + len(below)
	r := image.Rect(0, max(bottom-need, m.lay.header.Min.Y), m.w, bottom)
	m.panelGround(c, r)
	y := r.Min.Y + 1
	origin := m.draftOrigin(b)
	if title := m.draftTitle(t); title.width()+2+origin.width() <= width {
		origin.drawRight(c, 1, m.w-1, y)
	}
	m.draftTitle(t).draw(c, 1, y, width)
	line{{"›", m.theme.accent}}.draw(c, 1, y+1, 1)
	for i, l := range rows {
		l.draw(c, 3, y+1+i, width-2)
	}
	if !b.sending {
		c.Cursor = tty.Cursor{X: 3 + cx, Y: y + 1 + cy, Visible: true, Shape: tty.ShapeBar}
	}
	drawLines(c, image.Rect(1, y+1+len(rows), m.w-1, r.Max.Y-1), below)
	m.draftKeys(t, width).draw(c, 1, r.Max.Y-1, width)
}

// panelGround clears an area that stands over others and draws its upper edge.
func (m *Model) panelGround(c *tty.Canvas, r tty.Rect) {
	c.Fill(r, m.theme.text)
	c.Cursor.Visible = false
	for x := r.Min.X; x < r.Max.X; x++ {
		c.Put(x, r.Min.Y, "─", 1, m.theme.rule)
	}
}

func (m *Model) draftTitle(t *tab) line {
	l := line{{"SEND TO  ", m.theme.accent}, {account(t.target()), m.nameStyle(t)}}
	if t.view.Cwd != "" {
		l = append(l, span{"  " + safetext.Line(t.view.Cwd), m.theme.text})
	}
	return l
}

func (m *Model) nameStyle(t *tab) tty.Style {
	if t.link.Production {
		return m.theme.warn
	}
	return m.theme.bold
}

func (m *Model) draftOrigin(b *draft) line {
	if b.edit.String() != string(b.from.Command) {
		return line{{"edited from Linus’ suggestion", m.theme.dim}}
	}
	return line{{"Linus’ suggestion", m.theme.dim}}
}

// diffRows is how many rows an edit may take below the text itself.
const diffRows = 4

const verdictIndent = "         "

// draftBelow is the verdict and what else a person should know before Enter.
func (m *Model) draftBelow(t *tab, width int) []line {
	b := t.draft
	var out []line
	add := func(l line) { out = append(out, wrap(l, width, verdictIndent)...) }
	if !b.known {
		add(line{{"… judging", m.theme.dim}})
		return out
	}
	for _, l := range m.verdictLines(b.verdict, b.from.Claimed) {
		add(l)
	}
	if l := m.touches(b.verdict); l != nil {
		add(append(line{{verdictIndent + "touches: ", m.theme.dim}}, l...))
	}
	text := b.edit.String()
	if text != string(b.from.Command) {
		diff := wrap(append(line{{verdictIndent + "edit:  ", m.theme.dim}}, m.wordDiff(string(b.from.Command), text)...), width, verdictIndent)
		if len(diff) > diffRows {
			diff = append(diff[:diffRows-1:diffRows-1], line{{verdictIndent + fmt.Sprintf("… %d more rows of it", len(diff)-diffRows+1), m.theme.dim}})
		}
		out = append(out, diff...)
	}
	add(line{{verdictIndent + "seen first in this host’s output: ", m.theme.dim}, {m.injected(b.from.Injected, text), m.theme.text}})
	if b.from.Withdrawn {
		add(line{{verdictIndent + "Linus took this suggestion back meanwhile", m.theme.warn}})
	}
	if s := t.suggestion(b.from.ID); s != nil && s.Newer != nil {
		add(append(line{{verdictIndent + "Linus has a newer version: ", m.theme.warn}}, m.exact(string(s.Newer.Command), m.theme.text)...))
	}
	for _, l := range m.draftTrouble(b) {
		add(l)
	}
	return out
}

// verdictLines are glyph, risk and reason; then what to do instead.
func (m *Model) verdictLines(d policy.Decision, claimed policy.Risk) []line {
	st, glyph, word := m.theme.verdict(d)
	rule, message, instead := reason(d)
	l := line{{glyph + " " + word + strings.Repeat(" ", max(7-len(word), 1)), st}}
	l = append(l, m.ruleText(rule, message, d)...)
	if d.Risk > claimed {
		l = append(l, span{" (Linus said " + claimed.String() + ")", m.theme.dim})
	}
	out := []line{l}
	if !d.Analyzable && rule != "" && d.Why != "" {
		out = append(out, line{{verdictIndent + "cannot be analyzed: " + safetext.Line(d.Why), m.theme.warn}})
	}
	if instead != "" {
		out = append(out, line{{verdictIndent + "instead: ", m.theme.dim}, {safetext.Line(instead), m.theme.text}})
	}
	if d.Effect >= policy.Second {
		out = append(out, line{{verdictIndent + whoDecides(d), m.theme.dim}})
	}
	return out
}

// injected are the tokens that the host printed first and that the text holds.
func (m *Model) injected(tokens []string, text string) string {
	var in []string
	for _, tok := range tokens {
		if strings.Contains(text, tok) {
			in = append(in, safetext.Line(tok))
		}
	}
	if len(in) == 0 {
		return "nothing"
	}
	return strings.Join(in, ", ")
}

func (m *Model) draftTrouble(b *draft) []line {
	switch {
	case b.sending && m.frame.Sub(b.since) >= slowTime:
		return []line{{{verdictIndent + "on its way for " + lasting(m.frame.Sub(b.since)) + "; Esc calls it off", m.theme.dim}}}
	case b.refused != nil:
		l := line{{"✕ NOT SENT   ", m.theme.high}, {sentence(safetext.Line(b.refused.Reason)), m.theme.text}}
		return []line{append(l, span{" " + sentence(safetext.Line(b.refused.Remedy)), m.theme.dim})}
	case b.failed != "":
		return []line{{{verdictIndent + "not sent: " + safetext.Line(b.failed), m.theme.warn}}}
	}
	return nil
}

// draftKeys says what Enter will do with exactly this text.
func (m *Model) draftKeys(t *tab, width int) line {
	b := t.draft
	does, st := "", m.theme.accent
	switch {
	case b.sending:
		return line{{"on its way …", m.theme.dim}}
	case !b.known || b.judged != b.edit.String():
		does, st = "waits for the verdict", m.theme.dim
	case b.verdict.Effect >= policy.Second:
		does, st = "does nothing: denied", m.theme.dim
	case b.verdict.Effect == policy.Typed:
		does = "ask to confirm by typing"
	case b.verdict.Effect == policy.Confirm:
		does = "ask to confirm"
	default:
		does = "send"
	}
	key := func(name, does string, st tty.Style) line { return line{{name, st}, {"  " + does, m.theme.dim}} }
	return spread([]line{key("Enter", does, st), key("Esc", "back", m.theme.accent), key("^Z", "undo", m.theme.accent), key("^R", "Linus’ text", m.theme.accent)}, width)
}

// spread puts keys on one row, as far apart as there is room; those at the end
// go first where there is none.
func spread(keys []line, width int) line {
	for _, gap := range []int{6, 3, 2} {
		l := join(keys, gap)
		if l.width() <= width {
			return l
		}
	}
	if len(keys) > 1 {
		return spread(keys[:len(keys)-1], width)
	}
	return keys[0]
}

func join(parts []line, gap int) line {
	var out line
	for i, p := range parts {
		if i > 0 {
			out = append(out, span{strings.Repeat(" ", gap), tty.Style{}})
		}
		out = append(out, p...)
	}
	return out
}

// editRows lays a text being edited out on rows, at most limit of them with the
// cursor in view, and gives the cursor's place.
func (m *Model) editRows(e *edit, width, limit int) (rows []line, cx, cy int) {
	cells := m.visible(e.text)
	cur, used := line(nil), 0
	for i, cell := range cells {
		w := columns(cell.text)
		if used+w > width {
			rows, cur, used = append(rows, cur), nil, 0
		}
		if i == e.cursor {
			cx, cy = used, len(rows)
		}
		cur = append(cur, cell)
		used += w
	}
	if e.cursor == len(cells) {
		if used >= width {
			rows, cur, used = append(rows, cur), nil, 0
		}
		cx, cy = used, len(rows)
	}
	rows = append(rows, cur)
	from := max(min(cy-limit/2, len(rows)-limit), 0)
	return rows[from:min(from+limit, len(rows))], cx, cy - from
}
