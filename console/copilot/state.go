package copilot

import (
	"time"

	"sallyport/console/safetext"
	"sallyport/policy"
	"sallyport/redact"
)

// Untrusted is text that Linus wrote, exactly as it came. Nobody draws it as it is:
// Line, Block and Runs make it harmless. Its bytes as a string go to the gate alone.
type Untrusted string

// Line is the text for one row of the screen: everything invisible made visible.
func (u Untrusted) Line() string { return safetext.Line(string(u)) }

// Block is the text with its line breaks, everything else invisible made visible.
func (u Untrusted) Block() string { return safetext.Block(string(u)) }

// State is what a person sees of Linus in one session. It is a copy: nothing in it
// changes after it was given.
type State struct {
	Configured bool      // false: no copilot is configured
	Online     bool      // the last exchange with Linus worked
	Since      time.Time // when Online last changed
	Reason     string    // why Linus is away; safe to draw; "" while online
	Retry      time.Time // when the next attempt to connect is due; zero while online
	Server     string    // what the server calls itself; safe to draw
	Sends      Sends     // what policy lets out of this session

	Intent      Intent
	Suggestions []Suggestion // oldest first
	Chat        []Message    // oldest first
	Queued      int          // chat messages of all sessions that wait to be sent
	Thinking    bool         // a chat message of this session waits for its answer
}

// Intent is what Linus believes is going on, as a checklist.
type Intent struct {
	Summary    Untrusted
	Confidence *float64 // 0..1; nil: not claimed
	Steps      []Step
	At         time.Time // zero: Linus has not said anything yet
}

// Step is one line of the checklist.
type Step struct {
	Status StepStatus
	Text   Untrusted
}

// StepStatus is done, current or pending.
type StepStatus string

// The three states of a step.
const (
	Done    StepStatus = "done"
	Current StepStatus = "current"
	Pending StepStatus = "pending"
)

// Suggestion is a command that Linus proposes. It is sent by a person or not at all.
type Suggestion struct {
	ID          string    // Linus' own; draw it with [Untrusted.Line]
	Seq         uint64    // number of this version, unique in the console
	Command     Untrusted // the exact bytes
	Description Untrusted
	Claimed     policy.Risk // what Linus says; High where it said nothing known
	Unclaimed   bool        // Linus gave no risk, or one that is unknown
	Hidden      bool        // the command holds a newline, a control or an invisible character
	Received    time.Time
	Mentioned   bool        // the last answer in the chat speaks of it
	Sent        bool        // a command that came from it was started
	Held        bool        // it is being edited or confirmed: its text does not change
	Withdrawn   bool        // Linus cleared it while it was held
	Newer       *Suggestion // the version that waits until it is no longer held
	Injected    []string    // tokens of the command that first appeared in the host's output
}

// Author is who wrote a line of the chat.
type Author string

// The authors of chat lines. A Notice is the console's own remark.
const (
	Operator Author = "you"
	Linus    Author = "linus"
	Notice   Author = "console"
)

// Delivery is how far a message of the operator has got.
type Delivery string

// The ways of a message of the operator. Only a Failed one may be sent again, by
// [Session.Resend]: Linus may have read it.
const (
	Queued  Delivery = "queued"
	Sending Delivery = "sending"
	Sent    Delivery = "sent"
	Failed  Delivery = "failed"
)

// Message is one line of the chat.
type Message struct {
	Number   int // unique in the session, rising
	From     Author
	Text     Untrusted // of the operator: redacted, as Linus reads it
	Mentions []string  // ids of suggestions
	At       time.Time
	Delivery Delivery // of the operator's own messages
	Reason   string   // why it failed or still waits; safe to draw
}

// Sends is how much of a host's session may go to Linus.
type Sends string

// What policy lets out: everything, the chat without any output, or nothing. The
// zero value sends nothing.
const (
	SendTail Sends = "tail"
	SendChat Sends = "chat"
	SendNone Sends = "none"
)

// Event is a turn in the life of a session.
type Event string

// The events that Linus is told of.
const (
	Connected            Event = "connected"
	Disconnected         Event = "disconnected"
	ConnectionError      Event = "connection_error"
	AuthenticationFailed Event = "authentication_failed"
)

// Source is where a command came from.
type Source string

// The sources that Linus is told of. An agent's proposal is Suggested too, its id
// is then "agent:" and the proposal's.
const (
	Suggested Source = "suggested"
	UserTyped Source = "user_typed"
)

// Command is a command of the session's journal.
type Command struct {
	Seq        uint64 // its number in the journal
	Line       redact.Text
	Source     Source
	Suggestion redact.Text // its id, when Suggested
	Edited     bool        // by the operator, when Suggested
	Output     redact.Text // when it has ended
	Exit       *int        // nil: unknown
}

// Context is what is known about the session at this moment. Empty fields are
// unknown and are left out.
type Context struct {
	Host        redact.Text // user@host
	User        redact.Text
	Connected   bool
	Tail        redact.Text // the last 100 lines of the terminal
	Cwd         redact.Text
	LastCommand redact.Text
	LastExit    *int
}
