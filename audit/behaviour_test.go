package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sallyport/audit/durable/durabletest"
	"sallyport/audit/layout"
	"sallyport/redact"
)

// parse reads the records of a log in memory.
func parse(t *testing.T, b []byte) (out []Record) {
	t.Helper()
	for line := range strings.Lines(string(b)) {
		var r Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		out = append(out, r)
	}
	return out
}

func kindsOf(rs []Record) string {
	var k []string
	for _, r := range rs {
		k = append(k, string(r.Event))
	}
	return strings.Join(k, " ")
}

func count(rs []Record, k Kind) (n int) {
	for _, r := range rs {
		if r.Event == k {
			n++
		}
	}
	return n
}

func logsIn(t *testing.T, mem *durabletest.Memory, dir string) (out [][]Record) {
	t.Helper()
	entries, err := mem.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), layout.Log) {
			out = append(out, parse(t, mem.Bytes(filepath.Join(dir, e.Name()))))
		}
	}
	slices.SortFunc(out, func(a, b []Record) int { return a[0].Time.Compare(b[0].Time) })
	return out
}

func reasons(t *testing.T, rs []Record) (out []CheckpointReason) {
	t.Helper()
	for _, r := range rs {
		if r.Event == KindCheckpoint {
			c, err := Decode[Checkpoint[string]](r)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, c.Reason)
		}
	}
	return out
}

func TestCheckpointsComeByCountTimeSessionEndAndClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := durabletest.NewMemory()
		l := openLog(t, Config{Dir: "/a", FS: mem, CheckpointEvery: 3})
		sc := l.In("s1", Target{Host: redact.Literal("h")})
		for range 3 {
			if _, err := sc.Append(t.Context(), testIntent(redact.Literal("ls"))); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(150 * time.Second) // two heartbeats, nothing else
		synctest.Wait()
		if _, err := sc.Append(t.Context(), SessionDisconnected[redact.Text]{}); err != nil {
			t.Fatal(err)
		}
		path := l.Status().Path
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := reasons(t, parse(t, mem.Bytes(path)))
		want := []CheckpointReason{AtCount, AtTime, AtTime, AtSessionEnd, AtClose}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestALogTurnsOverBySizeAndAge(t *testing.T) {
	for _, why := range []CloseReason{ClosedSize, ClosedAge} {
		t.Run(string(why), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { turnsOver(t, why) }) })
	}
}

