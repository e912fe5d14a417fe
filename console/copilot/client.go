package copilot

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"sallyport/redact"
)

// Config says how to reach Linus and what the client stands on. Without a Command
// and a URL there is no copilot: everything works and says so.
type Config struct {
	Command string   // command line of a stdio child, split as a shell would, nothing expanded
	Env     []string // names of further variables that the child may see
	Sandbox []string // words put before Command, as "sallyport", "__sandbox", "--"
	Stderr  string   // file that gets the child's standard error, at most MaxStderr; "": dropped

	URL       string // of a streamable HTTP server; https, or http to loopback
	TokenFile string // file with the bearer token, read at each connection
	TokenEnv  string // or the variable that holds it

	PinFile string // where the tools seen first are remembered; "": for this run only

	Redactor *redact.Redactor // makes Linus' words fit for the record; nil: one of its own
	Recorder Recorder         // of the connection; nil: nothing is recorded
	OnChange func()           // called after every change of a State, from any goroutine; must not block
	Log      *slog.Logger     // nil: nothing is logged
}

// Client is one connection to Linus, shared by the sessions of a console. It is safe
// for concurrent use.
type Client struct {
	cfg Config

	mu       sync.Mutex
	sessions []*Session
}

// New makes a Client that is away until Run.
func New(cfg Config) *Client { return &Client{cfg: cfg} }

// Run keeps the connection until ctx ends, and then ends it. It returns no error:
// what goes wrong is in State, since the shell outlives the copilot.
func (c *Client) Run(ctx context.Context) { <-ctx.Done() }

// SessionConfig is what one session brings.
type SessionConfig struct {
	ID       redact.Text    // the session's id
	Recorder Recorder       // its audit scope; nil: the Client's
	Context  func() Context // what is known now; called from other goroutines, must not block
	Sends    func() Sends   // what policy lets out now; nil: nothing goes out
}

// Session is Linus' side of one remote shell.
type Session struct {
	client *Client
	cfg    SessionConfig
}

// Session adds a session. It is there until Close.
func (c *Client) Session(cfg SessionConfig) *Session {
	s := &Session{client: c, cfg: cfg}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions = append(c.sessions, s)
	return s
}

// Close forgets the session; its queued messages are dropped.
func (s *Session) Close() {}

// State gives what a person sees now.
func (s *Session) State() State { return State{Since: time.Time{}} }

// Chat queues a message of the operator. The error says why it was refused.
func (s *Session) Chat(message redact.Text) error { return nil }

// Resend queues a Failed message again.
func (s *Session) Resend(number int) error { return nil }

// Event tells of a turn in the session's life.
func (s *Session) Event(e Event) {}

// Update takes new output of the session.
func (s *Session) Update(output redact.Text) {}

// Started tells that a command was started.
func (s *Session) Started(c Command) {}

// Ended tells that it has ended, with output and exit code.
func (s *Session) Ended(c Command) {}

// Hold keeps a suggestion as it is while it is edited or confirmed, and gives it.
// Each Hold needs a Release.
func (s *Session) Hold(id string) (Suggestion, bool) { return Suggestion{}, false }

// Release ends a Hold: a newer version or a withdrawal takes effect.
func (s *Session) Release(id string) {}

// Edited records that the operator changed a suggestion before sending it.
func (s *Session) Edited(id string, text redact.Text) {}

// Dismiss puts a suggestion away. A later version of it may come.
func (s *Session) Dismiss(id string) {}
