package tui

import (
	"context"
	"fmt"
	"image/color"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/screen"
	"sallyport/console/session"
	"sallyport/console/tty"
	"sallyport/policy"
)

// world is a console whose state a test sets. The screens in it are real.
type world struct {
	t        testing.TB
	at       time.Time
	hosts    []*fakeHost
	log      LogStatus
	glass    bool // it can be broken
	alone    bool // no copilot is configured
	broken   string
	identity policy.Identity
	opened   []string
	openErr  error
	dialogs  *Dialogs
	m        *Model
	cmds     []tea.Cmd
}

var midnight = time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC)

func newWorld(t testing.TB, w, h int, o Options) *world {
	wd := &world{t: t, at: midnight, dialogs: NewDialogs()}
	wd.log = LogStatus{Records: 1284, Collector: &Collector{}}
	wd.identity = policy.Identity{ID: "acme.prod", Version: "2026.10.1", Owner: "sre-security", Digest: "d1"}
	o.Clock = func() time.Time { return wd.at }
	profile := o.Profile
	if profile == colorprofile.Unknown {
		profile = colorprofile.TrueColor
	}
	wd.m = newModel(context.Background(), Deps{Console: wd, Dialogs: wd.dialogs, Options: o}, profile)
	wd.m.after = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	wd.send(tea.WindowSizeMsg{Width: w, Height: h})
	return wd
}

func (w *world) Hosts() []Host {
	out := make([]Host, len(w.hosts))
	for i, h := range w.hosts {
		out[i] = h
	}
	return out
}

func (w *world) Open(dest string) error {
	if w.openErr == nil {
		w.opened = append(w.opened, dest)
	}
	return w.openErr
}
func (w *world) Log() LogStatus          { return w.log }
func (w *world) Policy() policy.Identity { return w.identity }
func (w *world) CanBreakGlass() bool     { return w.glass }
func (w *world) BreakGlass(_ context.Context, reason string) error {
	w.broken = reason
	return nil
}
func (w *world) OnChange(func()) {}

func (w *world) HasCopilot() bool { return !w.alone }

// fakeHost is a host whose shell is a real screen fed with bytes.
type fakeHost struct {
	w       *world
	id      string
	link    Link
	sess    *fakeSession
	linus   *fakeLinus
	judge   func(text string) policy.Decision
	sent    []string
	sendErr func(text string) error
	chats   []string
	chatErr error
	again   int
	closed  bool
}

func (h *fakeHost) ID() string { return h.id }
func (h *fakeHost) Link() Link { return h.link }
func (h *fakeHost) Session() Session {
	if h.sess == nil {
		return nil
	}
	return h.sess
}

func (h *fakeHost) Copilot() Copilot {
	if h.linus == nil {
		return nil
	}
	return h.linus
}

func (h *fakeHost) Judge(s copilot.Suggestion, text string) policy.Decision {
	d := policy.Decision{Risk: s.Claimed, Claimed: s.Claimed, Analyzable: true}
	if h.judge != nil {
		d = h.judge(text)
	}
	d.Policy = h.w.identity
	d.Claimed = s.Claimed
	return d
}

func (h *fakeHost) Send(_ context.Context, _ copilot.Suggestion, text string) error {
	if h.sendErr != nil {
		if err := h.sendErr(text); err != nil {
			return err
		}
	}
	h.sent = append(h.sent, text)
	return nil
}

func (h *fakeHost) Chat(text string) error {
	if h.chatErr == nil {
		h.chats = append(h.chats, text)
	}
	return h.chatErr
}
func (h *fakeHost) Reconnect() error { h.again++; return nil }
func (h *fakeHost) Close() error     { h.closed = true; return nil }

type fakeSession struct {
	view    session.View
	journal []session.Command
	screen  *screen.Screen
	calls   []string
	resized [][2]int
}

