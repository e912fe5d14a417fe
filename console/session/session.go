package session

import (
	"context"
	"sync"

	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/screen"
)

// Session is one remote shell. Its methods are safe for concurrent use and do
// not block; Run does the work.
type Session struct {
	cfg Config

	mu      sync.Mutex // guards view, journal and screen: snapshots for others
	view    View
	journal []Command
	screen  *screen.Screen

	queue queue
}

// New gives a session that waits for Run.
func New(c Config) *Session {
	c = c.withDefaults()
	s := &Session{cfg: c, screen: screen.New(c.Cols, c.Rows, screen.Options{Scrollback: c.Scrollback})}
	s.view = View{ID: c.ID, Evidence: gate.EvidenceNone, Frames: c.Targets}
	s.queue.wake = make(chan struct{}, 1)
	return s
}

// Run opens the shell and keeps the session until the channel ends or ctx is
// done. It returns nil when the remote shell ended by itself.
func (s *Session) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	l := newLoop(ctx, s)
	err := l.run()
	cancel()
	l.end(err)
	return err
}

// Key is one key press of the operator.
func (s *Session) Key(k keys.Event) { s.queue.post(func(l *loop) { l.key(k) }) }

// Paste is pasted text. It loses ESC, C0 and C1 controls; more than one line
// is one request.
func (s *Session) Paste(text string) { s.queue.post(func(l *loop) { l.paste(text) }) }

// Mouse is a mouse event of the operator, for a program that owns the screen
// and asked for it.
func (s *Session) Mouse(e keys.MouseEvent) { s.queue.post(func(l *loop) { l.mouse(e) }) }

// Focus is the operator's window getting or losing the focus, for a program that
// owns the screen and asked to be told.
func (s *Session) Focus(in bool) { s.queue.post(func(l *loop) { l.focus(in) }) }

// Send sends a suggestion, as it is or edited. It waits for the verdict: the
// error is a *gate.Refusal, or says why the session cannot send now.
func (s *Session) Send(ctx context.Context, sug gate.Suggestion, edited string) error {
	done := make(chan error, 1)
	if !s.queue.post(func(l *loop) { l.suggestion(sug, edited, done) }) {
		return errEnded
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Suggest tells the session what a machine suggested: a line that equals it,
// spaces aside, keeps its origin, id and claimed risk, however it got there.
func (s *Session) Suggest(sug ...gate.Suggestion) {
	for _, g := range sug {
		s.cfg.Slot.Suggest(g)
	}
}

// Resize tells the remote and the screen the window's size.
func (s *Session) Resize(cols, rows int) { s.queue.post(func(l *loop) { l.resize(cols, rows) }) }

// Interrupt sends ^C and drops what is held.
func (s *Session) Interrupt() { s.queue.post(func(l *loop) { l.signal(gate.SignalInterrupt) }) }

// DropHeld forgets the keys that wait.
func (s *Session) DropHeld() { s.queue.post((*loop).dropHeld) }

// Field answers the open field number id with a line, or with an end of file.
func (s *Session) Field(id uint64, line []byte, eof bool) {
	s.queue.post(func(l *loop) { l.answer(id, line, eof) })
}

// Choice is what the operator does about a shell that does not answer.
type Choice uint8

// The choices.
const (
	Wait     Choice = iota
	Compose         // go on with lines composed here
	DropLine        // interrupt the line and go on
	Retry           // a new handshake at the prompt
)

// Choose answers the state Waiting, or leaves composing with Retry.
func (s *Session) Choose(c Choice) { s.queue.post(func(l *loop) { l.choose(c) }) }

// View is a snapshot.
func (s *Session) View() View {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.view
}

// Journal is a copy of the commands so far.
func (s *Session) Journal() []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Command(nil), s.journal...)
}

// Screen gives locked access to the screen, for drawing. f must not keep it.
func (s *Session) Screen(f func(*screen.Screen)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s.screen)
}
