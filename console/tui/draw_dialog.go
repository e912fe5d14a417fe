package tui

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"

	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/console/safetext"
	"sallyport/console/tty"
	"sallyport/policy"
)

// page is a dialog as it is drawn: the text, which scrolls where it is long,
// and below it the row that takes the answer.
type page struct {
	edge   tty.Style
	text   []line
	before line // of the field or the keys
	edit   *edit
	masked bool
	foot   line
}

func (m *Model) drawDialog(c *tty.Canvas, t *tab) {
	r := m.lay.consent
	p := m.page(t, r.Dx()-4)
	rows := m.pageRows(r)
	if need := len(p.text) + 5; !m.lay.full && need < r.Dy() {
		r.Min.Y = r.Max.Y - need
	}
	c.Fill(r, m.theme.text)
	c.Cursor.Visible = false
	for x := r.Min.X; x < r.Max.X; x++ {
		c.Put(x, r.Min.Y, "─", 1, p.edge)
	}
	top := min(t.dialog.top, max(len(p.text)-rows, 0))
	drawLines(c, image.Rect(r.Min.X+2, r.Min.Y+1, r.Max.X-2, r.Min.Y+1+rows), p.text[top:])
	y := min(r.Min.Y+2+len(p.text), r.Max.Y-3)
	if more := len(p.text) - top - rows; more > 0 {
		line{{fmt.Sprintf("↓ PageDown  %s: read first", plural(more, "more row", "more rows")), m.theme.warn}}.drawRight(c, r.Min.X, r.Max.X-2, y-1)
	}
	m.drawAnswer(c, p, r.Min.X+2, y, r.Dx()-4)
	p.foot.draw(c, r.Min.X+2, y+1, r.Dx()-4)
}

// pageRows is how many rows of text a dialog shows at once.
func (m *Model) pageRows(r tty.Rect) int { return max(r.Dy()-5, 1) }

func (m *Model) drawAnswer(c *tty.Canvas, p page, x, y, width int) {
	switch {
	case p.edit == nil:
		p.before.draw(c, x, y, width)
	case p.masked:
		used := p.before.draw(c, x, y, width-1)
		used += line{{masked(p.edit), m.theme.text}}.draw(c, x+used, y, width-used-1)
		c.Cursor = tty.Cursor{X: x + used, Y: y, Visible: true, Shape: tty.ShapeBar}
	default:
		m.drawField(c, x, y, width, p.before, p.edit)
	}
}

// read tells whether the whole text has been on the screen.
func (m *Model) read(t *tab) bool {
	r := m.lay.consent
	return t.dialog.top+m.pageRows(r) >= len(m.page(t, r.Dx()-4).text)
}

func (m *Model) page(t *tab, width int) page {
	switch q := t.dialog.q.ask.(type) {
	case gate.Question:
		return m.consentPage(t, q, width)
	case remote.HostKeyQuestion:
		return m.hostKeyPage(t, q, width)
	case secretQuestion:
		return m.secretPage(t, q, width)
	case clipboardQuestion:
		return m.clipboardPage(t, q, width)
	}
	return page{}
}

// consentPage is what a person decides on.
func (m *Model) consentPage(t *tab, q gate.Question, width int) page {
	d := t.dialog
	st, glyph, _ := m.theme.verdict(q.Decision)
	p := page{edge: st}
	add := func(rest string, l line) { p.text = append(p.text, wrap(l, width, rest)...) }
	title := line{{glyph + " " + strings.ToUpper(q.Decision.Risk.String()) + " RISK   ", st}, {account(q.Target), m.nameStyle(t)}}
	if g := m.groups(t); g != "" {
		title = append(title, span{" (" + g + ")", m.theme.text})
	}
	if q.Cwd != "" {
		title = append(title, span{"  " + safetext.Line(q.Cwd), m.theme.dim})
	}
	add("  ", title)
	add("  ", line{{origin(q), m.theme.dim}})
	p.text = append(p.text, nil)
	p.text = append(p.text, m.exactRows(q.Text, m.theme.bold, "  ", width)...)
	p.text = append(p.text, nil)
	for _, l := range m.whyLines(t, q) {
		add("  ", l)
	}
	if len(p.text) > m.pageRows(m.lay.consent) {
		p.text = slices.DeleteFunc(p.text, func(l line) bool { return l == nil })
	}
	m.answerRow(&p, d, q)
	return p
}

