package tui

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sallyport/console/gate"
	"sallyport/console/safetext"
	"sallyport/console/session"
	"sallyport/console/tty"
	"sallyport/policy"
)

// strip is what the console has to say about the shell, between the shell and
// the status line. Its last row may be a field.
type strip struct {
	lines  []line
	before line // of the field
	edit   *edit
	masked bool
}

func (s strip) height() int {
	n := len(s.lines)
	if s.edit != nil {
		n++
	}
	if n > 0 {
		n++ // the rule above
	}
	return n
}

func (s strip) draw(m *Model, c *tty.Canvas, r tty.Rect) {
	if r.Empty() {
		return
	}
	c.Fill(r, m.theme.text)
	for x := r.Min.X; x < r.Max.X; x++ {
		c.Put(x, r.Min.Y, "─", 1, m.theme.rule)
	}
	inner := r
	inner.Min.X++
	inner.Max.X--
	inner.Min.Y++
	drawLines(c, inner, s.lines)
	if s.edit == nil {
		return
	}
	y := r.Max.Y - 1
	if !s.masked {
		m.drawField(c, inner.Min.X, y, inner.Dx(), s.before, s.edit)
		return
	}
	used := s.before.draw(c, inner.Min.X, y, inner.Dx()-1)
	used += line{{masked(s.edit), m.theme.text}}.draw(c, inner.Min.X+used, y, inner.Dx()-used-1)
	c.Cursor = tty.Cursor{X: inner.Min.X + used, Y: y, Visible: true, Shape: tty.ShapeBar}
}

// strip collects what there is to say, the most important first.
func (m *Model) strip(t *tab) strip {
	s := strip{}
	width := max(m.lay.header.Dx()-2, 1)
	add := func(l line) {
		if l != nil {
			s.lines = append(s.lines, wrap(l, width, "  ")...)
		}
	}
	add(m.logLine())
	add(m.pending.line(m))
	if t.grid.of != nil {
		add(m.goneLine(t))
	}
	if t.link.Phase == Connected && t.sess != nil {
		add(m.alarmLine(t))
		for _, l := range m.refusedLines(t) {
			add(l)
		}
		add(m.waitLine(t))
		add(m.degradedLine(t))
		add(m.heldLine(t))
		add(m.candidateLine(t))
	}
	add(m.copyLine(t))
	if m.note.text != "" {
		add(m.noteLine())
	}
	m.fieldStrip(t, &s)
	return s
}

func (m *Model) noteLine() line {
	st := m.theme.dim
	if m.note.bad {
		st = m.theme.warn
	}
	return line{{safetext.Line(m.note.text), st}}
}

// keyHint is a key in brackets and what it does.
func (m *Model) keyHint(key, does string) line {
	return line{{"  [" + key + "]" + together, m.theme.accent}, {strings.ReplaceAll(does, " ", together), m.theme.text}}
}

func (m *Model) logLine() line {
	if m.log.Refusing == "" {
		return nil
	}
	text := "Log not writable: " + safetext.Line(m.log.Refusing) + ". Commands are refused until it is. ^C ^Z ^D pass"
	if m.log.Full {
		text = "Log not writable: " + safetext.Line(m.log.Refusing) + ". The reserve takes how things end; new commands are refused until there is room. ^C ^Z ^D pass"
	}
	if left := m.log.KeysUntil.Sub(m.frame); !m.log.KeysUntil.IsZero() && left > 0 {
		text += "; keys in running programs for " + lasting(left) + " more"
	}
	l := line{{"✕ ", m.theme.high}, {text + ".", m.theme.high}}
	if noGlass(m) == "" {
		l = append(l, m.keyHint(label(m.leader)+" !", "break the glass")...)
	}
	return l
}

func (m *Model) goneLine(t *tab) line {
	l := t.link
	var out line
	switch {
	case l.Phase == Lost && l.Up.IsZero():
		out = line{{"✕ Not connected: ", m.theme.high}, {stop(errorText(l.Err)), m.theme.text}}
		if l.Hint != "" {
			out = append(out, span{" " + sentence(safetext.Line(l.Hint)), m.theme.dim})
		}
	case l.Phase == Lost:
		out = line{{fmt.Sprintf("Connection lost after %s (%s). Last screen kept.", lasting(l.Since.Sub(l.Up)), errorText(l.Err)), m.theme.warn}}
	case l.Phase == Closed, t.view.State == session.Dead && l.Phase == Connected:
		text := "The shell has ended."
		if l.Exit != nil {
			text = fmt.Sprintf("The shell has ended (exit status %d).", *l.Exit)
		}
		if t.view.Error != nil {
			text = "The shell has ended: " + errorText(t.view.Error) + "."
		}
		out = line{{text + " Last screen kept.", m.theme.text}}
	default:
		return nil
	}
	out = append(out, m.keyHint("r", "reconnect")...)
	return append(out, m.keyHint("q", "close")...)
}

