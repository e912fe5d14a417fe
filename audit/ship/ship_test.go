package ship

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/durable/durabletest"
)

func TestRecordsArriveOnceAndWhole(t *testing.T) {
	for _, compression := range []string{"", "gzip"} {
		dir, bodies := logOf(t, 40)
		c := newCollector()
		s := shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: c.start(t), Compression: compression}, MaxRecords: 7})
		if err := s.Once(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.complete(t, "compression "+compression, bodies, nil)
		if len(c.held) != len(bodies) || len(c.order) != len(bodies) {
			t.Errorf("%d records came as %d, of %d", len(c.held), len(c.order), len(bodies))
		}
		if err := s.Once(t.Context()); err != nil || len(c.order) != len(bodies) {
			t.Errorf("a second time: %v, %d", err, len(c.order))
		}
	}
}

func TestARecordSaysWhatPeopleSearchBy(t *testing.T) {
	dir, _ := logOf(t, 1)
	c := newCollector()
	var got *collogs.ExportLogsServiceRequest
	c.script = func(_ int, r *collogs.ExportLogsServiceRequest, _ http.ResponseWriter) bool { got = r; return false }
	s := shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: c.start(t)}, Resource: Resource{Instance: "i1", Host: "ops-01", More: map[string]string{"team": "sre"}}})
	if err := s.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	res := got.ResourceLogs[0].Resource
	want := map[string]string{"service.name": "sallyport", "service.instance.id": "i1", "host.name": "ops-01", "team": "sre"}
	for _, a := range res.Attributes {
		if want[a.Key] != a.Value.GetStringValue() {
			t.Errorf("resource %s = %q", a.Key, a.Value.GetStringValue())
		}
		delete(want, a.Key)
	}
	if len(want) > 0 {
		t.Errorf("resource lacks %v", want)
	}
	r := recordsOf(got)[1]
	for k, v := range map[string]string{
		"event.name": "command.intent", "session.id": "s1", "user.name": "ops", "server.address": "prod-web-03", "sallyport.risk": "high",
	} {
		if got := attribute(r, k); got != v {
			t.Errorf("%s = %q, want %q", k, got, v)
		}
	}
	if r.EventName != "command.intent" || r.SeverityText != "WARN" || len(r.TraceId) != 16 || len(r.SpanId) != 8 || r.Flags != 1 {
		t.Errorf("%v", r)
	}
	for _, a := range r.Attributes {
		if strings.Contains(a.Value.GetStringValue(), "run-0") {
			t.Errorf("the command became the attribute %s", a.Key)
		}
	}
}

func TestTheOneBadRecordIsNamedAndTheRestArrives(t *testing.T) {
	for _, how := range []string{"400", "partial success"} {
		t.Run(how, func(t *testing.T) {
			dir, bodies := logOf(t, 30)
			col := newCollector()
			col.script = func(_ int, r *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
				for _, rec := range recordsOf(r) {
					if !strings.Contains(rec.GetBody().GetStringValue(), `"run-17"`) {
						continue
					}
					if how == "400" {
						return code(w, 400)
					}
					answer(w, 1)
					return true
				}
				return false
			}
			own := filepath.Join(t.TempDir(), "own")
			l, err := audit.Open(audit.Config{Dir: own})
			if err != nil {
				t.Fatal(err)
			}
			s := shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: col.start(t)}, MaxRecords: 16, Log: l})
			if err := s.Once(t.Context()); err != nil {
				t.Fatal(err)
			}
			bad := map[string]bool{}
			for _, b := range bodies {
				bad[b] = strings.Contains(b, `"run-17"`)
			}
			col.complete(t, how, bodies, bad)
			path := l.Status().Path
			l.Close(t.Context())
			named := 0
			for _, b := range linesOf(t, path) {
				if strings.Contains(b, `"ship.rejected"`) && strings.Contains(b, `"rejected_seq":18`) {
					named++
				}
			}
			if named != 1 {
				t.Errorf("ship.rejected names it %d times", named)
			}
		})
	}
}

func TestNothingIsClaimedThatWasNotAccepted(t *testing.T) {
	dir, bodies := logOf(t, 20)
	col := newCollector()
	col.script = func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
		return n > 2 && code(w, 503)
	}
	s := shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: col.start(t)}, MaxRecords: 5})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := s.Once(ctx); err == nil {
		t.Fatal("no error although the collector refuses")
	}
	st := s.Status()
	if st.Shipped != 10 || st.Error == nil || st.Backlog != uint64(len(bodies)-10) || st.Age <= 0 {
		t.Errorf("%+v", st)
	}
	paths, _ := filepath.Glob(filepath.Join(dir, "*.cursor"))
	c, err := audit.ReadCursor(durable.OS{}, paths[0])
	if err != nil || c.Seq != 10 {
		t.Errorf("cursor %+v %v", c, err)
	}
	// the next shipper sends the last minute again, and the rest
	good := newCollector()
	if err := shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: good.start(t)}}).Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	good.complete(t, "after a restart", bodies, nil)
}

