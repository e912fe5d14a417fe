package session

import (
	"strings"
	"sync/atomic"
	"time"

	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/probe"
	"sallyport/console/screen"
)

// field is a program's question that is open.
type field struct {
	v       FieldView
	sending bool
	entered string // typed with its Enter before the field opened: it is sent
}

func (f *field) view() *FieldView {
	if f == nil {
		return nil
	}
	v := f.v
	return &v
}

// How long a remote must be silent before it is looked at, and how often it
// is while keys wait.
const (
	idle  = 120 * time.Millisecond
	later = 300 * time.Millisecond
)

// idleSoon looks at a program that stopped printing in the middle of a line:
// it may ask something.
func (l *loop) idleSoon() {
	if l.state == Running {
		l.after("idle", idle, func() {
			if l.partial() != "" {
				l.look()
			}
		})
	}
}

// look finds out, on the side channel, what the program in front wants.
func (l *loop) look() {
	if l.state != Running || !l.probe.works() || l.top() == nil {
		return
	}
	l.probe.ask(l, func(t probe.Terminal, err error) {
		if err == nil && l.state == Running {
			l.seen(t)
		}
	})
}

// seen acts on what the terminal is set to and who reads it. What is not
// clear yet is looked at again while keys wait.
func (l *loop) seen(t probe.Terminal) {
	who := reader(t)
	again := l.seenBefore(sight{who, t.Canonical, t.Echo})
	switch {
	case !l.reads(t):
		l.sight = sight{}
		l.lookLater()
	case !t.Canonical && l.ownPrompt(t): // its mark is on the way
		if !idleInFront(t, l.top().pid) || !l.unmarked() && !(again && l.answerShell(who)) {
			l.lookLater()
		}
	case l.active != nil && l.active.ended: // what runs before a prompt gets no keys
		l.lookLater()
	case !again: // a program that starts has not set its terminal yet
		l.after("look", idle, l.look)
	case t.Canonical && !t.Echo && l.active != nil && l.active.secrets:
		l.openField(SecretField, who)
	case t.Canonical:
		l.openField(LineField, who)
	default:
		l.wantsKeys(who, strings.Fields(front(t).Args))
	}
}

// seenBefore tells whether the same was seen a while ago and little was printed
// since then. Each key that is typed looks again, so the time counts and not
// how often.
func (l *loop) seenBefore(now sight) bool {
	if now != l.sight || now.canonical && l.out.total-l.sightAt >= flood {
		l.sight, l.sightAt, l.sightSince = now, l.out.total, l.cfg.Clock()
		return false
	}
	return l.cfg.Clock().Sub(l.sightSince) >= idle
}

// ownPrompt tells whether the frame's own shell has the terminal: a line editor
// there is its prompt, not a program with the screen.
func (l *loop) ownPrompt(t probe.Terminal) bool {
	f := l.top()
	return f != nil && f.pid != 0 && inFront(t, f.pid)
}

// flood is how many bytes between two looks tell that a program prints: on
// Linux one that waits until its output is taken sleeps in the same function
// as one that waits for a line.
const flood = 1 << 10

// sight is what was seen of the program in front; it counts when the same is
// seen a while later.
type sight struct {
	program         string
	canonical, echo bool
}

func (l *loop) lookLater() {
	if len(l.held) > 0 || l.partial() != "" {
		l.after("look", later, l.look)
	}
}

// reads tells whether something in front waits for the terminal. Where the
// host does not say what it waits for, a question on the screen must do.
func (l *loop) reads(t probe.Terminal) bool {
	known := false
	for _, p := range t.Foreground {
		switch w := p.Waits; {
		case strings.HasPrefix(p.State, "R"):
			known = true
		case w == "" || w == "-" || w == "0":
		case waitsForTerminal(w) && (!t.Canonical || !polls(w) || l.partial() != "" || len(l.held) > 0):
			return true
		default:
			known = true
		}
	}
	return !known && l.partial() != ""
}

// polls tells a wait that may be for something else than the terminal.
func polls(wchan string) bool {
	return strings.Contains(wchan, "poll") || strings.Contains(wchan, "select")
}

// waitsForTerminal knows the kernel functions that a read of a terminal, or a
// poll, sleeps in.
func waitsForTerminal(wchan string) bool {
	for _, f := range []string{"wait_woken", "n_tty_read", "tty_read", "poll", "select", "ttyin", "ttread"} {
		if strings.Contains(wchan, f) {
			return true
		}
	}
	return false
}

// fields numbers the fields of all sessions.
var fields atomic.Uint64

// openField opens a field for a program that reads a line. What was typed
// while nobody read goes into a line field. Where the command asks for secrets
// it is dropped, neither judged nor recorded: it may be one.
func (l *loop) openField(k FieldKind, who string) {
	l.field = &field{v: FieldView{ID: fields.Add(1), Kind: k, Program: who, Prompt: l.partial()}}
	then := func() {}
	if l.active != nil && l.active.secrets {
		if len(l.held) > 0 {
			l.bell()
		}
		l.dropHeld()
	} else {
		then = l.takeHeld(l.field)
	}
	l.set(Field)
	l.enterField()
	then()
	l.watchField(l.field)
}

// watchField closes a field whose program does not read lines any more.
func (l *loop) watchField(f *field) {
	l.after("field", 2*later, func() {
		if l.field != f || l.state != Field || !l.probe.works() {
			return
		}
		l.probe.ask(l, func(t probe.Terminal, err error) {
			if l.field != f || f.sending {
				return
			}
			if err == nil && (sight{reader(t), t.Canonical, t.Echo}) != l.sight {
				l.afterField()
				l.seen(t)
				return
			}
			l.watchField(f)
		})
	})
}

