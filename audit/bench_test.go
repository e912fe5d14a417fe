package audit_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
	"sallyport/redact"
)

// benchDir is on the file system that the repository is on, not on a tmpfs.
func benchDir(b testing.TB) string {
	b.Helper()
	where, err := os.MkdirTemp(".", "bench-*.test")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(where) })
	return where
}

func benchIntent() audit.Intent[redact.Text] {
	line := redact.Literal("journalctl --vacuum-size=200M --vacuum-time=7d")
	return audit.Intent[redact.Text]{
		Command: line, CommandDigest: audit.NewExact([]byte(line.String()), 0), Origin: audit.OriginCopilot,
		SuggestionID: redact.Literal("cmd_001"), Risk: audit.RiskHigh, ClaimedRisk: audit.RiskLow, Effect: audit.EffectTyped,
		Rules:    []audit.Rule[redact.Text]{{ID: redact.Literal("log-tamper.vacuum"), File: redact.Literal("baseline.toml"), Line: 12}},
		Evidence: audit.EvidenceShell, Consent: audit.Consent{How: audit.ConsentTyped}, Analyzable: true,
		Account: redact.Literal("root"), Cwd: redact.Literal("/var/log"), Dialect: redact.Literal("bash"),
	}
}

func benchLog(b testing.TB, where string) *audit.Log {
	b.Helper()
	l, err := audit.Open(audit.Config{Dir: filepath.Join(where, "audit")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close(b.Context()) })
	return l
}

// BenchmarkOneWriter turns by turns appends a record and does what the disk
// alone needs for as many bytes.
func BenchmarkOneWriter(b *testing.B) {
	where := benchDir(b)
	l, disk := benchLog(b, where), durabletest.NewBare(b, where, 1100)
	sc := l.In("s1", audit.Target{Host: redact.Literal("prod-web-03")})
	ev := benchIntent()
	var ours, theirs time.Duration
	b.ReportAllocs()
	for b.Loop() {
		t0 := time.Now()
		if _, err := sc.Append(b.Context(), ev); err != nil {
			b.Fatal(err)
		}
		t1 := time.Now()
		if err := disk.Append(); err != nil {
			b.Fatal(err)
		}
		ours, theirs = ours+t1.Sub(t0), theirs+time.Since(t1)
	}
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "of-bare")
}

// BenchmarkManyWriters compares 64 callers of the log with 64 that write and
// sync one after the other.
func BenchmarkManyWriters(b *testing.B) {
	const callers = 64
	where := benchDir(b)
	l, disk := benchLog(b, where), durabletest.NewBare(b, where, 1100)
	var mu sync.Mutex
	var ours, theirs time.Duration
	n := 0
	for b.Loop() {
		const each = 8
		n += callers * each
		t0 := time.Now()
		spread(callers, func(int) {
			sc := l.In("s1", audit.Target{Host: redact.Literal("prod-web-03")})
			for range each {
				if _, err := sc.Append(b.Context(), benchIntent()); err != nil {
					b.Error(err)
				}
			}
		})
		t1 := time.Now()
		spread(callers, func(int) {
			for range each {
				mu.Lock()
				if err := disk.Append(); err != nil {
					b.Error(err)
				}
				mu.Unlock()
			}
		})
		ours, theirs = ours+t1.Sub(t0), theirs+time.Since(t1)
	}
	b.ReportMetric(float64(n)/ours.Seconds(), "records/s")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times-naive")
}

func spread(n int, do func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() { defer wg.Done(); do(i) }()
	}
	wg.Wait()
}