func (s *fakeSession) note(f string, a ...any)           { s.calls = append(s.calls, fmt.Sprintf(f, a...)) }
func (s *fakeSession) View() session.View                { return s.view }
func (s *fakeSession) Journal() []session.Command        { return s.journal }
func (s *fakeSession) Screen(f func(*screen.Screen))     { f(s.screen) }
func (s *fakeSession) Key(k keys.Event)                  { s.note("key %s", k) }
func (s *fakeSession) Mouse(e keys.MouseEvent)           { s.note("mouse %d,%d %d", e.X, e.Y, e.Button) }
func (s *fakeSession) Focus(in bool)                     { s.note("focus %v", in) }
func (s *fakeSession) Paste(text string)                 { s.note("paste %q", text) }
func (s *fakeSession) Interrupt()                        { s.note("interrupt") }
func (s *fakeSession) DropHeld()                         { s.note("drop held") }
func (s *fakeSession) Choose(c session.Choice)           { s.note("choose %d", c) }
func (s *fakeSession) Field(id uint64, l []byte, e bool) { s.note("field %d %q %v", id, l, e) }
func (s *fakeSession) Resize(cols, rows int) {
	s.resized = append(s.resized, [2]int{cols, rows})
	s.screen.Resize(cols, rows)
}

type fakeLinus struct {
	state copilot.State
	calls []string
}

func (l *fakeLinus) State() copilot.State { return l.state }
func (l *fakeLinus) Hold(id string) (copilot.Suggestion, bool) {
	l.calls = append(l.calls, "hold "+id)
	for _, s := range l.state.Suggestions {
		if s.ID == id {
			return s, true
		}
	}
	return copilot.Suggestion{}, false
}
func (l *fakeLinus) Release(id string) { l.calls = append(l.calls, "release "+id) }
func (l *fakeLinus) Dismiss(id string) { l.calls = append(l.calls, "dismiss "+id) }
func (l *fakeLinus) Resend(n int) error {
	l.calls = append(l.calls, fmt.Sprint("resend ", n))
	return nil
}

// connect adds a host that is at its prompt.
func (w *world) connect(name string) *fakeHost {
	h := &fakeHost{w: w, id: fmt.Sprintf("h%d", len(w.hosts)+1)}
	account, host, _ := strings.Cut(name, "@")
	h.link = Link{
		Name: name, Target: policy.Target{Asked: host, Account: account}, Phase: Connected,
		Since: w.at.Add(-time.Hour), Up: w.at.Add(-time.Hour),
	}
	zero := 0
	h.sess = &fakeSession{screen: screen.New(80, 24, screen.Options{Now: func() time.Time { return w.at }})}
	h.sess.view = session.View{
		ID: "s-" + h.id, State: session.Prompt, Shell: "bash", Cwd: "/var/log", LastExit: &zero, Evidence: gate.EvidenceShell,
	}
	w.hosts = append(w.hosts, h)
	w.frame()
	return h
}

// print is what the remote prints; \n is sent as \r\n.
func (h *fakeHost) print(s string) screen.RowID {
	row := h.sess.screen.CursorRow()
	_, _ = h.sess.screen.Write([]byte(strings.ReplaceAll(s, "\n", "\r\n")))
	return row
}

// ran prints a prompt with a command and notes it in the journal.
func (h *fakeHost) ran(c session.Command, output string) {
	c.Row = h.print("\x1b[32mroot@prod-web-03\x1b[0m:/var/log# " + c.Line)
	h.print("\n" + output)
	h.sess.journal = append(h.sess.journal, c)
	h.sess.view.Since = midnight.Add(time.Duration(len(h.sess.journal)))
}

func (h *fakeHost) prompt() { h.print("\x1b[32mroot@prod-web-03\x1b[0m:/var/log# ") }

// send gives the model a message and keeps its command.
func (w *world) send(msg tea.Msg) {
	if _, cmd := w.m.Update(msg); cmd != nil {
		w.cmds = append(w.cmds, cmd)
	}
}

// paste pastes text and waits until the paste is over.
func (w *world) paste(text string) {
	w.send(tea.PasteMsg{Content: text})
	w.endPaste()
}

func (w *world) endPaste() {
	w.wait(pasteQuiet)
	w.send(pastedMsg{w.m.burst.id})
}

// frame draws a frame, as the terminal would.
func (w *world) frame() *tty.Canvas {
	w.send(tty.FrameMsg{At: w.at})
	c := tty.NewCanvas(w.m.w, w.m.h)
	w.m.Draw(c)
	w.send(tty.DrawnMsg{At: w.at})
	return c
}

