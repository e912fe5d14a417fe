package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/audit/daemon"
	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/probe"
	"sallyport/console/shellmarks"
	"sallyport/policy"
	"sallyport/redact"
)

// late is a session's loop on a channel that keeps what it is sent, behind the
// real gate and the real audit daemon: what workers answer is taken when the
// test says so.
type late struct {
	ending error // what the session ends with
	*loop
	t    *testing.T
	wire *kept
	dir  string
	stop func()
}

// kept is a channel: it keeps what was sent, or fails.
type kept struct {
	slot  *gate.Slot
	sent  []string
	fails error
}

func (k *kept) Send(c gate.Cleared) error {
	if k.fails != nil {
		return k.fails
	}
	p, err := c.Spend(k.slot)
	if err == nil {
		k.sent = append(k.sent, string(p))
	}
	return err
}

func (k *kept) Resize(gate.Cleared) error { return nil }
func (k *kept) Read([]byte) (int, error)  { return 0, io.EOF }
func (k *kept) Close() error              { return nil }

// permits is a policy that lets everything leave; keys go to vi.
type permits struct{ noRules }

func (permits) Digest() [32]byte { return [32]byte{} }

func (permits) Decide(r policy.Request) policy.Decision {
	d := policy.Decision{Origin: r.Origin, Analyzable: true}
	if strings.Contains(r.Text, "DENYME") {
		d.Effect = policy.Deny
	}
	return d
}

func (permits) Interactive(string) (bool, []string, policy.Effect) { return true, nil, policy.Deny }

// broken is a recorder that fails when the test says so.
type broken struct {
	gate.Recorder
	mu    sync.Mutex
	fails error
}

func (b *broken) Append(ctx context.Context, ev ...audit.Event) ([]audit.Receipt, error) {
	b.mu.Lock()
	err := b.fails
	b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return b.Recorder.Append(ctx, ev...)
}

func (b *broken) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fails = err
}

func newLate(t *testing.T, tweak func(*Config)) *late {
	t.Helper()
	log, dir := auditd(t)
	scope := log.In("s-1", audit.Target{})
	c := Config{ID: "s-1", Gate: &gate.Gate{}, Recorder: scope, Redactor: redact.New(redact.Config{})}
	if tweak != nil {
		tweak(&c)
	}
	c.Slot = gate.NewSlot(gate.SlotConfig{
		Session: "s-1", Recorder: c.Recorder, Judge: func() gate.Judge { return permits{} }, Redactor: c.Redactor, Targets: []policy.Target{{Asked: "h"}},
	})
	ctx, cancel := context.WithCancel(t.Context())
	l := &late{loop: newLoop(ctx, New(c)), t: t, wire: &kept{slot: c.Slot}, dir: dir}
	l.ch, l.frames = l.wire, []*frame{{targets: []policy.Target{{Asked: "h"}}}}
	l.stop = sync.OnceFunc(func() { cancel(); l.end(l.ending) })
	t.Cleanup(l.stop)
	l.enterPrompt(l.top())
	l.accept("cat")
	l.begin()
	return l
}

// accept has a line cleared at the prompt.
func (l *late) accept(text string) {
	l.t.Helper()
	req := gate.Request{Kind: gate.Line, Origin: policy.Human, Text: text, Wire: shellmarks.Composed{}}
	c, err := l.cfg.Gate.Submit(l.t.Context(), l.cfg.Slot, req)
	if err != nil {
		l.t.Fatal(err)
	}
	l.accepted(req, c)
}

// auditd is a running daemon, a log that writes to it, and where it keeps it.
func auditd(t *testing.T) (*audit.Log, string) {
	t.Helper()
	dir := t.TempDir()
	log, err := audit.Open(audit.Config{Dir: filepath.Join(dir, "audit")})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := daemon.Listen(filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- daemon.New(daemon.Config{Log: log}).Serve(ctx, listener) }()
	t.Cleanup(func() { cancel(); <-done; log.Close(context.Background()) })
	client, err := audit.Dial(t.Context(), audit.DialConfig{Socket: filepath.Join(dir, "s"), PeerUID: os.Geteuid()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(context.Background()) })
	return client, filepath.Join(dir, "audit")
}

// turn does what the workers have answered.
func (l *late) turn() {
	l.workers.Wait()
	for _, f := range l.s.queue.take() {
		f(l.loop)
	}
}

