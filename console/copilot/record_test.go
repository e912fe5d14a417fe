package copilot

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sallyport/audit"
	"sallyport/redact"
)

// TestARealLogTakesEveryRecord plays everything that is recorded into a log on disk.
func TestARealLogTakesEveryRecord(t *testing.T) {
	dir := t.TempDir()
	log, err := audit.Open(audit.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	clear := false
	f := &fakeLinus{}
	f.answer = func(_ context.Context, g got) (any, error) {
		switch {
		case g.Tool == string(toolState):
			return "no JSON at all", nil
		case clear:
			return map[string]any{"clear_suggestions": map[string]any{"all": true}}, nil
		}
		return suggest("a", "mysql --password=Kx9vTr4pQz", "b", "df -h"), nil
	}
	client := newClient(Config{
		Redactor: redact.New(redact.Config{DigestKey: log.DigestKey()}), Recorder: log, OnChange: func() {}, Log: discard,
	}, f)
	s := client.Session(SessionConfig{
		ID: redact.Literal("s-1"), Sends: func() Sends { return SendTail },
		Recorder: log.In("00112233445566778899aabbccddeeff", audit.Target{Host: redact.Literal("web-1")}),
	})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); client.Run(ctx) }()
	k := &child{client: client, session: s}
	s.Chat(redact.Literal("hello"))
	k.until(t, "suggestions", func(st State) bool { return len(st.Suggestions) == 2 })
	s.Edited("b", redact.Literal("df -h /"))
	s.Dismiss("b")
	s.Ended(Command{Seq: 1, Line: redact.Literal("ls"), Output: redact.Literal("x")})
	s.Event(Connected)
	k.until(t, "a complaint", func(st State) bool { return len(st.Chat) == 2 })
	clear = true
	s.Chat(redact.Literal("again"))
	k.until(t, "a clear", func(st State) bool { return len(st.Suggestions) == 0 })
	stop()
	<-done
	if err := log.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	seen := readLog(t, dir)
	for kind, want := range map[audit.Kind]int{
		audit.KindMCPOnline: 1, audit.KindMCPOffline: 1, audit.KindMCPCall: 4, audit.KindMCPResult: 4,
		audit.KindSuggestionReceived: 2, audit.KindSuggestionEdited: 1, audit.KindSuggestionDismissed: 1, audit.KindSuggestionCleared: 1,
	} {
		if len(seen[kind]) != want {
			t.Errorf("%d %s, want %d: %s", len(seen[kind]), kind, want, seen[kind])
		}
	}
	for _, r := range seen[audit.KindMCPResult] {
		if !strings.Contains(r, `"intent":`) || !strings.Contains(r, `"digest":`) {
			t.Errorf("a result does not name its call or its reply: %s", r)
		}
	}
	if all := strings.Join(seen[audit.KindSuggestionReceived], ""); strings.Contains(all, "Kx9vTr4pQz") {
		t.Error("a credential is in the log")
	}
}

// readLog gives the records of the folder's log by kind.
func readLog(t *testing.T, dir string) map[audit.Kind][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	f, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[audit.Kind][]string{}
	for in := bufio.NewScanner(f); in.Scan(); {
		var r struct{ Event audit.Kind }
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out[r.Event] = append(out[r.Event], in.Text())
	}
	return out
}
