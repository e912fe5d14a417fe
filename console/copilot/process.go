package copilot

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"sallyport/console/safetext"
)

// process is a stdio child in a process group of its own, with an environment that
// is an allow-list. Its whole group is ended with it.
type process struct {
	argv   []string
	env    []string
	stderr *capped

	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	errs   *os.File

	once   sync.Once
	mu     sync.Mutex // held while signalling or reaping
	reaped bool
	exited chan struct{} // closed when the child has exited and was reaped
	status error         // how; read it after exited
}

// How long a child may take to end after its input was closed, and after SIGTERM.
const (
	graceAfterEOF  = 300 * time.Millisecond
	graceAfterTerm = 700 * time.Millisecond
	obituaryWait   = time.Second
)

// passed are the variables that a child sees. Config.Env adds names to them.
var passed = []string{"PATH", "HOME", "LANG", "TERM"}

// withheld are never passed: with them a child could act as the operator.
var withheld = []string{"SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSH_ASKPASS", "SSH_CONNECTION"}

func childEnv(extra []string, lookup func(string) (string, bool)) []string {
	var env []string
	for _, name := range slices.Concat(passed, extra) {
		if v, ok := lookup(name); ok && !slices.Contains(withheld, name) {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// start starts the child.
func (p *process) start() error {
	path, err := exec.LookPath(p.argv[0])
	if err != nil {
		return fmt.Errorf("cannot start the copilot: %w", err)
	}
	p.cmd = exec.Command(path, p.argv[1:]...)
	p.cmd.Args[0] = p.argv[0]
	p.cmd.Env = p.env
	ownGroup(p.cmd)
	return p.spawn()
}

func (p *process) spawn() error {
	childIn, in, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("cannot start the copilot: %w", err)
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		closeAll(childIn, in)
		return fmt.Errorf("cannot start the copilot: %w", err)
	}
	errs, childErr, err := os.Pipe()
	if err != nil {
		closeAll(childIn, in, out, childOut)
		return fmt.Errorf("cannot start the copilot: %w", err)
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = childIn, childOut, childErr
	err = p.cmd.Start()
	closeAll(childIn, childOut, childErr)
	if err != nil {
		closeAll(in, out, errs)
		return fmt.Errorf("cannot start the copilot: %w", err)
	}
	p.stdin, p.stdout, p.errs, p.exited = in, out, errs, make(chan struct{})
	go io.Copy(p.stderr, errs) // until end closes errs
	go p.wait()
	return nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// wait reaps the child, after its group was ended: until it is reaped its process
// id, and so the group's, belongs to nobody else.
func (p *process) wait() {
	awaitExit(p.cmd.Process)
	p.mu.Lock()
	defer p.mu.Unlock()
	killGroup(p.cmd.Process)
	p.status = p.cmd.Wait()
	p.reaped = true
	close(p.exited)
}

// signal signals the group, while it is certainly the child's.
func (p *process) signal(send func(*os.Process)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		send(p.cmd.Process)
	}
}

// write gives the child p within timeout.
func (p *process) write(b []byte, timeout time.Duration) error {
	if err := p.stdin.SetWriteDeadline(time.Now().Add(timeout)); err != nil {
		return err
	}
	_, err := p.stdin.Write(b)
	return err
}

// end ends the child: by closing its input, by SIGTERM, by SIGKILL, each with the
// group it started. It returns when the child is gone.
func (p *process) end() {
	if p.cmd == nil || p.exited == nil {
		return
	}
	p.once.Do(func() {
		p.stdin.Close()
		if !p.goneWithin(graceAfterEOF) {
			p.signal(termGroup)
		}
		if !p.goneWithin(graceAfterTerm) {
			p.signal(killGroup)
		}
		<-p.exited
		closeAll(p.stdout, p.errs)
		p.stderr.Close()
	})
}

func (p *process) goneWithin(d time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(d):
		return false
	}
}

// obituary says how the child ended, with the last thing it complained of.
func (p *process) obituary() error {
	if !p.goneWithin(obituaryWait) {
		return errors.New("the copilot closed its output")
	}
	how := "ended"
	if p.status != nil {
		how = "ended with " + p.status.Error()
	}
	if last := p.stderr.lastLine(); last != "" {
		return fmt.Errorf("the copilot %s: %s", how, last)
	}
	return fmt.Errorf("the copilot %s", how)
}

// capped is a file that takes at most MaxStderr bytes in all, and remembers the end
// of what was written to it, whether it took that or not.
type capped struct {
	mu   sync.Mutex
	file *os.File // nil: nothing is kept
	left int64
	end  []byte
}

const endKept = 4 << 10

// openCapped opens path for appending; what it holds already counts.
func openCapped(path string) (*capped, error) {
	if path == "" {
		return &capped{}, nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|noFollow, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot keep the copilot's standard error: %w", err)
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, fmt.Errorf("cannot keep the copilot's standard error: %s is not a regular file", path)
	}
	return &capped{file: f, left: MaxStderr - info.Size()}, nil
}

// Write never fails: the child must not be held up by its own complaints.
func (c *capped) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end = append(c.end, p...)
	if over := len(c.end) - endKept; over > 0 {
		c.end = append(c.end[:0], c.end[over:]...)
	}
	if n := min(int64(len(p)), c.left); c.file != nil && n > 0 {
		c.file.Write(p[:n])
		c.left -= n
	}
	return len(p), nil
}

func (c *capped) lastLine() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := strings.TrimRight(strings.ToValidUTF8(string(c.end), "?"), "\r\n ")
	s = s[strings.LastIndexByte(s, '\n')+1:]
	return cutLine(safetext.Line(s), maxReason)
}

func (c *capped) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file == nil {
		return nil
	}
	f := c.file
	c.file = nil
	return f.Close()
}
