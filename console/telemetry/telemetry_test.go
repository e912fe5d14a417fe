package telemetry

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"

	"sallyport/audit/ship"
	"sallyport/console/gate"
	"sallyport/policy"
)

// receiver takes traces and metrics over gRPC.
type receiver struct {
	coltrace.UnimplementedTraceServiceServer
	mu      sync.Mutex
	spans   []string
	metrics []string
}

func (r *receiver) Export(_ context.Context, req *coltrace.ExportTraceServiceRequest) (*coltrace.ExportTraceServiceResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rs := range req.ResourceSpans {
		for _, ss := range rs.ScopeSpans {
			for _, s := range ss.Spans {
				r.spans = append(r.spans, s.Name)
			}
		}
	}
	return &coltrace.ExportTraceServiceResponse{}, nil
}

type metricsReceiver struct {
	colmetrics.UnimplementedMetricsServiceServer
	*receiver
}

func (r metricsReceiver) Export(_ context.Context, req *colmetrics.ExportMetricsServiceRequest) (*colmetrics.ExportMetricsServiceResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.metrics = append(r.metrics, req.String())
	return &colmetrics.ExportMetricsServiceResponse{}, nil
}

func TestTracesAndMetricsOverGRPC(t *testing.T) {
	for _, compression := range []string{"gzip", "none", ""} {
		t.Run("compression "+compression, func(t *testing.T) { overGRPC(t, compression) })
	}
}

func overGRPC(t *testing.T, compression string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{}
	srv := grpc.NewServer()
	coltrace.RegisterTraceServiceServer(srv, r)
	colmetrics.RegisterMetricsServiceServer(srv, metricsReceiver{receiver: r})
	go srv.Serve(l)
	t.Cleanup(srv.Stop)
	to := &ship.Endpoint{URL: "http://" + l.Addr().String(), Protocol: ship.GRPC, Compression: compression}
	warned := func(msg string) { t.Errorf("warned: %s", msg) }
	m, err := Start(t.Context(), Config{Traces: to, Metrics: to, Warn: warned, Resource: ship.Resource{Host: "ops-01"}})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	m.Passed(gate.Passage{Session: "s1", Kind: gate.Line, Effect: policy.Deny, By: gate.ByPolicy, Began: began, Judged: began, Ended: began})
	m.Redacted("password")
	m.Synced(time.Millisecond)
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if strings.Join(r.spans, " ") != "judge send" {
		t.Errorf("spans %q", r.spans)
	}
	all := strings.Join(r.metrics, "\n")
	for _, want := range []string{"sallyport.verdicts", "sallyport.redactions", "sallyport.log.sync.duration", "ops-01"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in %s", want, all)
		}
	}
	if strings.Contains(all, "sallyport.send.duration") {
		t.Error("a refused send has a duration")
	}
}

// TestOffIsOff: every method may be called on nothing.
func TestOffIsOff(t *testing.T) {
	m, err := Start(t.Context(), Config{})
	if m != nil || err != nil {
		t.Fatalf("%v %v", m, err)
	}
	m.Passed(gate.Passage{})
	m.Redacted("password")
	m.Synced(time.Second)
	if err := m.Backlog(nil); err != nil {
		t.Error(err)
	}
	if err := m.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestAnErrorDoesNotSayWhere the receiver is.
func TestAnErrorDoesNotSayWhere(t *testing.T) {
	for _, e := range []ship.Endpoint{{URL: "ftp://where.example"}, {URL: "http://where.example", Protocol: "carrier"}, {URL: "https://where.example", CAFile: "/nowhere"}} {
		if _, err := Start(t.Context(), Config{Traces: &e}); err == nil || strings.Contains(err.Error(), "where.example") {
			t.Errorf("%v", err)
		}
	}
}