func errorText(err error) string {
	if err == nil {
		return "no reason given"
	}
	return safetext.Line(err.Error())
}

// sentence begins with a capital and ends with a stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	s = capital(s)
	return stop(s)
}

// stop ends a sentence that has no end.
func stop(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".?!") {
		return s
	}
	return s + "."
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

func (m *Model) alarmLine(t *tab) line {
	if t.view.Alarm == "" || t.alarm.seen {
		return nil
	}
	return line{{"✕ ALARM  ", m.theme.high}, {sentence(safetext.Line(t.view.Alarm)), m.theme.text}}
}

func (m *Model) waitLine(t *tab) line {
	if !t.waiting() || t.view.State != session.Waiting && m.frame.Sub(t.view.Waiting) < slowTime {
		return nil
	}
	name := safetext.Line(t.name())
	l := line{{name + " has not answered for " + lasting(m.frame.Sub(t.view.Waiting)), m.theme.warn}}
	for _, c := range [][2]string{{"w", "wait"}, {"d", "compose the line here"}, {"Escape", "drop it"}} {
		key := c[0]
		switch {
		case !t.slowOffers(key), key == "Escape" && t.view.State == session.Boot: // what is held is said beside
			continue
		case key == "Escape":
			key = "Esc"
		case t.view.Held > 0:
			key = label(m.leader) + " " + key
		}
		l = append(l, m.keyHint(key, c[1])...)
	}
	return l
}

func (m *Model) degradedLine(t *tab) line {
	if t.view.ReadOnly != "" {
		return line{{"Read only: " + sentence(safetext.Line(t.view.ReadOnly)), m.theme.warn}}
	}
	if t.view.Degraded == "" || len(t.marks) > 0 {
		return nil
	}
	text := "No shell integration (" + safetext.Line(t.view.Degraded) + "). Lines are composed here"
	if t.view.Evidence != gate.EvidenceComposed {
		text += "; exit codes are unknown"
	}
	return line{{text + ".", m.theme.warn}}
}

func (m *Model) heldLine(t *tab) line {
	if t.view.Held == 0 || t.field != nil || !t.escape.IsZero() && t.view.Held == 1 {
		return nil
	}
	running := safetext.Line(firstLine(t.view.Running))
	if running == "" {
		running = "something"
	}
	l := line{{fmt.Sprintf("%s is running: %s held, they will be a line at the next prompt", running, plural(t.view.Held, "key", "keys")), m.theme.text}}
	l = append(l, m.keyHint("^C", "interrupt")...)
	return append(l, m.keyHint("Esc", "drop them")...)
}

// candidateLine is what the word at the cursor of a line that is composed here
// could become.
func (m *Model) candidateLine(t *tab) line {
	if t.view.Compose == nil || len(t.view.Compose.Candidates) == 0 {
		return nil
	}
	all := t.view.Compose.Candidates
	l := line{{"could be:", m.theme.dim}}
	for _, c := range all[:min(len(all), maxCandidates)] {
		l = append(l, span{"  " + safetext.Line(c), m.theme.text})
	}
	if more := len(all) - maxCandidates; more > 0 {
		l = append(l, span{fmt.Sprintf("  … %d more", more), m.theme.dim})
	}
	return l
}

const maxCandidates = 24

func (m *Model) copyLine(t *tab) line {
	c := t.copying
	if c == nil || c.asking {
		return nil
	}
	l := line{{"COPY", m.theme.accent}, {fmt.Sprintf("  line %d of %d", c.at.Line-c.from+1, c.end-c.from), m.theme.dim}}
	if c.none {
		l = append(l, span{"  “" + safetext.Line(c.query.String()) + "” was not printed", m.theme.warn})
	}
	if c.marking {
		return append(append(l, m.keyHint("y", "copy")...), m.keyHint("Esc", "no selection")...)
	}
	l = append(append(l, m.keyHint("v", "select")...), m.keyHint("/", "search")...)
	return append(l, m.keyHint("q", "leave")...)
}

// fieldStrip is the field that a program, or a search, asks for.
func (m *Model) fieldStrip(t *tab, s *strip) {
	switch c := t.copying; {
	case c != nil && c.asking:
		s.before, s.edit = line{{"search  › ", m.theme.accent}}, &c.query
	case t.field == nil || t.view.Field == nil || t.link.Phase != Connected:
	case t.field.kind == session.SecretField:
		s.before = line{{safetext.Line(program(t.view.Field)) + " asks for a password", m.theme.text}, {"  › ", m.theme.accent}}
		s.edit, s.masked = &t.field.edit, true
	default:
		s.before = line{{m.asks(t.view.Field), m.theme.text}, {"  › ", m.theme.accent}}
		s.edit = &t.field.edit
	}
}

