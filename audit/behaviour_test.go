package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/age"

	"sallyport/audit/auditors"
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

func TestExactTextsAreSealedToTheAuditors(t *testing.T) {
	auditor := must(age.GenerateX25519Identity())
	dir := filepath.Join(t.TempDir(), "audit")
	l := openLog(t, Config{Dir: dir, Recipients: []string{auditor.Recipient().String()}})
	exact := "mysql -p" + "hunter" + "2 db"
	in := testIntent(redact.Literal("mysql -p<redacted:password#1> db"))
	in.CommandDigest = NewExact([]byte(exact), 1)
	in.SuggestedDigest = NewExact([]byte("mysql -p db"), 0)
	if _, err := l.In("s1", Target{}).Append(t.Context(), in, testIntent(redact.Literal("ls"))); err != nil {
		t.Fatal(err)
	}
	path := l.Status().Path
	l.Close(t.Context())
	rs := records(t, path)
	sealed := must(os.Open(filepath.Join(dir, "sealed", "s1.age")))
	defer sealed.Close()
	for i, want := range []string{exact, "ls"} {
		r := rs[1+i]
		if r.Sealed == nil {
			t.Fatalf("record %d has no sealed entry", i)
		}
		got, err := Unseal(sealed, *r.Sealed, auditor)
		if err != nil || got.Event != KindCommandIntent || string(got.Fields[0]) != want {
			t.Errorf("%+v %v", got, err)
		}
	}
	if b := must(os.ReadFile(path)); bytes.Contains(b, []byte("hunter")) {
		t.Error("the exact text stands in the log")
	}
	stranger := must(age.GenerateX25519Identity())
	if _, err := Unseal(sealed, *rs[1].Sealed, stranger); err == nil {
		t.Error("a stranger opens it")
	}
	wrong := *rs[1].Sealed
	wrong.Digest[0] ^= 1
	if _, err := Unseal(sealed, wrong, auditor); err == nil {
		t.Error("an entry that the log does not name is opened")
	}
	open, _ := Decode[LogOpen[string]](rs[0])
	plain := must(age.Decrypt(bytes.NewReader(open.SealedKey), auditor))
	key := make([]byte, 32)
	if n, _ := plain.Read(key); n != 32 || !bytes.Equal(key, l.DigestKey()) {
		t.Error("the auditors do not get the digest key")
	}
}

// The length of a masked password cannot be read off the sealed entry.
func TestSealedEntriesHideTheLength(t *testing.T) {
	auditor := must(age.GenerateX25519Identity())
	v := &vault{to: auditors.Keys{auditor.Recipient()}}
	sizes := map[int]bool{}
	for n := range 24 {
		in := testIntent(redact.Literal("x"))
		in.CommandDigest = NewExact(bytes.Repeat([]byte("p"), n), 1)
		sizes[len(must(v.frame(in)))] = true
	}
	if len(sizes) != 1 {
		t.Errorf("sizes %v", sizes)
	}
}

