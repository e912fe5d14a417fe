package tty

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"go.uber.org/goleak"

	"sallyport/console/screen"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("os/signal.loop"))
}

// echo shows what was typed, and does what a test tells it to.
type echo struct {
	text   string
	size   string
	frames atomic.Int64
	update func(tea.Msg) tea.Cmd
	value  atomic.Value // drawn as well; set from outside
}

func (e *echo) Init() tea.Cmd { return nil }

func (e *echo) Update(msg tea.Msg) (bool, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		e.text += msg.Text
	case tea.WindowSizeMsg:
		e.size = strings.Repeat("w", msg.Width)
	case FrameMsg, DrawnMsg:
		return false, nil
	}
	if e.update != nil {
		return true, e.update(msg)
	}
	return true, nil
}

func (e *echo) Draw(c *Canvas) {
	e.frames.Add(1)
	c.Text(0, 0, 80, "> "+e.text, Style{})
	if s, _ := e.value.Load().(string); s != "" {
		c.Text(0, 1, 80, s, Style{})
	}
	c.Text(0, 2, 200, e.size, Style{})
	c.Cursor = Cursor{X: 2 + len(e.text), Y: 0, Visible: true}
}

// rig is a terminal that a test looks at: a PTY whose other end is drawn on a
// screen.
type rig struct {
	t      *testing.T
	term   *Terminal
	master *os.File
	slave  *os.File
	before *term.State
	done   chan error
	stop   context.CancelFunc

	mu     sync.Mutex
	screen *screen.Screen
	raw    strings.Builder
	writes int
	drawn  chan struct{} // something was written since
}

func start(t *testing.T, app App, change ...func(*Options)) *rig {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, master: master, slave: slave, done: make(chan error, 1), drawn: make(chan struct{}, 1), screen: screen.New(80, 24, screen.Options{})}
	if r.before, err = term.GetState(slave.Fd()); err != nil {
		t.Fatal(err)
	}
	o := Options{In: slave, Out: slave, Env: []string{"TERM=xterm-256color"}, Profile: colorprofile.TrueColor}
	for _, f := range change {
		f(&o)
	}
	if r.term, err = Open(o); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	go r.read()
	go func() { r.done <- r.term.Run(ctx, app) }()
	t.Cleanup(func() {
		stop()
		_ = slave.Close()
		_ = master.Close()
	})
	return r
}

func (r *rig) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := r.master.Read(buf)
		if err != nil {
			return
		}
		r.mu.Lock()
		_, _ = r.screen.Write(buf[:n])
		r.raw.Write(buf[:n])
		r.writes++
		r.mu.Unlock()
		select {
		case r.drawn <- struct{}{}:
		default:
		}
	}
}

func (r *rig) shows(want string) {
	r.t.Helper()
	r.until("the screen shows "+want, func() bool { return strings.Contains(r.screen.Text(), want) })
}

func (r *rig) until(what string, ok func() bool) {
	r.t.Helper()
	met := func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return ok()
	}
	for deadline := time.After(5 * time.Second); !met(); {
		select {
		case <-r.drawn:
		case <-time.After(10 * time.Millisecond): // what is not drawn
		case <-deadline:
			r.mu.Lock()
			defer r.mu.Unlock()
			r.t.Fatalf("never: %s\n%s", what, r.screen.Text())
		}
	}
}

func (r *rig) typed(s string) {
	r.t.Helper()
	if _, err := r.master.WriteString(s); err != nil {
		r.t.Fatal(err)
	}
}

// ended waits for the end and checks that the terminal is as it was.
func (r *rig) ended() error {
	r.t.Helper()
	select {
	case err := <-r.done:
		r.until("the main screen is back", func() bool { return !r.screen.AltScreen() && r.screen.Cursor().Visible })
		r.until("no title is left", func() bool { return r.screen.Title() == "" })
		r.until("no mode is left", func() bool { return r.screen.Modes().Mouse == 0 && !r.screen.Modes().BracketedPaste })
		after, err2 := term.GetState(r.slave.Fd())
		if err2 != nil || *after != *r.before {
			r.t.Errorf("the terminal's settings are not as before: %+v, %v", after, err2)
		}
		return err
	case <-time.After(5 * time.Second):
		r.t.Fatal("the program did not end")
		return nil
	}
}

func quitOn(key string) func(tea.Msg) tea.Cmd {
	return func(msg tea.Msg) tea.Cmd {
		if k, ok := msg.(tea.KeyPressMsg); ok && k.Text == key {
			return tea.Quit
		}
		return nil
	}
}

func TestKeysAreDrawn(t *testing.T) {
	r := start(t, &echo{update: quitOn("q")})
	r.shows(">")
	r.typed("hello")
	r.shows("> hello")
	r.until("the cursor follows", func() bool { c := r.screen.Cursor(); return c.X == 7 && c.Y == 0 && c.Visible })
	r.typed("q")
	if err := r.ended(); err != nil {
		t.Error(err)
	}
}