// recorded are the session's records as they are on disk.
func (l *late) recorded() (out []record) {
	l.t.Helper()
	if l.state != Dead {
		l.records.settle()
	}
	files, _ := filepath.Glob(filepath.Join(l.dir, "*.jsonl"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			l.t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			var r record
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				l.t.Fatal(err)
			}
			if r.Session == "s-1" {
				out = append(out, r)
			}
		}
	}
	return out
}

type record struct {
	Seq     uint64
	Session string
	Event   string
	Data    struct {
		Class, By, Reason, Status string
		Intent, Opened            uint64
	}
}

// said fails unless the operator is told what happened and what to do, and no
// record is missing.
func (l *late) said(reason string) {
	l.t.Helper()
	if l.refused == nil || !strings.Contains(l.refused.Reason, reason) || l.refused.Remedy == "" {
		l.t.Errorf("the operator is told %+v, want %q", l.refused, reason)
	}
	if l.alarm != "" {
		l.t.Errorf("alarm: %s", l.alarm)
	}
}

// last are the newest record and the newest of an event before it.
func (l *late) last(event string) (last, before record) {
	l.t.Helper()
	for _, r := range l.recorded() {
		if last = r; strings.HasPrefix(r.Event, event) {
			before = r
		}
	}
	return last, before
}

func TestALineThatIsNotSentIsSaidAndClosedInTheRecord(t *testing.T) {
	for _, c := range []struct {
		name    string
		happens func(*late)
		eof     bool
		reason  string
		stays   string // in the field, to be edited
	}{
		{"its program reads no more", func(l *late) { l.afterField() }, false, "what read the line has ended", ""},
		{"its program has ended", func(l *late) { l.atPrompt(l.top()) }, false, "what read the line has ended", ""},
		{"its program has ended, an end of file", func(l *late) { l.atPrompt(l.top()) }, true, "what read the line has ended", ""},
		{"another field is open", func(l *late) { l.afterField(); l.openField(LineField, "sh") }, false, "what read the line has ended", ""},
		{"the channel fails", func(l *late) { l.wire.fails = errors.New("reset") }, false, "the channel did not take the line", "yes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLate(t, nil)
			l.openField(LineField, "cat")
			id := l.field.v.ID
			l.answer(id, []byte("yes"), c.eof)
			l.workers.Wait() // the gate has cleared it
			c.happens(l)
			l.turn()
			l.said(c.reason)
			if len(l.wire.sent) > 0 {
				t.Errorf("sent %q", l.wire.sent)
			}
			if last, in := l.last("input."); last.Event != "command.refused" || last.Data.Class != "input" || last.Data.By != "expired" ||
				in.Seq == 0 || !strings.HasPrefix(last.Data.Reason, fmt.Sprintf("record %d was not sent: ", in.Seq)) {
				t.Errorf("record %d of the line is followed by %+v", in.Seq, last)
			}
			if c.stays != "" && (l.field == nil || l.field.v.Typed != c.stays || l.field.v.ID == id) {
				t.Errorf("to be edited: %+v", l.field)
			}
		})
	}
}

// The line goes back into the field, for the operator to edit; one that was typed
// before the field opened, too.
func TestARefusedLineStaysInItsField(t *testing.T) {
	l := newLate(t, nil)
	l.openField(LineField, "sh")
	id := l.field.v.ID
	l.answer(id, []byte("echo DENYME"), false)
	l.turn()
	if l.field == nil || l.field.v.ID == id || l.field.v.Typed != "echo DENYME" {
		t.Fatalf("the field is %+v", l.field)
	}
	l.answer(id, nil, false) // Enter a second time, before it was drawn
	l.answer(l.field.v.ID, []byte("echo yes"), false)
	l.turn()
	if got := strings.Join(l.wire.sent, ""); got != "echo yes\n" || l.refused != nil {
		t.Errorf("sent %q, refused %+v", got, l.refused)
	}
}

// What is entered while the line before is judged waits, and goes to what reads
// then; behind a refused line it does not.
func TestALineBehindALineWaits(t *testing.T) {
	for first, want := range map[string]string{"one": "one\n\ntwo\n\x04", "echo DENYME": ""} {
		l := newLate(t, nil)
		l.openField(LineField, "cat")
		id := l.field.v.ID
		l.answer(id, []byte(first), false)
		l.answer(id, nil, false)
		l.answer(id, []byte("two"), false)
		l.answer(id, nil, true)
		for range 4 {
			l.turn()
			if l.field == nil {
				l.openField(LineField, "cat")
			}
		}
		l.turn()
		if got := strings.Join(l.wire.sent, ""); got != want || len(l.held) > 0 {
			t.Errorf("behind %q: sent %q, held %v", first, got, l.held)
		}
	}
}

