package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"sallyport/console/remote/sshdtest"
	"sallyport/console/screen"
)

// seat is an operator's terminal for measuring: one thread writes a key and
// reads what comes, with nothing of the runtime's between.
type seat struct {
	b      testing.TB
	fd     int
	screen *screen.Screen
	buf    []byte
	cmd    *exec.Cmd
	prints int
}

const seatCols, seatRows = 120, 36

// sit starts a program on a terminal of its own.
func sit(b testing.TB, env []string, name string, args ...string) *seat {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), append(env, "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "TMUX=", "SSH_AUTH_SOCK=")...)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: seatCols, Rows: seatRows})
	if err != nil {
		b.Fatal(err)
	}
	fd, err := unix.Dup(int(f.Fd()))
	if err != nil {
		b.Fatal(err)
	}
	f.Close()
	s := &seat{b: b, fd: fd, cmd: cmd, buf: make([]byte, 64<<10), screen: screen.New(seatCols, seatRows, screen.Options{})}
	b.Cleanup(s.end)
	return s
}

// end ends the program and waits for it. It does nothing the second time.
func (s *seat) end() {
	if s.cmd.ProcessState != nil {
		return
	}
	s.cmd.Process.Kill()
	unix.Close(s.fd)
	s.cmd.Wait()
}

// read gives the next output, or nothing when none came in time.
func (s *seat) read(patience time.Duration) []byte {
	fds := []unix.PollFd{{Fd: int32(s.fd), Events: unix.POLLIN}}
	end := time.Now().Add(patience)
	n, err := unix.Poll(fds, int(patience.Milliseconds()))
	for err == unix.EINTR { // by the runtime
		n, err = unix.Poll(fds, int(max(time.Until(end), 0).Milliseconds()))
	}
	if n == 0 {
		return nil
	}
	n, err = unix.Read(s.fd, s.buf)
	if err != nil || n == 0 {
		s.b.Fatalf("the program has ended: %v\n%s", err, s.screen.Text())
	}
	return s.buf[:n]
}

// draw takes output as a terminal does, answers included.
func (s *seat) draw(p []byte) {
	s.screen.Write(p)
	if r := s.screen.Replies(); len(r) > 0 {
		unix.Write(s.fd, r)
	}
}

func (s *seat) write(keys string) {
	if _, err := unix.Write(s.fd, []byte(keys)); err != nil {
		s.b.Fatal(err)
	}
}

// key presses one key and gives the time until its glyph comes. The glyph must
// be one that stands in no control sequence.
func (s *seat) key(glyph byte) time.Duration {
	start := time.Now()
	s.write(string(glyph))
	for {
		p := s.read(5 * time.Second)
		took := time.Since(start)
		if p == nil {
			s.b.Fatalf("no %q on the terminal:\n%s", glyph, s.screen.Text())
		}
		s.draw(p)
		if bytes.IndexByte(p, glyph) >= 0 {
			return took
		}
	}
}

// quiet waits until nothing has come for d.
func (s *seat) quiet(d time.Duration) {
	for p := s.read(d); p != nil; p = s.read(d) {
		s.draw(p)
	}
}

// await waits until the terminal shows text and gives how long that took.
func (s *seat) await(text string) time.Duration {
	start := time.Now()
	for !strings.Contains(s.screen.Text(), text) {
		p := s.read(time.Minute)
		if p == nil {
			s.b.Fatalf("no %q on the terminal:\n%s", text, s.screen.Text())
		}
		s.draw(p)
	}
	return time.Since(start)
}

// benchHost is a host whose shell has a prompt of its own.
func benchHost(b testing.TB) (config string) {
	b.Helper()
	h := sshdtest.Start(b, sshdtest.Options{Shell: "bash", Files: map[string]string{".bash_profile": "PS1='ready> '\nbind 'set enable-bracketed-paste off'\n"}})
	return h.Direct(b)
}

// program builds the console as it ships.
func program(b testing.TB) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "sallyport")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return path
}

// atConsole sits at the console, atTmux at a tmux whose window is ssh to the
// same host.
func atConsole(b testing.TB, path, config string) *seat {
	home := b.TempDir()
	return sit(b, []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home},
		path, "-F", config, "--embedded-only", "--no-copilot", "--audit-dir", filepath.Join(home, "log"), "host")
}

func atTmux(b testing.TB, config string) *seat {
	tmux := sshdtest.Need(b, "tmux")
	socket := filepath.Join(b.TempDir(), "tmux")
	s := sit(b, nil, tmux, "-u", "-S", socket, "-f", "/dev/null", "new-session", "ssh -F "+config+" host")
	b.Cleanup(func() { exec.Command(tmux, "-S", socket, "kill-server").Run() })
	return s
}
