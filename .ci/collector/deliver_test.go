package collector

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sallyport/audit"
	"sallyport/audit/ship"
	"sallyport/redact"
)

// worked writes the logs of two operators, two sessions each, commands of
// every risk, and gives the folder.
func worked(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "audit")
	for _, user := range []string{"ada", "grace"} {
		l, err := audit.Open(audit.Config{Dir: dir, Actor: audit.Actor{User: id(t, user), UID: 1000}})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 2 {
			work(t, l, fmt.Sprintf("%s-%d", user, n), 40+n)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func work(t *testing.T, l *audit.Log, session string, commands int) {
	t.Helper()
	sc := l.In(session, audit.Target{Host: redact.Literal("prod-web-03")})
	risks := []audit.Risk{audit.RiskLow, audit.RiskMedium, audit.RiskHigh}
	for i := range commands {
		rs, err := sc.Append(t.Context(), audit.Intent[redact.Text]{Command: id(t, fmt.Sprintf("run-%d", i)), Risk: risks[i%3]})
		if err != nil {
			t.Fatal(err)
		}
		exit := i % 2
		if _, err := sc.Append(t.Context(), audit.Outcome[redact.Text]{Intent: rs[0].Seq(), Status: audit.Completed, ExitCode: &exit}); err != nil {
			t.Fatal(err)
		}
	}
}

func id(t *testing.T, s string) redact.Text {
	t.Helper()
	x, err := redact.ID(s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// counts are of a folder of logs: by a LogsQL filter, how many records it must
// find.
func counts(t *testing.T, dir string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, line := range lines(t, dir) {
		var r struct {
			Session string
			Event   string
			Actor   struct{ User string }
			Data    struct {
				Risk string
				Exit *int `json:"exit_code"`
			}
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		out["*"]++
		for field, value := range map[string]string{
			"session.id": r.Session, "user.name": r.Actor.User, "sallyport.risk": r.Data.Risk, "event.name": r.Event,
		} {
			if value != "" {
				out[fmt.Sprintf("%q:=%q", field, value)]++
			}
		}
		if r.Data.Risk != "" && r.Session != "" {
			out[fmt.Sprintf(`"session.id":=%q "sallyport.risk":=%q`, r.Session, r.Data.Risk)]++
		}
		if r.Data.Exit != nil {
			out[fmt.Sprintf(`"process.exit.code":=%d`, *r.Data.Exit)]++
		}
	}
	return out
}

// lines are the records of a folder of logs.
func lines(t *testing.T, dir string) (out []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		s := bufio.NewScanner(f)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			out = append(out, s.Text())
		}
		f.Close()
	}
	return out
}

// TestRecordsAreFoundWhereTheyWereSent ships logs into the real thing and asks
// it for them: by session, by user, by risk and more, the counts are the log's.
func TestRecordsAreFoundWhereTheyWereSent(t *testing.T) {
	bin := built(t)
	for _, way := range []struct {
		name string
		to   func(t *testing.T, v *victoria) ship.Endpoint
	}{
		{"HTTP through a collector", func(t *testing.T, v *victoria) ship.Endpoint {
			return ship.Endpoint{URL: fmt.Sprintf("http://127.0.0.1:%d/v1/logs", newOtelcol(t, bin, v).http), Compression: "gzip"}
		}},
		{"gRPC through a collector", func(t *testing.T, v *victoria) ship.Endpoint {
			return ship.Endpoint{URL: fmt.Sprintf("http://127.0.0.1:%d", newOtelcol(t, bin, v).grpc), Protocol: ship.GRPC}
		}},
		{"straight into VictoriaLogs", func(_ *testing.T, v *victoria) ship.Endpoint {
			return ship.Endpoint{URL: v.url("/insert/opentelemetry/v1/logs")}
		}},
	} {
		t.Run(way.name, func(t *testing.T) {
			v := newVictoria(t, bin)
			dir := worked(t)
			s, err := ship.New(ship.Config{Dir: dir, Endpoint: way.to(t, v), Resource: ship.Resource{Instance: "one", Host: "ops-01"}, MaxRecords: 50})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Probe(t.Context()); err != nil {
				t.Errorf("probe: %v", err)
			}
			if err := s.Once(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := counts(t, dir)
			own := `"event.name":!="sallyport.probe" `
			await(t, "all records", func() bool { return v.count(own+"*") == want["*"] })
			for filter, n := range want {
				if got := v.count(own + filter); got != n {
					t.Errorf("%s finds %d, the log has %d", filter, got, n)
				}
			}
			v.verbatim(t, lines(t, dir))
			v.reconciles(t, dir)
		})
	}
}

// verbatim demands that each record is there byte for byte.
func (v *victoria) verbatim(t *testing.T, want []string) {
	t.Helper()
	rows, err := v.query("* | fields _msg")
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	for _, r := range rows {
		held[r["_msg"]] = true
	}
	for _, l := range want {
		if !held[l] {
			t.Fatalf("this record is not there as it was written: %s", l)
		}
	}
}

// reconciles asks as `audit ship --reconcile` does.
func (v *victoria) reconciles(t *testing.T, dir string) {
	t.Helper()
	balances, err := ship.Reconcile(t.Context(), nil, dir, ship.VictoriaLogs{Endpoint: ship.Endpoint{URL: v.url("")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range balances {
		if !b.Good() || b.Held != b.Records || b.Records == 0 {
			t.Errorf("reconcile: %+v", b)
		}
	}
}

// shipForever is the child that is killed: it follows the log.
func shipForever(dir, endpoint, protocol string) error {
	s, err := ship.New(ship.Config{Dir: dir, Endpoint: ship.Endpoint{URL: endpoint, Protocol: protocol}, MaxRecords: 20, Poll: pollOfChild, Backoff: pollOfChild})
	if err != nil {
		return err
	}
	return s.Follow(context.Background())
}
