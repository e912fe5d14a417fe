package tui

import (
	"fmt"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/keys"
	"sallyport/console/safetext"
	"sallyport/console/tty"
)

// noPaste is for what takes no pasted text.
type noPaste struct{}

func (noPaste) paste(*Model, string) {}

// box is where a modal is drawn: centred, at most the size given.
func (m *Model) box(c *tty.Canvas, w, h int) tty.Rect {
	w, h = min(w, m.w), min(h, m.h)
	x, y := (m.w-w)/2, max((m.h-h)/3, 0)
	r := image.Rect(x, y, x+w, y+h)
	c.Fill(r, m.theme.text)
	return r
}

// frameBox draws a modal's title, rule and closing line, and returns the area
// between.
func (m *Model) frameBox(c *tty.Canvas, w, h int, title, foot string) tty.Rect {
	c.Restyle(c.Bounds(), m.theme.quiet)
	r := m.box(c, w, h)
	m.drawEdge(c, r)
	line{{" " + title + " ", m.theme.accent}}.draw(c, r.Min.X+2, r.Min.Y, r.Dx()-4)
	line{{" " + foot + " ", m.theme.dim}}.drawRight(c, r.Min.X+2, r.Max.X-2, r.Max.Y-1)
	return image.Rect(r.Min.X+2, r.Min.Y+1, r.Max.X-2, r.Max.Y-1)
}

// drawEdge draws the edge of what floats over the screen.
func (m *Model) drawEdge(c *tty.Canvas, r tty.Rect) {
	st := m.theme.rule
	for x := r.Min.X; x < r.Max.X; x++ {
		c.Put(x, r.Min.Y, "─", 1, st)
		c.Put(x, r.Max.Y-1, "─", 1, st)
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		c.Put(r.Min.X, y, "│", 1, st)
		c.Put(r.Max.X-1, y, "│", 1, st)
	}
	c.Put(r.Min.X, r.Min.Y, "┌", 1, st)
	c.Put(r.Max.X-1, r.Min.Y, "┐", 1, st)
	c.Put(r.Min.X, r.Max.Y-1, "└", 1, st)
	c.Put(r.Max.X-1, r.Max.Y-1, "┘", 1, st)
}

// help shows every key, made from the key tables.
type help struct {
	noPaste
	top int
}

func (h *help) key(m *Model, k keys.Event) tea.Cmd {
	last := max(len(m.helpLines(m.helpWidth()))-(m.h-2), 0)
	switch k.String() {
	case "Down", "j":
		h.top++
	case "Up", "k":
		h.top = max(h.top-1, 0)
	case "PageDown", "Space", "C-f":
		h.top += m.h / 2
	case "PageUp", "C-b":
		h.top = max(h.top-m.h/2, 0)
	case "g", "Home":
		h.top = 0
	case "G", "End":
		h.top = last
	case "Escape", "Enter", "q", "?", "C-c":
		m.modal = nil
	default:
		if same(k, m.leader) {
			m.modal, m.leading = nil, true
		}
	}
	h.top = min(h.top, last)
	return nil
}

func (m *Model) helpWidth() int { return min(m.w, 92) - 4 }

func (h *help) draw(m *Model, c *tty.Canvas) {
	lines := m.helpLines(m.helpWidth())
	foot := "Esc closes"
	if more := len(lines) - h.top - (m.h - 2); more > 0 {
		foot = fmt.Sprintf("↓ scrolls to %d more rows   Esc closes", more)
	} else if h.top > 0 {
		foot = "↑ scrolls back   Esc closes"
	}
	r := m.frameBox(c, m.helpWidth()+4, min(len(lines)+2, m.h), "Keys", foot)
	drawLines(c, r, lines[min(h.top, len(lines)):])
}

// helpLines are the rows of the help.
func (m *Model) helpLines(width int) []line {
	var out []line
	section := func(title string) {
		if out != nil {
			out = append(out, nil)
		}
		out = append(out, line{{title, m.theme.bold}})
	}
	section("Everywhere: " + spelled(m.leader) + ", then")
	out = append(out, m.helpTable(leaderKeys, width)...)
	out = append(out, m.helpLine(binding{keys: []string{label(m.leader)}, name: "the key itself, for the shell"}, false, "", width)...)
	section("In the suggestions")
	out = append(out, m.helpTable(suggestKeys, width)...)
	section("In the intent")
	out = append(out, m.helpTable(intentKeys, width)...)
	for _, s := range fixedHelp {
		section(s.title)
		for _, e := range s.keys {
			out = append(out, m.helpLine(binding{keys: []string{e[0]}, name: e[1]}, false, "", width)...)
		}
	}
	return out
}

// helpTable are the keys of a table. A reason is said once for the rows that
// share it.
func (m *Model) helpTable(table []binding, width int) []line {
	var out []line
	last := ""
	for _, b := range table {
		why := b.blocked(m)
		said := why
		if why == last {
			said = ""
		}
		last = why
		out = append(out, m.helpLine(b, why != "", said, width)...)
	}
	return out
}