// An answer to a question that is not there any more is not dropped in silence.
func TestAnAnswerToNobodyIsSaid(t *testing.T) {
	for _, kind := range []FieldKind{LineField, SecretField} {
		l := newLate(t, nil)
		l.openField(kind, "cat")
		id := l.field.v.ID
		l.atPrompt(l.top())
		line := []byte("made-up-secret")
		l.answer(id, line, false)
		l.turn()
		l.said("what asked has ended: nothing was sent")
		if len(l.wire.sent) > 0 || line[0] != 0 {
			t.Errorf("sent %q, kept %q", l.wire.sent, line)
		}
	}
}

func TestASecretThatIsNotSentIsSaid(t *testing.T) {
	for _, c := range []struct {
		name    string
		happens func(*late)
		reason  string
		stays   bool // the field
	}{
		{"what asked has ended", func(l *late) { l.atPrompt(l.top()) }, "what asked for it has ended", false},
		{"the channel fails", func(l *late) { l.wire.fails = errors.New("reset") }, "the channel did not take it", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLate(t, nil)
			l.openField(SecretField, "sudo")
			l.answer(l.field.v.ID, []byte("made-up-secret"), false)
			l.workers.Wait()
			c.happens(l)
			l.turn()
			l.said(c.reason)
			if last, in := l.last("secret.entered"); last.Event != "command.refused" || last.Data.Class != "secret" ||
				!strings.HasPrefix(last.Data.Reason, fmt.Sprintf("record %d: ", in.Seq)) {
				t.Errorf("record %d of the secret is followed by %+v", in.Seq, last)
			}
			if len(l.wire.sent) > 0 || (l.field != nil) != c.stays {
				t.Errorf("sent %q, field %+v", l.wire.sent, l.field)
			}
		})
	}
}

func TestASecretLeavesOnlyWhenItIsRecordedThatItDid(t *testing.T) {
	disk := &broken{}
	l := newLate(t, func(c *Config) { disk.Recorder = c.Recorder; c.Recorder = disk })
	l.openField(SecretField, "sudo")
	disk.fail(errors.New("no space"))
	l.answer(l.field.v.ID, []byte("made-up-secret"), false)
	l.turn()
	l.said("no space")
	if len(l.wire.sent) > 0 {
		t.Errorf("sent %q", l.wire.sent)
	}
	disk.fail(nil)
	l.answer(l.field.v.ID, []byte("made-up-secret"), false)
	l.turn()
	if got := strings.Join(l.wire.sent, ""); got != "made-up-secret\n" {
		t.Errorf("sent %q", got)
	}
}

func TestKeysThatWereOpenedTooLateAreClosed(t *testing.T) {
	l := newLate(t, nil)
	l.wantsKeys("vi", nil)
	l.workers.Wait()
	l.atPrompt(l.top())
	l.turn()
	if last, in := l.last("keys.open"); last.Event != "keys.close" || last.Data.Opened != in.Seq {
		t.Errorf("keys.open %d is followed by %+v", in.Seq, last)
	}
}

