package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/session"
	"sallyport/console/tty"
	"sallyport/policy"
)

// Every panel is usable by keyboard alone, beside the shell and over it: it is
// reached, all that is in it can be read, what can be done is done, and Esc
// leads back.
func TestEveryPanelByKeyboardAlone(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			w := newWorld(t, size[0], size[1], Options{})
			h := work(w)
			w.sayMuch(h)
			w.settle()
			w.readAll(t, "i", []string{"j"}, "step 00", "step 29")
			w.readAll(t, "s", []string{"j"}, "echo 00", "echo 29")
			w.readAll(t, "c", []string{"Up"}, "message 29", "message 00")
			w.press("C-]", "i", "Tab", "k", "k", "Enter")
			w.settle()
			if b := w.m.tab().draft; b == nil {
				t.Fatal("Enter in the suggestions opens nothing")
			}
			w.press("Escape")
			w.press("C-]", "s", "d", "y", "Tab")
			w.types("hello")
			w.press("Enter", "Escape")
			w.settle()
			if !slices.Equal(h.chats, []string{"hello"}) || !strings.HasPrefix(h.linus.calls[len(h.linus.calls)-1], "dismiss") {
				t.Errorf("chats %q, calls %q", h.chats, h.linus.calls)
			}
			if w.m.focus != shellArea {
				t.Error("Esc does not lead back to the shell")
			}
		})
	}
}

// sayMuch gives each panel more than it can show.
func (w *world) sayMuch(h *fakeHost) {
	s := &h.linus.state
	s.Intent.Steps, s.Suggestions, s.Chat = nil, nil, nil
	for i := range 30 {
		s.Intent.Steps = append(s.Intent.Steps, copilot.Step{Text: copilot.Untrusted(fmt.Sprintf("step %02d", i))})
		s.Suggestions = append(s.Suggestions, copilot.Suggestion{
			ID: fmt.Sprint("cmd_", i), Seq: uint64(i + 1), Command: copilot.Untrusted(fmt.Sprintf("echo %02d", i)), Claimed: policy.Low,
		})
		s.Chat = append(s.Chat, copilot.Message{Number: i + 1, From: copilot.Linus, Text: copilot.Untrusted(fmt.Sprintf("message %02d", i))})
	}
}

// readAll opens a panel and goes on until its other end is in view.
func (w *world) readAll(t *testing.T, panel string, on []string, first, last string) {
	t.Helper()
	w.press("C-]", panel)
	if got := text(w.settle()); !strings.Contains(got, first) {
		t.Errorf("%s: %q is not in view at first:\n%s", panel, first, got)
	}
	for range 60 {
		w.press(on...)
		w.settle()
	}
	if got := text(w.settle()); !strings.Contains(got, last) {
		t.Errorf("%s: %q is never in view:\n%s", panel, last, got)
	}
	w.press("Escape")
	w.settle()
}

