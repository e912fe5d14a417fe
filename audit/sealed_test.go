package audit

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/age"

	"sallyport/audit/auditors"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/layout"
	"sallyport/redact"
)

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
