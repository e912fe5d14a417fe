package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"
)

// session is one session channel and the command that runs on it.
type session struct {
	server *Server
	conn   *ssh.ServerConn
	ch     ssh.Channel

	// Owned by the goroutine of serve.
	env []string
	tty *terminal
	cmd *exec.Cmd

	done chan struct{} // closed when the command has ended
}

// serve answers requests until the channel or the connection ends; then the
// command is ended too.
func (s *session) serve(ctx context.Context, reqs <-chan *ssh.Request) {
	defer s.end()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.done:
			s.done = nil // the client has been told; it closes the channel
			_ = s.ch.Close()
		case r, ok := <-reqs:
			if !ok {
				return
			}
			done := s.request(r)
			if r.WantReply {
				_ = r.Reply(done, nil)
			}
		}
	}
}

// request does what a client asks for and says whether it was done.
func (s *session) request(r *ssh.Request) bool {
	switch r.Type {
	case "env":
		return s.setenv(r.Payload)
	case "pty-req":
		return s.openTerminal(r.Payload)
	case "window-change":
		return s.tty.resize(r.Payload)
	case "shell":
		return s.start("")
	case "exec":
		var m struct{ Command string }
		return ssh.Unmarshal(r.Payload, &m) == nil && s.start(m.Command)
	case "signal":
		var m struct{ Signal string }
		return ssh.Unmarshal(r.Payload, &m) == nil && s.signal(m.Signal)
	}
	return false
}

// setenv takes what Debian's sshd takes.
func (s *session) setenv(payload []byte) bool {
	var m struct{ Name, Value string }
	if ssh.Unmarshal(payload, &m) != nil || s.cmd != nil {
		return false
	}
	if m.Name != "LANG" && !strings.HasPrefix(m.Name, "LC_") || strings.ContainsAny(m.Name+m.Value, "=\x00") {
		return false
	}
	s.env = append(s.env, m.Name+"="+m.Value)
	return true
}

func (s *session) openTerminal(payload []byte) bool {
	if s.tty != nil || s.cmd != nil {
		return false
	}
	t, err := openTerminal(payload)
	if err != nil {
		return false
	}
	s.tty = t
	return true
}

// start runs the shell: as a login shell, or for one command.
func (s *session) start(command string) bool {
	if s.cmd != nil {
		return false
	}
	cmd := exec.Command(s.server.Shell)
	cmd.Args = []string{"-" + filepath.Base(s.server.Shell)}
	if command != "" {
		cmd.Args = []string{filepath.Base(s.server.Shell), "-c", command}
	}
	cmd.Dir = s.server.Home
	cmd.Env = s.environment()
	if s.tty != nil {
		return s.startOnTerminal(cmd)
	}
	return s.startOnPipes(cmd)
}

func (s *session) startOnTerminal(cmd *exec.Cmd) bool {
	cmd.Env = append(cmd.Env, "TERM="+s.tty.term, "SSH_TTY="+s.tty.far.Name())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.tty.far, s.tty.far, s.tty.far
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := startWithSignals(cmd); err != nil {
		return false
	}
	_ = s.tty.far.Close()
	var out sync.WaitGroup
	out.Go(func() { _, _ = io.Copy(s.ch, s.tty.near) })
	go func() { _, _ = io.Copy(s.tty.near, s.ch) }()
	s.started(cmd, &out)
	return true
}

func (s *session) startOnPipes(cmd *exec.Cmd) bool {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return false
	}
	cmd.Stdout, cmd.Stderr = s.ch, s.ch.Stderr()
	cmd.WaitDelay = 2 * time.Second // a background process may hold the pipes
	if err := startWithSignals(cmd); err != nil {
		return false
	}
	go func() {
		_, _ = io.Copy(stdin, s.ch)
		_ = stdin.Close()
	}()
	s.started(cmd, &sync.WaitGroup{})
	return true
}

// drainTime bounds the wait for the last output of a terminal that a
// background process still holds.
const drainTime = 2 * time.Second

// started waits for the command in the background, then tells how it ended.
func (s *session) started(cmd *exec.Cmd, output *sync.WaitGroup) {
	s.cmd = cmd
	done := make(chan struct{})
	s.done = done
	s.server.work.Add(1)
	go func() {
		defer s.server.work.Done()
		defer close(done)
		err := cmd.Wait()
		drained := make(chan struct{})
		go func() { output.Wait(); close(drained) }()
		select {
		case <-drained:
		case <-time.After(drainTime):
		}
		_ = s.ch.CloseWrite()
		s.tell(cmd.ProcessState, err)
	}()
}

// tell sends exit-status or exit-signal (RFC 4254, section 6.10).
func (s *session) tell(state *os.ProcessState, err error) {
	if state == nil {
		_, _ = s.ch.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{255}))
		return
	}
	status, _ := state.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		_, _ = s.ch.SendRequest("exit-signal", false, ssh.Marshal(struct {
			Signal     string
			CoreDumped bool
			Message    string
			Language   string
		}{signalName(status.Signal()), status.CoreDump(), "", ""}))
		return
	}
	_, _ = s.ch.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{uint32(state.ExitCode())}))
}

var signals = map[string]syscall.Signal{
	"ABRT": syscall.SIGABRT, "ALRM": syscall.SIGALRM, "FPE": syscall.SIGFPE, "HUP": syscall.SIGHUP,
	"ILL": syscall.SIGILL, "INT": syscall.SIGINT, "KILL": syscall.SIGKILL, "PIPE": syscall.SIGPIPE,
	"QUIT": syscall.SIGQUIT, "SEGV": syscall.SIGSEGV, "TERM": syscall.SIGTERM,
	"USR1": syscall.SIGUSR1, "USR2": syscall.SIGUSR2,
}

func signalName(sig syscall.Signal) string {
	for name, s := range signals {
		if s == sig {
			return name
		}
	}
	return fmt.Sprintf("SIG%d@sallyport", int(sig))
}

func (s *session) signal(name string) bool {
	sig, ok := signals[name]
	return ok && s.cmd != nil && syscall.Kill(-s.cmd.Process.Pid, sig) == nil
}

// end hangs up: the command's session gets SIGHUP, then, if it stays, SIGKILL.
func (s *session) end() {
	_ = s.ch.Close()
	if s.tty != nil {
		defer s.tty.close()
	}
	if s.cmd == nil || s.done == nil {
		return
	}
	pid := s.cmd.Process.Pid
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGKILL} {
		if err := syscall.Kill(-pid, sig); errors.Is(err, syscall.ESRCH) {
			break
		}
		select {
		case <-s.done:
			return
		case <-time.After(time.Second):
		}
	}
	<-s.done
}

func clientOf(c *ssh.ServerConn) string {
	host, port, _ := net.SplitHostPort(c.RemoteAddr().String())
	_, local, _ := net.SplitHostPort(c.LocalAddr().String())
	return host + " " + port + " " + local
}

func connectionOf(c *ssh.ServerConn) string {
	host, port, _ := net.SplitHostPort(c.RemoteAddr().String())
	local, localPort, _ := net.SplitHostPort(c.LocalAddr().String())
	return strings.Join([]string{host, port, local, localPort}, " ")
}
