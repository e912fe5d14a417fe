package probe_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"sallyport/console/gate"
	"sallyport/console/probe"
	"sallyport/console/remote"
	"sallyport/console/remote/sshdtest"
)

// host is a connection to a real sshd, with a shell on a terminal.
type host struct {
	*testing.T
	conn *remote.Conn
	gate *gate.Gate
	home string
}

func connect(t *testing.T, o sshdtest.Options) *host {
	t.Helper()
	s := sshdtest.Start(t, o)
	conn, err := remote.Dial(t.Context(), remote.Config{Dest: s.Addr, Options: remote.Options{ConfigFile: s.SSHConfig}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &host{t, conn, &gate.Gate{}, s.Home}
}

func (h *host) probe() *probe.Probe {
	h.Helper()
	p, err := probe.Open(h.Context(), h.conn, h.gate, gate.SlotConfig{Session: "s"})
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { p.Close() })
	return p
}

// shell starts a plain shell whose profile has printed its terminal's name.
func (h *host) shell() (sh *remote.Shell, slot *gate.Slot, tty string) {
	h.Helper()
	slot = gate.NewSlot(gate.SlotConfig{})
	slot.Enter(gate.State{Phase: gate.Booting})
	boot, err := h.gate.Control(slot, gate.PlainShell())
	if err != nil {
		h.Fatal(err)
	}
	sh, err = h.conn.Shell(h.Context(), slot, boot, remote.PTY{Term: "xterm", Cols: 80, Rows: 24})
	if err != nil {
		h.Fatal(err)
	}
	var got []byte
	buf := make([]byte, 1024)
	for !strings.Contains(string(got), "READY") {
		n, err := sh.Read(buf)
		got = append(got, buf[:n]...)
		if err != nil {
			h.Fatalf("%v: %q", err, got)
		}
	}
	_, rest, _ := strings.Cut(string(got), "TTY=")
	tty, _, _ = strings.Cut(rest, "\r")
	go func() { // the shell must not wait for a reader
		for {
			if _, err := sh.Read(buf); err != nil {
				return
			}
		}
	}()
	return sh, slot, tty
}

// profile ends with a program in front: what a person would have started.
func profile(last string) map[string]string {
	return map[string]string{".profile": "echo TTY=$(tty)\necho READY\n" + last + "\n"}
}

// until asks again until the terminal is as ok wants it.
func until(t *testing.T, p *probe.Probe, tty string, ok func(probe.Terminal) bool) probe.Terminal {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		got, err := p.Terminal(ctx, tty)
		if err != nil {
			t.Fatalf("%v; last seen %+v", err, got)
		}
		if ok(got) {
			return got
		}
	}
}

func front(program string) func(probe.Terminal) bool {
	return func(t probe.Terminal) bool {
		return slices.ContainsFunc(t.Foreground, func(p probe.Process) bool { return strings.HasPrefix(p.Args, program) })
	}
}

func TestTerminalAndForeground(t *testing.T) {
	tests := []struct {
		name, last, front      string
		echo, canonical, isSig bool
	}{
		{"a program that reads lines", "cat", "cat", true, true, true},
		{"a password is asked", "stty -echo; sleep 100", "sleep 100", false, true, true},
		{"raw", "stty raw -echo; sleep 101", "sleep 101", false, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := connect(t, sshdtest.Options{Shell: "dash", Files: profile(tt.last)})
			sh, _, tty := h.shell()
			defer sh.Close()
			got := until(t, h.probe(), tty, front(tt.front))
			if got.Echo != tt.echo || got.Canonical != tt.canonical || got.Signals != tt.isSig {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestProbeRunsUnderEveryLoginShell(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "dash", "mksh"} {
		t.Run(shell, func(t *testing.T) {
			sshdtest.Need(t, shell)
			h := connect(t, sshdtest.Options{Shell: shell, Files: map[string]string{"a file.txt": "x"}})
			got, err := h.probe().Files(t.Context(), h.home, "a f")
			if err != nil || !slices.Equal(got, []string{"a file.txt"}) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestCompletionTakesWordsAsText(t *testing.T) {
	h := connect(t, sshdtest.Options{Shell: "bash", Files: map[string]string{
		"plain":               "",
		"plane/inside":        "",
		".hidden":             "",
		"$(touch pwned)":      "",
		"-dash":               "",
		"star*":               "",
		"starling":            "",
		"quo'te \"x":          "",
		"uml\u00e4ut":         "",
		"new\nline":           "",
		"deep/er/file":        "",
		"bin/own-program-xyz": "",
	}})
	p := h.probe()
	tests := []struct {
		word string
		want []string
	}{
		{"pla", []string{"plain", "plane/"}},
		{"plane/", []string{"plane/inside"}},
		{".h", []string{".hidden"}},
		{"$(", []string{"$(touch pwned)"}},
		{"-d", []string{"-dash"}},
		{"star*", []string{"star*"}},
		{"star", []string{"star*", "starling"}},
		{"quo'", []string{"quo'te \"x"}},
		{"uml", []string{"uml\u00e4ut"}},
		{"new", nil}, // its name cannot be typed on one line
		{"deep/er/", []string{"deep/er/file"}},
		{"~/pla", []string{"~/plain", "~/plane/"}},
		{"`touch pwned2`", nil},
		{"; touch pwned3", nil},
		{"nothing-like-it", nil},
	}
	for _, tt := range tests {
		got, err := p.Files(t.Context(), h.home, tt.word)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, %v; want %q", tt.word, got, err, tt.want)
		}
	}
	for _, pwned := range []string{"pwned", "pwned2", "pwned3"} {
		if got, _ := p.Files(t.Context(), h.home, pwned); got != nil {
			t.Errorf("%s exists: a word was parsed by a shell", pwned)
		}
	}
}

func TestCommands(t *testing.T) {
	h := connect(t, sshdtest.Options{Shell: "dash"})
	got, err := h.probe().Commands(t.Context(), "ssh-key")
	if err != nil || !slices.Contains(got, "ssh-keygen") {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestTTYNames(t *testing.T) {
	h := connect(t, sshdtest.Options{Shell: "dash"})
	p := h.probe()
	for _, tty := range []string{"", "/dev/", "/dev/pts/", "/etc/passwd", "/dev/../etc/passwd", "/dev/pts/1;x", "/dev/sda", "/dev/pts/1/../../sda", "pts/1"} {
		if got, err := p.Terminal(t.Context(), tty); err == nil {
			t.Errorf("%q: got %+v", tty, got)
		}
	}
	if got, err := p.Terminal(t.Context(), "/dev/pts/99999"); err == nil {
		t.Errorf("no such terminal: got %+v", got)
	}
}

func TestAnUnansweredQuestionEndsTheProbe(t *testing.T) {
	h := connect(t, sshdtest.Options{ForceCommand: "sleep 100"})
	p := h.probe()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := p.Files(ctx, "/", "e"); err == nil {
		t.Fatal("answered")
	}
	if _, err := p.Files(t.Context(), "/", "e"); err == nil {
		t.Error("a late answer could be taken for this question's")
	}
}

func TestEveryUseIsCounted(t *testing.T) {
	h := connect(t, sshdtest.Options{Shell: "dash"})
	p := h.probe()
	before := p.Uses()
	if _, err := p.Commands(t.Context(), "sh"); err != nil {
		t.Fatal(err)
	}
	if got := p.Uses() - before; got != 1 {
		t.Errorf("got %d, want 1", got)
	}
}
