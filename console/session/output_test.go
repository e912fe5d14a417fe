package session

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sallyport/redact"
)

// heard keeps what the observer hears.
type heard struct {
	deaf
	text string
}

func (h *heard) Output(t redact.Text) { h.text += t.String() }

// turn does what waits for the loop.
func (l *loop) turn() {
	synctest.Wait()
	for _, f := range l.s.queue.take() {
		f(l)
	}
}

// TestOnlyWhatWasHeldLongEnoughIsLetGo: the redactor keeps the end of a line for as long as
// it may, and no longer, whatever comes meanwhile.
func TestOnlyWhatWasHeldLongEnoughIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heard{}
		l := newLoop(t.Context(), New(Config{Observer: h}))
		defer l.records.stop()
		l.redacted([]byte("one\r\ntwo half"))
		for _, step := range []struct {
			wait  time.Duration
			more  string
			shown bool
		}{
			{expire - time.Millisecond, "", false},
			{0, " more", false}, // gives nothing: the time goes on
			{time.Millisecond, "", true},
		} {
			time.Sleep(step.wait) // of the bubble's time
			if step.more != "" {
				l.redacted([]byte(step.more))
			}
			l.turn()
			if got := strings.Contains(h.text, "two half more"); got != step.shown {
				t.Errorf("after %v: shown %v in %q", step.wait, got, h.text)
			}
		}
		l.redacted([]byte(" three"))
		l.turn()
		if strings.Contains(h.text, "three") {
			t.Errorf("what came just now was let go: %q", h.text)
		}
	})
}

// TestTheTailHasTheBeginningAndTheEnd: of a command that prints much, both are kept, however
// it comes.
func TestTheTailHasTheBeginningAndTheEnd(t *testing.T) {
	c := tail()
	c.Add(redact.Literal("first\n"))
	for range 100_000 {
		c.Add(redact.Literal("a line of the middle\n"))
	}
	c.Add(redact.Literal("last\n"))
	text := c.Text(snip).String()
	if len(text) > maxTail || !strings.HasPrefix(text, "first\n") || !strings.HasSuffix(text, "last\n") {
		t.Errorf("%d bytes, %.20q … %q", len(text), text, text[max(0, len(text)-20):])
	}
}

// TestATimerThatIsSetAgainFiresOnce, and one that was stopped does not.
func TestATimerThatIsSetAgainFiresOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoop(t.Context(), New(Config{}))
		defer l.records.stop()
		var fired []string
		for _, s := range []string{"first", "second"} {
			l.after("a", time.Second, func() { fired = append(fired, s) })
		}
		l.after("b", time.Second, func() { fired = append(fired, "stopped") })
		l.stop("b")
		time.Sleep(2 * time.Second) // of the bubble's time
		l.turn()
		if strings.Join(fired, " ") != "second" {
			t.Error(fired)
		}
	})
}
