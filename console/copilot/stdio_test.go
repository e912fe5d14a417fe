package copilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sallyport/redact"
)

// child is a client whose Linus is this test binary, behaving as how says.
type child struct {
	client  *Client
	session *Session
	stderr  string
	file    string
	stop    func()
}

func startChild(t *testing.T, how string, more ...string) *child {
	t.Helper()
	dir := t.TempDir()
	stderr, file := filepath.Join(dir, "stderr"), filepath.Join(dir, "received")
	t.Setenv(childBehaviour, how)
	t.Setenv(childFile, file)
	c := startWith(t, Config{
		Command: os.Args[0], Env: append([]string{childBehaviour, childFile}, more...), Stderr: stderr,
	})
	c.stderr, c.file = stderr, file
	return c
}

func startWith(t *testing.T, cfg Config) *child {
	t.Helper()
	client, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c := &child{client: client}
	c.session = client.Session(SessionConfig{
		ID: redact.Literal("s-1"), Sends: func() Sends { return SendTail },
		Context: func() Context { return Context{Connected: true} },
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); client.Run(ctx) }()
	c.stop = func() { cancel(); <-done }
	t.Cleanup(c.stop)
	return c
}

// until waits for a state.
func (c *child) until(t *testing.T, what string, ok func(State) bool) State {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		st := c.session.State()
		if ok(st) {
			return st
		}
		if time.Now().After(deadline) {
			t.Fatalf("not within 30 s: %s; state: %+v", what, st)
		}
		<-time.After(2 * time.Millisecond)
	}
}

func online(st State) bool { return st.Online }

func answered(st State) bool {
	return slices.ContainsFunc(st.Chat, func(m Message) bool { return m.From == Linus })
}

// TestAChildThatMisbehaves: whatever a child does, the call fails soon, the reason is
// told, and the shell's side never waits.
func TestAChildThatMisbehaves(t *testing.T) {
	for _, c := range []struct {
		how    string
		reason string // of being away
		within time.Duration
	}{
		{"exits at once", "exit status 3: licence expired", 10 * time.Second},
		{"prints garbage at once", "not JSON-RPC: Welcome to linus!", 10 * time.Second},
		{"prints garbage", "not JSON-RPC: Traceback", 10 * time.Second},
		{"prints half JSON", "not JSON-RPC", 10 * time.Second},
		{"prints binary", "not JSON-RPC", 10 * time.Second},
		{"floods notifications", "nobody asked for", 10 * time.Second},
		{"sends an endless line", "a line of more than 4194304 bytes", 20 * time.Second},
		{"dies", "exit status 7: panic: ‹ESC›[31mout of ideas", 10 * time.Second},
		{"closes its output", "closed its output", 10 * time.Second},
	} {
		t.Run(c.how, func(t *testing.T) {
			began := time.Now()
			k := startChild(t, c.how)
			k.session.Chat(redact.Literal("hello"))
			st := k.until(t, "away with a reason", func(st State) bool {
				return !st.Online && strings.Contains(st.Reason, c.reason)
			})
			if took := time.Since(began); took > c.within {
				t.Errorf("noticed after %v", took)
			}
			if !strings.Contains(c.how, "at once") && st.Chat[0].Delivery != Failed {
				t.Errorf("the message is %s", st.Chat[0].Delivery)
			}
		})
	}
}

// TestAChildThatIsOdd: what is odd but harmless does not end the connection.
func TestAChildThatIsOdd(t *testing.T) {
	for _, how := range []string{"floods stderr", "asks back", "answers others"} {
		t.Run(how, func(t *testing.T) {
			k := startChild(t, how)
			k.session.Chat(redact.Literal("hello"))
			st := k.until(t, "an answer", answered)
			if !st.Online {
				t.Error(st.Reason)
			}
			if info, err := os.Stat(k.stderr); err != nil || info.Size() > MaxStderr {
				t.Errorf("stderr is kept in %v, %v", info.Size(), err)
			}
		})
	}
}

