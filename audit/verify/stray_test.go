package verify_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

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
	r, err := recording.New(recording.Config{Dir: where, Session: "s1", Cols: 80, Rows: 24, Log: sc})
	if err != nil {
		t.Fatal(err)
	}
	r.Redacted(redact.Literal("hello\r\n"))
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

// sealedFolder is a folder whose log has an intent of s1 with a sealed text, and
// one of no session.
func sealedFolder(t *testing.T, end func(*audit.Log, *audit.Scope) error) (where string) {
	t.Helper()
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	where = filepath.Join(t.TempDir(), "audit")
	l, err := audit.Open(audit.Config{Dir: where, Recipients: []string{auditor.Recipient().String()}})
	if err != nil {
		t.Fatal(err)
	}
	sc := l.In("s1", audit.Target{Host: redact.Literal("h")})
	for _, to := range []interface {
		Append(context.Context, ...audit.Event) ([]audit.Receipt, error)
	}{sc, l} {
		if _, err := to.Append(t.Context(), audit.Intent[redact.Text]{CommandDigest: audit.NewExact([]byte("ls"), 0)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := end(l, sc); err != nil {
		t.Fatal(err)
	}
	return where
}

func overAndClosed(l *audit.Log, sc *audit.Scope) error {
	_, err := sc.Append(context.Background(), audit.SessionDisconnected[redact.Text]{})
	return errors.Join(err, l.Close(context.Background()))
}

func TestWhatNoRecordVouchesForInSealedTexts(t *testing.T) {
	log := func(where string) string { // whose file it is
		h, err := audit.ParseHead(lines(get(t, logs(t, where)[0]))[0])
		if err != nil {
			t.Fatal(err)
		}
		return string(h.Log)
	}
	for _, c := range []struct {
		name string
		file func(where string) string
		text string
		want verify.Verdict
	}{
		{"as it was", nil, "", ""},
		{"bytes behind a session's", func(string) string { return "sealed/s1.age" }, "x", verify.Edited},
		{"bytes behind the log's own", func(w string) string { return "sealed/" + log(w) + ".age" }, "x", verify.Edited},
		{"another part of a session's", func(string) string { return "sealed/s1.1.age" }, "x", verify.Edited},
		{"an empty part says nothing", func(string) string { return "sealed/s1.2.age" }, "", ""},
		{"of nobody's session", func(string) string { return "sealed/s9.age" }, "x", verify.Foreign},
		{"of nobody's session, empty", func(string) string { return "sealed/s9.age" }, "", verify.Foreign},
		{"another kind of file", func(string) string { return "sealed/notes.txt" }, "x", verify.Foreign},
		{"another kind of file among recordings", func(string) string { return "recordings/notes.txt" }, "x", verify.Foreign},
		{"a hidden one", func(string) string { return "recordings/.cast" }, "x", verify.Foreign},
		{"what a writer leaves that tried the folder", func(string) string { return "sealed/probe-0123456789abcdef" }, "", ""},
		{"as if it were that", func(string) string { return "sealed/probe-0123456789abcdef" }, "x", verify.Foreign},
	} {
		where := sealedFolder(t, overAndClosed)
		want := ""
		if c.file != nil {
			want = filepath.Join(where, c.file(where))
			if err := os.MkdirAll(filepath.Dir(want), 0o700); err != nil {
				t.Fatal(err)
			}
			add(t, want, c.text)
		}
		rs, err := verify.Dirs(verify.Options{}, where)
		if err != nil || !rs[0].Good() || strings.Contains(rs[0].Detail, "no record names") {
			t.Fatalf("%s: %v %v", c.name, rs, err)
		}
		switch rs = rs[1:]; {
		case c.want == "" && len(rs) == 0:
		case c.want == "", len(rs) != 1, rs[0].Verdict != c.want, rs[0].File != want:
			t.Errorf("%s: %v, want %s of %s", c.name, rs, c.want, want)
		}
	}
	for name, put := range map[string]func(path string) error{
		"a folder":  func(path string) error { return os.Mkdir(path, 0o700) },
		"a symlink": func(path string) error { return os.Symlink("/etc/passwd", path) },
	} {
		where := sealedFolder(t, overAndClosed)
		if err := put(filepath.Join(where, "sealed", "s1.7.age")); err != nil {
			t.Fatal(err)
		}
		rs, err := verify.Dirs(verify.Options{}, where)
		if err != nil || len(rs) != 2 || rs[1].Verdict != verify.Foreign {
			t.Errorf("%s: %v %v", name, rs, err)
		}
	}
}

// Bytes in the middle are found as those at the end are.
func TestBytesBetweenTwoSealedTextsAreNamed(t *testing.T) {
	where := sealedFolder(t, func(l *audit.Log, sc *audit.Scope) error {
		dir := filepath.Dir(l.Status().Path)
		add(t, filepath.Join(dir, "sealed", "s1.age"), "between")
		return l.Close(context.Background())
	})
	l, err := audit.Open(audit.Config{Dir: where, Recipients: []string{recipientOf(t, where)}})
	if err != nil {
		t.Fatal(err)
	}
	sc := l.In("s1", audit.Target{})
	if _, err := sc.Append(t.Context(), audit.Intent[redact.Text]{CommandDigest: audit.NewExact([]byte("id"), 0)}); err != nil {
		t.Fatal(err)
	}
	if err := overAndClosed(l, sc); err != nil {
		t.Fatal(err)
	}
	rs, err := verify.Dirs(verify.Options{}, where)
	if err != nil || len(rs) != 3 || rs[2].Verdict != verify.Edited || !strings.Contains(rs[2].Detail, "the 7 bytes at") {
		t.Errorf("%v %v", rs, err)
	}
}

// recipientOf is an auditor of the folder's first log.
func recipientOf(t *testing.T, where string) string {
	t.Helper()
	var r struct{ Data audit.LogOpen[string] }
	if err := json.Unmarshal(lines(get(t, logs(t, where)[0]))[0], &r); err != nil || len(r.Data.Recipients) == 0 {
		t.Fatalf("%v", err)
	}
	return r.Data.Recipients[0]
}

// An entry is on disk before its record: of a console that lives, or died, and of
// a session whose texts could not be sealed, bytes without a record are told and
// nobody is accused.
func TestUnfinishedSealedTextsAreTold(t *testing.T) {
	told := func(name, where string) {
		t.Helper()
		rs, err := verify.Dirs(verify.Options{}, where)
		if err != nil || len(rs) != 1 || !strings.Contains(rs[0].Detail, "sealed/s1.age: no record names the 4 bytes") {
			t.Errorf("%s: %v %v", name, rs, err)
		}
	}
	var live *audit.Log
	where := sealedFolder(t, func(l *audit.Log, _ *audit.Scope) error { live = l; return nil })
	add(t, filepath.Join(where, "sealed", "s1.age"), "torn")
	told("its console lives", where)
	dead := filepath.Join(t.TempDir(), "dead")
	if err := os.CopyFS(dead, os.DirFS(where)); err != nil {
		t.Fatal(err)
	}
	told("its console died", dead)
	if err := live.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	where = sealedFolder(t, func(l *audit.Log, sc *audit.Scope) error {
		_, err := sc.Append(t.Context(), audit.SessionError[redact.Text]{Step: redact.Literal("sealed"), Reason: redact.Literal("no space")})
		return errors.Join(err, overAndClosed(l, sc))
	})
	add(t, filepath.Join(where, "sealed", "s1.age"), "torn")
	told("sealing failed", where)
}

// With a daemon the logs are in its folder and the recordings in the consoles': both
// named, they are held against each other.
func TestRecordingsInTheConsolesFolder(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(cast string) error
		want verify.Verdict
	}{
		{"as it was", func(string) error { return nil }, ""},
		{"changed", func(cast string) error { return os.WriteFile(cast, []byte(strings.Repeat("x", 500)), 0o600) }, verify.Edited},
		{"more behind it", func(cast string) error {
			return os.WriteFile(cast, append([]byte(readAll(cast)), forgedLine...), 0o600)
		}, verify.Edited},
		{"gone", os.Remove, verify.Missing},
		{"another beside it", func(cast string) error {
			return os.WriteFile(filepath.Join(filepath.Dir(cast), "ffff.cast"), []byte("x"), 0o600)
		}, verify.Foreign},
	} {
		where, l, sc := recorded(t, true)
		if err := overAndClosed(l, sc); err != nil {
			t.Fatal(err)
		}
		mine := t.TempDir()
		if err := os.Rename(filepath.Join(where, "recordings"), filepath.Join(mine, "recordings")); err != nil {
			t.Fatal(err)
		}
		if err := c.do(filepath.Join(mine, "recordings", "s1.cast")); err != nil {
			t.Fatal(err)
		}
		for _, dirs := range [][]string{{where, mine}, {mine, where}} {
			rs, err := verify.Dirs(verify.Options{}, dirs...)
			if err != nil || !rs[0].Good() || (c.want == "") != (len(rs) == 1) || c.want != "" && rs[1].Verdict != c.want {
				t.Errorf("%s: %v %v, want %q", c.name, rs, err, c.want)
			}
		}
		if rs, err := verify.Dirs(verify.Options{}, where); err != nil || len(rs) != 1 {
			t.Errorf("%s, the daemon's folder alone: %v %v", c.name, rs, err)
		}
	}
}

func readAll(path string) string {
	b, _ := os.ReadFile(path)
	return string(b)
}
