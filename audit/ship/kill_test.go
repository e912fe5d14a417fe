package ship

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
)

// The test binary is also the shipper that dies.
const (
	childDir = "SALLYPORT_TEST_SHIP_DIR"
	childURL = "SALLYPORT_TEST_SHIP_URL"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		s, err := New(Config{Dir: dir, Endpoint: Endpoint{URL: os.Getenv(childURL)}, MaxRecords: 3, Backoff: time.Millisecond})
		if err == nil {
			err = s.Once(context.Background())
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestAShipperThatIsKilledLosesNothing(t *testing.T) {
	times := 8
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		times = 100
	}
	dir, bodies := logOf(t, 300)
	col := newCollector()
	col.script = func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
		return n%7 == 3 && broken(w) // and the collector dies now and then, too
	}
	url := col.start(t)
	for range times {
		cmd := durabletest.Again(t, []string{childDir + "=" + dir, childURL + "=" + url})
		before := col.count()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() { cmd.Wait(); close(done) }()
		target := before + 1 + rand.IntN(30)
		durabletest.WaitFor(t, "delivery", func() bool { return col.count() >= min(target, len(bodies)) })
		cmd.Process.Kill()
		<-done
	}
	t.Logf("%d of %d records after %d kills", col.count(), len(bodies), times)
	if err := shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: url}}).Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	col.complete(t, "after kills", bodies, nil)
	if col.count() != len(bodies) {
		t.Errorf("%d records by log.record.uid, of %d", col.count(), len(bodies))
	}
}

func TestACollectorIsASecondSink(t *testing.T) {
	_, bodies := logOf(t, 3)
	col := newCollector()
	col.script = func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
		return n == 1 && code(w, 503)
	}
	s := shipper(t, Config{Dir: t.TempDir(), Endpoint: Endpoint{URL: col.start(t)}})
	lines := []byte(strings.Join(bodies, "\n") + "\n")
	if err := s.Accept(t.Context(), audit.LogID(strings.Repeat("0", 32)), lines); err != nil {
		t.Fatal(err)
	}
	col.complete(t, "second sink", bodies, nil)
	col.script = func(_ int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool { return code(w, 400) }
	if s.Accept(t.Context(), "", lines) == nil {
		t.Error("a refusal passes for an acknowledgement")
	}
}
