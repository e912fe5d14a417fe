package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/policy"
)

// opened is a world in which suggestion 1 was opened and its verdict drawn.
func opened(t *testing.T) (*world, *fakeHost) {
	t.Helper()
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	w.settle()
	w.press("C-]", "1")
	w.settle()
	w.quiet()
	return w, h
}

func TestASuggestionIsSentExactly(t *testing.T) {
	w, h := opened(t)
	w.press("Enter")
	w.settle()
	if want := []string{"ls -lhS /var/log/*.log | head -10"}; !slices.Equal(h.sent, want) {
		t.Errorf("sent %q, want %q", h.sent, want)
	}
	if w.m.tab().draft != nil || !slices.Equal(h.linus.calls, []string{"hold cmd_1", "release cmd_1"}) {
		t.Errorf("the draft is still open, or held: %q", h.linus.calls)
	}
}

func TestAnEditedSuggestionIsSentAsEdited(t *testing.T) {
	w, h := opened(t)
	w.press("C-w", "C-w")
	w.types("tail -3")
	w.settle()
	w.press("Enter")
	w.settle()
	if want := []string{"ls -lhS /var/log/*.log | tail -3"}; !slices.Equal(h.sent, want) {
		t.Errorf("sent %q, want %q", h.sent, want)
	}
}

// Enter counts only after the verdict of exactly this text was drawn, and 400 ms
// of quiet since it opened.
func TestEnterWaitsForTheVerdict(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*world)
		sent int
	}{
		{"as soon as it opens", func(w *world) { w.press("C-]", "1", "Enter") }, 0},
		{"drawn, but no quiet", func(w *world) { w.press("C-]", "1"); w.settle(); w.press("Enter") }, 0},
		{"quiet, but not judged", func(w *world) { w.press("C-]", "1"); w.wait(time.Second); w.press("Enter") }, 0},
		{"judged and quiet", func(w *world) { w.press("C-]", "1"); w.settle(); w.quiet(); w.press("Enter") }, 1},
		{"changed since it was judged", func(w *world) { w.press("C-]", "1"); w.settle(); w.quiet(); w.press("x", "Enter") }, 0},
		{"changed and changed back", func(w *world) { w.press("C-]", "1"); w.settle(); w.quiet(); w.press("x", "Backspace", "Enter") }, 1},
		{"changed, judged and drawn again", func(w *world) {
			w.press("C-]", "1")
			w.settle()
			w.quiet()
			w.press("x")
			w.settle()
			w.press("Enter")
		}, 1},
		{"Enter held down from before", func(w *world) {
			w.press("C-]", "1")
			for range 50 {
				w.press("Enter")
				w.settle()
			}
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, 120, 36, Options{})
			h := work(w)
			w.settle()
			c.do(w)
			w.settle()
			if len(h.sent) != c.sent {
				t.Errorf("sent %q, want %d", h.sent, c.sent)
			}
		})
	}
}

func TestADeniedTextStaysToBeEdited(t *testing.T) {
	w, h := opened(t)
	w.press("C-u")
	w.types("mkfs.ext4 /dev/sda1")
	w.settle()
	w.press("Enter")
	w.settle()
	if len(h.sent) != 0 {
		t.Fatalf("sent %q", h.sent)
	}
	if got := text(w.frame()); !strings.Contains(got, "✕ denied") || !strings.Contains(got, "instead: lsblk -f") || !strings.Contains(got, "sre-security") {
		t.Errorf("drawn:\n%s", got)
	}
}

func TestARefusalLeavesTheText(t *testing.T) {
	w, h := opened(t)
	h.sendErr = func(string) error {
		return &gate.Refusal{By: gate.ByLog, Reason: "the log is not writable", Remedy: "free space on /var/lib/sallyport"}
	}
	w.press("Enter")
	w.settle()
	got := text(w.frame())
	if w.m.tab().draft == nil || !strings.Contains(got, "NOT SENT   The log is not writable. Free space on /var/lib/sallyport.") {
		t.Errorf("drawn:\n%s", got)
	}
	h.sendErr = nil
	w.press("Enter")
	w.settle()
	if len(h.sent) != 0 {
		t.Error("Enter counted without quiet after the refusal")
	}
	w.quiet()
	w.press("Enter")
	w.settle()
	if len(h.sent) != 1 {
		t.Errorf("sent %q", h.sent)
	}
}

