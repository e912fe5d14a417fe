package verify_test

import (
	"os"
	"path/filepath"
	"testing"

	"filippo.io/age"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/recording"
	"sallyport/audit/verify"
	"sallyport/redact"
)

func TestFilesBesideTheLogAreHeldAgainstIt(t *testing.T) {
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	key := auditor.Recipient().String()
	where := t.TempDir()
	l, err := audit.Open(audit.Config{Dir: where, Recipients: []string{key}})
	if err != nil {
		t.Fatal(err)
	}
	sc := l.In("s1", audit.Target{Host: redact.Literal("h")})
	r, err := recording.New(recording.Config{Dir: where, Session: "s1", Cols: 80, Rows: 24, Recipients: []string{key}, Log: sc})
	if err != nil {
		t.Fatal(err)
	}
	r.Output([]byte("hello\r\n"))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := sc.Append(t.Context(), audit.Intent[redact.Text]{CommandDigest: audit.NewExact([]byte("ls"), 0)}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	cast, sealed := filepath.Join(where, "recordings", "s1.cast.age"), filepath.Join(where, "sealed", "s1.age")
	for _, c := range []struct {
		name string
		do   func() error
		want verify.Verdict // of the file, after the log's own
	}{
		{"as it was", func() error { return nil }, ""},
		{"more behind the recording", func() error { return os.WriteFile(cast, append(get(t, cast), 'x'), 0o600) }, verify.Edited},
		{"a byte of the sealed texts changed", func() error {
			b := get(t, sealed)
			b[len(b)-1] ^= 1
			return os.WriteFile(sealed, b, 0o600)
		}, verify.Edited},
		{"the recording cut", func() error { return os.Truncate(cast, 10) }, verify.Missing},
		{"the recording gone", func() error { return os.Remove(cast) }, verify.Missing},
		{"the log brought alone", func() error {
			return os.RemoveAll(filepath.Dir(cast))
		}, ""},
	} {
		before := map[string][]byte{cast: get(t, cast), sealed: get(t, sealed)}
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		rs, err := verify.Dirs(verify.Options{}, where)
		if err != nil || !rs[0].Good() || (c.want == "") != (len(rs) == 1) || c.want != "" && rs[1].Verdict != c.want {
			t.Errorf("%s: %v %v, want %q", c.name, rs, err, c.want)
		}
		for path, b := range before {
			if _, err := os.Stat(filepath.Dir(path)); err == nil {
				put(t, path, b)
			}
		}
	}
}

// A log's word is its own: one of the same name in another folder lends it no
// belief.
func TestAGoodNamesakeDoesNotVouchForAForgedLog(t *testing.T) {
	forged, other := t.TempDir(), t.TempDir()
	if err := os.CopyFS(forged, os.DirFS(filepath.Join("testdata", "verdicts", "recovered"))); err != nil {
		t.Fatal(err)
	}
	names := logs(t, forged)
	cut, speaker := names[0], names[1]
	all := lines(get(t, speaker))
	last := len(all) - 1
	all[last] = append([]byte(nil), all[last]...)
	all[last][len(all[last])/2] ^= 1
	put(t, speaker, joined(all))
	good := written(t, durable.OS{}, other, 3, audit.Config{})
	if err := os.Rename(good, filepath.Join(other, filepath.Base(speaker))); err != nil {
		t.Fatal(err)
	}
	verdict := func(dirs ...string) verify.Verdict {
		rs, err := verify.Dirs(verify.Options{}, dirs...)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rs {
			if r.File == cut {
				return r.Verdict
			}
		}
		return ""
	}
	alone := verdict(forged)
	for _, dirs := range [][]string{{forged, other}, {other, forged}} {
		if got := verdict(dirs...); got != alone || got == verify.Recovered {
			t.Errorf("%s beside a namesake of its forged witness, %s without", got, alone)
		}
	}
}
