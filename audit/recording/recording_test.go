package recording

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/creack/pty"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
	"sallyport/redact"
)

func setup(t *testing.T, c Config) (*Recorder, *audit.Log, string) {
	t.Helper()
	c.Dir = filepath.Join(t.TempDir(), "audit")
	l, err := audit.Open(audit.Config{Dir: c.Dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close(context.Background()) })
	c.Session, c.Cols, c.Rows = "s1", 80, 24
	c.Log = l.In("s1", audit.Target{Host: redact.Literal("h")})
	r, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return r, l, l.Status().Path
}

func play(r *Recorder) {
	s := redact.New(redact.Config{}).Stream()
	output := func(p string) {
		r.Output([]byte(p))
		r.Redacted(s.Write([]byte(p)))
	}
	output("root@h:~# ")
	r.Redacted(s.Mark())
	r.Mark(7, redact.Literal("cat secret"))
	output("password=hunter" + "2hunter2\r\nüber \xc3")
	output("\xa4 end\r\n")
	r.Resize(120, 36)
	r.Input(redact.Literal("y"))
	output("\x1b[31mred\x1b[0m\r\n")
	r.Redacted(s.Flush())
}

func all(t *testing.T, c *Cast) (out string, marks []Event) {
	t.Helper()
	for {
		e, err := c.Next()
		if err == io.EOF {
			return out, marks
		}
		if err != nil {
			t.Fatal(err)
		}
		if e.Code == "o" {
			out += e.Data
		} else {
			marks = append(marks, e)
		}
	}
}

func checkChunks(t *testing.T, log string, file []byte) {
	t.Helper()
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var at int64
	final := false
	for line := range strings.Lines(string(b)) {
		var r audit.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Event != audit.KindRecordingChunk {
			continue
		}
		c, err := audit.Decode[audit.RecordingChunk[string]](r)
		if err != nil || c.Offset != at || sha256.Sum256(file[at:at+c.Bytes]) != c.Digest {
			t.Errorf("chunk %+v at %d: %v", c, at, err)
		}
		at += c.Bytes
		final = c.Final
	}
	if at != int64(len(file)) || !final {
		t.Errorf("the log has digests of %d of %d bytes, final %v", at, len(file), final)
	}
}

func TestARecordingWithoutRecipientsIsRedacted(t *testing.T) {
	r, l, log := setup(t, Config{})
	play(r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	l.Close(t.Context())
	b, err := os.ReadFile(filepath.Join(filepath.Dir(log), "recordings", "s1.cast"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b, []byte("hunter")) {
		t.Errorf("the secret stands in it: %s", b)
	}
	c, err := Read(bytes.NewReader(b))
	if err != nil || c.Header.Width != 80 || c.Header.Height != 24 {
		t.Fatalf("%+v %v", c, err)
	}
	out, marks := all(t, c)
	if !strings.Contains(out, "<redacted:") || !strings.Contains(out, "über ä end") || !strings.Contains(out, "\x1b[31mred") {
		t.Errorf("output %q", out)
	}
	if len(marks) != 3 || marks[0].Code != "m" || marks[0].Data != "7 cat secret" || marks[1].Data != "120x36" || marks[2].Code != "i" {
		t.Errorf("marks %+v", marks)
	}
	checkChunks(t, log, b)
}

// TestAsciinemaPlaysIt: the player that the format is from prints what was
// shown, and nothing of marks, sizes and what was typed.
func TestAsciinemaPlaysIt(t *testing.T) {
	asciinema := durabletest.Need(t, "asciinema")
	r, l, log := setup(t, Config{})
	play(r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	l.Close(t.Context())
	path := filepath.Join(filepath.Dir(log), "recordings", "s1.cast")
	cmd := exec.Command(asciinema, "cat", path)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	tty, err := pty.Start(cmd) // it wants a terminal
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	out, _ := io.ReadAll(tty) // EIO at the end
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c, err := Read(bytes.NewReader(readFile(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := all(t, c); string(out) != want {
		t.Errorf("it prints %q, want %q", out, want)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestARecordingWithRecipientsIsVerbatimForThemAlone(t *testing.T) {
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	r, l, log := setup(t, Config{Recipients: []string{auditor.Recipient().String()}})
	play(r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	l.Close(t.Context())
	b, err := os.ReadFile(filepath.Join(filepath.Dir(log), "recordings", "s1.cast.age"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(Open(bytes.NewReader(b), auditor))
	if err != nil {
		t.Fatal(err)
	}
	want := "root@h:~# password=hunter" + "2hunter2\r\nüber ä end\r\n\x1b[31mred\x1b[0m\r\n"
	if out, _ := all(t, c); out != want {
		t.Errorf("%q, want %q", out, want)
	}
	checkChunks(t, log, b)
	stranger, _ := age.GenerateX25519Identity()
	if _, err := Read(Open(bytes.NewReader(b), stranger)); err == nil {
		t.Error("a stranger opens it")
	}
	short, err := Read(Open(bytes.NewReader(b[:len(b)-5]), auditor))
	if err == nil {
		_, err = short.Next()
	}
	if err == nil {
		t.Error("a file without its end passes for whole")
	}
}

func TestARecordingThatFailsSaysSoOnce(t *testing.T) {
	mem := durabletest.NewMemory()
	mem.Capacity = 200
	failed := make(chan error, 2)
	r, l, log := setup(t, Config{FS: mem, Every: time.Millisecond, OnFailure: func(err error) { failed <- err }})
	for range 100 {
		r.Redacted(redact.Literal("line after line\r\n"))
	}
	select {
	case err := <-failed:
		if err == nil {
			t.Error("no reason")
		}
	case <-time.After(20 * time.Second):
		t.Fatal("nobody was told")
	}
	r.Redacted(redact.Literal("more")) // does not hang
	if err := r.Close(); err == nil {
		t.Error("close says nothing")
	}
	l.Close(t.Context())
	b, _ := os.ReadFile(log)
	if !bytes.Contains(b, []byte(`"error":"the recording could not be written"`)) {
		t.Error("the log does not say that the recording ended")
	}
	if errors.Is(r.Err(), nil) {
		t.Error("no error")
	}
}
