package gate

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"sallyport/audit"
	"sallyport/policy"
)

// meanwhile is a recorder during whose first write something happens.
type meanwhile struct {
	Recorder
	happens func()
	fails   error // of every write after the first
	events  []audit.Event
	seq     uint64
}

func (m *meanwhile) Append(ctx context.Context, ev ...audit.Event) ([]audit.Receipt, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(m.events) > 0 && m.fails != nil {
		return nil, m.fails
	}
	m.events = append(m.events, ev...)
	got, err := m.Recorder.Append(ctx, ev...)
	if err == nil && m.seq == 0 {
		m.seq = got[0].Seq()
		m.happens()
		if ctx.Err() != nil {
			return nil, ctx.Err() // as the log does: the record may be on disk or not
		}
	}
	return got, err
}

// closes tells whether an event says of record seq that nothing was sent.
func closes(ev audit.Event, seq uint64) bool {
	switch e := ev.(type) {
	case audit.Outcome[words]:
		return e.Intent == seq && e.Status == audit.NotSent && e.Note.Len() > 0
	case audit.KeysClose[words]:
		return e.Opened == seq && e.Keys == 0 && e.Reason.Len() > 0
	case audit.Refused[words]:
		return e.By == audit.ByExpired && e.Reason.Len() > len(fmt.Sprintf("record %d was not sent: ", seq))
	case audit.ChannelOpen[words]:
		return e.Effect == audit.Effect(policy.Deny.String())
	}
	return false
}

// kinds are a request of each kind that is recorded, with the phase it needs.
var kinds = []struct {
	phase Phase
	r     Request
	ends  audit.Kind
}{
	{AtPrompt, line("ls"), audit.KindCommandOutcome},
	{SideChannel, Request{Kind: Run, Text: "ls", Wire: bytesOf{"x"}}, audit.KindCommandOutcome},
	{Field, Request{Kind: Input, Origin: policy.Input, Text: "y", Program: "apt", Wire: bytesOf{"y\n"}}, audit.KindCommandRefused},
	{Field, Request{Kind: Input, Origin: policy.Input, EOF: true, Program: "cat", Wire: bytesOf{"\x04"}}, audit.KindCommandRefused},
	{Busy, Request{Kind: Keys, Origin: policy.Human, Program: "vi"}, audit.KindKeysClose},
	{SideChannel, Request{Kind: File, Origin: policy.File, Operation: "read", Text: "/tmp/x", Wire: bytesOf{"x"}}, audit.KindCommandRefused},
	{SideChannel, Request{Kind: Channel, Origin: policy.Human, Operation: "local_forward", Text: "127.0.0.1:5432", Wire: bytesOf{"x"}}, audit.KindChannelOpen},
}

func TestWhatIsRecordedAndNotSentIsClosed(t *testing.T) {
	ends := map[string]func(*bench, context.CancelFunc){
		"the prompt changed":       func(b *bench, _ context.CancelFunc) { b.Enter(State{Phase: AtPrompt, Prompt: 2}) },
		"who submitted it is gone": func(b *bench, gone context.CancelFunc) { gone(); b.Enter(State{Phase: Closed}) },
	}
	for _, k := range kinds {
		for name, happens := range ends {
			t.Run(k.r.Kind.String()+", "+name, func(t *testing.T) {
				b := newBench(t, nil)
				b.cfg.Judge = func() Judge { return tables{b.pol} }
				ctx, gone := context.WithCancel(t.Context())
				log := &meanwhile{Recorder: b.cfg.Recorder, happens: func() { happens(b, gone) }}
				b.cfg.Recorder = log
				b.Enter(State{Phase: k.phase})
				_, err := b.g.Submit(ctx, b.Slot, k.r)
				refusal(t, err, ByChange)
				if n := len(log.events); n != 2 || log.events[1].Kind() != k.ends || !closes(log.events[1], log.seq) {
					t.Errorf("record %d is followed by %+v", log.seq, log.events[1:])
				}
			})
		}
	}
}

func TestAClearanceThatCameTooLateIsClosedAndVoid(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.r.Kind.String(), func(t *testing.T) {
			b := newBench(t, nil)
			b.cfg.Judge = func() Judge { return tables{b.pol} }
			b.Enter(State{Phase: k.phase})
			c, err := b.g.Submit(t.Context(), b.Slot, k.r)
			if err != nil {
				t.Fatal(err)
			}
			if ev := c.Abandon("nobody reads"); ev == nil || ev.Kind() != k.ends || !closes(ev, c.Intent()) {
				t.Errorf("closed by %+v", ev)
			}
			if _, err := c.Spend(b.Slot); err == nil {
				t.Error("it was sent after that")
			}
		})
	}
	if ev := (Cleared{}).Abandon("none"); ev != nil {
		t.Errorf("the zero value: %+v", ev)
	}
}

func TestAnEndThatCannotBeRecordedIsSaid(t *testing.T) {
	b := newBench(t, nil)
	b.cfg.Recorder = &meanwhile{Recorder: b.cfg.Recorder, fails: errors.New("no space"), happens: func() { b.Enter(State{Phase: Busy}) }}
	_, err := b.g.Submit(t.Context(), b.Slot, line("ls"))
	if ref := refusal(t, err, ByChange); ref.Reason != "the prompt, or the program that reads, changed meanwhile [audit: outcome record lost: no space]" {
		t.Errorf("said: %s", ref.Reason)
	}
}
