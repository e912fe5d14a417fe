package session

import (
	"context"
	"time"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/probe"
	"sallyport/policy"
	"sallyport/redact"
)

// PTY is the terminal that a shell channel asks for.
type PTY struct {
	Term       string
	Cols, Rows int
	NoEcho     bool // ECHO off at first: a bootstrap is read from the terminal
}

// Channel is a shell channel. *remote.Shell satisfies it.
type Channel interface {
	Send(c gate.Cleared) error
	Resize(c gate.Cleared) error
	Read(p []byte) (int, error)
	Close() error
}

// Host opens channels on one connection. remote.Conn satisfies it through a
// small adapter in package console.
type Host interface {
	// Shell opens a PTY channel. The boot clearance holds the text of the exec
	// request; an empty text asks for the account's own shell.
	Shell(ctx context.Context, s *gate.Slot, boot gate.Cleared, p PTY) (Channel, error)
}

// Prober reads a remote terminal's settings and foreground program on a side
// channel. *probe.Probe satisfies it.
type Prober interface {
	Terminal(ctx context.Context, tty string) (probe.Terminal, error)
	Close() error
}

// Observer hears what the copilot may hear: everything is redacted. It is
// called by the session's goroutine and must not block.
type Observer interface {
	Output(t redact.Text)
	Started(c Command)
	Ended(c Command, output redact.Text)
}

// Rules are the parts of the policy that a session asks itself.
// *policy.Set satisfies it.
type Rules interface {
	PromptsForSecret(facts []policy.Fact) bool
	Interactive(program string) (allowed bool, start []string, other policy.Effect)
	EvidenceMinimum(t []policy.Target) string
	UserCode() string
}

// Config says what a session works with. Gate, Slot and Host are needed; the
// rest has useful zero values.
type Config struct {
	ID       string
	Gate     *gate.Gate
	Slot     *gate.Slot
	Host     Host
	Probe    func(ctx context.Context) (Prober, error) // nil: no side channel
	Redactor *redact.Redactor
	Recorder gate.Recorder
	Digest   func() *audit.Digester // of a command's output; nil: the record holds none
	Rules    func() Rules
	Targets  []policy.Target

	Term       string // xterm-256color if empty
	Cols, Rows int    // 80x24 if zero
	Scrollback int    // rows kept above the screen; 0: the screen's default
	Plain      bool   // no bootstrap: compose from the start
	PromptHint string // a regular expression for the prompt of a plain shell
	Device     string // the profile of a network device: no bootstrap, its keys and prompts; see IsDevice
	ViKeys     bool   // lines are composed with vi's keys

	OnChange func()           // something that View or Screen shows changed; must not block
	Observer Observer         // nil: nobody hears
	Output   func(p []byte)   // recording: what the operator saw, marks taken out; must not block for long
	Clock    func() time.Time // time.Now if nil
	Timing   Timing
}

// Timing are the waits of the handshake. Zero fields have the defaults that
// the comments give.
type Timing struct {
	Loader    time.Duration // 3 s: a line that asks, and no LOADER after the exec request
	FirstMark time.Duration // 12 s: the same, and no first prompt after LOADER
	Login     time.Duration // 2 min: a login that says nothing; until then the operator may choose
	Answer    time.Duration // 1.2 s: the shell's answer to a query
	Granted   time.Duration // 5 s: C after an accept
	Interrupt time.Duration // 500 ms: B after ^C at a prompt
}

func (c Config) withDefaults() Config {
	if c.Cols <= 0 || c.Rows <= 0 {
		c.Cols, c.Rows = 80, 24
	}
	if IsDevice(c.Device) {
		c.Plain = true
	}
	if c.Term == "" {
		c.Term = "xterm-256color"
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Redactor == nil {
		c.Redactor = redact.New(redact.Config{})
	}
	if c.OnChange == nil {
		c.OnChange = func() {}
	}
	if c.Output == nil {
		c.Output = func([]byte) {}
	}
	if c.Observer == nil {
		c.Observer = deaf{}
	}
	c.Timing = c.Timing.withDefaults()
	return c
}

func (t Timing) withDefaults() Timing {
	for _, d := range []struct {
		at *time.Duration
		is time.Duration
	}{
		{&t.Loader, 3 * time.Second},
		{&t.FirstMark, 12 * time.Second},
		{&t.Login, 2 * time.Minute},
		{&t.Answer, 1200 * time.Millisecond},
		{&t.Granted, 5 * time.Second},
		{&t.Interrupt, 500 * time.Millisecond},
	} {
		if *d.at <= 0 {
			*d.at = d.is
		}
	}
	return t
}

// deaf is nobody listening.
type deaf struct{}

func (deaf) Output(redact.Text)         {}
func (deaf) Started(Command)            {}
func (deaf) Ended(Command, redact.Text) {}
