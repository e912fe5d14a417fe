package review

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/redact"
)

// day is a log with two sessions, on a clock of its own.
func day(t *testing.T) *Logs {
	t.Helper()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(time.Second); return now }
	dir := t.TempDir()
	l, err := audit.Open(audit.Config{Dir: dir, Now: clock, Actor: audit.Actor{User: redact.Literal("ops"), UID: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	one := l.In("s1", audit.Target{Host: redact.Literal("prod-web-03.example.com"), Account: redact.Literal("root")})
	two := l.In("s2", audit.Target{Host: redact.Literal("db-01"), Account: redact.Literal("postgres")})
	send(t, one, 0, audit.Intent[redact.Text]{Command: redact.Literal("df -h /var"), Risk: audit.RiskLow, Origin: audit.OriginHuman})
	send(t, one, 1, audit.Intent[redact.Text]{
		Command: redact.Literal("journalctl --vacuum-size=200M --vacuum-time=7d"), Risk: audit.RiskHigh, ClaimedRisk: audit.RiskLow,
		Origin: audit.OriginCopilot, SuggestionID: redact.Literal("cmd_001"), Edited: true,
		Suggested: redact.Literal("journalctl --vacuum-size=200M"),
		Edit:      redact.Literal("journalctl --vacuum-size=200M [+ --vacuum-time=7d]"),
		Rules:     []audit.Rule[redact.Text]{{ID: redact.Literal("log-tamper.vacuum"), File: redact.Literal("acme.toml"), Line: 12}},
	})
	must(t, two, audit.Refused[redact.Text]{
		Command: redact.Literal("=HYPERLINK(\"x\") <script>alert(1)</script>\u202e"), By: audit.ByPolicy, Risk: audit.RiskMedium, Reason: redact.Literal("denied"),
	})
	now = now.Add(time.Hour)
	must(t, two, audit.Intent[redact.Text]{Command: redact.Literal("psql <script>alert(2)</script>"), Risk: audit.RiskMedium, Origin: audit.OriginPaste})
	must(t, one, audit.SessionDisconnected[redact.Text]{Commands: 2})
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	logs, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return logs
}

func must(t *testing.T, sc *audit.Scope, ev audit.Event) uint64 {
	t.Helper()
	rs, err := sc.Append(t.Context(), ev)
	if err != nil {
		t.Fatal(err)
	}
	return rs[0].Seq()
}

func send(t *testing.T, sc *audit.Scope, exit int, in audit.Intent[redact.Text]) {
	t.Helper()
	seq := must(t, sc, in)
	must(t, sc, audit.Outcome[redact.Text]{Intent: seq, Status: audit.Unobserved})
	must(t, sc, audit.Outcome[redact.Text]{Intent: seq, Status: audit.Completed, ExitCode: &exit, OutputTail: redact.Literal("out\x1b[31m")})
}

func TestSearchSelects(t *testing.T) {
	logs := day(t)
	at := time.Date(2026, 11, 30, 12, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		name string
		q    Query
		want string
	}{
		{"a user", Query{User: "OPS", Event: "command.intent"}, "df journalctl psql"},
		{"no such user", Query{User: "root"}, ""},
		{"a host by its short name", Query{Host: "prod-web-03", Event: "command.intent"}, "df journalctl"},
		{"a session", Query{Session: "s2", Event: "command"}, "=HYPERLINK(\"x\") psql"},
		{"high risk", Query{Risk: audit.RiskHigh}, "journalctl"},
		{"medium or more", Query{Risk: audit.RiskMedium}, "journalctl =HYPERLINK(\"x\") psql"},
		{"since", Query{Since: at, Event: "command.intent"}, "psql"},
		{"until", Query{Until: at, Event: "command.intent"}, "df journalctl"},
		{"a rule", Query{Rule: "log-tamper.vacuum"}, "journalctl"},
		{"a text, escaped in the file", Query{Text: "<SCRIPT>alert(2)"}, "psql"},
		{"a group is not a prefix", Query{Event: "comm"}, ""},
	} {
		var got []string
		for r, err := range logs.Search(c.q) {
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(Summary(r), " ")
			got = append(got, first)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

func TestASessionIsATimeline(t *testing.T) {
	logs := day(t)
	s, err := logs.Session("s1")
	if err != nil {
		t.Fatal(err)
	}
	if s.Target.Host != "prod-web-03.example.com" || s.Actor.User != "ops" || !s.Ended || len(s.Entries) != 7 {
		t.Errorf("%+v", s)
	}
	if o := s.Entries[0].Outcome; o == nil || o.Status != audit.Completed || *o.ExitCode != 0 {
		t.Errorf("the real outcome supersedes: %+v", o)
	}
	if s.Entries[6].Gap < time.Hour {
		t.Errorf("gap %v", s.Entries[6].Gap)
	}
	two, err := logs.Session("s2")
	if err != nil || two.Entries[1].Outcome != nil || two.Ended {
		t.Errorf("an intent without outcome: %+v %v", two, err)
	}
	if _, err := logs.Session("nope"); err == nil {
		t.Error("a session that is not there")
	}
}

func TestAnEditIsToldByWords(t *testing.T) {
	for _, c := range []struct{ suggested, sent, want string }{
		{"ls -l", "ls -l", "ls -l"},
		{"ls -l /var", "ls -la /var", "ls {-l }[-la ]/var"},
		{"du -ah", "du -ah | head", "du {-ah}[-ah | head]"},
		{"", "x", "{}[x]"},
	} {
		var b strings.Builder
		for _, p := range Edit(c.suggested, c.sent) {
			b.WriteString(map[string]string{"kept": p.Text, "removed": "{" + p.Text + "}", "added": "[" + p.Text + "]"}[p.Class])
		}
		if b.String() != c.want {
			t.Errorf("%q to %q: %q, want %q", c.suggested, c.sent, b.String(), c.want)
		}
	}
}

func TestStatsCount(t *testing.T) {
	s, err := day(t).Stats()
	if err != nil {
		t.Fatal(err)
	}
	if s.Sessions != 2 || s.Commands != 3 || s.Edited != 1 || s.FromAI != 1 || s.Refused != 1 || s.Failed != 1 || s.Unknown != 1 {
		t.Errorf("%+v", s)
	}
	if s.Hosts[0] != (Count{"prod-web-03.example.com", 2}) || s.Risk[0] != (RiskOfADay{"2026-11-30", 1, 1, 1}) {
		t.Errorf("%+v", s)
	}
}

func TestExports(t *testing.T) {
	logs := day(t)
	var b bytes.Buffer
	if err := logs.CSV(&b, Query{Event: "command"}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 9 || len(rows[1]) != len(columns) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows[1:] {
		if last := r[len(r)-1]; strings.HasPrefix(last, "=") || strings.Contains(last, "\u202e") {
			t.Errorf("a formula or an invisible character: %q", last)
		}
	}
	b.Reset()
	if err := logs.OCSF(&b, Query{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e["type_uid"] != e["class_uid"].(float64)*100+e["activity_id"].(float64) || e["metadata"] == nil {
			t.Errorf("%s", line)
		}
	}
}

func TestTheReportIsOnePageAndHarmless(t *testing.T) {
	logs := day(t)
	for _, id := range []string{"s1", "s2"} {
		s, err := logs.Session(id)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		r := Report{
			Session: s, Verdicts: []string{"x.jsonl: ok"}, Verified: true, Now: time.Now(),
			Frames: []Frame{{At: 0, Text: "$ "}, {At: 1, Mark: "3 df", Text: "</script><script>alert(3)</script>\u202e"}},
		}
		if err := r.HTML(&b); err != nil {
			t.Fatal(err)
		}
		page := b.String()
		if strings.Contains(page, "<script>alert") || strings.ContainsAny(page, "\x1b\u202e") || strings.Contains(page, "http") && strings.Contains(page, "src=") {
			t.Errorf("%s: hostile text got through", id)
		}
		if id == "s1" {
			for _, want := range []string{"■ high", "--vacuum-time=7d</span>", "log-tamper.vacuum", "x.jsonl: ok", "exit 1", "nothing for 1h"} {
				if !strings.Contains(page, want) {
					t.Errorf("the page lacks %q", want)
				}
			}
		}
	}
}

// Who searches for a short word does not mean a hash that happens to hold it; who
// gives the beginning of one does.
func TestSearchReadsDigestsOnlyWhenTheyAreMeant(t *testing.T) {
	hash := strings.Repeat("df3c9a10", 8)
	for _, c := range []struct {
		value, text string
		want        bool
	}{
		{hash, "df", false},
		{"sha256:" + hash, "df3", false},
		{"hmac-sha256:97b57a4f73790d84:" + hash, "df3c", false},
		{"uDnc1gPIF0T0IasqetTl8ofeNXe93iVNWRZAl9gnUU0=", "df", false},
		{"SHA256:1OnN9QiSp9vEVkMp7nBFTFZHaYOi1XnJYqdzKdLGYhk", "onn", false},
		{"sha256:" + hash, "df3c9a10", true},
		{"df -h", "df", true},
		{"/srv/df3c/" + hash, "df", true},
		{"deadbeef", "dead", true},
	} {
		if got := within(c.value, c.text); got != c.want {
			t.Errorf("%q in %q: %v", c.text, c.value, got)
		}
	}
}
