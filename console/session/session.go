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

	mu      sync.Mutex // guards what follows: snapshots for View, Journal, Screen
	view    View
	journal []Command
	screen  *screen.Screen

	inbox chan func(*loop)
}

// New gives a session that waits for Run.
func New(c Config) *Session {
	return &Session{cfg: c, screen: screen.New(c.Cols, c.Rows, screen.Options{}), inbox: make(chan func(*loop), 256)}
}

type loop struct{}

// Run opens the shell and keeps the session until the channel ends or ctx is
// done. It returns nil when the remote shell ended by itself.
func (s *Session) Run(ctx context.Context) error { return ctx.Err() }

// Key is one key press of the operator.
func (s *Session) Key(k keys.Event) {}

// Paste is pasted text. It loses ESC, C0 and C1 controls; more than one line
// is one request.
func (s *Session) Paste(text string) {}

// Send sends a suggestion, as it is or edited. The error is a *gate.Refusal,
// or says why the session cannot send now.
func (s *Session) Send(ctx context.Context, sug gate.Suggestion, edited string) error { return nil }

// Suggest tells the session what a machine suggested: a line that equals it,
// spaces aside, keeps its origin, id and claimed risk, however it got there.
func (s *Session) Suggest(sug ...gate.Suggestion) {}

// Resize tells the remote and the screen the window's size.
func (s *Session) Resize(cols, rows int) {}

// Interrupt sends ^C and drops what is held.
func (s *Session) Interrupt() {}

// DropHeld forgets the keys that wait.
func (s *Session) DropHeld() {}

// Field answers the open field number id with a line, or with an end of file.
func (s *Session) Field(id uint64, line []byte, eof bool) {}

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
func (s *Session) Choose(c Choice) {}

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