// What was cleared while the session ended is closed in the record, and who waits
// for an answer has one.
func TestTheEndOfASessionClosesWhatIsOpen(t *testing.T) {
	typed := func(l *late) {
		l.atPrompt(l.top())
		l.composeEnter(l.top(), "ls")
	}
	var answer chan error
	for _, c := range []struct {
		name  string
		begin func(*late)
		ends  string // the newest record
		open  string // what it closes
	}{
		{"a command runs", func(*late) {}, "command.outcome", "command.intent"},
		{"a line was cleared", typed, "command.outcome", "command.intent"},
		{"a suggestion was cleared", func(l *late) {
			l.atPrompt(l.top())
			answer = make(chan error, 1)
			l.suggestion(gate.Suggestion{ID: "1", Text: "ls"}, "ls", answer)
		}, "command.outcome", "command.intent"},
		{"a line of input was cleared", func(l *late) {
			l.openField(LineField, "cat")
			l.answer(l.field.v.ID, []byte("y"), false)
		}, "command.refused", "input.line"},
		{"keys were cleared", func(l *late) { l.wantsKeys("vi", nil) }, "keys.close", "keys.open"},
		{"shells inside", func(l *late) {
			outer := l.top()
			outer.saved = saved{l.active, l.cmd, l.out.facts, l.cwd, l.why}
			l.active, l.cmd = nil, nil
			l.frames = append(l.frames, &frame{targets: outer.targets})
			l.enterPrompt(l.top())
			l.accept("inside")
			l.begin()
		}, "command.outcome", "command.intent"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLate(t, nil)
			c.begin(l)
			l.workers.Wait()
			l.stop()
			open := map[uint64]bool{}
			for _, r := range l.recorded() {
				switch r.Event {
				case "command.intent":
					open[r.Seq] = true
				case "command.outcome":
					delete(open, r.Data.Intent)
				}
			}
			last, in := l.last(c.open)
			if len(open) > 0 || last.Event != c.ends || in.Seq == 0 {
				t.Errorf("open %v, the last record is %+v", open, last)
			}
			if v := l.s.View(); v.State != Dead || v.Alarm != "" {
				t.Errorf("view %+v", v)
			}
			if answer != nil {
				if err := <-answer; !errors.Is(err, errEnded) {
					t.Errorf("who sent it hears %v", err)
				}
				answer = nil
			}
		})
	}
}

// What could not be recorded of the end is said, too.
func TestARecordLostAtTheEndIsSaid(t *testing.T) {
	disk := &broken{}
	l := newLate(t, func(c *Config) { disk.Recorder = c.Recorder; c.Recorder = disk })
	disk.fail(errors.New("no space"))
	l.stop()
	if v := l.s.View(); v.Alarm != "[audit: outcome record lost: no space]" {
		t.Errorf("alarm %q", v.Alarm)
	}
}

func TestNothingIsSentToASessionThatHasEnded(t *testing.T) {
	l := newLate(t, nil)
	l.stop()
	if err := l.s.Send(t.Context(), gate.Suggestion{ID: "1", Text: "ls"}, "ls"); !errors.Is(err, errEnded) {
		t.Errorf("error %v", err)
	}
}

// What is typed into a field that is open and not drawn yet: text stands in it,
// an Enter sends no line that nobody saw, and nothing waits for a later line.
func TestWhatIsTypedBeforeAFieldIsDrawn(t *testing.T) {
	enter := keys.Press(keys.Enter, 0)
	for _, c := range []struct {
		name string
		do   func(*late)
		kind FieldKind
		want string
		bell bool
	}{
		{"characters", func(l *late) { l.key(keys.Rune('y')); l.key(keys.Rune('e')) }, LineField, "hay" + "e", false},
		{"Enter", func(l *late) { l.key(enter) }, LineField, "ha", true},
		{"the keypad's Enter", func(l *late) { l.key(keys.Press(keys.KPEnter, 0)) }, LineField, "ha", true},
		{"Up", func(l *late) { l.key(keys.Press(keys.Up, 0)) }, LineField, "ha", true},
		{"a paste", func(l *late) { l.paste("ste\n") }, LineField, "haste", false},
		{"a paste of lines", func(l *late) { l.paste("one\ntwo") }, LineField, "ha", true},
		{"of a secret", func(l *late) { l.key(keys.Rune('s')) }, SecretField, "", true},
		{"a secret that is pasted", func(l *late) { l.paste("secret") }, SecretField, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLate(t, nil)
			if c.kind == LineField {
				l.key(keys.Rune('h'))
				l.key(keys.Rune('a'))
			}
			l.openField(c.kind, "cat")
			c.do(l)
			l.turn()
			if l.field.v.Typed != c.want || len(l.held) > 0 || (l.s.screen.Bells() > 0) != c.bell || len(l.wire.sent) > 0 {
				t.Errorf("typed %q, held %v, bell %v, sent %q", l.field.v.Typed, l.held, !c.bell, l.wire.sent)
			}
		})
	}
}

