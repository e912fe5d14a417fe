package verify_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/layout"
	"sallyport/audit/seal"
	"sallyport/audit/verify"
	"sallyport/redact"
)

const dir = "/audit"

// written is what a log of n commands leaves in mem: its path there.
func written(t testing.TB, fs durable.FS, where string, n int, c audit.Config) string {
	t.Helper()
	c.Dir, c.FS = where, fs
	c.Actor = audit.Actor{User: redact.Literal("ops"), UID: 1000}
	l, err := audit.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	path := l.Status().Path
	fill(t, l, n)
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return path
}

func fill(t testing.TB, l *audit.Log, n int) {
	t.Helper()
	sc := l.In("s1", audit.Target{Host: redact.Literal("prod-web-03")})
	zero := 0
	for i := range n {
		id, err := redact.ID(fmt.Sprintf("run-%d", i))
		if err != nil {
			t.Fatal(err)
		}
		rs, err := sc.Append(t.Context(), audit.Intent[redact.Text]{Command: id, Origin: audit.OriginHuman})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sc.Append(t.Context(), audit.Outcome[redact.Text]{Intent: rs[0].Seq(), Status: audit.Completed, ExitCode: &zero}); err != nil {
			t.Fatal(err)
		}
	}
}

// one verifies the only log of a memory that holds data under path.
func one(t testing.TB, path string, data []byte, o verify.Options) verify.Result {
	t.Helper()
	mem := durabletest.NewMemory()
	mem.Folder(dir, layout.Written)
	mem.Put(path, data)
	o.FS = mem
	rs, err := verify.Dirs(o, dir)
	if err != nil || len(rs) != 1 {
		t.Fatalf("%d results, %v", len(rs), err)
	}
	return rs[0]
}

func lines(data []byte) [][]byte {
	return bytes.Split(bytes.TrimSuffix(data, []byte{'\n'}), []byte{'\n'})
}

func joined(lines [][]byte) []byte {
	return append(bytes.Join(lines, []byte{'\n'}), '\n')
}

func hostKey(t testing.TB) seal.HostKey {
	t.Helper()
	k, err := seal.NewHostKey("test-host")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestAnAnchoredLogIsOKUnderTrustOnly(t *testing.T) {
	key, other := hostKey(t), hostKey(t)
	mem := durabletest.NewMemory()
	path := written(t, mem, dir, 3, audit.Config{HostKey: key})
	bare := written(t, mem, "/bare", 3, audit.Config{})
	for _, c := range []struct {
		name string
		path string
		o    verify.Options
		want verify.Verdict
	}{
		{"anchored, trusted", path, verify.Options{Trust: key.Public()}, verify.OK},
		{"anchored, no key to trust", path, verify.Options{}, verify.Unanchored},
		{"anchored by another key", path, verify.Options{Trust: other.Public()}, verify.BadSignature},
		{"unanchored", bare, verify.Options{}, verify.Unanchored},
		{"unanchored, under trust", bare, verify.Options{Trust: key.Public()}, verify.BadSignature},
	} {
		if r := one(t, filepath.Join(dir, filepath.Base(c.path)), mem.Bytes(c.path), c.o); r.Verdict != c.want {
			t.Errorf("%s: %s, want %s", c.name, r, c.want)
		}
	}
}

func TestALiveLogIsOpenAndAHeartbeatIsDue(t *testing.T) {
	mem := durabletest.NewMemory()
	l, err := audit.Open(audit.Config{Dir: dir, FS: mem, CheckpointEvery: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close(t.Context())
	fill(t, l, 3)
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{0, "ok (open, 3 unsealed)"},
		{time.Hour, "stale"},
	} {
		now := func() time.Time { return time.Now().Add(c.after) }
		rs, err := verify.Dirs(verify.Options{FS: mem, Now: now}, dir)
		if err != nil || rs[0].Word() != c.want {
			t.Errorf("after %s: %v %v, want %s", c.after, rs, err, c.want)
		}
	}
}

func TestACheckpointFromOutsideTellsOfWhatWasCutOff(t *testing.T) {
	mem := durabletest.NewMemory()
	path := written(t, mem, dir, 9, audit.Config{CheckpointEvery: 4})
	whole := mem.Bytes(path)
	all := lines(whole)
	var notes []string
	var at []int
	for i, l := range all {
		if c, err := audit.ReadCheckpoint(l); err == nil && bytes.Contains(l, []byte(`"event":"checkpoint"`)) {
			notes, at = append(notes, c.Note), append(at, i)
		}
	}
	last := notes[len(notes)-1]
	for _, n := range notes {
		if r := one(t, path, whole, verify.Options{Against: []string{n}}); !r.Good() {
			t.Errorf("the log's own checkpoint: %s", r)
		}
	}
	cut := joined(all[:at[0]+2])
	if r := one(t, path, cut, verify.Options{Against: []string{last}}); r.Verdict != verify.Missing {
		t.Errorf("cut after the first checkpoint: %s", r)
	}
	other := durabletest.NewMemory()
	written(t, other, dir, 9, audit.Config{})
	mem2 := durabletest.NewMemory()
	path2 := written(t, mem2, dir, 1, audit.Config{})
	r, err := verify.Dirs(verify.Options{FS: mem2, Against: []string{last}}, dir)
	if err != nil || len(r) != 2 || r[1].Verdict != verify.MissingLog {
		t.Errorf("the checkpoint of a log that is not there beside %s: %v %v", path2, r, err)
	}
}

func TestAProofChecksAgainstACheckpointAlone(t *testing.T) {
	where := t.TempDir()
	path := written(t, durable.OS{}, where, 9, audit.Config{CheckpointEvery: 4})
	p, err := verify.Prove(path, 5, "")
	if err != nil {
		t.Fatal(err)
	}
	back, err := seal.ParseProof(p.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Proof(back, p.Checkpoint); err != nil {
		t.Error(err)
	}
	forged := back
	forged.Record = bytes.Replace(back.Record, []byte("ops"), []byte("opz"), 1)
	if verify.Proof(forged) == nil {
		t.Error("an edited record passes")
	}
	moved := back
	moved.Index++
	if verify.Proof(moved) == nil {
		t.Error("another index passes")
	}
	otherLog := written(t, durable.OS{}, t.TempDir(), 9, audit.Config{CheckpointEvery: 4})
	q, err := verify.Prove(otherLog, 5, "")
	if err != nil {
		t.Fatal(err)
	}
	if verify.Proof(back, q.Checkpoint) == nil {
		t.Error("another log's checkpoint passes")
	}
	if _, err := verify.Prove(path, 5, q.Checkpoint); err == nil {
		t.Error("a proof for another log's checkpoint")
	}
	for _, l := range lines(get(t, path)) { // one that left the machine earlier
		c, err := audit.ReadCheckpoint(l)
		if err != nil || !bytes.Contains(l, []byte(`"event":"checkpoint"`)) {
			continue
		}
		earlier, err := verify.Prove(path, 2, c.Note)
		if err != nil || verify.Proof(earlier, c.Note) != nil {
			t.Errorf("for an earlier checkpoint: %v", err)
		}
	}
}
