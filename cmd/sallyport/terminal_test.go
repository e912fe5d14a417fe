package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"

	"sallyport/console/keys"
	"sallyport/console/screen"
)

// display is an operator's terminal with a program on it.
type display interface {
	text() string
	press(keys.Event)
	resize(cols, rows int) error
	// await waits until holds likes what is shown.
	await(holds func(text string) bool) bool
	// wait waits for the program's end and gives its exit code.
	wait() (code int, ended bool)
	close()
}

// terminal is a PTY whose other end is drawn on a screen of our own.
type terminal struct {
	cmd  *exec.Cmd
	pty  *os.File
	done chan struct{}

	mu      sync.Mutex
	screen  *screen.Screen
	changed chan struct{}
}

const terminalPatience = 20 * time.Second

func startTerminal(cmd *exec.Cmd, cols, rows int) (*terminal, error) {
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		return nil, err
	}
	t := &terminal{cmd: cmd, pty: f, done: make(chan struct{}), changed: make(chan struct{}, 1)}
	t.screen = screen.New(cols, rows, screen.Options{})
	go t.read()
	return t, nil
}

// read draws what the program writes, and answers what it asks the terminal.
func (t *terminal) read() {
	defer close(t.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := t.pty.Read(buf)
		t.mu.Lock()
		t.screen.Write(buf[:n])
		replies := t.screen.Replies()
		t.mu.Unlock()
		t.pty.Write(replies)
		select {
		case t.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for _, l := range strings.Split(t.screen.Text(), "\n") {
		lines = append(lines, strings.TrimRight(l, " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}

// await waits until holds likes what the terminal shows.
func (t *terminal) await(holds func(text string) bool) bool {
	deadline := time.NewTimer(terminalPatience)
	defer deadline.Stop()
	for {
		if holds(t.text()) {
			return true
		}
		select {
		case <-t.changed:
		case <-t.done:
			return holds(t.text())
		case <-deadline.C:
			return false
		}
	}
}

func (t *terminal) press(e keys.Event) {
	t.mu.Lock()
	m := t.screen.Modes()
	t.mu.Unlock()
	t.pty.Write(keys.Encode(e, m))
}

func (t *terminal) resize(cols, rows int) error {
	t.mu.Lock()
	t.screen.Resize(cols, rows)
	t.mu.Unlock()
	return pty.Setsize(t.pty, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
}

func (t *terminal) wait() (int, bool) {
	select {
	case <-t.done:
	case <-time.After(terminalPatience):
		return 0, false
	}
	t.cmd.Wait()
	return t.cmd.ProcessState.ExitCode(), true
}

func (t *terminal) close() {
	t.cmd.Process.Kill()
	t.pty.Close()
	<-t.done
	t.cmd.Wait()
}

func cmdConsole(ts *testscript.TestScript, neg bool, args []string) {
	s := stateOf(ts)
	if neg || s.console != nil {
		ts.Fatalf("usage: console ARGS, once at a time")
	}
	path, err := exec.LookPath("sallyport")
	ts.Check(err)
	cmd := exec.Command(path, args...)
	cmd.Dir = ts.Getenv("WORK")
	cmd.Env = environment(ts)
	t, err := startTerminal(cmd, number(ts, "COLUMNS"), number(ts, "LINES"))
	ts.Check(err)
	s.use(ts, t)
}

// use makes d the script's terminal until the console has gone.
func (s *scriptState) use(ts *testscript.TestScript, d display) {
	s.console = d
	ts.Defer(func() {
		if s.console == d {
			d.close()
		}
	})
}

// environment is the script's: testscript does not give it out as a list.
func environment(ts *testscript.TestScript) []string {
	var env []string
	for _, k := range []string{
		"HOME", "PATH", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "TERM", "COLORTERM", "LANG", "WORK", "TMPDIR",
		"NO_COLOR", "SSH_AUTH_SOCK", "SSH_CONFIG", "TESTSCRIPT_COMMAND", "SALLYPORT_ASCII",
	} {
		if v := ts.Getenv(k); v != "" {
			env = append(env, k+"="+v)
		}
	}
	return env
}

func number(ts *testscript.TestScript, name string) int {
	n, err := strconv.Atoi(ts.Getenv(name))
	ts.Check(err)
	return n
}

func (s *scriptState) running(ts *testscript.TestScript) display {
	if s.console == nil {
		ts.Fatalf("no console runs")
	}
	return s.console
}

// cmdKeys presses keys; an argument of several characters that names no key
// is typed.
func cmdKeys(ts *testscript.TestScript, _ bool, args []string) {
	t := stateOf(ts).running(ts)
	for _, a := range args {
		if e, err := keys.Parse(a); err == nil {
			t.press(e)
			continue
		}
		for _, r := range a {
			t.press(keys.Rune(r))
		}
	}
}

func cmdExpect(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] expect RE")
	}
	re, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	t := stateOf(ts).running(ts)
	if neg {
		if re.MatchString(t.text()) {
			ts.Fatalf("the terminal shows %q:\n%s", args[0], t.text())
		}
		return
	}
	if !t.await(re.MatchString) {
		ts.Fatalf("the terminal does not show %q:\n%s", args[0], t.text())
	}
}

func cmdScreen(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: screen FILE")
	}
	text := stable(stateOf(ts).running(ts).text())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// cmdSettle waits until the terminal has shown the same for a moment, longer
// than the quiet that a consent wants before it takes a key.
func cmdSettle(ts *testscript.TestScript, _ bool, _ []string) {
	const moment = 500 * time.Millisecond
	t := stateOf(ts).running(ts)
	last, since := t.text(), time.Now()
	settled := poll(func() bool {
		if now := t.text(); now != last {
			last, since = now, time.Now()
		}
		return time.Since(since) > moment
	})
	if !settled {
		ts.Fatalf("the terminal does not come to rest:\n%s", t.text())
	}
}

// passing is what differs from run to run; digits of it become 0 and the rest
// keeps its width, so that the picture stays.
var passing = regexp.MustCompile(`log \d+|\b\d+ (ms|s|min|h)\b|\+\d+ \d{4}\.\d+\.\d+|  [\w.-]+ \d\d\b|:\d{4,5}\b`)

// lasted is a time of any width, with nothing behind it that would move.
var lasted = regexp.MustCompile(`\bafter \d+ (ms|s|min)\b`)

var fingerprint = regexp.MustCompile(`SHA256:[A-Za-z0-9+/]{43}`)

// stable is text without what differs from run to run.
func stable(text string) string {
	text = fingerprint.ReplaceAllString(text, "SHA256:"+strings.Repeat("x", 43))
	text = lasted.ReplaceAllString(text, "after 0 s")
	return passing.ReplaceAllStringFunc(text, func(s string) string {
		return regexp.MustCompile(`\d`).ReplaceAllString(s, "0")
	})
}

func cmdGone(ts *testscript.TestScript, _ bool, args []string) {
	s := stateOf(ts)
	t := s.running(ts)
	code, ended := t.wait()
	if !ended {
		ts.Fatalf("the console still runs:\n%s", t.text())
	}
	t.close()
	s.console = nil
	if len(args) == 1 && strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s:\n%s", code, args[0], t.text())
	}
}

func cmdResize(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: resize COLUMNS ROWS")
	}
	cols, err := strconv.Atoi(args[0])
	ts.Check(err)
	rows, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(stateOf(ts).running(ts).resize(cols, rows))
}
