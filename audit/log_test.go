package audit

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sallyport/redact"
)

func openLog(t *testing.T, c Config) *Log {
	t.Helper()
	if c.Dir == "" {
		c.Dir = filepath.Join(t.TempDir(), "audit")
	}
	if c.Actor.User.Empty() {
		c.Actor = Actor{User: redact.Literal("ops"), UID: 1000}
	}
	l, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close(context.Background()) })
	return l
}

func testIntent(line redact.Text) Intent[redact.Text] {
	return Intent[redact.Text]{
		Command: line, CommandDigest: NewExact([]byte(line.String()), 0),
		Origin: OriginHuman, Risk: RiskLow, Effect: EffectPermit, Evidence: EvidenceShell,
		Consent: Consent{How: ConsentSend}, Analyzable: true,
	}
}

func records(t *testing.T, path string) (out []Record) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var r Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		out = append(out, r)
	}
	return out
}

func TestARecordIsReadBackAsItWasWritten(t *testing.T) {
	l := openLog(t, Config{})
	sc := l.In("s1", Target{Host: redact.Literal("prod-web-03"), Address: "10.2.0.3", Port: 22, Account: redact.Literal("root")})
	rs, err := sc.Append(t.Context(), testIntent(redact.Literal("df -h /var <\x1b[31m\u202e>")))
	if err != nil {
		t.Fatal(err)
	}
	if rs[0].Seq() != 1 || !rs[0].Valid() || rs[0].Log() != l.Status().Log {
		t.Errorf("receipt %+v", rs[0])
	}
	path := l.Status().Path
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := records(t, path)
	var kinds []string
	for _, r := range got {
		kinds = append(kinds, string(r.Event))
	}
	if k := strings.Join(kinds, " "); k != "log.open command.intent log.close checkpoint" {
		t.Errorf("events: %s", k)
	}
	in, err := Decode[Intent[string]](got[1])
	if err != nil || in.Command != "df -h /var <\x1b[31m\u202e>" {
		t.Errorf("%q %v", in.Command, err)
	}
	b, _ := os.ReadFile(path)
	if strings.ContainsAny(string(b), "\x1b\u202e") || !strings.Contains(string(b), "/var <\\u001b") {
		t.Errorf("control characters stand in the line: %s", b)
	}
	t.Logf("%s", b)
}