func (m *Model) groups(t *tab) string {
	out := make([]string, len(t.link.Groups))
	for i, g := range t.link.Groups {
		out[i] = safetext.Line(g)
	}
	return strings.Join(out, ", ")
}

// origin says where the text came from and where it goes.
func origin(q gate.Question) string {
	from := map[policy.Origin]string{
		policy.Human: "typed by you", policy.Copilot: "suggested by Linus", policy.Agent: "proposed by an agent",
		policy.Paste: "pasted by you", policy.Input: "typed by you", policy.Run: "given on the command line", policy.File: "a file transfer",
	}[q.Origin]
	if q.Suggestion != nil && q.Suggestion.Agent != "" {
		from = "proposed by agent " + safetext.Line(q.Suggestion.Agent)
	}
	if q.Edited {
		from += ", edited by you"
	}
	switch q.Kind {
	case gate.Input:
		return from + " for " + safetext.Line(q.Program)
	case gate.Code:
		return "start files of this account bind code to keys and prompts: it runs while you type, unseen. Let it stay?"
	case gate.Keys:
		return "keys will go to " + safetext.Line(q.Program) + " and are not judged one by one"
	case gate.File, gate.Channel:
		return q.Kind.String() + ", " + from
	}
	return from
}

// whyLines are the reason, the alternative and what the console sees by itself.
func (m *Model) whyLines(t *tab, q gate.Question) []line {
	d := q.Decision
	rule, message, instead := reason(d)
	pol := policyName(d.Policy)
	first := line{{"  ", m.theme.text}}
	if message != "" {
		first = append(first, span{sentence(safetext.Line(message)) + " ", m.theme.text})
	}
	if rule != "" {
		first = append(first, span{"Rule " + safetext.Line(rule) + ", " + pol + ".", m.theme.dim})
	} else {
		first = append(first, span{setBy(d) + ", " + pol + ".", m.theme.dim})
	}
	if d.Risk > d.Claimed && q.Suggestion != nil {
		first = append(first, span{" " + claimant(q) + " said " + d.Claimed.String() + ".", m.theme.dim})
	}
	out := []line{first}
	if !d.Analyzable && message != d.Why {
		out = append(out, line{{"  Cannot be analyzed: " + sentence(safetext.Line(d.Why)), m.theme.warn}})
	}
	if l := m.touches(d); l != nil {
		out = append(out, append(line{{"  touches: ", m.theme.dim}}, l...))
	}
	if instead != "" {
		out = append(out, line{{"  instead: ", m.theme.dim}, {safetext.Line(instead), m.theme.text}})
	}
	if q.Edited && q.Suggestion != nil {
		out = append(out, append(line{{"  edit: ", m.theme.dim}}, m.wordDiff(q.Suggestion.Text, q.Text)...))
	}
	if q.Evidence != gate.EvidenceShell && q.Evidence != "" && q.Evidence != gate.EvidenceComposed {
		out = append(out, line{{"  Evidence: " + string(q.Evidence) + ". What runs may differ from what is shown.", m.theme.warn}})
	}
	return out
}

// setBy says which setting of the policy decided, where no rule did. Tables have
// names such as effects.paste.low: what comes from where, at which risk.
func setBy(d policy.Decision) string {
	parts := strings.Split(d.By, ".")
	from := map[string]string{"human": "you type", "copilot": "Linus suggests", "agent": "an agent proposes", "paste": "you paste", "input": "you type into a program", "run": "the command line gives", "file": "is a file transfer"}
	does := "asks for"
	switch {
	case d.Effect == policy.Permit:
		does = "lets through"
	case d.Effect == policy.Second:
		does = "wants a second person for"
	case d.Effect == policy.Deny:
		does = "refuses"
	}
	switch {
	case len(parts) == 3 && parts[0] == "effects" && from[parts[1]] != "":
		return "The policy " + does + " whatever " + from[parts[1]] + " at " + safetext.Line(parts[2]) + " risk (" + safetext.Line(d.By) + ")"
	case d.By == "unanalyzable":
		return "The policy " + does + " whatever it cannot analyze"
	}
	if why := tables[d.By]; why != "" {
		return "The policy " + does + " " + why + " (" + safetext.Line(d.By) + ")"
	}
	return "Set by " + safetext.Line(d.By)
}

// tables are the settings that decide about what no words of a command tell.
var tables = map[string]string{
	"prompt.user_code":  "what changes code that can run later with nobody looking: traps, prompts, bound keys",
	"interactive.start": "keys to a program that runs without the option that it wants: inside, commands can be given that nobody sees",
	"interactive.other": "keys to a program that it does not list: they are not judged one by one",
	"channels":          "what is opened beside the shell",
	"files":             "files that are sent or fetched",
}

