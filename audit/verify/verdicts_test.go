package verify_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/age"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/recording"
	"sallyport/audit/seal"
	"sallyport/audit/verify"
	"sallyport/redact"
)

// verdictCase is a folder in testdata/verdicts and what is to be said of it.
type verdictCase struct {
	folder  string
	emptied string           // a folder in it
	want    []verify.Verdict // of the logs by name, then of those that are missing
	trust   bool             // testdata/host.pub
	against bool             // the folder's checkpoint
	live    bool             // a writer holds the last log
	// build makes the folder's logs.
	build func(t *testing.T, where string)
}

// where is the case's folder. What git does not keep, an empty folder that files
// were taken out of, is made again.
func (c verdictCase) where(t *testing.T) string {
	t.Helper()
	where := filepath.Join("testdata", "verdicts", c.folder)
	if c.emptied != "" {
		if err := os.MkdirAll(filepath.Join(where, c.emptied), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return where
}

var verdictCases = []verdictCase{
	{folder: "ok", want: []verify.Verdict{verify.OK, verify.OK}, trust: true, build: two},
	{folder: "ok-unanchored", want: []verify.Verdict{verify.Unanchored}, build: single},
	{folder: "ok-open", want: []verify.Verdict{verify.Open}, live: true, build: func(t *testing.T, where string) { crashed(t, where, 0) }},
	{folder: "recovered", want: []verify.Verdict{verify.Recovered, verify.Unanchored}, build: func(t *testing.T, where string) {
		crashed(t, where, 100)
		single(t, where)
	}},
	{folder: "missing-log", want: []verify.Verdict{verify.OK, verify.MissingLog}, trust: true, build: func(t *testing.T, where string) {
		two(t, where)
		remove(t, logs(t, where)[0])
	}},
	{folder: "missing-log-outside", want: []verify.Verdict{verify.Unanchored, verify.MissingLog}, against: true, build: func(t *testing.T, where string) {
		other := t.TempDir()
		single(t, other)
		keepCheckpoint(t, other, where)
		single(t, where)
	}},
	{folder: "missing-log-pruned", want: []verify.Verdict{verify.Unanchored}, against: true, build: func(t *testing.T, where string) {
		single(t, where)
		keepCheckpoint(t, where, where)
		later := func() time.Time { return time.Now().Add(time.Hour) }
		gone, err := audit.Prune(t.Context(), audit.Config{Dir: where}, later(), true)
		if err != nil || len(gone) != 1 {
			t.Fatalf("pruned %v: %v", gone, err)
		}
	}},
	{folder: "missing-log-receipt", want: []verify.Verdict{verify.Unanchored, verify.MissingLog}, build: func(t *testing.T, where string) {
		log, seq, leaf := lastReceipt(t, t.TempDir())
		shown(t, where, log, seq, leaf)
	}},
	{folder: "missing-receipt", want: []verify.Verdict{verify.Missing, verify.Unanchored}, build: func(t *testing.T, where string) {
		log, seq, leaf := lastReceipt(t, where)
		rewrite(t, where, func(all [][]byte) [][]byte { return all[:seq] })
		shown(t, where, log, seq, leaf)
	}},
	{folder: "edited", want: []verify.Verdict{verify.Edited}, build: changed(edit)},
	{folder: "edited-receipt", want: []verify.Verdict{verify.Edited, verify.Unanchored}, build: func(t *testing.T, where string) {
		log, seq, leaf := lastReceipt(t, where)
		rewrite(t, where, func(all [][]byte) [][]byte {
			all[seq] = bytes.Replace(all[seq], []byte(`"exit_code":0`), []byte(`"exit_code":1`), 1)
			return all
		})
		shown(t, where, log, seq, leaf)
	}},
	{folder: "edited-not-json", want: []verify.Verdict{verify.Edited}, build: func(t *testing.T, where string) {
		crashed(t, where, 0)
		rewrite(t, where, func(all [][]byte) [][]byte {
			all[len(all)-1] = append(all[len(all)-1], '}')
			return all
		})
	}},
	{folder: "unreadable", want: []verify.Verdict{verify.Unreadable, verify.Unanchored}, build: func(t *testing.T, where string) {
		single(t, where)
		if err := os.Symlink("/dev/null", filepath.Join(where, "20261130T000000Z-00000000.jsonl")); err != nil {
			t.Fatal(err)
		}
	}},
	{folder: "duplicated-file", want: []verify.Verdict{verify.Unanchored, verify.Duplicated}, build: func(t *testing.T, where string) {
		single(t, where)
		put(t, filepath.Join(where, "20200101T000000Z-00000000.jsonl"), get(t, logs(t, where)[0]))
	}},
	{folder: "missing", want: []verify.Verdict{verify.Missing}, build: changed(func(all [][]byte) [][]byte { return slices.Delete(all, 5, 6) })},
	{folder: "missing-outside", want: []verify.Verdict{verify.Missing}, against: true, build: func(t *testing.T, where string) {
		single(t, where)
		keepCheckpoint(t, where, where)
		rewrite(t, where, func(all [][]byte) [][]byte { return all[:7] })
	}},
	{folder: "reordered", want: []verify.Verdict{verify.Reordered}, build: changed(func(all [][]byte) [][]byte {
		all[3], all[6] = all[6], all[3]
		return all
	})},
	{folder: "duplicated", want: []verify.Verdict{verify.Duplicated}, build: changed(func(all [][]byte) [][]byte { return slices.Insert(all, 4, all[2]) })},
	{folder: "torn-tail", want: []verify.Verdict{verify.TornTail}, build: func(t *testing.T, where string) { crashed(t, where, 50) }},
	{folder: "unclosed", want: []verify.Verdict{verify.Unclosed}, build: func(t *testing.T, where string) { crashed(t, where, 0) }},
	{folder: "unsealed-tail", want: []verify.Verdict{verify.UnsealedTail}, build: changed(func(all [][]byte) [][]byte { return all[:len(all)-1] })},
	{folder: "stale", want: []verify.Verdict{verify.Stale}, build: func(t *testing.T, where string) {
		now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
		clock := func() time.Time { now = now.Add(40 * time.Second); return now }
		written(t, durable.OS{}, where, 3, audit.Config{Now: clock, Heartbeat: time.Hour})
		rewriteLimits(t, where)
	}},
	{folder: "forked", want: []verify.Verdict{verify.Forked, verify.Unanchored}, build: func(t *testing.T, where string) {
		single(t, where)
		single(t, where)
		keys := newKeys(64)
		path := logs(t, where)[0]
		put(t, path, forger{key: keys, announced: keys}.forge(t, edit(lines(get(t, path)))))
	}},
	{folder: "bad-signature", want: []verify.Verdict{verify.BadSignature}, build: func(t *testing.T, where string) {
		single(t, where)
		keys, others := newKeys(64), newKeys(64)
		path := logs(t, where)[0]
		put(t, path, forger{key: others, announced: keys}.forge(t, edit(lines(get(t, path)))))
	}},
	{folder: "bad-signature-unanchored", want: []verify.Verdict{verify.BadSignature}, trust: true, build: single},
	{folder: "files-beside", want: []verify.Verdict{verify.Unanchored}, build: beside(nil)},
	{folder: "files-beside-told", want: []verify.Verdict{verify.Unclosed}, build: func(t *testing.T, where string) {
		beside(nil)(t, where)
		rewrite(t, where, func(all [][]byte) [][]byte { return all[:len(all)-6] }) // before the session's end
		add(t, filepath.Join(where, "recordings", "s1.cast"), forgedLine)
		add(t, filepath.Join(where, "sealed", "s1.age"), "torn")
	}},
	{folder: "files-beside-missing", emptied: "recordings", want: []verify.Verdict{verify.Unanchored, verify.Missing, verify.Missing}, build: beside(func(t *testing.T, where string) {
		remove(t, filepath.Join(where, "recordings", "s1.cast"))
		put(t, filepath.Join(where, "sealed", "s1.age"), nil)
	})},
	{folder: "files-beside-edited", want: []verify.Verdict{verify.Unanchored, verify.Edited, verify.Edited}, build: beside(func(t *testing.T, where string) {
		for _, name := range []string{"recordings/s1.cast", "sealed/s1.age"} {
			b := get(t, filepath.Join(where, name))
			b[len(b)/2] ^= 1
			put(t, filepath.Join(where, name), b)
		}
	})},
	{folder: "files-beside-longer", want: []verify.Verdict{verify.Unanchored, verify.Edited, verify.Edited}, build: beside(func(t *testing.T, where string) {
		add(t, filepath.Join(where, "recordings", "s1.cast"), forgedLine)
		add(t, filepath.Join(where, "sealed", "s1.age"), "more")
	})},
	{folder: "foreign", want: []verify.Verdict{verify.Unanchored, verify.Foreign, verify.Foreign, verify.Foreign}, build: beside(func(t *testing.T, where string) {
		add(t, filepath.Join(where, "recordings", "s2.cast"), forgedLine)
		add(t, filepath.Join(where, "sealed", "s2.age"), "x")
		add(t, filepath.Join(where, "sealed", "notes.txt"), "x")
		add(t, filepath.Join(where, "sealed", "probe-0123456789abcdef"), "")
	})},
	{folder: "break-glass", want: []verify.Verdict{verify.Recovered, verify.Unanchored, verify.Unanchored}, build: brokenGlass},
	{folder: "wrong-epoch", want: []verify.Verdict{verify.WrongEpoch}, build: func(t *testing.T, where string) {
		single(t, where)
		keys := newKeys(64)
		path := logs(t, where)[0]
		all := lines(get(t, path))
		last := bytes.Count(joined(all), []byte(`"event":"key.rotate"`))
		put(t, path, forger{key: func(int) ed25519.PrivateKey { return keys(last) }, announced: keys}.forge(t, edit(all)))
	}},
}

// beside is a folder with a recording and a sealed text, to which something was
// done after all had ended well.
func beside(then func(*testing.T, string)) func(*testing.T, string) {
	return func(t *testing.T, where string) {
		auditor, err := age.GenerateX25519Identity()
		if err != nil {
			t.Fatal(err)
		}
		l, err := audit.Open(audit.Config{Dir: where, Recipients: []string{auditor.Recipient().String()}})
		if err != nil {
			t.Fatal(err)
		}
		sc := l.In("s1", audit.Target{Host: redact.Literal("h")})
		r, err := recording.New(recording.Config{Dir: where, Session: "s1", Cols: 80, Rows: 24, Log: sc})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sc.Append(t.Context(), audit.Intent[redact.Text]{CommandDigest: audit.NewExact([]byte("ls"), 0)}); err != nil {
			t.Fatal(err)
		}
		r.Redacted(redact.Literal("hello\r\n"))
		if err := errors.Join(r.Close(), overAndClosed(l, sc)); err != nil {
			t.Fatal(err)
		}
		if then != nil {
			then(t, where)
		}
	}
}

// second sink of a test, that takes everything.
type takes struct{}

func (takes) Name() redact.Text                                 { return redact.Literal("another machine") }
func (takes) Accept(context.Context, audit.LogID, []byte) error { return nil }

// brokenGlass is a full disk, a log that another machine held meanwhile, and the
// next one here.
func brokenGlass(t *testing.T, where string) {
	mem := durabletest.NewMemory()
	synctest.Test(t, func(t *testing.T) {
		l, err := audit.Open(audit.Config{Dir: dir, FS: mem, Second: takes{}})
		if err != nil {
			t.Fatal(err)
		}
		fill(t, l, 2)
		mem.SetCapacity(1)
		if _, err := l.In("s1", audit.Target{}).Append(t.Context(), audit.Intent[redact.Text]{}); err == nil {
			t.Fatal("the disk is not full")
		}
		if err := l.BreakGlass(t.Context(), redact.Literal("fire")); err != nil {
			t.Fatal(err)
		}
		fill(t, l, 2)
		mem.SetCapacity(1 << 30)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		fill(t, l, 2)
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	entries, err := mem.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".jsonl" {
			put(t, filepath.Join(where, e.Name()), mem.Bytes(filepath.Join(dir, e.Name())))
		}
	}
}

func single(t *testing.T, where string) {
	written(t, durable.OS{}, where, 6, audit.Config{CheckpointEvery: 4})
}

func two(t *testing.T, where string) {
	key := testKey(t)
	written(t, durable.OS{}, where, 3, audit.Config{CheckpointEvery: 4, HostKey: key})
	written(t, durable.OS{}, where, 3, audit.Config{CheckpointEvery: 4, HostKey: key})
}

// crashed is a log that its writer did not close, and torn bytes.
func crashed(t *testing.T, where string, torn int) {
	t.Helper()
	elsewhere := t.TempDir()
	l, err := audit.Open(audit.Config{Dir: elsewhere, CheckpointEvery: 4})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, l, 5)
	path := l.Status().Path
	data := get(t, path)
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	data = append(data, data[:torn]...)
	put(t, filepath.Join(where, filepath.Base(path)), data)
}

// lastReceipt is that of the last record of a log whose writer died.
func lastReceipt(t *testing.T, where string) (log audit.LogID, seq uint64, leaf audit.Hash) {
	crashed(t, where, 0)
	all := lines(get(t, logs(t, where)[0]))
	h, err := audit.ParseHead(all[len(all)-1])
	if err != nil {
		t.Fatal(err)
	}
	return h.Log, h.Seq, audit.Hash(seal.Leaf(all[len(all)-1]))
}

// shown is the next log, to whose writer a console shows a receipt.
func shown(t *testing.T, where string, log audit.LogID, seq uint64, leaf audit.Hash) {
	t.Helper()
	l, err := audit.Open(audit.Config{Dir: where})
	if err != nil {
		t.Fatal(err)
	}
	var lost *audit.Lost
	if err := l.Witness(t.Context(), audit.Actor{UID: 1000}, log, seq, leaf); !errors.As(err, &lost) {
		t.Fatalf("the receipt: %v", err)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func changed(how func([][]byte) [][]byte) func(*testing.T, string) {
	return func(t *testing.T, where string) {
		single(t, where)
		rewrite(t, where, how)
	}
}

func rewrite(t *testing.T, where string, how func([][]byte) [][]byte) {
	path := logs(t, where)[0]
	put(t, path, joined(how(lines(get(t, path)))))
}

// rewriteLimits makes a log promise more heartbeats than it has.
func rewriteLimits(t *testing.T, where string) {
	rewrite(t, where, func(all [][]byte) [][]byte {
		all[0] = bytes.Replace(all[0], []byte(`"heartbeat_s":3600`), []byte(`"heartbeat_s":60`), 1)
		keys := newKeys(64)
		return lines(forger{key: keys, announced: keys}.forge(t, all))
	})
}

func keepCheckpoint(t *testing.T, from, to string) {
	var last string
	for _, l := range lines(get(t, logs(t, from)[0])) {
		if c, err := audit.ReadCheckpoint(l); err == nil && bytes.Contains(l, []byte(`"event":"checkpoint"`)) {
			last = c.Note
		}
	}
	put(t, filepath.Join(to, "checkpoint"), []byte(last))
}

func logs(t *testing.T, where string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(where, "*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no logs in %s", where)
	}
	slices.SortFunc(paths, func(a, b string) int { return strings.Compare(firstTime(t, a), firstTime(t, b)) })
	return paths
}

func firstTime(t *testing.T, path string) string {
	h, err := audit.ParseHead(lines(get(t, path))[0])
	if err != nil {
		return ""
	}
	return h.Time.Format(time.RFC3339Nano)
}

func get(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// testKey is the host key of testdata, made up for it.
func testKey(t *testing.T) seal.HostKey {
	t.Helper()
	k, err := seal.ParseHostKey(string(get(t, filepath.Join("testdata", "host.key"))))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestEveryVerdictHasALog verifies the logs of testdata. SALLYPORT_UPDATE=1
// makes those that are not there.
func TestEveryVerdictHasALog(t *testing.T) {
	if os.Getenv("SALLYPORT_UPDATE") != "" {
		updateVerdicts(t)
	}
	seen := map[verify.Verdict]bool{}
	for _, c := range verdictCases {
		t.Run(c.folder, func(t *testing.T) {
			where := c.where(t)
			rs, err := verify.Dirs(c.options(t, where), where)
			if err != nil {
				t.Fatal(err)
			}
			var got []verify.Verdict
			for _, r := range rs {
				got = append(got, r.Verdict)
				seen[r.Verdict] = true
			}
			if !same(got, c.want) {
				t.Errorf("%q, want %q: %v", got, c.want, rs)
			}
		})
	}
	for _, v := range []verify.Verdict{
		verify.OK, verify.Unanchored, verify.Open, verify.Recovered, verify.MissingLog, verify.Edited, verify.Missing,
		verify.Reordered, verify.Duplicated, verify.TornTail, verify.Unclosed, verify.UnsealedTail, verify.Stale,
		verify.Forked, verify.BadSignature, verify.WrongEpoch, verify.Unreadable, verify.Foreign,
	} {
		if !seen[v] {
			t.Errorf("no log in testdata has the verdict %q", v)
		}
	}
}

// same compares without order: logs of one second sort by their ids.
func same(a, b []verify.Verdict) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func (c verdictCase) options(t *testing.T, where string) (o verify.Options) {
	if c.trust {
		o.Trust = testKey(t).Public()
	}
	if c.against {
		o.Against = []string{string(get(t, filepath.Join(where, "checkpoint")))}
	}
	if c.live {
		paths := logs(t, where)
		unlock, err := durable.OS{}.Lock(paths[len(paths)-1])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unlock() })
		at, err := time.Parse(time.RFC3339Nano, firstTime(t, paths[len(paths)-1]))
		if err != nil {
			t.Fatal(err)
		}
		o.Now = func() time.Time { return at.Add(time.Second) }
	}
	return o
}

func updateVerdicts(t *testing.T) {
	if _, err := os.Stat("testdata/host.key"); errors.Is(err, os.ErrNotExist) {
		k := hostKey(t)
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, "testdata/host.key", []byte(k.Secret()+"\n"))
		put(t, "testdata/host.pub", []byte(k.Verifier()+"\n"))
	}
	for _, c := range verdictCases {
		where := filepath.Join("testdata", "verdicts", c.folder)
		if _, err := os.Stat(where); err == nil {
			continue
		}
		if err := os.MkdirAll(where, 0o755); err != nil {
			t.Fatal(err)
		}
		c.build(t, where)
	}
}
