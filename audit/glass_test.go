package audit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/age"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/durable/durabletest"
	"sallyport/redact"
)

// collector is a second sink in memory.
type collector struct {
	mu    sync.Mutex
	lines []byte
	down  bool
}

func (c *collector) Name() redact.Text { return redact.Literal("collector") }

func (c *collector) Accept(_ context.Context, _ audit.LogID, lines []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.down {
		return errors.New("collector away")
	}
	c.lines = append(c.lines, lines...)
	return nil
}

func (c *collector) holds(s string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Contains(c.lines, []byte(s))
}

// openLog opens a log and a session in it.
func openLog(t *testing.T, c audit.Config) (*audit.Log, *audit.Scope) {
	t.Helper()
	l, err := audit.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return l, l.In("s1", audit.Target{Host: redact.Literal("prod-web-03")})
}

// fillUp sends until the log refuses.
func fillUp(t *testing.T, sc *audit.Scope, r *run) {
	t.Helper()
	for n := 0; len(r.refused) == 0; n++ {
		name := fmt.Sprintf("run-%d", n)
		r.append(t.Context(), sc, name, audit.Intent[redact.Text]{Command: words(name)})
	}
}

func TestTheGlassIsBrokenWithASecondSinkOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := durabletest.NewMemory()
		mem.Capacity = 16 << 10
		l, err := audit.Open(audit.Config{Dir: dir, FS: mem})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close(t.Context())
		if err := l.BreakGlass(t.Context(), redact.Literal("fire")); !errors.Is(err, audit.ErrNoGlass) {
			t.Errorf("without a second sink: %v", err)
		}
	})
}

func TestABrokenGlassLetsWorkGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem, second := durabletest.NewMemory(), &collector{}
		mem.Capacity = 16 << 10
		l, sc := openLog(t, audit.Config{Dir: dir, FS: mem, Second: second})
		if err := l.BreakGlass(t.Context(), redact.Literal("fire")); !errors.Is(err, audit.ErrWorks) {
			t.Errorf("while the log works: %v", err)
		}
		var r run
		fillUp(t, sc, &r)
		second.down = true
		if err := l.BreakGlass(t.Context(), redact.Literal("fire")); err == nil || l.Status().Glass {
			t.Error("broken although the second sink is away")
		}
		second.down = false
		if err := l.BreakGlass(t.Context(), redact.Literal("fire in the rack")); err != nil {
			t.Fatal(err)
		}
		if !second.holds("break_glass.opened") || !second.holds("fire in the rack") || !l.Status().Glass {
			t.Error("the sink does not hold that the glass was broken")
		}
		r.command(t.Context(), sc, "run-under-glass")
		if !second.holds("run-under-glass") {
			t.Error("acknowledged, and the sink does not hold it")
		}
		mem.SetCapacity(1 << 30)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if l.Status().Glass || !second.holds("break_glass.closed") {
			t.Error("the disk is back and the glass is still broken")
		}
		r.command(t.Context(), sc, "run-afterwards")
		if second.holds("run-afterwards") {
			t.Error("the second sink gets what the log holds")
		}
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(r.refused) != 1 {
			t.Errorf("refused %q", r.refused)
		}
		checkKept(t, "after the glass", mem, r)
	})
}

func TestUnderBrokenGlassNothingIsAcknowledgedThatTheSinkDoesNotHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem, second := durabletest.NewMemory(), &collector{}
		mem.Capacity = 16 << 10
		l, sc := openLog(t, audit.Config{Dir: dir, FS: mem, Second: second})
		defer l.Close(t.Context())
		var r run
		fillUp(t, sc, &r)
		if err := l.BreakGlass(t.Context(), redact.Literal("fire")); err != nil {
			t.Fatal(err)
		}
		second.down = true
		if _, ok := r.append(t.Context(), sc, "run-lost", audit.Intent[redact.Text]{Command: words("run-lost")}); ok {
			t.Error("acknowledged by nobody")
		}
		if l.Status().Refusing == nil || l.Status().Glass {
			t.Errorf("status %+v", l.Status())
		}
		mem.SetCapacity(1 << 30)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		r.command(t.Context(), sc, "run-afterwards")
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkKept(t, "after both failed", mem, r)
	})
}

// unsealable is a disk on which sealed/ alone can fail.
type unsealable struct {
	*durabletest.Memory
	broken *atomic.Bool
}

func (u unsealable) OpenAppend(path string) (durable.File, error) {
	if u.broken.Load() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return u.Memory.OpenAppend(path)
}

// With recipients, a full disk and a sealed/ that fails are both reasons to
// break the glass, and work goes on under it.
func TestABrokenGlassNeedsNothingSealed(t *testing.T) {
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	exact := func(s string) audit.Intent[redact.Text] {
		return audit.Intent[redact.Text]{Command: words(s), CommandDigest: audit.NewExact([]byte(s), 0)}
	}
	for _, c := range []struct {
		name      string
		fail, fix func(u unsealable)
	}{
		{"sealing fails", func(u unsealable) { u.broken.Store(true) }, func(u unsealable) { u.broken.Store(false) }},
		{"the disk is full", func(u unsealable) { u.SetCapacity(1) }, func(u unsealable) { u.SetCapacity(1 << 30) }},
		{"both", func(u unsealable) { u.broken.Store(true); u.SetCapacity(1) }, func(u unsealable) { u.broken.Store(false); u.SetCapacity(1 << 30) }},
	} {
		synctest.Test(t, func(t *testing.T) {
			u := unsealable{durabletest.NewMemory(), &atomic.Bool{}}
			u.SetCapacity(1 << 30)
			second := &collector{}
			l, err := audit.Open(audit.Config{Dir: dir, FS: u, Second: second, Recipients: []string{auditor.Recipient().String()}})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close(t.Context())
			send := func(name string) error {
				_, err := l.In(name, audit.Target{}).Append(t.Context(), exact(name))
				return err
			}
			c.fail(u)
			if err := send("run-refused"); err == nil || l.Status().Refusing == nil {
				t.Fatalf("%s: %v, status %+v", c.name, err, l.Status())
			}
			if err := l.BreakGlass(t.Context(), redact.Literal("fire")); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			time.Sleep(3 * time.Second) // it does not mend by itself while this lasts
			synctest.Wait()
			if err := send("run-under-glass"); err != nil || !l.Status().Glass || l.Status().Refusing != nil {
				t.Errorf("%s: under glass: %v, status %+v", c.name, err, l.Status())
			}
			if !second.holds("run-under-glass") || second.holds(`"sealed":{`) {
				t.Errorf("%s: the sink has not the record alone", c.name)
			}
			c.fix(u)
			time.Sleep(3 * time.Second)
			synctest.Wait()
			if err := send("run-afterwards"); err != nil || l.Status().Glass {
				t.Errorf("%s: afterwards: %v, status %+v", c.name, err, l.Status())
			}
			if !bytes.Contains(u.Bytes(l.Status().Path), []byte(`"sealed":{`)) {
				t.Errorf("%s: nothing is sealed again", c.name)
			}
		})
	}
}
