package gate

import (
	"context"
	"errors"
	"testing"
	"time"

	"sallyport/audit"
)

// fullDisk is a log that refuses since some time.
type fullDisk struct{ since time.Time }

var errFull = errors.New("no space")

func (fullDisk) Append(context.Context, ...audit.Event) ([]audit.Receipt, error) { return nil, errFull }

func (f fullDisk) Stopped() (time.Time, error) { return f.since, errFull }

var _ stopper = (*audit.Scope)(nil)

func TestKeysPassForAMinuteWhileNothingCanBeRecorded(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		after time.Duration
		keys  string
		pass  bool
	}{
		{"at once", 0, ":wq\r", true},
		{"within the grace", 59 * time.Second, ":wq\r", true},
		{"after it", 61 * time.Second, ":wq\r", false},
		{"^C after it", time.Hour, "\x03", true},
		{"^Z after it", time.Hour, "\x1a", true},
		{"^D after it", time.Hour, "\x04", true},
		{"^C and more after it", time.Hour, "\x03rm", false},
	} {
		b := newBench(t, nil)
		b.g.Now = func() time.Time { return now }
		b.cfg.Recorder = fullDisk{now.Add(-c.after)}
		b.Enter(State{Phase: Raw, Prompt: 1, Program: "vi"})
		_, err := b.g.Raw(b.Slot, []byte(c.keys))
		if (err == nil) != c.pass {
			t.Errorf("%s: %v", c.name, err)
		}
		if !c.pass {
			refusal(t, err, ByLog)
		}
	}
}
