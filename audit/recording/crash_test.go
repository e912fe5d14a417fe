package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/age"

	"sallyport/audit"
	"sallyport/audit/auditors"
	"sallyport/audit/durable/durabletest"
	"sallyport/redact"
)

// What a dead console had shown longer than about a second ago is in its
// recording, and the log vouches for it, however little it was and whatever
// the disk forgot.
func TestADeadConsoleLosesASecond(t *testing.T) {
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		to   []string
		lost time.Duration // at most, of what was shown
	}{
		{"encrypted", []string{auditor.Recipient().String()}, time.Second},
		{"redacted", nil, time.Second},
	} {
		for _, loss := range durabletest.Losses() {
			t.Run(fmt.Sprintf("%s %v", c.name, loss), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					mem := durabletest.NewMemory()
					l, err := audit.Open(audit.Config{Dir: "/audit", FS: mem})
					if err != nil {
						t.Fatal(err)
					}
					defer l.Close(t.Context())
					r, err := New(Config{
						Dir: "/audit", Session: "s1", Cols: 80, Rows: 24, Recipients: c.to,
						Log: l.In("s1", audit.Target{Host: redact.Literal("h")}), FS: mem,
					})
					if err != nil {
						t.Fatal(err)
					}
					defer r.Close()
					stream, shown := redact.New(redact.Config{}).Stream(), 0
					for ; shown < 25; shown++ {
						p := fmt.Appendf(nil, "line %d\r\n", shown)
						r.Output(p)
						r.Redacted(stream.Write(p))
						time.Sleep(100 * time.Millisecond) // of the bubble's time
					}
					synctest.Wait()
					have := linesKept(t, mem.Crash(loss), c.to != nil, auditor)
					if least := shown - 1 - int(c.lost/(100*time.Millisecond)); have < least || have > shown {
						t.Errorf("%d of %d lines are left", have, shown)
					}
				})
			})
		}
	}
}

// linesKept counts the lines of the recording, which must stand in order.
func linesKept(t *testing.T, mem *durabletest.Memory, encrypted bool, auditor age.Identity) (n int) {
	t.Helper()
	path, open := "/audit/recordings/s1.cast", Read
	if encrypted {
		path, open = path+".age", func(r io.Reader) (*Cast, error) { return Read(Open(r, auditor)) }
	}
	c, err := open(bytes.NewReader(mem.Bytes(path)))
	if err != nil {
		t.Fatal(err)
	}
	for {
		e, err := c.Next()
		if err == io.EOF || errors.Is(err, ErrTruncated) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(e.Data) {
			if want := fmt.Sprintf("line %d\r\n", n); line != want {
				t.Fatalf("%q, want %q", line, want)
			}
			n++
		}
	}
}

// TestAnEncryptedRecordingCutAnywhereOpensUpToThere, and one that was changed
// does not pass for one that was cut.
func TestAnEncryptedRecordingCutAnywhereOpensUpToThere(t *testing.T) {
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	to := auditors.Keys{auditor.Recipient()}
	head := "{\"version\":2,\"width\":80,\"height\":24}\n"
	var file, text []byte
	ends := map[int]int{0: 0} // of the file, of the text
	for _, part := range []string{head, "[0.1, \"o\", \"a\"]\n[0.2, \"o\", \"b\"]\n", "[0.3, \"o\", \"" + strings.Repeat("c", 70000) + "\"]\n"} {
		b, err := to.Frame(padded([]byte(part)))
		if err != nil {
			t.Fatal(err)
		}
		file, text = append(file, b...), append(text, padded([]byte(part))...)
		ends[len(file)] = len(text)
	}
	whole := 0
	for n := 0; n <= len(file); n += step(n, len(file)) {
		got, err := io.ReadAll(Open(bytes.NewReader(file[:n]), auditor))
		end, between := ends[n]
		if between {
			whole = end
		}
		switch {
		case !bytes.HasPrefix(text, got), len(got) < whole:
			t.Fatalf("of %d bytes: %d of the text's %d", n, len(got), len(text))
		case between && (err != nil || len(got) != end):
			t.Fatalf("whole chunks, %d bytes: %d, %v", n, len(got), err)
		case !between && !errors.Is(err, ErrTruncated):
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	for _, n := range []int{4, 60, 300, 600, 800, len(file) - 20000, len(file) - 1} {
		changed := bytes.Clone(file)
		changed[n] ^= 1
		got, err := io.ReadAll(Open(bytes.NewReader(changed), auditor))
		if err == nil || !bytes.HasPrefix(text, got) {
			t.Errorf("byte %d changed: %d bytes, %v", n, len(got), err)
		}
	}
}

// step visits every byte of the beginning, and some of the long rest.
func step(n, size int) int {
	if n < 1200 || n > size-100 {
		return 1
	}
	return min(997, size-100-n+1)
}

// TestTheLengthOfAShortOutputIsNotToldByItsChunk: what the log masks of it could
// be guessed from it.
func TestTheLengthOfAShortOutputIsNotToldByItsChunk(t *testing.T) {
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[int]bool{}
	for n := range 100 {
		line := fmt.Sprintf("[12.345678, \"o\", \"password: %s\\r\\n\"]\n", strings.Repeat("x", n))
		b, err := auditors.Keys{auditor.Recipient()}.Frame(padded([]byte(line)))
		if err != nil {
			t.Fatal(err)
		}
		sizes[len(b)] = true
	}
	if len(sizes) != 1 {
		t.Errorf("%d lengths of chunks for outputs of 0 to 99 bytes", len(sizes))
	}
}

// A recording that was removed, replaced or written to under its console has failed:
// it does not go on in a file that nobody finds.
func TestARecordingThatIsTamperedWithWhileItGrowsFails(t *testing.T) {
	for name, do := range map[string]func(path string) error{
		"removed":  os.Remove,
		"replaced": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, []byte("x"), 0o600)) },
		"cut":      func(path string) error { return os.Truncate(path, 10) },
		"longer": func(path string) error {
			b, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path, append(b, "more"...), 0o600))
		},
	} {
		failed := make(chan error, 2)
		r, l, log := setup(t, Config{Every: time.Millisecond, OnFailure: func(err error) { failed <- err }})
		path := filepath.Join(filepath.Dir(log), "recordings", "s1.cast")
		durabletest.WaitFor(t, "header", func() bool { return l.Status().Records >= 2 })
		if err := do(path); err != nil {
			t.Fatal(err)
		}
		r.Redacted(redact.Literal("a line\r\n"))
		select {
		case <-failed:
		case <-time.After(20 * time.Second):
			t.Errorf("%s: nobody was told", name)
		}
		r.Close()
		l.Close(t.Context())
	}
}