func TestRequestsOfAChildAreRefused(t *testing.T) {
	k := startChild(t, "asks back")
	k.session.Chat(redact.Literal("hello"))
	k.until(t, "an answer", answered)
	k.hears(t, `"id":"c1","error":{"code":-32601`)
	k.hears(t, `"id":"c2","result":{}`)
}

// hears waits until the child has received something.
func (c *child) hears(t *testing.T, what string) string {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		raw, _ := os.ReadFile(c.file)
		if strings.Contains(string(raw), what) {
			return string(raw)
		}
		if time.Now().After(deadline) {
			t.Fatalf("the child did not get %s", what)
		}
		<-time.After(2 * time.Millisecond)
	}
}

// TestAChildThatHangs is ended when the call's time is over, and is there again.
func TestAChildThatHangs(t *testing.T) {
	k := startChild(t, "hangs")
	k.until(t, "online", online)
	began := time.Now()
	k.session.Ended(Command{Seq: 1, Line: redact.Literal("ls"), Source: UserTyped})
	k.until(t, "away", func(st State) bool { return !st.Online && strings.Contains(st.Reason, "no answer within 5s") })
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("noticed after %v", took)
	}
	k.until(t, "back", online)
}

// TestAChildThatStopsReading gets more than a pipe holds. The message was not read,
// so it waits.
func TestAChildThatStopsReading(t *testing.T) {
	k := startChild(t, "stops reading")
	k.until(t, "online", online)
	k.session.Chat(redact.Literal("hello"))
	k.until(t, "an answer", answered)
	big := redact.New(redact.Config{})
	for range 4 {
		m, _ := big.Text(strings.Repeat("lorem ipsum ", 5000))
		if err := k.session.Chat(m); err != nil {
			t.Fatal(err)
		}
		m, _ = big.Text(strings.Repeat("dolor sit ", 6000))
		k.session.Ended(Command{Seq: 1, Line: redact.Literal("x"), Output: m})
	}
	st := k.until(t, "away", func(st State) bool { return !st.Online })
	if !strings.Contains(st.Reason, "does not read") && !strings.Contains(st.Reason, "no answer") {
		t.Errorf("reason: %s", st.Reason)
	}
}

func TestAChildSeesNoMoreThanItMay(t *testing.T) {
	t.Setenv("SSH_AUTH_SOCK", "/tmp/agent")
	t.Setenv("AWS_PROFILE", "prod")
	t.Setenv("LINUS_THEME", "dark")
	k := startChild(t, "shows its environment", "LINUS_THEME", "SSH_AUTH_SOCK")
	k.session.Chat(redact.Literal("hello"))
	st := k.until(t, "an answer", answered)
	var names []string
	for _, l := range strings.Split(string(st.Chat[len(st.Chat)-1].Text), "\n") {
		name, _, _ := strings.Cut(l, "=")
		names = append(names, name)
	}
	for _, n := range names {
		if !slices.Contains([]string{"PATH", "HOME", "LANG", "TERM", "LINUS_THEME", childBehaviour, childFile}, n) {
			t.Errorf("the child sees %s", n)
		}
	}
	if !slices.Contains(names, "LINUS_THEME") {
		t.Error("a variable that is named in env is not passed")
	}
}

// TestWhatAChildStartedEndsWithIt looks for a grandchild after the end.
func TestWhatAChildStartedEndsWithIt(t *testing.T) {
	k := startChild(t, "has children")
	k.session.Chat(redact.Literal("hello"))
	k.until(t, "an answer", answered)
	raw, err := os.ReadFile(k.file)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(raw), "pid ")
	line, _, _ := strings.Cut(after, "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	k.stop()
	deadline := time.Now().Add(10 * time.Second)
	for !gone(pid) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d lives on", pid)
		}
		<-time.After(2 * time.Millisecond)
	}
}

// gone tells whether a process has ended; a zombie that nobody reaps has.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func TestStderrGoesToARegularFileOnly(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "target"), link); err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, fifo, dir} {
		if c, err := openCapped(path); err == nil {
			c.Close()
			t.Errorf("%s was opened", path)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "target")); err == nil {
		t.Error("the link was followed")
	}
}
