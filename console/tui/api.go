package tui

import (
	"context"
	"os"
	"time"

	"github.com/charmbracelet/colorprofile"

	"sallyport/console/copilot"
	"sallyport/console/keys"
	"sallyport/console/screen"
	"sallyport/console/session"
	"sallyport/policy"
)

// Console is what the screen needs of the console as a whole. Every method
// returns at once and may be called at the rate of frames.
type Console interface {
	// Hosts are the connections in the order of their tabs, those that are
	// still connecting and those that were lost included.
	Hosts() []Host
	// Open begins to connect and returns: the new Host shows how far it is. An
	// error says why dest is no destination.
	Open(dest string) error
	Log() LogStatus
	Policy() policy.Identity
	// OnChange is called once, before anything else: changed asks for a frame.
	// It never blocks and may be called from anywhere.
	OnChange(changed func())
}

// glassBreaker is a Console that can go on while the log cannot be written.
type glassBreaker interface {
	CanBreakGlass() bool
	BreakGlass(ctx context.Context, reason string) error
}

// companion is a Console that knows from the start whether a copilot is
// configured: where none is, the shell gets the panels' columns too.
type companion interface{ HasCopilot() bool }

// Host is one connection, one tab.
type Host interface {
	ID() string
	Link() Link
	// Session is the shell; nil while there is none yet. Reconnecting gives
	// another one.
	Session() Session
	// Copilot is Linus' view of this host; nil without a copilot.
	Copilot() Copilot
	// Judge is the verdict on text if it were sent now in place of s. It is
	// called off the event loop; nothing is recorded and nobody is asked.
	Judge(s copilot.Suggestion, text string) policy.Decision
	// Send sends s, as it is or edited. It returns when the text is on its way
	// or refused (a *gate.Refusal), after whatever the gate had to ask.
	Send(ctx context.Context, s copilot.Suggestion, text string) error
	// Chat queues a message to Linus. An error says why it was not taken.
	Chat(text string) error
	// Reconnect begins a new connection that resumes this one, and returns.
	Reconnect() error
	Close() error
}

// Session is the shell of a host. *session.Session is one.
type Session interface {
	View() session.View
	Journal() []session.Command
	Screen(func(*screen.Screen))

	Key(keys.Event)
	Paste(text string)
	Resize(cols, rows int)
	Interrupt()
	DropHeld()
	Field(id uint64, line []byte, eof bool)
	Choose(session.Choice)
}

// mouser is a Session that takes the mouse.
type mouser interface{ Mouse(keys.MouseEvent) }

// focuser is a Session whose program may want to know that the console's window
// has the operator's attention.
type focuser interface{ Focus(in bool) }

// Copilot is Linus beside one host. *copilot.Session is one.
type Copilot interface {
	State() copilot.State
	Hold(id string) (copilot.Suggestion, bool)
	Release(id string)
	Dismiss(id string)
	Resend(number int) error
}

// Phase is where a connection stands.
type Phase uint8

// The phases of a Link.
const (
	Connecting Phase = iota
	Connected
	Lost   // it was connected, or never got there; Err says why
	Closed // it ended as it was told to: the shell exited
)

// Link is the state of a connection.
type Link struct {
	Name       string // account@host, as the header shows it
	Target     policy.Target
	Groups     []string // policy's host groups of the target, the most telling first
	Production bool     // one of them is production
	Phase      Phase
	Step       string    // while Connecting: what is being done
	Since      time.Time // when the Phase began
	Up         time.Time // when it was connected; zero: never
	Err        error     // why it is Lost
	Hint       string    // what to try next
	Exit       *int      // once Closed: the shell's exit status; nil: it has none
}

// LogStatus is the state of the audit log.
type LogStatus struct {
	Records   uint64
	Refusing  string     // why nothing can be recorded, and so nothing sent; empty: it can
	Full      bool       // the disk is full: what is reserved on it takes how things end
	KeysUntil time.Time  // while Refusing: keys in running programs pass until then
	Collector *Collector // nil: none is configured
	Glass     bool       // broken: the collector alone holds the records
}

// Collector is how far the central copy of the log is behind.
type Collector struct {
	Behind uint64        // records
	Age    time.Duration // of the oldest of them
	Err    string        // why it does not take more; empty: it does
}

// Options are the operator's choices. The zero value asks the terminal.
type Options struct {
	Leader  string // key name; empty: C-]
	ASCII   bool
	Theme   Theme
	NoMouse bool
	Profile colorprofile.Profile // Unknown: from the environment

	// OnHangup is called on SIGHUP while the terminal is still there. It must not
	// block. Nil: SIGHUP ends the console.
	OnHangup func()

	In, Out *os.File // nil: the process's own
	Env     []string // nil: the process's own
	Clock   func() time.Time
}

// Theme is the background that the colours are chosen for.
type Theme string

// The themes; ThemeAuto asks the terminal and falls back to dark.
const (
	ThemeAuto  Theme = ""
	ThemeDark  Theme = "dark"
	ThemeLight Theme = "light"
)

// Deps is what Run works with.
type Deps struct {
	Console Console
	// Open makes the Console where there is none yet; Name is whom it is for. The
	// screen is there from the first moment, and says what is waited for.
	Open    func() (Console, error)
	Name    string
	Dialogs *Dialogs // also given to the gate and to remote, before Run
	Options Options
}
