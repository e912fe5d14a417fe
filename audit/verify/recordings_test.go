package verify_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/audit/recording"
	"sallyport/audit/verify"
	"sallyport/redact"
)

// recorded is a folder with a log, and the recording of its session s1 that
// its console closed, or not.
func recorded(t *testing.T, closed bool) (where string, l *audit.Log, sc *audit.Scope) {
	t.Helper()
	where = t.TempDir()
	l, err := audit.Open(audit.Config{Dir: where})
	if err != nil {
		t.Fatal(err)
	}
	sc = l.In("s1", audit.Target{Host: redact.Literal("h")})
	if _, err := sc.Append(t.Context(), audit.SessionConnecting[redact.Text]{}); err != nil { // always before the file is made
		t.Fatal(err)
	}
	r, err := recording.New(recording.Config{Dir: where, Session: "s1", Cols: 80, Rows: 24, Redactor: redact.New(redact.Config{}), Log: sc})
	if err != nil {
		t.Fatal(err)
	}
	r.Output([]byte("hello\r\n"))
	if closed {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return where, l, sc
}

func add(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

const forgedLine = `[9.000000, "o", "rm -rf /\r\n"]` + "\n"

func TestWhatNoRecordVouchesForInARecording(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(t *testing.T, where string)
		file string
		want verify.Verdict
	}{
		{"as it was", func(*testing.T, string) {}, "", ""},
		{"lines behind its end", func(t *testing.T, where string) {
			add(t, filepath.Join(where, "recordings", "s1.cast"), forgedLine)
		}, "s1.cast", verify.Edited},
		{"a recording of nobody's", func(t *testing.T, where string) {
			add(t, filepath.Join(where, "recordings", "ffff.cast"), forgedLine)
		}, "ffff.cast", verify.Foreign},
		{"an encrypted one of nobody's", func(t *testing.T, where string) {
			add(t, filepath.Join(where, "recordings", "ffff.cast.age"), "age")
		}, "ffff.cast.age", verify.Foreign},
		{"one for a session that had none", func(t *testing.T, where string) {
			add(t, filepath.Join(where, "recordings", "s2.cast"), forgedLine)
		}, "s2.cast", verify.Edited},
	} {
		where, l, sc := recorded(t, true)
		if _, err := sc.Append(t.Context(), audit.SessionDisconnected[redact.Text]{}); err != nil {
			t.Fatal(err)
		}
		if _, err := l.In("s2", audit.Target{}).Append(t.Context(), audit.SessionDisconnected[redact.Text]{}); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.do(t, where)
		rs, err := verify.Dirs(verify.Options{}, where)
		if err != nil || !rs[0].Good() {
			t.Fatalf("%s: %v %v", c.name, rs, err)
		}
		rs = rs[1:]
		switch {
		case c.want == "" && len(rs) == 0:
		case c.want == "", len(rs) != 1, rs[0].Verdict != c.want, filepath.Base(rs[0].File) != c.file:
			t.Errorf("%s: %v, want %s %s", c.name, rs, c.file, c.want)
		}
	}
}

// A chunk is on disk before its record is: while the console lives nothing
// follows from bytes that no record names but that they are told.
func TestALivingConsolesRecordingIsAheadOfItsLog(t *testing.T) {
	where, l, _ := recorded(t, false)
	defer l.Close(t.Context())
	add(t, filepath.Join(where, "recordings", "s1.cast"), forgedLine)
	rs, err := verify.Dirs(verify.Options{}, where)
	if err != nil || len(rs) != 1 || !rs[0].Good() {
		t.Fatalf("%v %v", rs, err)
	}
	if !strings.Contains(rs[0].Detail, "recordings/s1.cast: no record names") {
		t.Errorf("it is not told: %s", rs[0])
	}
}

func TestARecordingOfAPrunedLogIsNotForeign(t *testing.T) {
	where, l, sc := recorded(t, true)
	if _, err := sc.Append(t.Context(), audit.SessionDisconnected[redact.Text]{}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	removed, err := audit.Prune(t.Context(), audit.Config{Dir: where}, time.Now().Add(time.Hour), true)
	if err != nil || len(removed) != 1 {
		t.Fatalf("nothing pruned: %v %v", removed, err)
	}
	rs, err := verify.Dirs(verify.Options{}, where)
	if err != nil || len(rs) != 1 || !rs[0].Good() {
		t.Errorf("%v %v", rs, err)
	}
}