// helpLine is one key; dim, and with the reason, where it does nothing now.
func (m *Model) helpLine(b binding, blocked bool, why string, width int) []line {
	key := shownKeys(b)
	pad := strings.Repeat(" ", max(15-columns(key), 1))
	l := line{{"  " + key + pad, m.theme.accent}, {b.name, m.theme.text}}
	if blocked {
		l = line{{"  " + key + pad, m.theme.dim}, {b.name, m.theme.dim}}
	}
	if why != "" {
		l = append(l, span{" — " + why, m.theme.dim})
	}
	return wrap(l, width, strings.Repeat(" ", 17))
}

func shownKeys(b binding) string {
	if len(b.keys) > 4 {
		return b.keys[0] + " … " + b.keys[len(b.keys)-1]
	}
	out := make([]string, len(b.keys))
	for i, n := range b.keys {
		out[i] = n
		if k, err := keys.Parse(n); err == nil {
			out[i] = label(k)
		}
	}
	return strings.Join(out, " ")
}

// fixedHelp are the keys that are not in a table, since they are part of a
// field or of copy mode.
var fixedHelp = []struct {
	title string
	keys  [][2]string
}{
	{"Beside a suggestion", [][2]string{
		{"·  ▲  ■  ✕", "low, medium, high risk; denied"}, {mentionMark, "Linus speaks of it in the chat"},
	}},
	{"In every panel", [][2]string{
		{"Tab S-Tab", "next panel, previous panel"}, {"Esc", "back to the shell"},
	}},
	{"In the chat", [][2]string{
		{"Enter", "send the message"},
		{"^R", "send the last message again that failed"},
		{"↑ ↓", "read what was said; also ^P ^N, PageUp, PageDown; End: the newest"},
	}},
	{"In a line that is edited here", [][2]string{
		{"← → Home End", "move; also ^B ^F ^A ^E; M-b M-f C-Left C-Right by words"},
		{"Backspace", "delete; also ^H ^D Delete; ^W M-Backspace M-d a word, ^U ^K to the start, the end"},
		{"^Z ^_", "undo"},
	}},
	{"A suggestion that is open", [][2]string{
		{"Enter", "send it, or ask to confirm: counts once its verdict is drawn"},
		{"^R", "Linus' text again"},
		{"Esc", "back; calls off what is on its way"},
	}},
	{"A question", [][2]string{
		{"y  n", "where it asks for a key: send, do not; o: a host's key this once"},
		{"Esc", "refuse. No key counts before 0.4 s of quiet"},
		{"↑ ↓", "read all of it; also PageUp PageDown. What was not shown cannot be agreed to"},
	}},
	{"When the host is slow, lost or asks", [][2]string{
		{"w  d  Esc", "wait, compose the line here, drop it: pressed alone, after 0.4 s of quiet; where keys are held, behind the console’s key"},
		{"r  q", "reconnect, close"},
		{"Esc", "drop keys that are held; give up what takes long"},
		{"^C", "interrupt what runs; leave a list"},
		{"^D ^Z ^\\", "end of input, stop, quit, where a program reads a line"},
	}},
	{"In a list, and here", [][2]string{
		{"↑ ↓", "choose, scroll; also ^P ^N Tab S-Tab in lists; j k Space PageUp PageDown ^F ^B g G Home End here"},
		{"Enter", "does it"},
		{"Esc", "closes"},
	}},
	{"Copy mode", [][2]string{
		{"h j k l", "move; also arrows, PageUp PageDown ^B ^F, half a page ^U ^D"},
		{"g G H L", "the first line, the last, the top, the bottom; 0 $ Home End: the row's ends; w b: words"},
		{"v V ^V", "select characters (also Space), lines, a block"},
		{"y", "copy to the clipboard; also Enter"},
		{"/ ? n N", "search down, up, next, previous"},
		{"q Esc", "leave; also ^C"},
	}},
	{"The mouse", [][2]string{
		{"wheel", "scroll"}, {"drag", "select and copy (with Shift where a program uses the mouse)"},
	}},
}

// chooser is a list that is narrowed by typing.
type chooser struct {
	title  string
	query  edit
	rows   []choice
	at     int
	choose func(*Model, choice) tea.Cmd
}

type choice struct {
	key, text string
	why       string // it is not possible now
	beside    string // told beside it
	value     int
}

