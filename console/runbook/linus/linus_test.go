package linus

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sallyport/console/copilot"
	"sallyport/redact"
)

// asLinus makes the test binary the program itself.
const asLinus = "LINUS_TEST_MAIN"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__sandbox" {
		fmt.Fprintln(os.Stderr, copilot.ExecConfined(os.Args[2:], nil, os.Stderr))
		os.Exit(1)
	}
	if os.Getenv(asLinus) != "" {
		os.Exit(Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// start runs a client with this program as its child.
func start(t *testing.T, flags string, now func() copilot.Context) *copilot.Session {
	t.Helper()
	t.Setenv(asLinus, "1")
	return startWith(t, copilot.Config{Command: os.Args[0] + " " + flags, Env: []string{asLinus}}, now)
}

// startConfined runs it as the console does: through a process that confines it.
func startConfined(t *testing.T, flags string, now func() copilot.Context) *copilot.Session {
	t.Helper()
	t.Setenv(asLinus, "1")
	return startWith(t, copilot.Config{
		Command: os.Args[0] + " " + flags, Env: []string{asLinus}, Sandbox: []string{os.Args[0], "__sandbox"},
	}, now)
}

func startWith(t *testing.T, cfg copilot.Config, now func() copilot.Context) *copilot.Session {
	t.Helper()
	changed := make(chan struct{}, 1)
	cfg.Stderr = filepath.Join(t.TempDir(), "stderr")
	cfg.OnChange = func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	c, err := copilot.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); c.Run(t.Context()) }()
	t.Cleanup(func() { <-done })
	id, err := redact.ID("session-1")
	if err != nil {
		t.Fatal(err)
	}
	return c.Session(copilot.SessionConfig{
		ID: id, Context: now, Sends: func() copilot.Sends { return copilot.SendTail },
	})
}

// until waits until the state is as wanted.
func until(t *testing.T, s *copilot.Session, what string, ok func(copilot.State) bool) copilot.State {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		st := s.State()
		if ok(st) {
			return st
		}
		if time.Now().After(deadline) {
			t.Fatalf("not within 20 s: %s; state: %+v", what, st)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func commands(st copilot.State) string {
	var all []string
	for _, s := range st.Suggestions {
		all = append(all, string(s.Command))
	}
	return strings.Join(all, "\n")
}

// TestAStoryOverARealChild is the main job: a question, a plan, commands that are
// run, and a plan that follows.
func TestAStoryOverARealChild(t *testing.T) {
	root := func() copilot.Context {
		return copilot.Context{
			Host: redact.Literal("root@prod-web-03"), User: redact.Literal("root"), Connected: true,
			Tail: redact.Literal("root@prod-web-03:~# "),
		}
	}
	s := start(t, "", root)
	until(t, s, "online", func(st copilot.State) bool { return st.Online })
	s.Event(copilot.Connected)
	if err := s.Chat(redact.Literal("/var is full, what's eating it")); err != nil {
		t.Fatal(err)
	}
	st := until(t, s, "an answer", func(st copilot.State) bool { return len(st.Suggestions) == 3 })
	if got := string(st.Intent.Summary); got != "Investigating disk usage of /var" {
		t.Errorf("intent is %q", got)
	}
	if st.Intent.Steps[0].Status != copilot.Current {
		t.Errorf("the first step is %s", st.Intent.Steps[0].Status)
	}
	run := st.Suggestions[0]
	exit := 0
	c := copilot.Command{
		Seq: 1, Line: redact.Literal("df -h /var"), Source: copilot.Suggested, Edited: true, Exit: &exit,
		Output: redact.Literal("Filesystem  Size  Used Avail Use% Mounted on\n/dev/sda1   45G   42G  1.2G  98% /var\n"),
	}
	c.Suggestion, _ = redact.ID(run.ID)
	s.Started(c)
	s.Ended(c)
	st = until(t, s, "the first step done", func(st copilot.State) bool { return st.Intent.Steps[0].Status == copilot.Done })
	if st.Intent.Steps[1].Status != copilot.Current {
		t.Errorf("the second step is %s", st.Intent.Steps[1].Status)
	}
	if got := commands(st); !strings.Contains(got, "du -xh") || !strings.Contains(got, "--vacuum-size") || strings.Contains(got, "df ") {
		t.Errorf("suggestions after df:\n%s", got)
	}
	last := st.Chat[len(st.Chat)-1]
	if !strings.Contains(string(last.Text), "/var is 98% full") {
		t.Errorf("Linus said %q", last.Text)
	}
}

// lockedBuffer is a buffer that is read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
