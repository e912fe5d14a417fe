package linus

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sallyport/console/copilot"
	"sallyport/redact"
)

func TestFlagsThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	empty, broken := filepath.Join(dir, "empty"), filepath.Join(dir, "broken")
	for _, d := range []string{empty, broken} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(broken, "x.toml"), []byte("title ="), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"--colour", 2, "flag provided but not defined"},
		{"runbooks", 2, `what is "runbooks"?`},
		{"--http 0.0.0.0:80", 2, "only a loopback address"},
		{"--http nonsense", 2, "--http"},
		{"--model-name x", 2, "--model is missing"},
		{"--model http://127.0.0.1:1/v1", 2, "--model-name is missing"},
		{"--runbooks " + empty, 1, "no runbook"},
		{"--runbooks " + filepath.Join(dir, "absent"), 1, "no runbook"},
		{"--runbooks " + broken, 1, "x.toml: "},
		{"--model http://10.9.8.7/v1 --model-name x", 1, "plain http"},
		{"--model http://127.0.0.1:1/v1 --model-name x --api-key-file " + filepath.Join(dir, "absent"), 1, "--api-key-file"},
	} {
		var errs bytes.Buffer
		code := Main(t.Context(), strings.Fields(c.args), strings.NewReader(""), io.Discard, &errs)
		if code != c.code || !strings.Contains(errs.String(), c.says) {
			t.Errorf("linus %s: exit %d, %q", c.args, code, errs.String())
		}
	}
	if code := Main(t.Context(), []string{"--help"}, nil, io.Discard, io.Discard); code != 0 {
		t.Errorf("--help: exit %d", code)
	}
}

func anyone() copilot.Context {
	return copilot.Context{Host: redact.Literal("root@web-1"), User: redact.Literal("root"), Connected: true}
}

// ways are the two in which the console starts a child.
var ways = map[string]func(*testing.T, string, func() copilot.Context) *copilot.Session{
	"as it is": start, "confined": startConfined,
}

func TestRunbooksOfOnesOwn(t *testing.T) {
	dir := t.TempDir()
	book := "title='Coffee'\nsummary='Making coffee'\n[when]\nmessage=['coffee']\n[[step]]\ntext='Boil'\n" +
		"[[step.command]]\ncommand='kettle --on'\ndescription='boils'\nrisk='low'\n"
	if err := os.WriteFile(filepath.Join(dir, "coffee.toml"), []byte(book), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, start := range ways {
		t.Run(name, func(t *testing.T) {
			s := start(t, "--runbooks "+dir, anyone)
			if err := s.Chat(redact.Literal("I need coffee")); err != nil {
				t.Fatal(err)
			}
			st := until(t, s, "an answer", func(st copilot.State) bool { return len(st.Suggestions) == 1 })
			if got := commands(st); got != "kettle --on" {
				t.Error(got)
			}
		})
	}
}

func TestATranscriptHoldsWhatWasReceived(t *testing.T) {
	file := filepath.Join(t.TempDir(), "received")
	s := start(t, "--transcript "+file, anyone)
	if err := s.Chat(redact.Literal("hello there")); err != nil {
		t.Fatal(err)
	}
	until(t, s, "an answer", func(st copilot.State) bool { return len(st.Chat) == 2 })
	raw, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(raw), `"message":"hello there"`) {
		t.Errorf("%s, %v", raw, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestThroughAModel(t *testing.T) {
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer test-key" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{
			"content": `{"chat_response":{"message":"from the model"}}`,
		}}}})
	}))
	defer model.Close()
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("test-key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, start := range ways {
		t.Run(name, func(t *testing.T) {
			s := start(t, "--model "+model.URL+"/v1 --model-name tiny --api-key-file "+key, anyone)
			if err := s.Chat(redact.Literal("hello")); err != nil {
				t.Fatal(err)
			}
			st := until(t, s, "an answer", func(st copilot.State) bool { return len(st.Chat) == 2 })
			if got := string(st.Chat[1].Text); got != "from the model" {
				t.Error(got)
			}
		})
	}
}

// TestOverHTTP starts the server on a free port and reads the address that it prints.
func TestOverHTTP(t *testing.T) {
	errs := &lockedBuffer{}
	o, err := parseFlags([]string{"--http", "127.0.0.1:0"}, errs)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- o.serve(t.Context(), nil, nil, errs) }()
	url := waitFor(t, errs, regexp.MustCompile(`http://\S+/mcp`))
	s := startWith(t, copilot.Config{URL: url}, anyone)
	if err := s.Chat(redact.Literal("who listens on port 80?")); err != nil {
		t.Fatal(err)
	}
	st := until(t, s, "an answer", func(st copilot.State) bool { return len(st.Suggestions) > 0 })
	if got := string(st.Intent.Summary); got != "Finding out who listens on port 80" {
		t.Error(got)
	}
	t.Cleanup(func() {
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func waitFor(t *testing.T, b *lockedBuffer, what *regexp.Regexp) string {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		if m := what.FindString(b.String()); m != "" {
			return m
		}
		<-time.After(time.Millisecond)
	}
	t.Fatalf("not printed: %s; %q", what, b.String())
	return ""
}