func turnsOver(t *testing.T, why CloseReason) {
	c := Config{Dir: "/a", MaxBytes: 8 << 10}
	if why == ClosedAge {
		c.MaxBytes, c.MaxAge = 1<<20, time.Hour
	}
	mem := durabletest.NewMemory()
	c.FS = mem
	l := openLog(t, c)
	sc := l.In("s1", Target{Host: redact.Literal("h")})
	for range 20 {
		if _, err := sc.Append(t.Context(), testIntent(redact.Literal("ls"))); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
	}
	time.Sleep(2 * time.Hour)
	synctest.Wait()
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	seen := map[CloseReason]bool{}
	for i, rs := range logsIn(t, mem, "/a") {
		open, err := Decode[LogOpen[string]](rs[0])
		if err != nil || (open.Previous == nil) != (i == 0) {
			t.Errorf("log %d: previous %v, %v", i, open.Previous, err)
		}
		for _, r := range rs {
			if r.Event == KindLogClose {
				c, _ := Decode[LogClose[string]](r)
				seen[c.Reason] = true
			}
		}
	}
	if len(seen) != 2 || !seen[why] || !seen[ClosedDone] {
		t.Errorf("closed for %v", seen)
	}
	for _, e := range must(mem.ReadDir("/a")) {
		if b := mem.Bytes("/a/" + e.Name()); strings.HasSuffix(e.Name(), layout.Log) && int64(len(b)) > c.MaxBytes {
			t.Errorf("%s has %d bytes", e.Name(), len(b))
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestAnOutcomeInTheNextLogNamesTheLogOfItsIntent(t *testing.T) {
	mem := durabletest.NewMemory()
	l := openLog(t, Config{Dir: "/a", FS: mem, MaxBytes: 4096})
	sc := l.In("s1", Target{Host: redact.Literal("h")})
	rs, err := sc.Append(t.Context(), testIntent(redact.Literal("sleep 1000")))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if _, err := sc.Append(t.Context(), SessionResized[redact.Text]{Cols: 80, Rows: 24}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := sc.Append(t.Context(), Outcome[redact.Text]{Intent: rs[0].Seq(), Status: Completed})
	if err != nil || got[0].Log() == rs[0].Log() {
		t.Fatalf("%v %v: the log did not turn over", got, err)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, rs2 := range logsIn(t, mem, "/a") {
		for _, r := range rs2 {
			if r.Event != KindCommandOutcome {
				continue
			}
			o, _ := Decode[Outcome[string]](r)
			found = o.IntentLog == rs[0].Log() && o.Intent == rs[0].Seq()
		}
	}
	if !found {
		t.Error("no outcome names the log of its intent")
	}
}

func TestOrphanedIntentsAreClosedAsUnobserved(t *testing.T) {
	mem := durabletest.NewMemory()
	l := openLog(t, Config{Dir: "/a", FS: mem})
	sc := l.In("s1", Target{Host: redact.Literal("h")})
	done, _ := sc.Append(t.Context(), testIntent(redact.Literal("ls")))
	sc.Append(t.Context(), Outcome[redact.Text]{Intent: done[0].Seq(), Status: Completed})
	orphan, err := sc.Append(t.Context(), testIntent(redact.Literal("reboot")))
	if err != nil {
		t.Fatal(err)
	}
	sc.Append(t.Context(), Outcome[redact.Text]{Intent: orphan[0].Seq(), Status: StillRunning})
	after := mem.Crash(durabletest.LoseAll)
	for round := range 2 {
		next := openLog(t, Config{Dir: "/a", FS: after})
		if err := next.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		var outs []Outcome[string]
		recovered := 0
		for _, rs := range logsIn(t, after, "/a") {
			recovered += count(rs, KindLogRecovered)
			for _, r := range rs {
				if o, err := Decode[Outcome[string]](r); err == nil && r.Event == KindCommandOutcome && o.Status == Unobserved {
					outs = append(outs, o)
					if r.Session != "s1" {
						t.Errorf("session %q", r.Session)
					}
				}
			}
		}
		if recovered != 1 || len(outs) != 1 || outs[0].Intent != orphan[0].Seq() || outs[0].IntentLog != orphan[0].Log() {
			t.Errorf("round %d: recovered %d times, %+v", round, recovered, outs)
		}
	}
}

func TestARunningConsolesIntentsAreNoOrphans(t *testing.T) {
	mem := durabletest.NewMemory()
	l := openLog(t, Config{Dir: "/a", FS: mem})
	if _, err := l.In("s1", Target{}).Append(t.Context(), testIntent(redact.Literal("sleep 9"))); err != nil {
		t.Fatal(err)
	}
	openLog(t, Config{Dir: "/a", FS: mem})
	for _, rs := range logsIn(t, mem, "/a") {
		if count(rs, KindLogRecovered)+count(rs, KindCommandOutcome) > 0 {
			t.Errorf("%s", kindsOf(rs))
		}
	}
}

func TestWhatIsNotARecordIsRefused(t *testing.T) {
	l := openLog(t, Config{})
	for _, c := range []struct {
		name string
		sc   *Scope
		ev   Event
	}{
		{"the log's own event", l.In("s1", Target{}), LogClose[redact.Text]{Reason: ClosedDone}},
		{"a word that is not in the list", l.In("s1", Target{}), Intent[redact.Text]{Risk: "none at all"}},
		{"a session id with a space", l.In("s 1", Target{}), testIntent(redact.Literal("ls"))},
		{"a fingerprint that is none", l.In("s1", Target{Fingerprint: "password: hunter2"}), testIntent(redact.Literal("ls"))},
		{"an address that is none", l.In("s1", Target{Address: "not an address"}), testIntent(redact.Literal("ls"))},
	} {
		if rs, err := c.sc.Append(t.Context(), c.ev); err == nil || rs != nil {
			t.Errorf("%s: %v %v", c.name, rs, err)
		}
	}
	if n := l.Status().Records; n != 1 {
		t.Errorf("%d records, want log.open alone", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Append(ctx, testIntent(redact.Literal("ls"))); err == nil {
		t.Error("a cancelled caller got a receipt")
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append(t.Context(), testIntent(redact.Literal("ls"))); err != ErrClosed {
		t.Errorf("after close: %v", err)
	}
	if (Receipt{}).Valid() {
		t.Error("the zero receipt is valid")
	}
}

func TestALongFieldIsCutAndNamed(t *testing.T) {
	mem := durabletest.NewMemory()
	l := openLog(t, Config{Dir: "/a", FS: mem})
	long := redact.Literal("0123456789abcdef ")
	for range 15 {
		long = redact.Join(long, long)
	}
	in := testIntent(redact.Literal("ls"))
	in.Rules = []Rule[redact.Text]{{ID: redact.Literal("r1")}}
	in.Facts = []Fact[redact.Text]{{Words: []redact.Text{redact.Literal("w"), long}}}
	in.Suggested = redact.Join(redact.Literal("<redacted:password#1> "), long)
	if _, err := l.In("s1", Target{}).Append(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if in.Facts[0].Words[1].Len() != long.Len() {
		t.Error("the caller's own event was cut")
	}
	path := l.Status().Path
	l.Close(t.Context())
	r := parse(t, mem.Bytes(path))[1]
	line := bytes.Split(mem.Bytes(path), []byte{'\n'})[1]
	if len(line) >= maxRecord {
		t.Errorf("a line of %d bytes", len(line))
	}
	if len(r.Cut) != 2 || r.Cut[0].Field != "suggested" || r.Cut[1].Field != "facts.0.words.1" {
		t.Fatalf("cut %+v", r.Cut)
	}
	if r.Cut[0].Bytes != nil || !r.Cut[0].Digest.Keyed() {
		t.Errorf("a field with a finding: %+v, want no length and a keyed digest", r.Cut[0])
	}
	if r.Cut[1].Bytes == nil || *r.Cut[1].Bytes != int64(long.Len()) || r.Cut[1].Digest.Keyed() {
		t.Errorf("a field without: %+v", r.Cut[1])
	}
	if got, err := Decode[Intent[string]](r); err != nil || got.Command != "ls" || got.Rules[0].ID != "r1" {
		t.Errorf("%+v %v", got, err)
	}
}

func TestDigestsGiveNothingAway(t *testing.T) {
	l := openLog(t, Config{})
	body := bytes.Repeat([]byte("output "), 20)
	for _, c := range []struct {
		name     string
		body     []byte
		findings int
		keyed    bool
	}{
		{"a long body without findings", body, 0, false},
		{"a long body with one", body, 1, true},
		{"64 bytes", body[:64], 0, false},
		{"63 bytes", body[:63], 0, true},
		{"nothing", nil, 0, true},
	} {
		d := l.Digest(c.body, c.findings)
		if d.Keyed() != c.keyed || (d.Bytes() == nil) != c.keyed {
			t.Errorf("%s: %s, length %v", c.name, d, d.Bytes())
		}
		h := l.Digester()
		for _, b := range c.body {
			h.Write([]byte{b})
		}
		if h.Sum(c.findings) != d {
			t.Errorf("%s: byte by byte it is another", c.name)
		}
		var back Digest
		if err := back.UnmarshalText([]byte(d.String())); err != nil || back.String() != d.String() {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	n := int64(12)
	sc := l.In("s1", Target{})
	out := Outcome[redact.Text]{Status: Completed, OutputDigest: l.Digest([]byte("secret"), 1), OutputBytes: &n}
	if _, err := sc.Append(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	path := l.Status().Path
	l.Close(t.Context())
	if b := must(os.ReadFile(path)); bytes.Contains(b, []byte("output_bytes")) {
		t.Error("the length of a body with a secret in it stands in the record")
	}
	other := openLog(t, Config{})
	if l.Digest(nil, 1) == other.Digest(nil, 1) {
		t.Error("two writers digest alike")
	}
}

func TestManyCallersShareSyncsAndKeepTheirOrder(t *testing.T) {
	mem := durabletest.NewMemory()
	l := openLog(t, Config{Dir: "/a", FS: mem})
	var wg sync.WaitGroup
	const callers, each = 16, 50
	for c := range callers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sc := l.In(fmt.Sprintf("s%d", c), Target{})
			last := uint64(0)
			for range each {
				rs, err := sc.Append(t.Context(), testIntent(redact.Literal("ls")), SessionResized[redact.Text]{Cols: 1})
				if err != nil || rs[0].Seq() <= last || rs[1].Seq() <= rs[0].Seq() {
					t.Errorf("%v %v after %d", rs, err, last)
					return
				}
				last = rs[1].Seq()
			}
		}()
	}
	wg.Wait()
	path := l.Status().Path
	l.Close(t.Context())
	if n := count(parse(t, mem.Bytes(path)), KindCommandIntent); n != callers*each {
		t.Errorf("%d intents", n)
	}
}

func TestSmallLimitsAreRaisedWithAWarning(t *testing.T) {
	var warned []string
	l := openLog(t, Config{MaxBytes: 100, Warn: func(m string) { warned = append(warned, m) }})
	if l.cfg.MaxBytes != 4096 || len(warned) != 1 {
		t.Errorf("%d bytes, warned %q", l.cfg.MaxBytes, warned)
	}
}

func TestAnAnchorCanBeRequired(t *testing.T) {
	if _, err := Open(Config{Dir: t.TempDir(), RequireAnchor: true}); err == nil {
		t.Error("opened without a host key")
	}
}

func TestOpenRefusesAFolderItCannotUse(t *testing.T) {
	d := t.TempDir()
	file := filepath.Join(d, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(d, filepath.Join(d, "link")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(d, "link"), "/proc/1/audit"} {
		if _, err := Open(Config{Dir: dir}); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want an error that names it", dir, err)
		}
	}
}

func TestPruneRemovesWhatIsClosedShippedAndOld(t *testing.T) {
	mem := durabletest.NewMemory()
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	now := func() time.Time { clock = clock.Add(time.Second); return clock }
	c := Config{Dir: "/a", FS: mem, Now: now}
	var paths []string
	for range 3 {
		l := must(Open(c))
		paths = append(paths, l.Status().Path)
		l.In("s1", Target{}).Append(t.Context(), testIntent(redact.Literal("ls")))
		l.Close(t.Context())
		clock = clock.Add(24 * time.Hour)
	}
	n := len(parse(t, mem.Bytes(paths[0])))
	cursor := strings.TrimSuffix(paths[0], layout.Log) + layout.Cursor
	mem.Put(cursor, fmt.Appendf(nil, `{"seq":%d,"leaf":"%064d"}`, n, 0))
	removed, err := Prune(t.Context(), c, clock.Add(-30*time.Hour), false)
	if err != nil || len(removed) != 1 || mem.Bytes(paths[0]) != nil || mem.Bytes(cursor) != nil || mem.Bytes(paths[1]) == nil {
		t.Errorf("removed %v, %v", removed, err)
	}
	removed, err = Prune(t.Context(), c, clock.Add(-30*time.Hour), true)
	if err != nil || len(removed) != 1 || mem.Bytes(paths[1]) != nil || mem.Bytes(paths[2]) == nil {
		t.Errorf("unshipped too: removed %v, %v", removed, err)
	}
}