// settle runs commands until none is left but ticks, and draws.
func (w *world) settle() *tty.Canvas {
	c := w.frame()
	for range 20 {
		cmds := w.cmds
		w.cmds = nil
		if len(cmds) == 0 {
			break
		}
		for _, cmd := range cmds {
			w.run(cmd)
		}
		c = w.frame()
	}
	return c
}

// run runs a command and what it stands for.
func (w *world) run(cmd tea.Cmd) {
	msg := cmd()
	batch, ok := msg.(tea.BatchMsg)
	if !ok {
		w.send(msg)
		return
	}
	for _, c := range batch {
		if c != nil {
			w.run(c)
		}
	}
}

// wait lets time pass.
func (w *world) wait(d time.Duration) { w.at = w.at.Add(d) }

// press presses keys by name, a moment apart.
func (w *world) press(names ...string) {
	for _, n := range names {
		w.wait(20 * time.Millisecond)
		w.send(keyPress(w.t, n))
	}
}

// types types text, a key at a time, as fast as a person does.
func (w *world) types(s string) {
	for _, r := range s {
		w.wait(20 * time.Millisecond)
		w.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// keyPress is the message for a key name of package keys.
func keyPress(t testing.TB, name string) tea.Msg {
	k, err := keys.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	var mod tea.KeyMod
	if k.Mod&keys.Ctrl != 0 {
		mod |= tea.ModCtrl
	}
	if k.Mod&keys.Alt != 0 {
		mod |= tea.ModAlt
	}
	if k.Mod&keys.Shift != 0 {
		mod |= tea.ModShift
	}
	for code, s := range special {
		if s == k.Key && code < tea.KeyKpEnter || s == k.Key && (s >= keys.F1) {
			return tea.KeyPressMsg{Code: code, Mod: mod}
		}
	}
	msg := tea.KeyPressMsg{Code: k.Rune, Mod: mod}
	if mod == 0 {
		msg.Text = string(k.Rune)
	}
	return msg
}

func teaKey(t testing.TB, name string) tea.Key { return tea.Key(keyPress(t, name).(tea.KeyPressMsg)) }

// text is a canvas without its styles, trailing blanks cut.
func text(c *tty.Canvas) string {
	w, h := c.Size()
	var b strings.Builder
	for y := range h {
		var l strings.Builder
		for x := range w {
			s, _, _ := c.Cell(x, y)
			l.WriteString(s)
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	return b.String()
}

// looks are the styles of a canvas, row by row: column+length and what it is.
func looks(c *tty.Canvas) string {
	w, h := c.Size()
	var b strings.Builder
	for y := range h {
		var runs []string
		for x := 0; x < w; {
			_, _, st := c.Cell(x, y)
			n := 1
			for x+n < w {
				s, _, next := c.Cell(x+n, y)
				if s != "" && next != st {
					break
				}
				n++
			}
			if s := look(st); s != "" {
				runs = append(runs, fmt.Sprintf("%d+%d %s", x, n, s))
			}
			x += n
		}
		if runs != nil {
			fmt.Fprintf(&b, "%d: %s\n", y, strings.Join(runs, "; "))
		}
	}
	if c.Cursor.Visible {
		fmt.Fprintf(&b, "cursor %d,%d\n", c.Cursor.X, c.Cursor.Y)
	}
	return b.String()
}

func look(st tty.Style) string {
	var out []string
	add := func(name string, c color.Color) {
		if c == nil {
			return
		}
		r, g, b, _ := c.RGBA()
		out = append(out, fmt.Sprintf("%s%02x%02x%02x", name, r>>8, g>>8, b>>8))
	}
	add("", st.Fg)
	add("on ", st.Bg)
	for _, a := range []struct {
		bit  uint8
		name string
	}{{uv.AttrBold, "bold"}, {uv.AttrFaint, "faint"}, {uv.AttrItalic, "italic"}, {uv.AttrReverse, "reverse"}, {uv.AttrStrikethrough, "strike"}} {
		if st.Attrs&a.bit != 0 {
			out = append(out, a.name)
		}
	}
	if st.Underline != uv.UnderlineNone {
		out = append(out, "underline")
	}
	return strings.Join(out, " ")
}
