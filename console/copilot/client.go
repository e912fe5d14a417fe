package copilot

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"sallyport/audit"
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
	cfg    Config
	dialer dialer // nil: no copilot
	pins   *pins
	kick   chan struct{} // something may be due
	now    chan struct{} // connect now
	noted  chan struct{} // something is to be recorded

	mu       sync.Mutex
	sessions []*Session
	queue    []outgoing // of all sessions, in order
	chatting bool       // a chat message is under way
	link     *link      // nil: away
	since    time.Time
	reason   string
	retry    time.Time
	server   string
	calls    uint64      // number of the last call
	versions uint64      // number of the last version of a suggestion
	bad      int         // unreadable replies in a row
	journal  []recording // to be recorded
}

// New makes a Client that is away until Run. The error says what is wrong with the
// configuration; without one, and without a copilot, the Client does nothing.
func New(cfg Config) (*Client, error) {
	if cfg.Redactor == nil {
		cfg.Redactor = redact.New(redact.Config{})
	}
	if cfg.OnChange == nil {
		cfg.OnChange = func() {}
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	d, err := cfg.dialer()
	if err != nil {
		return nil, err
	}
	return newClient(cfg, d), nil
}

func newClient(cfg Config, d dialer) *Client {
	return &Client{
		cfg: cfg, dialer: d, pins: &pins{path: cfg.PinFile}, since: time.Now(), reason: "not connected yet",
		kick: make(chan struct{}, 1), now: make(chan struct{}, 1), noted: make(chan struct{}, 1),
	}
}

// Run keeps the connection until ctx ends, and then ends it with everything that it
// started. It returns no error: what goes wrong is in State, since the shell outlives
// the copilot. Run it once.
func (c *Client) Run(ctx context.Context) {
	stop := c.startRecording()
	defer stop()
	if c.dialer == nil {
		<-ctx.Done()
		return
	}
	var waits backoff
	for ctx.Err() == nil {
		c.once(ctx, &waits)
	}
}

// once connects, serves until the connection ends, and waits for the next attempt.
func (c *Client) once(ctx context.Context, waits *backoff) {
	l, err := connect(ctx, c.dialer)
	if err == nil {
		err = c.serve(ctx, l, waits)
	}
	if ctx.Err() != nil {
		c.away(errors.New("the console ends"), time.Time{})
		return
	}
	wait := waits.next()
	c.away(err, time.Now().Add(wait))
	select {
	case <-ctx.Done():
	case <-c.now:
	case <-time.After(wait):
	}
}

// away notes that Linus cannot be reached. What only mattered at the moment is dropped.
func (c *Client) away(err error, retry time.Time) {
	reason := c.cleanReason(err)
	c.cfg.Log.Info("copilot away", "reason", reason.String(), "retry", retry)
	c.change(func() {
		if c.link != nil || c.reason != reason.String() {
			c.note(nil, audit.MCPOffline[redact.Text]{Reason: reason, Queued: len(c.queue)})
		}
		if c.link != nil {
			c.since = time.Now()
		}
		c.link, c.reason, c.retry, c.bad = nil, reason.String(), retry, 0
		for _, s := range c.sessions {
			s.lane = nil
			s.output.reset()
		}
		c.dropEnded()
	})
}

// back notes that Linus answers, and tells it of every open session.
func (c *Client) back(l *link) {
	c.change(func() {
		gone := time.Since(c.since)
		c.link, c.since, c.reason, c.retry = l, time.Now(), "", time.Time{}
		c.server = c.cleanLine(l.server.Name + " " + l.server.Version)
		c.note(nil, audit.MCPOnline[redact.Text]{
			Server: c.clean(l.server.Name), Version: c.clean(l.server.Version),
			Tools: l.hash, Changed: len(l.changes) > 0, AwayMS: gone.Milliseconds(),
		})
		for _, s := range c.sessions {
			s.noteTools(l)
			if s.last == Connected && !s.closed {
				s.report(report{event: Connected})
			}
		}
	})
}

// connectNow ends the wait for the next attempt, if there is one.
func (c *Client) connectNow() {
	if c.link != nil {
		return
	}
	select {
	case c.now <- struct{}{}:
	default:
	}
}

// change changes something under the lock, and has it looked at and drawn.
func (c *Client) change(f func()) {
	c.mu.Lock()
	f()
	c.mu.Unlock()
	c.wake()
	c.cfg.OnChange()
}

// try is change for what may be refused.
func (c *Client) try(f func() error) (err error) {
	c.change(func() { err = f() })
	return err
}

func (c *Client) wake() {
	select {
	case c.kick <- struct{}{}:
	default:
	}
}

// dropEnded forgets sessions that have ended.
func (c *Client) dropEnded() {
	c.sessions = slices.DeleteFunc(c.sessions, (*Session).ended)
}