// newPalette lists everything by name.
func newPalette(m *Model) *chooser {
	p := &chooser{title: "Palette"}
	all := append(append([]binding(nil), leaderKeys...), suggestKeys[:len(suggestKeys)-1]...) // the last are the leader's too
	for i, b := range all {
		key := label(m.leader) + " " + shownKeys(b)
		if i >= len(leaderKeys) {
			key = shownKeys(b)
		}
		name := b.name
		if i >= len(leaderKeys) {
			name = "suggestion: " + name
		}
		p.rows = append(p.rows, choice{key: key, text: name, why: b.blocked(m), value: i})
	}
	p.choose = func(m *Model, c choice) tea.Cmd { return m.perform(all[c.value]) }
	return p
}

// newTabList lists the sessions.
func newTabList(m *Model) *chooser {
	p := &chooser{title: "Sessions", at: m.front}
	for i, t := range m.tabs {
		p.rows = append(p.rows, choice{text: fmt.Sprintf("%d %s", i+1, t.safeName()), beside: t.doing(), key: t.state(), value: i})
	}
	p.choose = func(m *Model, c choice) tea.Cmd {
		m.front = min(c.value, max(len(m.tabs)-1, 0))
		return nil
	}
	return p
}

func (p *chooser) matching() []choice {
	words := strings.Fields(strings.ToLower(p.query.String()))
	var out []choice
next:
	for _, r := range p.rows {
		for _, w := range words {
			if !strings.Contains(strings.ToLower(r.text+" "+r.beside), w) {
				continue next
			}
		}
		out = append(out, r)
	}
	return out
}

func (p *chooser) key(m *Model, k keys.Event) tea.Cmd {
	found := p.matching()
	switch k.String() {
	case "Escape", "C-c":
		m.modal = nil
	case "Down", "C-n", "Tab":
		p.at = min(p.at+1, max(len(found)-1, 0))
	case "Up", "C-p", "S-Tab":
		p.at = max(p.at-1, 0)
	case "Enter":
		m.modal = nil
		if p.at < len(found) {
			return p.choose(m, found[p.at])
		}
	default:
		if p.query.key(k) {
			p.at = 0
		}
	}
	return nil
}

func (p *chooser) paste(_ *Model, text string) { p.query.insert(firstLine(text)) }

func (p *chooser) draw(m *Model, c *tty.Canvas) {
	found := p.matching()
	rows := min(len(p.rows)+4, m.h-2)
	r := m.frameBox(c, 72, rows, p.title, "↑ ↓ choose   Enter does it   Esc closes")
	m.drawField(c, r.Min.X, r.Min.Y, r.Dx(), line{{"› ", m.theme.accent}}, &p.query)
	top := max(p.at-(r.Dy()-3), 0)
	for i := top; i < len(found) && i-top < r.Dy()-2; i++ {
		m.drawChoice(c, r, r.Min.Y+2+i-top, found[i], i == p.at)
	}
	if len(found) == 0 {
		line{{"nothing has these words", m.theme.dim}}.draw(c, r.Min.X+2, r.Min.Y+2, r.Dx()-2)
	}
}

func (m *Model) drawChoice(c *tty.Canvas, r tty.Rect, y int, ch choice, chosen bool) {
	st, mark := m.theme.text, "  "
	if chosen {
		st, mark = m.theme.accent, "› "
	}
	if ch.why != "" && !chosen {
		st = m.theme.dim
	}
	l := line{{mark, m.theme.accent}, {ch.text, st}}
	if ch.why != "" {
		l = append(l, span{" — " + ch.why, m.theme.dim})
	}
	if ch.beside != "" {
		l = append(l, span{"  " + ch.beside, m.theme.dim})
	}
	room := r.Dx() - columns(ch.key) - 2
	l.draw(c, r.Min.X, y, room)
	line{{ch.key, m.theme.dim}}.drawRight(c, r.Min.X, r.Max.X, y)
}

// hostField asks for a host to open.
type hostField struct {
	edit   edit
	failed string
}

func (m *Model) askHost() tea.Cmd {
	m.modal = &hostField{}
	return nil
}

func (h *hostField) paste(_ *Model, text string) { h.edit.insert(firstLine(text)) }

func (h *hostField) key(m *Model, k keys.Event) tea.Cmd {
	switch k.String() {
	case "Escape", "C-c":
		m.modal = nil
	case "Enter":
		dest := strings.TrimSpace(h.edit.String())
		if dest == "" {
			return nil
		}
		if err := m.console.Open(dest); err != nil {
			h.failed = err.Error()
			return nil
		}
		m.modal = nil
	default:
		h.edit.key(k)
		h.failed = ""
	}
	return nil
}

func (h *hostField) draw(m *Model, c *tty.Canvas) {
	r := m.frameBox(c, 72, 6, "Open a host", "Enter connects   Esc closes")
	m.drawField(c, r.Min.X, r.Min.Y+1, r.Dx(), line{{"[user@]host[:port]  › ", m.theme.dim}}, &h.edit)
	if h.failed != "" {
		line{{safetext.Line(h.failed), m.theme.high}}.draw(c, r.Min.X, r.Min.Y+3, r.Dx())
	}
}