func program(f *session.FieldView) string {
	if f.Program == "" {
		return "the program"
	}
	return f.Program
}

func (m *Model) asks(f *session.FieldView) string {
	if strings.TrimSpace(f.Prompt) == "" {
		return safetext.Line(program(f)) + " reads a line"
	}
	return safetext.Line(program(f)) + " asks: " + safetext.Line(strings.TrimSpace(f.Prompt))
}

// refusedLines say why the last line did not leave.
func (m *Model) refusedLines(t *tab) []line {
	r := t.view.Refused
	if r == nil || t.draft != nil || t.dialog != nil {
		return nil
	}
	lines := append(m.whyRefused(t, r), m.hiddenText(r.Text)...)
	if n := t.view.Dropped; n > 0 {
		lines = append(lines, line{{"What came behind it, " + plural(n, "character", "characters") + ", is dropped.", m.theme.warn}})
	}
	return lines
}

// hiddenText is a refused line as it was judged, where the shell shows it
// otherwise: something in it cannot be seen.
func (m *Model) hiddenText(s string) []line {
	if !slices.ContainsFunc(safetext.Exact(s), func(r safetext.Run) bool { return r.Marked }) {
		return nil
	}
	rows := m.exactRows(s, m.theme.bold, "  ", max(m.lay.header.Dx()-2, 1))
	return cutTail(rows, hiddenRows, m.theme.dim)
}

// hiddenRows is how many rows a refused line may take.
const hiddenRows = 4

func (m *Model) whyRefused(t *tab, r *gate.Refusal) []line {
	if r.Instead != "" {
		return m.insteadLines(r)
	}
	switch r.By {
	case gate.ByPolicy:
		return m.deniedLines(r.Decision, t.lineStays)
	case gate.ByOperator:
		switch {
		case t.view.State == session.Running: // a program was to get keys
			return []line{{{"Refused: no key was sent. ", m.theme.text}, {"^C, ^D, ^Z and ^\\ reach the program all the same.", m.theme.dim}}}
		case !t.lineStays:
			return []line{{{"Refused: nothing was sent.", m.theme.text}}}
		}
		clears := "^C"
		if t.view.Field != nil { // there ^C is for the program
			clears = "^U"
		}
		return []line{{{"Refused: nothing was sent. ", m.theme.text}, {"Your line is still there to edit; " + clears + " clears it.", m.theme.dim}}}
	}
	l := line{{"✕ NOT SENT   ", m.theme.high}, {sentence(safetext.Line(r.Reason)), m.theme.text}}
	if r.Remedy != "" {
		l = append(l, span{" " + sentence(safetext.Line(r.Remedy)), m.theme.dim})
	}
	return []line{l}
}

// insteadLines say that the policy would rather have another line.
func (m *Model) insteadLines(r *gate.Refusal) []line {
	first := line{{"✕ NOT SENT   ", m.theme.high}, {sentence(safetext.Line(r.Reason)), m.theme.text}}
	second := line{{"  it should be: ", m.theme.text}, {safetext.Line(r.Instead), m.theme.bold}, {"    Look at the line and press Enter again.", m.theme.dim}}
	return []line{first, second}
}

func (m *Model) deniedLines(d policy.Decision, lineStays bool) []line {
	first := line{{"✕ DENIED   ", m.theme.high}}
	rule, message, instead := reason(d)
	first = append(first, m.ruleText(rule, message, d)...)
	second := line{{"  ", m.theme.text}}
	if instead != "" {
		second = append(second, span{"instead: " + safetext.Line(instead) + "    ", m.theme.text})
	}
	if lineStays {
		second = append(second, span{"Your line is still there to edit.    ", m.theme.text})
	}
	return []line{first, append(second, span{whoDecides(d), m.theme.dim})}
}

// ruleText is the rule and what it says, or what else set the effect.
func (m *Model) ruleText(rule, message string, d policy.Decision) line {
	if rule == "" && message == "" && d.Risk == policy.Low && d.Effect == policy.Permit {
		return line{{"no rule speaks of it", m.theme.dim}}
	}
	if rule == "" && message == "" {
		why := setBy(d)
		return line{{strings.ToLower(why[:1]) + why[1:], m.theme.dim}}
	}
	if rule == "" {
		return line{{safetext.Line(message), m.theme.text}}
	}
	return line{{safetext.Line(rule) + ": ", m.theme.bold}, {safetext.Line(message), m.theme.text}}
}

func whoDecides(d policy.Decision) string {
	if d.Policy.Owner == "" {
		return strings.TrimSpace("Policy: " + policyName(d.Policy))
	}
	return "Who decides: " + safetext.Line(d.Policy.Owner) + " (" + leading(strings.Split(d.Policy.ID, "+")) + ")"
}
