package copilot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sallyport/redact"
)

func TestMessagesWaitWhileLinusIsAwayAndAreSentOnceInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeLinus{answer: func(_ context.Context, g got) (any, error) { return reply("ok"), nil }}
		r := newRig(t, f)
		synctest.Wait()
		f.hangUp(errors.New("no such server"))
		synctest.Wait()
		if st := r.session.State(); st.Online || st.Reason == "" {
			t.Errorf("state after the connection was lost: %+v", st)
		}
		for i := range 5 {
			if err := r.session.Chat(text(t, fmt.Sprintf("message %d", i))); err != nil {
				t.Fatal(err)
			}
		}
		r.session.Update(redact.Literal("output while away\n"))
		r.session.Ended(Command{Seq: 1, Line: redact.Literal("ls")})
		time.Sleep(time.Minute)
		if got := r.session.State().Queued; got != 5 {
			t.Errorf("%d queued", got)
		}
		f.comeBack()
		time.Sleep(time.Minute)
		var order []string
		for _, c := range f.of(toolChat) {
			order = append(order, c.args(t)["message"].(string))
		}
		same(t, "order", order, []string{"message 0", "message 1", "message 2", "message 3", "message 4"})
		if n := len(f.of(toolUpdate)) + len(f.of(toolExecuted)); n != 0 {
			t.Errorf("%d stale updates were sent", n)
		}
		same(t, "deliveries", r.deliveries(), []Delivery{Sent, Sent, Sent, Sent, Sent})
	})
}

func TestSuggestionsStayWhileLinusIsAway(t *testing.T) {
	withSuggestion(t, func(t *testing.T, f *fakeLinus, r *rig) {
		f.hangUp(errors.New("gone"))
		synctest.Wait()
		same(t, "suggestions", r.ids(), []string{"a"})
	})
}

func TestAMessageThatLinusMayHaveReadIsNotSentTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeLinus{}
		f.answer = func(ctx context.Context, g got) (any, error) { <-ctx.Done(); return nil, ctx.Err() }
		r := newRig(t, f)
		synctest.Wait()
		r.session.Chat(redact.Literal("restart it"))
		synctest.Wait()
		same(t, "deliveries", r.deliveries(), []Delivery{Sending})
		f.answer = nil
		f.hangUp(nil)
		time.Sleep(time.Minute)
		same(t, "deliveries", r.deliveries(), []Delivery{Failed})
		if n := len(f.of(toolChat)); n != 1 {
			t.Errorf("sent %d times", n)
		}
		if err := r.session.Resend(r.chat()[0].Number); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		same(t, "deliveries after Resend", r.deliveries(), []Delivery{Sent})
		if err := r.session.Resend(r.chat()[0].Number); !errors.Is(err, ErrNotFailed) {
			t.Errorf("a sent message can be sent again: %v", err)
		}
	})
}

func TestTimeouts(t *testing.T) {
	for _, c := range []struct {
		name  string
		do    func(*rig)
		after time.Duration
	}{
		{"chat", func(r *rig) { r.session.Chat(redact.Literal("hello")) }, 20 * time.Second},
		{"state", func(r *rig) { r.session.Event(Connected) }, 20 * time.Second},
		{"executed", func(r *rig) { r.session.Ended(Command{Seq: 1, Line: redact.Literal("ls")}) }, 5 * time.Second},
		{"update", func(r *rig) { r.session.Update(redact.Literal("x\n")) }, 6 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeLinus{answer: func(ctx context.Context, _ got) (any, error) { <-ctx.Done(); return nil, ctx.Err() }}
				r := newRig(t, f)
				synctest.Wait()
				c.do(r)
				f.mu.Lock()
				f.down = errors.New("down")
				f.mu.Unlock()
				time.Sleep(c.after - time.Millisecond)
				if !r.session.State().Online {
					t.Error("away too early")
				}
				time.Sleep(2 * time.Millisecond)
				if r.session.State().Online {
					t.Error("still online")
				}
			})
		})
	}
}

func TestTheQueueHasABound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeLinus{down: errors.New("down")}
		r := newRig(t, f)
		for i := range MaxQueue {
			if err := r.session.Chat(text(t, fmt.Sprintf("message %d", i))); err != nil {
				t.Fatal(i, err)
			}
		}
		if err := r.session.Chat(redact.Literal("one more")); !errors.Is(err, ErrQueueFull) {
			t.Errorf("the 201st message: %v", err)
		}
		if n := len(r.chat()); n != MaxQueue {
			t.Errorf("%d lines in the chat", n)
		}
		f.comeBack()
		time.Sleep(time.Minute)
		calls := f.of(toolChat)
		if len(calls) != MaxQueue || calls[0].args(t)["message"] != "message 0" {
			t.Errorf("%d calls, the first %s", len(calls), calls[0].Raw)
		}
	})
}

func TestChatRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fakeLinus{})
		for _, c := range []struct {
			message string
			want    error
		}{{"", ErrEmpty}, {" \n", ErrEmpty}, {strings.Repeat("word ", MaxMessage/5+1), ErrTooLong}} {
			if err := r.session.Chat(text(t, c.message)); !errors.Is(err, c.want) {
				t.Errorf("%.10q: %v", c.message, err)
			}
		}
		r.session.Close()
		if err := r.session.Chat(redact.Literal("hello")); !errors.Is(err, ErrClosed) {
			t.Errorf("closed: %v", err)
		}
	})
}

func TestBackOffGrowsAndANewMessageEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeLinus{down: errors.New("down")}
		r := newRig(t, f)
		time.Sleep(10 * time.Minute)
		f.mu.Lock()
		dials := f.dials
		f.mu.Unlock()
		if dials < 20 || dials > 50 { // 1 2 4 8 16 30 30 …, each between half and all of it
			t.Errorf("%d attempts in ten minutes", dials)
		}
		f.comeBack()
		r.session.Chat(redact.Literal("are you there"))
		synctest.Wait()
		if !r.session.State().Online {
			t.Error("a new message does not connect at once")
		}
	})
}

func TestBackOffIsBetweenASecondAndThirtyWithJitter(t *testing.T) {
	var b backoff
	seen := map[time.Duration]bool{}
	for i, step := range []time.Duration{1, 2, 4, 8, 16, 30, 30, 30} {
		d := b.next()
		seen[d] = true
		if d < step*time.Second/2 || d > step*time.Second {
			t.Errorf("wait %d is %v, of %v s", i, d, int(step))
		}
	}
	if len(seen) < 5 {
		t.Error("no jitter")
	}
}
