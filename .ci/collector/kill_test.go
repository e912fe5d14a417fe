package collector

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/audit/ship"
	"sallyport/redact"
)

// The test binary is also the shipper that is killed.
const (
	childDir      = "SALLYPORT_TEST_SHIP_DIR"
	childEndpoint = "SALLYPORT_TEST_SHIP_ENDPOINT"
	childProtocol = "SALLYPORT_TEST_SHIP_PROTOCOL"
	pollOfChild   = 10 * time.Millisecond
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		fmt.Fprintln(os.Stderr, shipForever(dir, os.Getenv(childEndpoint), os.Getenv(childProtocol)))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// kills are how many times something is killed, and how long it may have run.
// By night the log grows older than what a shipper sends again when it begins.
func kills() (n int, within time.Duration) {
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		return 100, 2500 * time.Millisecond
	}
	return 8, 400 * time.Millisecond
}

// TestKilledAtRandomNothingIsLost writes a log while the shipper and the
// receiver are killed with SIGKILL at random moments and begun again. In the
// end every record is held at least once, and by log.record.uid exactly once.
func TestKilledAtRandomNothingIsLost(t *testing.T) {
	bin := built(t)
	for _, way := range []struct {
		name string
		set  func(t *testing.T, v *victoria) (receiver *process, e ship.Endpoint)
	}{
		{"collector over HTTP", func(t *testing.T, v *victoria) (*process, ship.Endpoint) {
			c := newOtelcol(t, bin, v)
			return c.process, ship.Endpoint{URL: fmt.Sprintf("http://127.0.0.1:%d/v1/logs", c.http)}
		}},
		{"collector over gRPC", func(t *testing.T, v *victoria) (*process, ship.Endpoint) {
			c := newOtelcol(t, bin, v)
			return c.process, ship.Endpoint{URL: fmt.Sprintf("http://127.0.0.1:%d", c.grpc), Protocol: ship.GRPC}
		}},
		{"VictoriaLogs itself", func(_ *testing.T, v *victoria) (*process, ship.Endpoint) {
			return v.process, ship.Endpoint{URL: v.url("/insert/opentelemetry/v1/logs")}
		}},
	} {
		t.Run(way.name, func(t *testing.T) {
			v := newVictoria(t, bin)
			receiver, e := way.set(t, v)
			dir := filepath.Join(t.TempDir(), "audit")
			stop := writing(t, dir)
			murder(t, dir, e, receiver)
			stop()
			finish(t, dir, e, receiver)
			all := lines(t, dir)
			await(t, "all records", func() bool { return v.count("*") >= len(all) })
			if n := v.count("*"); n != len(all) {
				t.Errorf("%d records by log.record.uid, the log has %d", n, len(all))
			}
			v.verbatim(t, all)
			rows, err := v.query("* | stats count() n")
			t.Logf("%d records, held %v times in all %v", len(all), rows, err)
		})
	}
}

// writing appends records to a log in dir, a command every few milliseconds,
// until the function it gives is called.
func writing(t *testing.T, dir string) (stop func()) {
	t.Helper()
	l, err := audit.Open(audit.Config{Dir: dir, Actor: audit.Actor{User: redact.Literal("ada")}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		sc := l.In("s1", audit.Target{Host: redact.Literal("prod-web-03")})
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if _, err := sc.Append(context.WithoutCancel(ctx), audit.Intent[redact.Text]{Command: redact.Literal("uptime"), Risk: audit.RiskLow}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	return func() {
		cancel()
		done.Wait()
		if err := l.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// murder kills the shipper or the receiver, each time after a random while,
// and begins it again.
func murder(t *testing.T, dir string, e ship.Endpoint, receiver *process) {
	t.Helper()
	n, within := kills()
	shipper := &process{t: t, make: func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childDir+"="+dir, childEndpoint+"="+e.URL, childProtocol+"="+e.Protocol)
		return cmd
	}}
	shipper.begin()
	defer shipper.kill()
	for range n {
		victim := shipper
		if rand.IntN(2) == 0 {
			victim = receiver
		}
		<-time.After(rand.N(within)) // the random moment
		victim.kill()
		victim.begin()
	}
}

// finish lets a shipper come to the end of the log.
func finish(t *testing.T, dir string, e ship.Endpoint, receiver *process) {
	t.Helper()
	receiver.ready()
	s, err := ship.New(ship.Config{Dir: dir, Endpoint: e, Backoff: pollOfChild})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Once(ctx); err != nil {
		t.Fatal(err)
	}
}
