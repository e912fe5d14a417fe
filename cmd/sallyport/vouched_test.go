package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/recording"
	"sallyport/redact"
)

// What somebody wrote behind a recording, or beside it, is not drawn as if the
// operator had seen it.
func TestReplayDrawsWhatTheLogBearsOut(t *testing.T) {
	where := t.TempDir()
	log, err := audit.Open(audit.Config{Dir: where})
	if err != nil {
		t.Fatal(err)
	}
	sc := log.In("s1", audit.Target{})
	r, err := recording.New(recording.Config{Dir: where, Session: "s1", Cols: 80, Rows: 24, Log: sc})
	if err != nil {
		t.Fatal(err)
	}
	r.Redacted(redact.Literal("genuine\r\n"))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	cast := filepath.Join(where, "recordings", "s1.cast")
	b, err := os.ReadFile(cast)
	if err != nil {
		t.Fatal(err)
	}
	forged := append(bytes.Clone(b), "[0.100000, \"o\", \"forged\\r\\n\"]\n"...)
	for name, data := range map[string][]byte{cast: forged, filepath.Join(where, "recordings", "ffff.cast"): forged} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args        []string
		draws, says string
		not         string
	}{
		{[]string{"replay", "s1"}, "genuine", "are left out", "forged"},
		{[]string{"export", "--format", "asciicast", "--session", "s1", where}, "genuine", "are left out", "forged"},
		{[]string{"replay", "ffff"}, "forged", "NOT VOUCHED FOR", "\x00"},
	} {
		if c.args[0] == "replay" {
			c.args = append(c.args, "--speed", "100", "--dir", where)
		}
		var out, stderr bytes.Buffer
		cmd := newAuditCommand()
		cmd.SetIn(strings.NewReader(""))
		cmd.SetOut(&out)
		cmd.SetErr(&stderr)
		cmd.SetArgs(c.args)
		err := cmd.Execute()
		if err != nil || !strings.Contains(out.String(), c.draws) || strings.Contains(out.String(), c.not) || !strings.Contains(stderr.String(), c.says) {
			t.Errorf("%q: %v\n%s\n%s", c.args, err, out.String(), stderr.String())
		}
	}
}

// A recording whose console died is drawn up to there, encrypted or not, and
// not as if it had ended.
func TestReplaySaysThatARecordingHasNoEnd(t *testing.T) {
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "auditor.txt")
	if err := os.WriteFile(key, []byte(auditor.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, to := range [][]string{nil, {auditor.Recipient().String()}} {
		where := t.TempDir()
		log, err := audit.Open(audit.Config{Dir: where})
		if err != nil {
			t.Fatal(err)
		}
		sc := log.In("s1", audit.Target{})
		r, err := recording.New(recording.Config{
			Dir: where, Session: "s1", Cols: 80, Rows: 24, Recipients: to, Log: sc, Every: time.Millisecond,
		})
		if err != nil {
			t.Fatal(err)
		}
		recordsOf(t, log, 2) // its first chunk
		r.Output([]byte("genuine\r\n"))
		r.Redacted(redact.Literal("genuine\r\n"))
		recordsOf(t, log, 3)
		dead := filepath.Join(t.TempDir(), "dead")
		if err := os.CopyFS(dead, os.DirFS(where)); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(r.Close(), log.Close(t.Context())); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"replay", "s1", "--identity", key, "--speed", "100", "--dir", dead},
			{"export", "--format", "asciicast", "--session", "s1", "--identity", key, dead},
		} {
			var out, stderr bytes.Buffer
			cmd := newAuditCommand()
			cmd.SetIn(strings.NewReader(""))
			cmd.SetOut(&out)
			cmd.SetErr(&stderr)
			cmd.SetArgs(args)
			err := cmd.Execute()
			if err != nil || !strings.Contains(out.String(), "genuine") || strings.Contains(out.String(), "end of the recording") ||
				!strings.Contains(stderr.String(), "does not name the end") {
				t.Errorf("%q: %v\n%s\n%s", args, err, out.String(), stderr.String())
			}
		}
	}
}

// recordsOf waits for so many records of the log.
func recordsOf(t *testing.T, log *audit.Log, n uint64) {
	t.Helper()
	durabletest.WaitFor(t, "records", func() bool { return log.Status().Records >= n })
}