func claimant(q gate.Question) string {
	if q.Suggestion != nil && q.Suggestion.Agent != "" {
		return "The agent"
	}
	return "Linus"
}

// answerFoot says why a key did nothing.
func (m *Model) answerFoot(d *dialog) line {
	switch {
	case !d.ready:
		return line{{"takes keys after 0.4 s of quiet", m.theme.dim}}
	case d.wrong != "":
		return line{{d.wrong, m.theme.warn}}
	}
	return nil
}

// answerWords are what y and n do with what is no line for the host.
var answerWords = map[gate.Kind]struct{ send, refuse string }{
	gate.Keys:    {"let it have the keys", "it gets none"},
	gate.Code:    {"let it stay", "it is held to the policy"},
	gate.File:    {"allow it", "it is not allowed"},
	gate.Channel: {"allow it", "it is not allowed"},
}

func (m *Model) answerRow(p *page, d *dialog, q gate.Question) {
	refuse, key := m.theme.accent, m.theme.accent
	if !d.ready {
		refuse, key = m.theme.dim, m.theme.dim
	}
	if d.top+m.pageRows(m.lay.consent) < len(p.text) { // only what was read can be agreed to
		key = m.theme.dim
	}
	if q.Phrase == "" {
		does := answerWords[q.Kind]
		p.before = line{{"y", key}, {"  " + cmp.Or(does.send, "send it") + "      ", m.theme.text}, {"n", refuse}, {" or ", m.theme.text}, {"Esc", refuse}, {"  refuse: " + cmp.Or(does.refuse, "nothing is sent"), m.theme.text}}
		p.foot = m.answerFoot(d)
		return
	}
	key = refuse
	p.before = line{{"Type  ", m.theme.text}, {safetext.Line(q.Phrase), m.theme.bold}, {"  to send it:  ", m.theme.text}}
	p.edit = &d.edit
	p.foot = line{{"Esc", key}, {"  refuse", m.theme.text}}
	switch {
	case d.edit.String() == q.Phrase:
		p.foot = append(line{{"Enter", key}, {"  send      ", m.theme.text}}, p.foot...)
	case d.wrong != "":
		p.foot = append(p.foot, span{"      " + d.wrong, m.theme.warn})
	case !d.ready:
		p.foot = append(p.foot, span{"      takes keys after 0.4 s of quiet", m.theme.dim})
	}
}

func (m *Model) hostKeyPage(t *tab, q remote.HostKeyQuestion, width int) page {
	p := page{edge: m.theme.warn}
	where := safetext.Line(q.Host)
	if q.Address != "" && q.Address != q.Host {
		where += " (" + safetext.Line(q.Address) + ")"
	}
	add := func(l line) { p.text = append(p.text, wrap(l, width, "")...) }
	add(line{{"▲ UNKNOWN HOST", m.theme.warn}})
	p.text = append(p.text, nil)
	add(line{{where, m.theme.bold}, {" is not in known_hosts. It shows", m.theme.text}})
	p.text = append(p.text, nil)
	add(line{{"  " + safetext.Line(q.Type) + " " + safetext.Line(q.Fingerprint), m.theme.bold}})
	p.text = append(p.text, nil)
	add(line{{"Compare it with what your admin gave you.", m.theme.text}})
	key := m.theme.accent
	if !t.dialog.ready {
		key = m.theme.dim
	}
	if q.File != "" {
		p.before = line{{"[y]", key}, {" trust and remember  ", m.theme.text}}
	}
	p.foot = m.answerFoot(t.dialog)
	p.before = append(p.before, span{"[o]", key}, span{" once  ", m.theme.text}, span{"[n]", key}, span{" leave", m.theme.text})
	return p
}

func (m *Model) secretPage(t *tab, q secretQuestion, width int) page {
	p := page{edge: m.theme.accent, edit: &t.dialog.edit, masked: !q.echo}
	p.text = wrap(line{{strings.TrimSpace(safetext.Block(q.prompt)), m.theme.text}}, width, "")
	p.before = line{{"› ", m.theme.accent}}
	p.foot = line{{"Enter", m.theme.accent}, {"  answer      ", m.theme.dim}, {"Esc", m.theme.accent}, {"  give up", m.theme.dim}}
	if !q.echo {
		p.foot = append(p.foot, span{"      it is not recorded", m.theme.dim})
	}
	return p
}
