package console

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/ship"
	"sallyport/console/gate"
	"sallyport/redact"
)

// acceptor is a collector that takes everything.
type acceptor struct {
	mu   sync.Mutex
	held bytes.Buffer // bodies, one a line
}

func (a *acceptor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	var req collogs.ExportLogsServiceRequest
	if err := proto.Unmarshal(b, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, rl := range req.GetResourceLogs() {
		for _, sl := range rl.GetScopeLogs() {
			for _, l := range sl.GetLogRecords() {
				a.held.WriteString(l.GetBody().GetStringValue() + "\n")
			}
		}
	}
}

func (a *acceptor) holds(s string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return bytes.Contains(a.held.Bytes(), []byte(s))
}

// TestUnderBrokenGlassACommandRunsThatTheCollectorHolds: the log is full, a
// command is refused, the operator gives a reason, and the same command runs
// after the collector has its intent.
func TestUnderBrokenGlassACommandRunsThatTheCollectorHolds(t *testing.T) {
	held := &acceptor{}
	srv := httptest.NewServer(held)
	t.Cleanup(srv.Close)
	p := newRecordingPeer(t)
	cfg := p.config(t)
	mem := durabletest.NewMemory()
	mem.Capacity = 64 << 10
	cfg.Audit.FS, cfg.BreakGlass = mem, true
	cfg.Ship = &ship.Config{Endpoint: ship.Endpoint{URL: srv.URL, Compression: "none"}, FS: mem}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })

	if err := c.BreakGlass(t.Context(), "fire"); !errors.Is(err, audit.ErrWorks) || c.CanBreakGlass() {
		t.Errorf("while the log works: %v", err)
	}
	for err = nil; err == nil; {
		_, err = c.log.Append(t.Context(), audit.Intent[redact.Text]{Command: redact.Literal("filler")})
	}
	var out bytes.Buffer
	_, err = c.Once(t.Context(), p.addr, "echo one", &out, &out)
	if refusal, ok := errors.AsType[*gate.Refusal](err); (!ok || refusal.By != gate.ByLog) && !errors.As(err, new(*LogError)) {
		t.Fatalf("with a full disk: %v, want a refusal", err)
	}
	if err := c.BreakGlass(t.Context(), " "); err == nil {
		t.Error("broken without a reason")
	}
	if !c.CanBreakGlass() {
		t.Fatalf("it cannot be broken: %+v", c.Log())
	}
	if err := c.BreakGlass(t.Context(), "payments are down"); err != nil {
		t.Fatal(err)
	}
	if !held.holds("payments are down") || !c.Log().Glass {
		t.Error("the collector does not hold the reason")
	}
	if _, err := c.Once(t.Context(), p.addr, "echo two", &out, &out); err != nil {
		t.Fatalf("under broken glass: %v", err)
	}
	if !held.holds("echo two") || held.holds("echo one") {
		t.Error("the collector does not hold what ran, or holds what did not")
	}
}