// A paste of several lines that waits is no line of a program's, and what stands
// before it is no whole one.
func TestAPasteOfLinesDoesNotGoToAProgram(t *testing.T) {
	l := newLate(t, nil)
	l.key(keys.Rune('y'))
	l.paste("one\ntwo")
	l.key(keys.Press(keys.Enter, 0))
	l.openField(LineField, "cat")
	l.turn()
	if l.field.v.Typed != "y" || len(l.held) != 2 || len(l.wire.sent) > 0 {
		t.Errorf("typed %q, held %v, sent %q", l.field.v.Typed, l.held, l.wire.sent)
	}
	l.answer(l.field.v.ID, []byte("one\ntwo"), false)
	l.turn()
	l.said("one line at a time")
	if last, in := l.last("input.line"); in.Seq != 0 || last.Event != "command.refused" {
		t.Errorf("record %d, and then %+v", in.Seq, last)
	}
}

// looks is a side channel that counts how often it is asked.
type looks struct {
	mu sync.Mutex
	n  int
}

func (k *looks) Terminal(context.Context, string) (probe.Terminal, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.n++
	return probe.Terminal{Foreground: []probe.Process{{Args: "vi"}}}, nil
}

func (k *looks) Close() error { return nil }

func (k *looks) asked() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.n
}

// After each key that ends a line the program in front is looked at again, also
// where the keypad's Enter has a code of its own.
func TestAnyEnterToAProgramHasItLookedAt(t *testing.T) {
	for _, c := range []struct {
		key, modes string
		looked     bool
	}{
		{"x", "", false},
		{"Enter", "", true},
		{"C-j", "", true},
		{"KPEnter", "", true},
		{"KPEnter", "\x1b=", true}, // DECKPAM
	} {
		l, side := newLate(t, nil), &looks{}
		now := time.Now()
		l.cfg.Clock = func() time.Time { return now }
		l.wantsKeys("vi", nil)
		l.turn()
		l.probe.p = side
		l.s.screen.Write([]byte(c.modes))
		k, err := keys.Parse(c.key)
		if err != nil {
			t.Fatal(err)
		}
		l.key(k)
		l.workers.Wait()
		if n := side.asked(); len(l.wire.sent) != 1 || (n > 0) != c.looked {
			t.Errorf("%s%q: sent %q, looked %d times", c.key, c.modes, l.wire.sent, n)
		}
	}
}

// A line that the channel does not take is said and closed.
func TestALineThatTheChannelDoesNotTakeIsSaid(t *testing.T) {
	l := newLate(t, nil)
	l.atPrompt(l.top())
	l.wire.fails = errors.New("reset")
	l.paste("ls")
	l.key(keys.Press(keys.Enter, 0))
	l.turn()
	l.said("the channel did not take the line")
	if l.compose == nil || l.compose.edit.Text() != "ls" {
		t.Errorf("the line is gone: %+v", l.compose)
	}
	if last, in := l.last("command.intent"); last.Event != "command.outcome" || last.Data.Intent != in.Seq || last.Data.Status != "not_sent" {
		t.Errorf("intent %d is followed by %+v", in.Seq, last)
	}
}

// Every key that ends a line ends one that was typed before its field opened.
func TestALineTypedAheadEndsWithAnyEnter(t *testing.T) {
	for _, name := range []string{"Enter", "KPEnter", "C-m", "C-j"} {
		l := newLate(t, nil)
		k, err := keys.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		l.key(keys.Rune('y'))
		l.key(k)
		l.key(keys.Rune('z'))
		l.openField(LineField, "cat")
		l.turn()
		if got := strings.Join(l.wire.sent, ""); got != "y\n" || len(l.held) != 1 {
			t.Errorf("%s: sent %q, held %v", name, got, l.held)
		}
	}
}

// TestWhatBecomesOfACommandWhoseSessionEnds: who closes a session leaves the command running, and did not lose the connection.
func TestWhatBecomesOfACommandWhoseSessionEnds(t *testing.T) {
	for _, c := range []struct {
		name    string
		err     error
		started string // of a command that runs
		cleared string // of one that was not seen to start
	}{
		{"the shell ended", nil, "completed", "unobserved"},
		{"the operator closed it", context.Canceled, "still_running", "unobserved"},
		{"the connection was lost", io.ErrUnexpectedEOF, "connection_lost", "connection_lost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, runs := range []bool{true, false} {
				l, want := newLate(t, nil), c.started
				if !runs {
					l.atPrompt(l.top())
					l.accept("ls")
					want = c.cleared
				}
				l.ending = c.err
				l.stop()
				if last, _ := l.last("command.intent"); last.Data.Status != want {
					t.Errorf("runs %v: %+v, want the status %s", runs, last, want)
				}
			}
		})
	}
}