// What is read keeps its rows when messages come; scrolling stops at the first
// message, so that the way back is as long as the way there.
func TestNewMessagesDoNotMoveWhatIsRead(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	w.sayMuch(h)
	w.settle()
	w.press("C-]", "c", "PageUp", "PageUp")
	before := panelRows(w)
	h.linus.state.Chat = append(h.linus.state.Chat, copilot.Message{Number: 90, From: copilot.Linus, Text: "news\nof several\nrows"}, copilot.Message{Number: 91, From: copilot.Linus, Text: "more news"})
	if after := panelRows(w); !slices.Equal(before, after) {
		t.Errorf("it moved:\n%s\n\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	for range 300 {
		w.press("Up")
	}
	top := panelRows(w)
	w.press("Down")
	if down := panelRows(w); slices.Equal(top, down) {
		t.Error("Down after many Up does nothing")
	}
}

// chatRows are the rows of the chat that hold messages.
func panelRows(w *world) (rows []string) {
	for l := range strings.Lines(text(w.settle())) {
		if i := strings.Index(l, "linus  message"); i >= 0 {
			rows = append(rows, strings.TrimSpace(l[i:]))
		}
	}
	return rows
}

// A key that answered is dropped while it is held or struck twice: what stands
// behind the question never gets it.
func TestTheAnsweringKeyIsTakenOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*world)
		want []string
	}{
		{"y twice", func(w *world) { w.answer("y"); w.press("y") }, nil},
		{"y held down", func(w *world) { w.answer("y"); w.types(strings.Repeat("y", 50)) }, nil},
		{"n twice", func(w *world) { w.answer("n"); w.press("n") }, nil},
		{"another key is typed", func(w *world) { w.answer("y"); w.press("l", "s") }, []string{"key l", "key s"}},
		{"y after a pause is typed", func(w *world) { w.answer("y"); w.wait(repeatTime); w.press("y") }, []string{"key y"}},
		{"y after another key is typed", func(w *world) { w.answer("y"); w.press("m", "y") }, []string{"key m", "key y"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, 120, 36, Options{})
			h := work(w)
			w.question(h, gate.Question{Kind: gate.Line, Origin: policy.Human, Evidence: gate.EvidenceShell, Text: "apt-get autoremove"})
			w.quiet()
			h.sess.calls = nil
			c.do(w)
			if !slices.Equal(h.sess.calls, c.want) {
				t.Errorf("the shell got %q, want %q", h.sess.calls, c.want)
			}
		})
	}
}

// answer presses a key, and the asker takes the answer.
func (w *world) answer(key string) {
	q := w.dialogs.waiting()[0]
	w.wait(aloneTime)
	w.press(key)
	w.wait(aloneTime)
	w.frame()
	w.dialogs.drop(q)
	w.frame()
}