func (l *loop) enterField() {
	st := gate.State{Phase: gate.Field, Prompt: l.prompts, Program: l.field.v.Program, Secret: l.field.v.Kind == SecretField}
	if l.active != nil {
		st.Intent = l.active.intent
	}
	l.cfg.Slot.Enter(st)
}

// takeHeld puts the characters that waited into a field, up to the first Enter or
// a paste of several lines; what follows keeps waiting. It gives what sends them once the field is open,
// before any key that is typed then.
func (l *loop) takeHeld(f *field) (then func()) {
	var b strings.Builder
	for i, h := range l.held {
		switch {
		case strings.Contains(h.paste, "\n"): // one request of several lines: for a shell
			l.held = l.held[i:]
			f.v.Typed = b.String()
			return func() {}
		case h.paste != "":
			b.WriteString(h.paste)
		case isEnter(h.key):
			l.held = l.held[i+1:]
			f.entered = b.String()
			return l.enterTyped
		case h.key.Key == keys.Char && h.key.Mod&(keys.Ctrl|keys.Alt) == 0:
			b.WriteString(textOf(h.key))
		case h.key.Key == keys.Backspace:
			s := []rune(b.String())
			b.Reset()
			b.WriteString(string(s[:max(0, len(s)-1)]))
		case isEOF(h.key) && b.Len() == 0:
			l.held = l.held[i+1:]
			return l.endTyped
		}
	}
	l.held = nil
	f.v.Typed = b.String()
	return func() {}
}

// undrawn tells whether a field is open that the operator had not seen when they
// typed: what is typed into one does not come as a key.
func (l *loop) undrawn() bool {
	return l.state == Field && (l.field.v.Kind == SecretField || !l.field.sending)
}

// early is a key, or a paste, of that time. Text for a line stands in the field;
// the rest is dropped: an Enter would send a line that nobody saw, and of a secret
// nothing may go anywhere else.
func (l *loop) early(h held) {
	text := h.paste
	if text == "" && h.key.Key == keys.Char && h.key.Mod&(keys.Ctrl|keys.Alt) == 0 {
		text = textOf(h.key)
	}
	if l.field.v.Kind != LineField || text == "" || strings.Contains(text, "\n") {
		l.bell()
		return
	}
	l.field.v.Typed += text
}

func isEOF(k keys.Event) bool {
	b, ok := signalOf(k)
	return ok && b == gate.SignalEOF
}

// endTyped sends the end of file that was typed before the field opened.
func (l *loop) endTyped() {
	if l.field != nil && l.field.v.Kind == LineField {
		l.answer(l.field.v.ID, nil, true)
	}
}

// enterTyped sends a line field that was typed with its Enter before it
// opened. A secret is never sent so.
func (l *loop) enterTyped() {
	if l.field != nil && l.field.v.Kind == LineField {
		l.answer(l.field.v.ID, []byte(l.field.entered), false)
	}
}

func textOf(k keys.Event) string {
	if k.Text != "" {
		return k.Text
	}
	return string(k.Rune)
}

func (l *loop) bell() {
	l.s.mu.Lock()
	l.s.screen.Ring()
	l.s.mu.Unlock()
}

// partial is the line that the cursor stands in, up to the cursor: a
// program's question.
func (l *loop) partial() string {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return lineBefore(l.s.screen)
}

// lineBefore joins the rows over which the line is wrapped.
func lineBefore(s *screen.Screen) string {
	c := s.Cursor()
	row, to := s.Top()+c.Y, c.X
	text := rowText(s, row, to)
	cols, _ := s.Size()
	for n := 0; n < maxWrapped && row > 0 && s.Line(row-1).Wrapped; n++ {
		row--
		text = rowText(s, row, cols) + text
	}
	return strings.TrimSpace(text)
}

// sincePrompt is what stands on the screen from the prompt's row to the cursor's.
func (l *loop) sincePrompt() string {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	s := l.s.screen
	cols, _ := s.Size()
	end := s.Top() + s.Cursor().Y
	row, ok := s.Find(l.promptRow)
	if !ok || end-row > maxWrapped {
		row = max(end-maxWrapped, 0)
	}
	text := ""
	for ; row <= end; row++ {
		text += rowText(s, row, cols)
		if !s.Line(row).Wrapped {
			text = strings.TrimRight(text, " ") + "\n"
		}
	}
	return strings.TrimSpace(text)
}

// maxWrapped is how many rows a program's question may take.
const maxWrapped = 8

func rowText(s *screen.Screen, row, to int) string {
	line := s.Line(row)
	var b strings.Builder
	for x := range to {
		if g := s.Glyph(line.Cell(x)); g != "" {
			b.WriteString(g)
		} else if line.Cell(x).Blank() {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// afterField goes back to the running program, which may ask again.
func (l *loop) afterField() {
	l.closeField()
	l.set(Running)
	st := gate.State{Phase: gate.Busy, Prompt: l.prompts}
	if l.active != nil {
		st.Intent = l.active.intent
	}
	l.cfg.Slot.Enter(st)
	if len(l.held) > 0 {
		l.after("look", later, l.look)
	}
}

func (l *loop) closeField() {
	l.field = nil
	l.stop("field")
}