func TestTheTerminalIsGivenBack(t *testing.T) {
	boom := func(msg tea.Msg) tea.Cmd {
		if k, ok := msg.(tea.KeyPressMsg); ok && k.Text == "x" {
			panic("boom")
		}
		if k, ok := msg.(tea.KeyPressMsg); ok && k.Text == "y" {
			return func() tea.Msg { panic("bang") }
		}
		return nil
	}
	for _, c := range []struct {
		name string
		end  func(*rig)
		want string
	}{
		{"when the context ends", func(r *rig) { r.stop() }, ""},
		{"after a panic in Update", func(r *rig) { r.typed("x") }, "boom"},
		{"after a panic in a command", func(r *rig) { r.typed("y") }, "bang"},
		{"on SIGTERM", func(r *rig) { _ = syscall.Kill(os.Getpid(), syscall.SIGTERM) }, "terminated"},
		{"on SIGSEGV that somebody sent", func(r *rig) { _ = syscall.Kill(os.Getpid(), syscall.SIGSEGV) }, "segmentation fault"},
		{"on SIGABRT", func(r *rig) { _ = syscall.Kill(os.Getpid(), syscall.SIGABRT) }, "abort"},
		{"on SIGUSR1", func(r *rig) { _ = syscall.Kill(os.Getpid(), syscall.SIGUSR1) }, "user defined signal 1"},
		{"on SIGHUP", func(r *rig) { _ = syscall.Kill(os.Getpid(), syscall.SIGHUP) }, "hangup"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, &echo{update: boom})
			r.shows(">")
			c.end(r)
			err := r.ended()
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want %q", err, c.want)
			}
		})
	}
}

func TestHangupWhileTheTerminalIsThere(t *testing.T) {
	told := make(chan bool, 1)
	r := start(t, &echo{update: quitOn("q")}, func(o *Options) { o.OnHangup = func() { told <- true } })
	r.shows(">")
	_ = syscall.Kill(os.Getpid(), syscall.SIGHUP)
	<-told
	r.typed("q")
	if err := r.ended(); err != nil {
		t.Error(err)
	}
}

func TestNoTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := Open(Options{In: r, Out: w}); !errors.Is(err, ErrNoTerminal) {
		t.Errorf("err = %v", err)
	}
}

// A terminal that says that it moves no cursor gets no screen.
func TestADumbTerminalIsRefused(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	if _, err := Open(Options{In: slave, Out: slave, Env: []string{"TERM=dumb"}}); !errors.Is(err, ErrDumb) {
		t.Errorf("err = %v", err)
	}
}

func TestSizeChangesArrive(t *testing.T) {
	r := start(t, &echo{update: quitOn("q")})
	r.shows(strings.Repeat("w", 80))
	if err := pty.Setsize(r.master, &pty.Winsize{Cols: 50, Rows: 20}); err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	r.screen.Resize(50, 20)
	r.mu.Unlock()
	_ = syscall.Kill(os.Getpid(), syscall.SIGWINCH)
	r.until("fifty columns", func() bool {
		return strings.Contains(r.screen.Text(), strings.Repeat("w", 50)) && !strings.Contains(r.screen.Text(), strings.Repeat("w", 51))
	})
	r.typed("q")
	_ = r.ended()
}

func TestStoppedAndContinued(t *testing.T) {
	r := start(t, &echo{update: quitOn("q")})
	r.typed("abc")
	r.shows("> abc")
	r.mu.Lock()
	_, _ = r.screen.Write([]byte("\x1b[?1049l\x1b[2Junrelated"))
	r.mu.Unlock()
	_ = syscall.Kill(os.Getpid(), syscall.SIGCONT)
	r.until("the screen is drawn again", func() bool { return r.screen.AltScreen() && strings.Contains(r.screen.Text(), "> abc") })
	r.typed("q")
	_ = r.ended()
}

// A frame is drawn at once after a quiet moment, and at most FrameRate times a
// second under load.
func TestFramesAreLimited(t *testing.T) {
	app := &echo{update: quitOn("q")}
	r := start(t, app)
	r.shows(">")
	before := app.frames.Load()
	begin := time.Now()
	n := 0
	for time.Since(begin) < 500*time.Millisecond {
		n++
		app.value.Store(strings.Repeat("#", n%70))
		r.term.Wake()
	}
	app.value.Store("at rest")
	r.term.Wake()
	r.shows("at rest")
	took := time.Since(begin).Seconds()
	if got, most := float64(app.frames.Load()-before), took*FrameRate+burst+2; got > most {
		t.Errorf("%v frames in %.2f s, want at most %.0f", got, took, most)
	}
	r.typed("q")
	_ = r.ended()
}

func TestNothingChangedNothingWritten(t *testing.T) {
	app := &echo{update: quitOn("q")}
	r := start(t, app)
	r.shows(strings.Repeat("w", 80))
	frames := app.frames.Load()
	r.mu.Lock()
	length := r.raw.Len()
	r.mu.Unlock()
	r.term.Wake()
	r.until("another frame", func() bool { return app.frames.Load() > frames })
	r.typed("a")
	r.shows("> a")
	r.mu.Lock()
	if more := r.raw.String()[length:]; len(more) > 8 {
		t.Errorf("one key wrote %q", more)
	}
	r.mu.Unlock()
	r.typed("q")
	_ = r.ended()
}

func TestClipboard(t *testing.T) {
	r := start(t, &echo{update: func(msg tea.Msg) tea.Cmd {
		if k, ok := msg.(tea.KeyPressMsg); ok && k.Text == "c" {
			return Clipboard("hi")
		}
		return quitOn("q")(msg)
	}})
	r.typed("c")
	r.until("OSC 52 is written", func() bool { return strings.Contains(r.raw.String(), "\x1b]52;c;aGk=") })
	r.typed("q")
	_ = r.ended()
}

func TestTheTerminalGoesAway(t *testing.T) {
	r := start(t, &echo{})
	r.shows(">")
	_ = r.master.Close()
	_ = syscall.Kill(os.Getpid(), syscall.SIGHUP)
	select {
	case err := <-r.done:
		if err == nil {
			t.Error("no error")
		}
	case <-time.After(3 * time.Second):
		t.Fatal("the program goes on without a terminal")
	}
}