func TestTaintIsShown(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	w.settle()
	h.sess.view.Tainted = []string{"trap 'id' DEBUG"}
	got := text(w.settle())
	for _, want := range []string{"exact, tainted by trap 'id' DEBUG", "this shell may run what nobody sees: trap 'id' DEBUG. It is in the"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	w.wait(noteTime)
	w.frame()
	w.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	if got := text(w.settle()); !strings.Contains(got, "exact tainted") || strings.Contains(got, "nobody sees") {
		t.Errorf("drawn:\n%s", got)
	}
}

// A refusal speaks of the line that is still there, unless it is of keys that a
// program was to get: also when that program has ended.
func TestARefusalSaysWhatBecameOfTheLine(t *testing.T) {
	for _, c := range []struct {
		state session.State
		by    gate.Refused
		stays bool
		want  string
	}{
		{session.Prompt, gate.ByOperator, true, "Refused: nothing was sent."},
		{session.Keys, gate.ByOperator, false, "Refused: nothing was sent."},
		{session.Prompt, gate.ByPolicy, true, "✕ DENIED"},
		{session.Running, gate.ByPolicy, false, "✕ DENIED"},
	} {
		w := newWorld(t, 120, 36, Options{})
		h := work(w)
		h.sess.view.State, h.sess.view.Refused = c.state, &gate.Refusal{By: c.by}
		w.settle()
		h.sess.view.State = session.Prompt
		got := text(w.settle())
		if !strings.Contains(got, c.want) || strings.Contains(got, "Your line is still there") != c.stays {
			t.Errorf("%v, %v:\n%s", c.state, c.by, got)
		}
	}
}

// What takes long says so and since when, and can be called off.
func TestBreakingTheGlassSaysThatItWaits(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	work(w)
	w.log.Refusing, w.glass = "no space", true
	w.settle()
	w.press("C-]", "!")
	w.types("INC-1")
	w.press("Enter")
	w.wait(slowTime)
	if got := text(w.frame()); !strings.Contains(got, "Asking the collector to take the records for 0 s") || strings.Contains(got, "give up") {
		t.Errorf("after 300 ms:\n%s", got)
	}
	w.wait(3 * time.Second)
	if got := text(w.frame()); !strings.Contains(got, "[Esc] give up") {
		t.Errorf("after 3 s:\n%s", got)
	}
	w.settle()
	if w.broken != "INC-1" || w.m.pending != nil {
		t.Errorf("reason %q, pending %v", w.broken, w.m.pending)
	}
}

// The window's focus goes to the session in front, as it comes.
func TestTheWindowsFocusIsPassedOn(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	w.settle()
	h.sess.calls = nil
	w.send(tea.FocusMsg{})
	w.send(tea.BlurMsg{})
	if want := []string{"focus true", "focus false"}; !slices.Equal(h.sess.calls, want) {
		t.Errorf("calls %q, want %q", h.sess.calls, want)
	}
}

func TestAFailedMessageIsSentAgain(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	w.settle()
	w.press("C-]", "c", "C-r")
	if got := text(w.settle()); !strings.Contains(got, "No message failed") {
		t.Errorf("drawn:\n%s", got)
	}
	h.linus.state.Chat[0].Delivery, h.linus.state.Chat[0].Reason = copilot.Failed, "linus ended"
	w.settle()
	w.press("C-r")
	w.settle()
	if !slices.Contains(h.linus.calls, "resend 1") {
		t.Errorf("calls %q", h.linus.calls)
	}
}

// What is consented to is shown to the last byte, however it is laid out: the
// rows joined are the text, with what is invisible spelled out.
func TestConsentShowsEveryByte(t *testing.T) {
	texts := []string{
		"echo " + strings.Repeat("word ", 300), strings.Repeat("x", 5000), linesOf(30), "echo 'a" + strings.Repeat(" ", 300) + "b'  ",
		"echo 日本語" + strings.Repeat("漢字", 200), "echo שלום \u202eabc\u202c \u200b\u00a0|", "a\n\n\tb\n", "\n", " ", strings.Repeat("👍🏽 ", 90),
	}
	for i, s := range texts {
		for _, size := range sizes[2:] { // where a consent takes the whole screen, and scrolls most
			w := newWorld(t, size[0], size[1], Options{})
			_, answer := asked(t, w, gate.Question{Origin: policy.Human, Text: s})
			w.quiet()
			var want strings.Builder
			for _, c := range w.m.exact(s, w.m.theme.bold) {
				want.WriteString(c.text)
			}
			if got := w.readConsent(t); !strings.Contains(got, want.String()) {
				t.Errorf("%d at %v: %q is not all of %q", i, size, got, want.String())
			}
			w.wait(quietTime)
			w.press("y")
			if a := answer(); a == nil || !a.Send {
				t.Errorf("%d at %v: read to the end, and not agreed to", i, size)
			}
		}
	}
}

// readConsent reads the rows of the command's text, a row at a time.
func (w *world) readConsent(t *testing.T) string {
	t.Helper()
	rows := map[int]string{}
	r := w.m.lay.consent
	for range 600 {
		c := w.frame()
		top := w.m.tab().dialog.top
		p := w.m.page(w.m.tab(), r.Dx()-4)
		at := r.Min.Y + 1
		if need := len(p.text) + 5; !w.m.lay.full && need < r.Dy() {
			at = r.Max.Y - need + 1
		}
		for y := 0; y < min(w.m.pageRows(r), len(p.text)-top); y++ {
			rows[top+y] = cellsOn(c, at+y, r.Min.X+2+2, r.Max.X-2)
		}
		if w.m.read(w.m.tab()) {
			break
		}
		w.press("PageDown")
	}
	var b strings.Builder
	for i := range len(rows) {
		b.WriteString(rows[i])
	}
	return b.String()
}

// cellsOn is what stands on a row, without blanks that only fill it.
func cellsOn(c *tty.Canvas, y, from, to int) string {
	var b strings.Builder
	for x := from; x < to; x++ {
		s, _, st := c.Cell(x, y)
		if st != (tty.Style{}) || s != " " {
			b.WriteString(s)
		}
	}
	return b.String()
}
