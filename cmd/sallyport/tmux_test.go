package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sallyport/console/keys"
	"sallyport/console/remote/sshdtest"
)

// tmuxDisplay is a window of a tmux server that belongs to one script.
type tmuxDisplay struct {
	path, socket string
	env          []string
	code         string // file that gets the exit code
}

func cmdTmux(ts *testscript.TestScript, neg bool, args []string) {
	s := stateOf(ts)
	if neg || s.console != nil {
		ts.Fatalf("usage: tmux ARGS, once at a time")
	}
	path := sshdtest.Need(s.t, "tmux")
	program, err := exec.LookPath("sallyport")
	ts.Check(err)
	dir := ts.Getenv("WORK")
	d := &tmuxDisplay{path: path, socket: filepath.Join(s.t.TempDir(), "tmux"), env: environment(ts), code: filepath.Join(dir, "exit-code")}
	words := []string{"exec 2>errors;", quoteWords(append([]string{program}, args...)...), "; echo $? >" + d.code}
	_, err = d.run("-f", "/dev/null", "new-session", "-d", "-x", ts.Getenv("COLUMNS"), "-y", ts.Getenv("LINES"), "-c", dir, strings.Join(words, " "))
	ts.Check(err)
	d.run("set-option", "-g", "status", "off")
	d.run("set-option", "-g", "remain-on-exit", "on")
	d.run("set-option", "-s", "escape-time", "0")
	ts.Check(d.resize(number(ts, "COLUMNS"), number(ts, "LINES")))
	s.use(ts, d)
}

func (d *tmuxDisplay) run(args ...string) (string, error) {
	cmd := exec.Command(d.path, append([]string{"-S", d.socket}, args...)...)
	cmd.Env = d.env
	out, err := cmd.Output()
	return string(out), err
}

func (d *tmuxDisplay) text() string {
	out, _ := d.run("capture-pane", "-p")
	return strings.TrimRight(out, "\n") + "\n"
}

func (d *tmuxDisplay) press(e keys.Event) {
	d.run("send-keys", "-l", string(keys.Encode(e, keys.Modes{})))
}

func (d *tmuxDisplay) resize(cols, rows int) error {
	_, err := d.run("resize-window", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows))
	return err
}

func (d *tmuxDisplay) await(holds func(string) bool) bool {
	return poll(func() bool { return holds(d.text()) })
}

func (d *tmuxDisplay) wait() (int, bool) {
	var code int
	ended := poll(func() bool {
		b, err := os.ReadFile(d.code)
		if err == nil {
			code, err = strconv.Atoi(strings.TrimSpace(string(b)))
		}
		return err == nil
	})
	return code, ended
}

func (d *tmuxDisplay) close() { d.run("kill-server") }

// poll looks every 30 ms, since tmux tells nobody what changed.
func poll(holds func() bool) bool {
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(terminalPatience); time.Now().Before(end); <-tick.C {
		if holds() {
			return true
		}
	}
	return holds()
}
