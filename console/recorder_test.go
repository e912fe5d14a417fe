package console

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"sallyport/audit"
	"sallyport/policy"
	"sallyport/redact"
)

// TestWhatFollowsWhenNothingCanBeRecorded: the words of the policy's
// [recording] on_failure.
func TestWhatFollowsWhenNothingCanBeRecorded(t *testing.T) {
	for _, c := range []struct {
		word           string
		ended, refused bool
	}{
		{word: "end", ended: true},
		{word: "refuse_sends", refused: true},
		{word: "note"},
	} {
		t.Run(c.word, func(t *testing.T) {
			con, err := New(recordingPolicy(t, `on_failure = "`+c.word+`"`))
			if err != nil {
				t.Fatal(err)
			}
			defer con.Close(context.Background())
			path := con.Log().Path
			ended := false
			a := &attempt{scope: con.log.In("s1", audit.Target{Host: redact.Literal("h")}), cancel: func() { ended = true }}
			r := &recorder{host: &Host{c: con}, a: a}
			r.failed(errors.New("no space"))

			d := con.judgeOf(a).Decide(policy.Request{Text: "uptime", Origin: policy.Human})
			if refused := d.Effect == policy.Deny; refused != c.refused || ended != c.ended {
				t.Errorf("refused %v, ended %v", refused, ended)
			}
			if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), `"step":"recording","reason":"no space"`) {
				t.Errorf("the log does not say so: %v", err)
			}
		})
	}
}

// recordingPolicy is a console's configuration whose policy says more about
// recordings.
func recordingPolicy(t *testing.T, more string) Config {
	t.Helper()
	cfg := newRecordingPeer(t).config(t)
	file := filepath.Join(t.TempDir(), "acme.toml")
	text := "schema = 1\n[policy]\nid = \"acme\"\nversion = \"1\"\n[recording]\n" + more + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg.Policy.Files = []string{file}
	return cfg
}

// TestAPolicyCanDemandAuditors: without one there is no console; with one, by
// configuration or policy, exact texts and recordings are encrypted to them.
func TestAPolicyCanDemandAuditors(t *testing.T) {
	auditor, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	key := auditor.Recipient().String()
	_, err = New(recordingPolicy(t, "recipients_required = true"))
	if _, ok := errors.AsType[*PolicyError](err); !ok {
		t.Errorf("without a recipient: %v", err)
	}
	byPolicy := recordingPolicy(t, "recipients_required = true\nrecipients = [\""+key+"\"]")
	byConfig := recordingPolicy(t, "recipients_required = true")
	byConfig.Audit.Recipients = []string{key}
	for _, cfg := range []Config{byPolicy, byConfig} {
		con, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got := con.recipients(); len(got) != 1 || got[0] != key {
			t.Errorf("recipients %q", got)
		}
		if b, err := os.ReadFile(con.Log().Path); err != nil || !strings.Contains(string(b), `"sealed_key":"`) {
			t.Errorf("the digest key is not sealed to them: %v", err)
		}
		con.Close(context.Background())
	}
}