func TestUndoAndLinusText(t *testing.T) {
	w, _ := opened(t)
	w.types(" more")
	w.press("C-r")
	if got := w.m.tab().draft.edit.String(); got != "ls -lhS /var/log/*.log | head -10" {
		t.Errorf("^R gives %q", got)
	}
	w.press("C-z")
	if got := w.m.tab().draft.edit.String(); got != "ls -lhS /var/log/*.log | head -10 more" {
		t.Errorf("^Z gives %q", got)
	}
	w.press("Escape")
	w.settle()
	if w.m.tab().draft != nil {
		t.Error("Esc does not go back")
	}
}

func TestAPasteIntoADraftIsJudgedAnew(t *testing.T) {
	w, h := opened(t)
	w.paste("; mkfs /dev/sda")
	w.press("Enter")
	w.settle()
	w.press("Enter")
	w.settle()
	if len(h.sent) != 0 {
		t.Errorf("sent %q", h.sent)
	}
}

// What changed meanwhile does not move what a person has in hand.
func TestNewSuggestionsDoNotMoveTheSelection(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	w.settle()
	w.press("C-]", "s", "j")
	h.linus.state.Suggestions = append([]copilot.Suggestion{{ID: "new", Seq: 9, Command: "true"}}, h.linus.state.Suggestions...)
	w.settle()
	if got := w.m.tab().selected; got != "cmd_2" {
		t.Errorf("selected %q", got)
	}
}

func TestSuggestionKeys(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	w.settle()
	w.press("C-]", "s", "j", "j", "j", "k", "d")
	if !slices.Contains(h.linus.calls, "dismiss cmd_2") {
		t.Errorf("calls %q", h.linus.calls)
	}
	w.press("e")
	if w.m.tab().draft == nil || w.m.tab().draft.from.ID != "cmd_3" {
		t.Errorf("e opens %+v", w.m.tab().draft)
	}
}

// The larger of what Linus and the console say is shown, and that they differ.
func TestShownRisk(t *testing.T) {
	for _, c := range []struct {
		claimed, own policy.Risk
		hidden       bool
		want         policy.Risk
	}{
		{policy.Low, policy.Low, false, policy.Low},
		{policy.Low, policy.High, false, policy.High},
		{policy.High, policy.Low, false, policy.High},
		{policy.Low, policy.Medium, false, policy.Medium},
		{policy.Low, policy.Low, true, policy.High},
	} {
		s := copilot.Suggestion{Claimed: c.claimed, Hidden: c.hidden}
		if got := shownRisk(s, policy.Decision{Risk: c.own}); got != c.want {
			t.Errorf("claimed %v, own %v, hidden %v: %v", c.claimed, c.own, c.hidden, got)
		}
	}
}

func TestChat(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	w.settle()
	w.press("C-]", "c")
	w.types("what now?")
	w.press("Enter")
	w.settle()
	if !slices.Equal(h.chats, []string{"what now?"}) {
		t.Fatalf("chats %q", h.chats)
	}
	h.chatErr = errors.New("200 messages wait already: the new one was not taken")
	w.types("and now?")
	w.press("Enter")
	w.settle()
	got := text(w.frame())
	if !strings.Contains(got, "200 messages wait") || !strings.Contains(got, "› and now?") {
		t.Errorf("the message is lost:\n%s", got)
	}
}

func TestNewMessagesDoNotScrollWhatIsRead(t *testing.T) {
	w := newWorld(t, 120, 36, Options{})
	h := work(w)
	for i := range 40 {
		h.linus.state.Chat = append(h.linus.state.Chat, copilot.Message{Number: 10 + i, From: copilot.Linus, Text: "line"})
	}
	w.settle()
	w.press("C-]", "c", "PageUp", "PageUp")
	w.frame()
	h.linus.state.Chat = append(h.linus.state.Chat, copilot.Message{Number: 90, From: copilot.Linus, Text: "news"}, copilot.Message{Number: 91, From: copilot.Linus, Text: "news"})
	got := text(w.settle())
	if !strings.Contains(got, "2 new ↓") || strings.Contains(got, "linus  news") {
		t.Errorf("drawn:\n%s", got)
	}
}
