package ship

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/layout"
	"sallyport/audit/seal"
	"sallyport/redact"
)

// collector is a receiver that keeps what it accepted and does what its
// script says first.
type collector struct {
	mu       sync.Mutex
	held     map[string]string // by log.record.uid
	times    map[string]int
	order    []string
	requests int
	// script answers request n instead; false means "go on as a good one".
	script func(n int, r *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool
}

func newCollector() *collector { return &collector{held: map[string]string{}, times: map[string]int{}} }

func recordsOf(r *collogs.ExportLogsServiceRequest) (out []*logs.LogRecord) {
	for _, rl := range r.GetResourceLogs() {
		for _, sl := range rl.GetScopeLogs() {
			out = append(out, sl.GetLogRecords()...)
		}
	}
	return out
}

func attribute(r *logs.LogRecord, key string) string {
	for _, a := range r.GetAttributes() {
		if a.GetKey() == key {
			return a.GetValue().GetStringValue()
		}
	}
	return ""
}

func (c *collector) keep(r *collogs.ExportLogsServiceRequest) {
	for _, rec := range recordsOf(r) {
		uid := attribute(rec, "log.record.uid")
		c.held[uid] = rec.GetBody().GetStringValue()
		c.times[uid]++
		c.order = append(c.order, uid)
	}
}

func (c *collector) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body := io.Reader(req.Body)
	if req.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(body)
		if err != nil {
			http.Error(w, "gzip", http.StatusBadRequest)
			return
		}
		body = z
	}
	b, err := io.ReadAll(body)
	var r collogs.ExportLogsServiceRequest
	if err != nil || proto.Unmarshal(b, &r) != nil || req.Header.Get("Content-Type") != "application/x-protobuf" {
		http.Error(w, "not OTLP", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests++
	if c.script != nil && c.script(c.requests, &r, w) {
		return
	}
	c.keep(&r)
	answer(w, 0)
}

func answer(w http.ResponseWriter, rejected int64) {
	r := &collogs.ExportLogsServiceResponse{}
	if rejected != 0 {
		r.PartialSuccess = &collogs.ExportLogsPartialSuccess{RejectedLogRecords: rejected}
	}
	b, _ := proto.Marshal(r)
	w.Header().Set("Content-Type", "application/x-protobuf")
	w.Write(b)
}

func (c *collector) start(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(c)
	t.Cleanup(s.Close)
	return s.URL + "/v1/logs"
}

func (c *collector) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.held)
}

// logOf writes n commands and gives the folder and the bodies of all records.
func logOf(t *testing.T, n int) (dir string, bodies []string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "audit")
	l, err := audit.Open(audit.Config{Dir: dir, Actor: audit.Actor{User: redact.Literal("ops")}})
	if err != nil {
		t.Fatal(err)
	}
	path := l.Status().Path
	fill(t, l, n)
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return dir, linesOf(t, path)
}

func fill(t testing.TB, l *audit.Log, n int) {
	t.Helper()
	sc := l.In("s1", audit.Target{Host: redact.Literal("prod-web-03")}).Traced("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	for i := range n {
		id, err := redact.ID(fmt.Sprintf("run-%d", i))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sc.Append(t.Context(), audit.Intent[redact.Text]{Command: id, Risk: audit.RiskHigh}); err != nil {
			t.Fatal(err)
		}
	}
}

func linesOf(t *testing.T, path string) (out []string) {
	t.Helper()
	f, err := durable.OS{}.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size, _ := f.Size()
	lines := audit.NewLines(io.NewSectionReader(f, 0, size))
	for {
		b, err := lines.Next()
		if err != nil {
			return out
		}
		out = append(out, string(b))
	}
}

func shipper(t *testing.T, c Config) *Shipper {
	t.Helper()
	if c.Backoff == 0 {
		c.Backoff = time.Millisecond
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// getsAll ships once and demands that the collector has it all, but for what it
// is not to have.
func (c *collector) getsAll(t *testing.T, what string, cfg Config, bodies []string, but map[string]bool) {
	t.Helper()
	s := shipper(t, cfg)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Once(ctx); err != nil {
		t.Fatal(err)
	}
	c.complete(t, what, bodies, but)
}

// complete demands that the collector holds each line, byte for byte.
func (c *collector) complete(t *testing.T, what string, bodies []string, but map[string]bool) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	have := map[string]bool{}
	for _, b := range c.held {
		have[b] = true
	}
	for i, b := range bodies {
		if !have[b] && !but[b] {
			t.Errorf("%s: record %d is not there", what, i)
		}
		if have[b] && but[b] {
			t.Errorf("%s: record %d was accepted after all", what, i)
		}
	}
}

// grpcCollector is a collector that speaks gRPC.
type grpcCollector struct {
	collogs.UnimplementedLogsServiceServer
	*collector
	fail func(n int, r *collogs.ExportLogsServiceRequest) (rejected int64, err error)
	// before may stall: it is called without the lock.
	before func(ctx context.Context, n int) error
	answer func(ctx context.Context, n int, r *collogs.ExportLogsServiceRequest) *collogs.ExportLogsServiceResponse
}

func (g *grpcCollector) Export(ctx context.Context, r *collogs.ExportLogsServiceRequest) (*collogs.ExportLogsServiceResponse, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests++
	if n := g.requests; g.before != nil {
		g.mu.Unlock()
		err := g.before(ctx, n)
		g.mu.Lock()
		if err != nil {
			return nil, err
		}
	}
	if g.fail != nil {
		switch rejected, err := g.fail(g.requests, r); {
		case err != nil:
			return nil, err
		case rejected != 0:
			return &collogs.ExportLogsServiceResponse{PartialSuccess: &collogs.ExportLogsPartialSuccess{RejectedLogRecords: rejected}}, nil
		}
	}
	if g.answer != nil {
		if a := g.answer(ctx, g.requests, r); a != nil {
			return a, nil
		}
	}
	g.keep(r)
	return &collogs.ExportLogsServiceResponse{}, nil
}

func (g *grpcCollector) startGRPC(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	collogs.RegisterLogsServiceServer(s, g)
	go s.Serve(l)
	t.Cleanup(s.Stop)
	return "http://" + l.Addr().String()
}

// claims demands that the cursor stands behind no record that this collector
// does not hold.
func (c *collector) claims(t *testing.T, dir string) {
	paths, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	for _, p := range paths {
		cur, err := audit.ReadCursor(durable.OS{}, strings.TrimSuffix(p, ".jsonl")+layout.Cursor)
		if err != nil {
			continue
		}
		for seq, l := range linesOf(t, p)[:cur.Seq] {
			if c.held[audit.Hash(seal.Leaf([]byte(l))).String()] == "" {
				t.Errorf("the cursor is at %d, and the collector has no record %d", cur.Seq, seq)
				return
			}
		}
	}
}

var errAway = status.Error(codes.Unavailable, "away")
