package console

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"sallyport/audit/ship"
	"sallyport/console/gate"
	"sallyport/console/telemetry"
)

// exported is a receiver that keeps the bytes of each signal.
type exported struct {
	mu sync.Mutex
	by map[string][][]byte // by path
}

func receiveExports(t *testing.T) (*exported, string) {
	t.Helper()
	e := &exported{by: map[string][][]byte{}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		e.mu.Lock()
		e.by[r.URL.Path] = append(e.by[r.URL.Path], b)
		e.mu.Unlock()
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(s.Close)
	return e, s.URL
}

func (e *exported) spans(t *testing.T) (names []string) {
	t.Helper()
	for _, b := range e.by["/v1/traces"] {
		var r coltrace.ExportTraceServiceRequest
		if err := proto.Unmarshal(b, &r); err != nil {
			t.Fatal(err)
		}
		for _, rs := range r.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				for _, s := range ss.Spans {
					names = append(names, s.Name)
				}
			}
		}
	}
	return names
}

// metrics are the points of each metric, as text.
func (e *exported) metrics(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, b := range e.by["/v1/metrics"] {
		var r colmetrics.ExportMetricsServiceRequest
		if err := proto.Unmarshal(b, &r); err != nil {
			t.Fatal(err)
		}
		for _, rm := range r.ResourceMetrics {
			for _, sm := range rm.ScopeMetrics {
				for _, m := range sm.Metrics {
					out[m.Name] += m.String()
				}
			}
		}
	}
	return out
}

// agrees is an operator who says yes, with the phrase.
type agrees struct{}

func (agrees) Ask(_ context.Context, q gate.Question) (gate.Answer, error) {
	return gate.Answer{Send: true, Typed: q.Phrase}, nil
}

// TestMeasuringShowsNoPayload plants words in all that a console is given and
// looks for them in the bytes of the traces and metrics it sends.
func TestMeasuringShowsNoPayload(t *testing.T) {
	got, url := receiveExports(t)
	p := newRecordingPeer(t)
	cfg := p.config(t)
	cfg.Asker = agrees{}
	cfg.SSH.User = "plantedaccount"
	cfg.Ship = &ship.Config{Endpoint: ship.Endpoint{URL: url + "/v1/logs"}}
	cfg.Telemetry = telemetry.Config{
		Traces: &ship.Endpoint{URL: url + "/v1/traces", Headers: map[string]string{"X-Key": "plantedheader"}}, Metrics: &ship.Endpoint{URL: url + "/v1/metrics"},
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, command := range []string{
		"echo plantedword > /tmp/plantedfile", "curl -u u:planted5ecretPlanted https://plantedhost.example", "find /plantedfolder -delete", "rm -rf /",
	} {
		_, err := c.Once(t.Context(), p.addr, command, &out, &out)
		if err != nil && !strings.HasPrefix(command, "rm ") {
			t.Errorf("%s: %v", command, err)
		}
	}
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for path, bodies := range got.by {
		for _, b := range bodies {
			if path != "/v1/logs" && bytes.Contains(bytes.ToLower(b), []byte("planted")) {
				t.Errorf("%s: a planted word is in %q", path, b)
			}
			for _, word := range []string{"echo", "curl", "delete", p.addr, p.identity} {
				if path != "/v1/logs" && bytes.Contains(b, []byte(word)) {
					t.Errorf("%s: %q is in %q", path, word, b)
				}
			}
		}
	}
	spans := got.spans(t)
	for _, name := range []string{"send", "judge", "consent", "record"} {
		if !slices.Contains(spans, name) {
			t.Errorf("no span %s in %v", name, spans)
		}
	}
	metrics := got.metrics(t)
	for name, holds := range map[string]string{
		"sallyport.send.duration": `"run"`, "sallyport.consent.duration": "count", "sallyport.verdicts": `"deny"`,
		"sallyport.redactions": `"kind"`, "sallyport.log.sync.duration": "count", "sallyport.ship.backlog": "gauge", "sallyport.ship.age": "gauge",
	} {
		if !strings.Contains(metrics[name], holds) {
			t.Errorf("%s has no %s: %s", name, holds, metrics[name])
		}
	}
}

// TestMeasuringIsOffUnlessConfigured: no request, whatever OTEL_* says.
func TestMeasuringIsOffUnlessConfigured(t *testing.T) {
	got, url := receiveExports(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
	p := newRecordingPeer(t)
	c := p.console(t)
	var out bytes.Buffer
	if _, err := c.Once(t.Context(), p.addr, "true", &out, &out); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(got.by) > 0 {
		t.Errorf("it sent to %v", got.by)
	}
}

// TestAReceiverThatStallsHoldsNothingUp: the send ends, and so does the
// console.
func TestAReceiverThatStallsHoldsNothingUp(t *testing.T) {
	stall := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stall }))
	t.Cleanup(s.Close)
	defer close(stall)
	p := newRecordingPeer(t)
	cfg := p.config(t)
	cfg.Telemetry = telemetry.Config{Traces: &ship.Endpoint{URL: s.URL}, Metrics: &ship.Endpoint{URL: s.URL}}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := c.Once(t.Context(), p.addr, "true", &out, &out); err != nil {
		t.Error(err)
	}
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