func TestACursorThatDoesNotFitIsSetBack(t *testing.T) {
	dir, bodies := logOf(t, 5)
	paths, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	for _, cursor := range []string{
		`{"seq":400,"leaf":"` + strings.Repeat("0", 64) + `"}`,
		`{"seq":3,"leaf":"` + strings.Repeat("0", 64) + `"}`,
		`garbage`,
	} {
		if err := os.WriteFile(strings.TrimSuffix(paths[0], ".jsonl")+".cursor", []byte(cursor), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := audit.Open(audit.Config{Dir: filepath.Join(t.TempDir(), "own")})
		if err != nil {
			t.Fatal(err)
		}
		col := newCollector()
		if err := shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: col.start(t)}, Log: l}).Once(t.Context()); err != nil {
			t.Fatal(err)
		}
		col.complete(t, cursor, bodies, nil)
		path := l.Status().Path
		l.Close(t.Context())
		said := strings.Contains(strings.Join(linesOf(t, path), "\n"), `"ship.cursor_reset"`)
		if said != (cursor != "garbage") {
			t.Errorf("%s: recorded %v", cursor, said)
		}
	}
}

func TestALiveLogIsFollowed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "audit")
	l, err := audit.Open(audit.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close(t.Context())
	col := newCollector()
	s := shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: col.start(t)}, Poll: 5 * time.Millisecond, Log: l, Shipped: l.Shipped})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Follow(ctx) }()
	fill(t, l, 25)
	durabletest.WaitFor(t, "delivery", func() bool { return col.count() == 26 })
	fill(t, l, 5)
	durabletest.WaitFor(t, "delivery", func() bool { return col.count() == 31 })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFromEnv(t *testing.T) {
	env := map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT":     "http://general:4318/",
		"OTEL_EXPORTER_OTLP_HEADERS":      "a=1,Authorization=Bearer%20secret%2B1,broken",
		"OTEL_EXPORTER_OTLP_LOGS_TIMEOUT": "1500", "OTEL_EXPORTER_OTLP_TIMEOUT": "9",
		"OTEL_SERVICE_NAME": "console", "OTEL_RESOURCE_ATTRIBUTES": "team=sre,service.name=other",
	}
	e, r, warnings, err := FromEnv(func(k string) string { return env[k] }, Logs)
	if err != nil || e.URL != "http://general:4318/v1/logs" || e.Timeout != 1500*time.Millisecond || e.Headers["Authorization"] != "Bearer secret+1" {
		t.Errorf("%+v %v", e, err)
	}
	if r.Service != "console" || r.More["team"] != "sre" {
		t.Errorf("%+v", r)
	}
	if len(warnings) != 1 || strings.Contains(warnings[0], "broken") || !strings.Contains(warnings[0], "pair 3") {
		t.Errorf("%q", warnings)
	}
	env["OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"] = "https://logs:9/x"
	if e, _, _, _ := FromEnv(func(k string) string { return env[k] }, Logs); e.URL != "https://logs:9/x" {
		t.Errorf("the logs form wins: %s", e.URL)
	}
	if _, _, _, err := FromEnv(func(string) string { return "" }, Logs); !errors.Is(err, ErrNoEndpoint) {
		t.Errorf("nothing set: %v", err)
	}
}

func TestAnEnvironmentThatDoesNotCountIsRecordedOnce(t *testing.T) {
	l, err := audit.Open(audit.Config{Dir: filepath.Join(t.TempDir(), "own")})
	if err != nil {
		t.Fatal(err)
	}
	dir, _ := logOf(t, 3)
	s := shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: newCollector().start(t)}, Log: l, IgnoresEnv: true})
	for range 3 {
		if err := s.Once(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	path := l.Status().Path
	l.Close(t.Context())
	if n := strings.Count(strings.Join(linesOf(t, path), "\n"), "does not count"); n != 1 {
		t.Errorf("recorded %d times", n)
	}
}

func TestFromBeginsWhereItIsTold(t *testing.T) {
	dir, bodies := logOf(t, 10)
	col := newCollector()
	s := shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: col.start(t)}})
	if err := s.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := newCollector()
	s = shipper(t, Config{Dir: dir, Endpoint: Endpoint{URL: again.start(t)}})
	paths, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err := s.From(paths[0], 4); err != nil {
		t.Fatal(err)
	}
	if err := s.Once(t.Context()); err != nil || again.count() != len(bodies)-4 {
		t.Errorf("%d of %d, %v", again.count(), len(bodies), err)
	}
	if err := s.From(paths[0], 999); err == nil {
		t.Error("a record that is not there")
	}
}
