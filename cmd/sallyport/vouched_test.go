package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sallyport/audit"
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
	r, err := recording.New(recording.Config{Dir: where, Session: "s1", Cols: 80, Rows: 24, Redactor: redact.New(redact.Config{}), Log: sc})
	if err != nil {
		t.Fatal(err)
	}
	r.Output([]byte("genuine\r\n"))
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
