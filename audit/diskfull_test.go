package audit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
	"sallyport/redact"
)

func TestAFullDiskRefusesSendsAndKeepsOutcomes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := durabletest.NewMemory()
		mem.Capacity = audit.Reserve + 64<<10
		l, sc := openLog(t, audit.Config{Dir: dir, FS: mem})
		var r run
		fillUp(t, sc, &r)
		_, err := sc.Append(t.Context(), audit.Intent[redact.Text]{})
		var full *audit.Unwritable
		if !errors.As(err, &full) || !errors.Is(err, unix.ENOSPC) || full.Path != dir || full.Total != mem.Capacity {
			t.Fatalf("error %v, want the path and the numbers", err)
		}
		if msg := err.Error(); !strings.Contains(msg, "no space on /audit") || !strings.Contains(msg, "free of") {
			t.Errorf("message %q", msg)
		}
		if l.Status().Refusing == nil {
			t.Error("the status does not say that sends are refused")
		}
		for n := range r.acknowledged[1:] {
			name := fmt.Sprintf("out-%d", n)
			if _, ok := r.append(t.Context(), sc, name, audit.Outcome[redact.Text]{Intent: uint64(n + 1), Note: words(name)}); !ok {
				t.Fatalf("outcome %d was refused", n)
			}
		}

		mem.SetCapacity(64 << 20)
		time.Sleep(2 * time.Second) // the writer looks again every second
		synctest.Wait()
		if l.Status().Refusing != nil {
			t.Errorf("space is back and the log refuses: %v", l.Status().Refusing)
		}
		if _, ok := r.append(t.Context(), sc, "run-again", audit.Intent[redact.Text]{Command: words("run-again")}); !ok {
			t.Error("space is back and an intent was refused")
		}
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkKept(t, "after the disk was full", mem, r)
	})
}

func TestALogThatCannotBeOpenedComesBackByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := durabletest.NewMemory()
		mem.Capacity = 16 << 10 // too small for a reserve
		l, sc := openLog(t, audit.Config{Dir: dir, FS: mem})
		var r run
		fillUp(t, sc, &r)
		mem.SetCapacity(1 << 20)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if err := l.Status().Refusing; err != nil {
			t.Fatalf("still refusing: %v", err)
		}
		if _, ok := r.append(t.Context(), sc, "run-again", audit.Intent[redact.Text]{Command: words("run-again")}); !ok {
			t.Error("refused")
		}
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkKept(t, "after the disk was full", mem, r)
	})
}
