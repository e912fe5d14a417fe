package tty

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// ErrNoTerminal means that there is no terminal to draw on.
var ErrNoTerminal = errors.New("standard input and output must be a terminal")

// ErrDumb means that the terminal says of itself that it moves no cursor.
var ErrDumb = errors.New("TERM=dumb names a terminal that draws no screen")

// App is what runs on a terminal. Its methods are called from one goroutine.
type App interface {
	Init() tea.Cmd
	// Update is the only place where state changes. It must not block. redraw
	// says whether a frame is due.
	Update(tea.Msg) (redraw bool, cmd tea.Cmd)
	// Draw is pure; the canvas is blank.
	Draw(*Canvas)
}

// Patcher is an App that can often tell what little of a frame has changed.
type Patcher interface {
	// Patch changes the canvas, which is as the last frame left it, into what
	// Draw would make of a blank one, and says in which rows; or changes nothing
	// and is not ok. It is as pure as Draw.
	Patch(*Canvas) (from, to int, ok bool)
}

// FrameMsg comes before each frame: the time to look at what changed outside.
type FrameMsg struct{ At time.Time }

// DrawnMsg comes after a frame was handed to the terminal.
type DrawnMsg struct{ At time.Time }

// Options of a terminal. The zero value is the process's own.
type Options struct {
	In, Out *os.File
	Env     []string
	// Profile limits the colours; Unknown asks the environment (NO_COLOR,
	// COLORTERM, TERM).
	Profile colorprofile.Profile
	// Mouse has clicks and the wheel reported; without it the operator's
	// terminal selects by itself.
	Mouse bool
	// OnHangup is called on SIGHUP while the terminal is still there. It must not
	// block. Nil: SIGHUP ends the program.
	OnHangup func()
}

// Terminal is the operator's terminal. Use each once.
type Terminal struct {
	opts    Options
	profile colorprofile.Profile
	wake    chan struct{}
	asked   atomic.Bool // a frame was asked for, and none has begun since

	mu    sync.Mutex // guards saved: enter and leave also come from signals
	saved *term.State
}

// Open checks that there is a terminal that can draw. It changes nothing on it yet.
func Open(o Options) (*Terminal, error) {
	if o.In == nil {
		o.In = os.Stdin
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if !term.IsTerminal(o.In.Fd()) || !term.IsTerminal(o.Out.Fd()) {
		return nil, ErrNoTerminal
	}
	if slices.Contains(o.Env, "TERM=dumb") {
		return nil, ErrDumb
	}
	t := &Terminal{opts: o, profile: o.Profile, wake: make(chan struct{}, 1)}
	if t.profile == colorprofile.Unknown {
		t.profile = colorprofile.Detect(o.Out, o.Env)
	}
	return t, nil
}

// Profile is how many colours are drawn.
func (t *Terminal) Profile() colorprofile.Profile { return t.profile }

// Size is the number of columns and rows.
func (t *Terminal) Size() (cols, rows int, err error) { return term.GetSize(t.opts.Out.Fd()) }

// Wake asks for a frame. It never blocks and may be called from anywhere, at
// any rate.
func (t *Terminal) Wake() {
	if t.asked.Swap(true) {
		return
	}
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// Run shows the App until it quits (tea.Quit), ctx ends or the terminal is
// gone, and gives the terminal back as it was. A panic in the App becomes an
// error that holds its stack.
func (t *Terminal) Run(ctx context.Context, app App) error {
	cols, rows, err := term.GetSize(t.opts.Out.Fd())
	if err != nil {
		return fmt.Errorf("size of the terminal: %w", err)
	}
	if err := t.enter(); err != nil {
		return err
	}
	defer t.leave()
	return t.loop(ctx, app, cols, rows)
}

func (t *Terminal) loop(ctx context.Context, app App, cols, rows int) error {
	in, err := openKeyboard(t.opts.In)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	s := &stage{app: app, painter: newPainter(t.opts.Out, t.opts.Env, t.profile, cols, rows), now: time.Now, begun: func() { t.asked.Store(false) }}
	s.painter.out.frames = make(chan []byte, 1)
	out := openDirect(t.opts.Out)
	s.painter.out.direct = out.write
	p := tea.NewProgram(s, tea.WithInput(onlyReader{in}), tea.WithOutput(io.Discard),
		tea.WithEnvironment(t.opts.Env), tea.WithoutRenderer(), tea.WithoutSignalHandler(),
		tea.WithoutCatchPanics(), tea.WithFPS(1), tea.WithWindowSize(cols, rows), tea.WithColorProfile(t.profile))
	s.send = p.Send

	var bg sync.WaitGroup
	bg.Go(func() { s.painter.out.run(func(err error) { p.Send(writtenMsg{err}) }) })
	bg.Go(func() { t.forward(ctx, p) })
	signals := listen()
	bg.Go(func() { t.signals(ctx, signals, p) })
	defer func() {
		stop()
		in.stop()
		out.close()
		close(s.painter.out.frames)
		waitFor(&bg, time.Second)
	}()
	_, err = p.Run()
	return s.end(err)
}

// forward turns wakes into messages, however many into one.
func (t *Terminal) forward(ctx context.Context, p *tea.Program) {
	for {
		select {
		case <-ctx.Done():
			p.Quit()
			return
		case <-t.wake:
			p.Send(wakeMsg{})
		}
	}
}

// waitFor gives a terminal that does not read a moment, and no more.
func waitFor(wg *sync.WaitGroup, limit time.Duration) {
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

func crash(r any) error {
	return fmt.Errorf("the console crashed, which is a bug: %v\n%s", r, debug.Stack())
}

// The modes of the console's screen. leaveModes also undoes what the renderer
// may have had in hand when it ended.
var (
	enterModes = "\x1b[22;0t" + ansi.SetModeAltScreenSaveCursor + ansi.EraseEntireScreen +
		ansi.SetModeBracketedPaste + ansi.SetModeFocusEvent + ansi.HideCursor
	mouseModes = ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr
	queries    = ansi.RequestBackgroundColor + ansi.RequestModeSynchronizedOutput
	leaveModes = ansi.ResetModeSynchronizedOutput + ansi.ResetStyle +
		ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseExtSgr +
		ansi.ResetModeFocusEvent + ansi.ResetModeBracketedPaste + ansi.SetCursorStyle(0) +
		ansi.ResetModeAltScreenSaveCursor + ansi.ShowCursor +
		ansi.SetWindowTitle("") + "\x1b[23;0t" // where no title was pushed, none is left
)

// enter sets raw mode and the console's screen modes.
func (t *Terminal) enter() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.saved != nil {
		return nil
	}
	saved, err := term.MakeRaw(t.opts.In.Fd())
	if err != nil {
		return fmt.Errorf("raw mode: %w", err)
	}
	t.saved = saved
	modes := enterModes
	if t.opts.Mouse {
		modes += mouseModes
	}
	_, err = t.opts.Out.WriteString(modes + queries)
	return err
}

// leave gives the terminal back. It does nothing the second time.
func (t *Terminal) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.saved == nil {
		return
	}
	_, _ = t.opts.Out.WriteString(leaveModes)
	_ = term.Restore(t.opts.In.Fd(), t.saved)
	t.saved = nil
}