// A sealed/ that cannot be written is refused at the start and, when it turns
// so later, shown until it is well again.
func TestASealedFileThatCannotBeWrittenRefusesTheSend(t *testing.T) {
	auditor := must(age.GenerateX25519Identity())
	dir := filepath.Join(t.TempDir(), "audit")
	c := Config{Dir: dir, Recipients: []string{auditor.Recipient().String()}}
	l := openLog(t, c)
	sealed := filepath.Join(dir, "sealed")
	if err := errors.Join(os.Remove(sealed), os.Symlink("/dev/null", sealed)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(c); err == nil || !strings.Contains(err.Error(), sealed) {
		t.Errorf("opened, and no exact text can be sealed: %v", err)
	}
	sc := l.In("s1", Target{})
	_, err := sc.Append(t.Context(), testIntent(redact.Literal("ls")))
	var full *Unwritable
	if !errors.As(err, &full) || l.Status().Refusing == nil || l.Status().Since.IsZero() {
		t.Errorf("an intent whose exact text is nowhere: %v, status %+v", err, l.Status())
	}
	if _, err := sc.Append(t.Context(), SessionResized[redact.Text]{Cols: 80}); err != nil {
		t.Errorf("what has no exact text: %v", err)
	}
	if err := os.Remove(sealed); err != nil {
		t.Fatal(err)
	}
	if _, err := sc.Append(t.Context(), testIntent(redact.Literal("ls"))); err != nil || l.Status().Refusing != nil {
		t.Errorf("sealed/ is well again: %v, status %v", err, l.Status().Refusing)
	}
	told := 0
	for _, r := range records(t, l.Status().Path) {
		if e, err := Decode[SessionError[string]](r); r.Event == KindSessionError && err == nil && e.Step == "sealed" && r.Session == "s1" {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the log tells %d times of a text that could not be sealed", told)
	}
}

// A file of sealed texts that was removed or changed under its writer holds nothing
// more: what would go there is refused once, and the next has a file of its own.
func TestASealedFileThatIsTamperedWithIsGivenUp(t *testing.T) {
	auditor := must(age.GenerateX25519Identity())
	for name, do := range map[string]func(path string) error{
		"removed": os.Remove,
		"cut":     func(path string) error { return os.Truncate(path, 10) },
	} {
		dir := filepath.Join(t.TempDir(), "audit")
		l := openLog(t, Config{Dir: dir, Recipients: []string{auditor.Recipient().String()}})
		sc := l.In("s1", Target{})
		send := func() error {
			_, err := sc.Append(t.Context(), testIntent(redact.Literal("ls")))
			return err
		}
		if err := errors.Join(send(), do(filepath.Join(dir, "sealed", "s1.age"))); err != nil {
			t.Fatal(err)
		}
		if err := send(); err == nil {
			t.Errorf("%s: acknowledged, and its exact text is nowhere", name)
		}
		if err := send(); err != nil {
			t.Errorf("%s: afterwards: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, layout.SealedFile("s1", 1))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Exact texts of records of no session stand in the file of the log that holds the
// record, whichever that comes to be: one that closes is full, and one that fails
// leaves the record to its successor.
func TestTextsOfNoSessionStandBesideTheirRecord(t *testing.T) {
	auditor := must(age.GenerateX25519Identity())
	for at := range int64(24) { // the step that fails while they are written; 0: none
		mem := durabletest.NewMemory()
		f := &durabletest.Faulty{FS: mem}
		l := openLog(t, Config{Dir: "/a", FS: f, MaxBytes: 8 << 10, Recipients: []string{auditor.Recipient().String()}})
		refused := 0
		for i := range 30 {
			if i == 15 && at > 0 {
				f.At = f.Steps() + at
			}
			if _, err := l.Append(t.Context(), testIntent(redact.Literal("ls"))); err != nil {
				refused++
			}
		}
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		files, sealed := sealedIn(t, mem, auditor)
		if files < 3 || sealed < 30-refused || refused > 1 {
			t.Errorf("fault at step %d: %d logs with %d sealed texts, %d refused", at, files, sealed, refused)
		}
	}
}

// sealedIn opens what the records of /a name in sealed/.
func sealedIn(t *testing.T, mem *durabletest.Memory, auditor age.Identity) (files, sealed int) {
	t.Helper()
	for _, rs := range logsIn(t, mem, "/a") {
		files++
		for _, r := range rs {
			if r.Sealed == nil {
				continue
			}
			sealed++
			file := must(mem.Open(filepath.Join("/a", layout.SealedFile(string(r.Log), r.Sealed.Part))))
			if _, err := Unseal(file, *r.Sealed, auditor); err != nil {
				t.Errorf("record %d of %s: %v", r.Seq, r.Log, err)
			}
		}
	}
	return files, sealed
}

func TestASealedFileThatComesBackIsSeenByItself(t *testing.T) {
	auditor := must(age.GenerateX25519Identity())
	synctest.Test(t, func(t *testing.T) {
		mem := durabletest.NewMemory()
		f := &durabletest.Faulty{FS: mem}
		l := openLog(t, Config{Dir: "/a", FS: f, Recipients: []string{auditor.Recipient().String()}})
		f.At = f.Steps() + 1 // the sealed folder
		if _, err := l.In("s1", Target{}).Append(t.Context(), testIntent(redact.Literal("ls"))); err == nil {
			t.Fatal("acknowledged")
		}
		if l.Status().Refusing == nil {
			t.Error("the status does not say so")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if err := l.Status().Refusing; err != nil {
			t.Errorf("still refusing: %v", err)
		}
		l.Close(t.Context())
	})
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
