package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sallyport/audit"
	"sallyport/redact"
)

// TestManyConsolesAtOneCommandASecond compares what a console waits for an
// acknowledged intent with what a bare write and fdatasync take meanwhile.
func TestManyConsolesAtOneCommandASecond(t *testing.T) {
	consoles, seconds := 50, 3
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		consoles, seconds = 500, 20
	}
	r := start(t, Config{MaxConnections: 2 * consoles, RecordsPerS: 1 << 20, Burst: 1 << 20})
	stop := make(chan struct{})
	bare := make(chan []time.Duration)
	go func() { bare <- bareLoop(t, filepath.Dir(r.dir), stop) }()
	var mu sync.Mutex
	var waits []time.Duration
	var wg sync.WaitGroup
	for c := range consoles {
		l := r.dial(t)
		wg.Add(1)
		go func() {
			defer wg.Done()
			took := console(t, l, c, seconds, time.Duration(c)*time.Second/time.Duration(consoles))
			mu.Lock()
			waits = append(waits, took...)
			mu.Unlock()
		}()
	}
	wg.Wait()
	close(stop)
	ours, theirs := p99(waits), p99(<-bare)
	t.Logf("%d intents of %d consoles: p99 %v, bare write and fdatasync %v", len(waits), consoles, ours, theirs)
	if len(waits) != consoles*seconds {
		t.Errorf("%d of %d were acknowledged", len(waits), consoles*seconds)
	}
	if os.Getenv("SALLYPORT_NIGHTLY") != "" && ours > 8*theirs {
		t.Errorf("p99 %v, more than 8 times %v", ours, theirs)
	}
}

func console(t *testing.T, l *audit.Log, n, seconds int, phase time.Duration) (took []time.Duration) {
	sc := l.In(fmt.Sprintf("load-%d", n), audit.Target{Host: redact.Literal("h")})
	time.Sleep(phase) // the load itself: consoles do not type in step
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for range seconds {
		t0 := time.Now()
		if _, err := sc.Append(t.Context(), intent(redact.Literal("df -h /var"))); err != nil {
			t.Error(err)
			return took
		}
		took = append(took, time.Since(t0))
		<-tick.C
	}
	return took
}

// bareLoop writes and syncs a line 50 times a second until stop.
func bareLoop(t *testing.T, dir string, stop chan struct{}) (took []time.Duration) {
	fd, err := unix.Open(filepath.Join(dir, "bare"), unix.O_WRONLY|unix.O_CREAT|unix.O_APPEND, 0o600)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer unix.Close(fd)
	line := make([]byte, 700)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return took
		case <-tick.C:
		}
		t0 := time.Now()
		if _, err := unix.Write(fd, line); err != nil || unix.Fdatasync(fd) != nil {
			t.Error("bare write")
		}
		took = append(took, time.Since(t0))
	}
}

func p99(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return d[len(d)*99/100]
}
