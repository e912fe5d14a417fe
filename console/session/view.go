package session

import (
	"time"

	"sallyport/console/gate"
	"sallyport/console/screen"
	"sallyport/policy"
)

// State is where the session stands.
type State uint8

// The states, in the order of a session's life.
const (
	Boot State = iota
	Prompt
	Continuation
	Query   // the shell was asked for its buffer
	Confirm // the gate decides, or asks
	Granted // an accept is on its way
	Running
	Field     // a program reads a line
	Keys      // a program owns the screen and the policy lets keys through
	Interrupt // ^C at a prompt: keys wait for the next prompt
	Waiting   // no answer: the operator chooses
	Dead
)

var stateNames = [...]string{"boot", "prompt", "continuation", "query", "confirm", "granted", "running", "field", "keys", "interrupt", "waiting", "dead"}

func (s State) String() string { return stateNames[s] }

// FieldKind is what an open field takes.
type FieldKind uint8

// The kinds of field.
const (
	LineField FieldKind = iota
	SecretField
)

// FieldView is an open field: a program asks.
type FieldView struct {
	ID      uint64
	Kind    FieldKind
	Program string
	Prompt  string // the partial line before the cursor, as the remote printed it
	Typed   string // what was typed before it was drawn; in a new ID, a line that was not sent
}

// Composing is the local line editor, when lines are composed here.
type Composing struct {
	Lines  []string
	Line   int // of the cursor
	Column int // of the cursor, in runes
	Search string
	// Candidates are what the word at the cursor could be completed to: names
	// from the host, hostile text.
	Candidates []string
}

// View is a snapshot of what the operator should see beside the screen.
type View struct {
	ID       string
	State    State
	Shell    string // bash, zsh, fish, posix, plain; empty while booting
	Cwd      string // the host's claim; empty: unknown
	LastExit *int   // nil: unknown
	Evidence gate.Evidence
	Degraded string // the reason why lines are composed here; empty: they are not
	ReadOnly string // why nothing can be sent; empty: it can

	Held     int    // keys waiting
	Running  string // the running command
	Since    time.Time
	Field    *FieldView
	Compose  *Composing
	Program  string // in Keys: the program in front
	Waiting  time.Time
	Frames   []policy.Target // the stack, outermost first
	Alarms   int             // vetoes and mismatches seen
	Alarm    string          // the last
	UserCode []string        // code bound to keys or completion, as the shell lists it
	Tainted  []string        // what commands of this session did that can run later text unseen: traps, bound keys, sourced files
	Refused  *gate.Refusal   // the last refusal, until the next key
	Dropped  int             // keys and pasted characters behind what was refused; they are gone
	Error    error           // why the session is Dead; nil: it ended
}

// Status is how a command ended.
type Status string

// How a command ends. The words are those of the audit record.
const (
	InProgress     Status = ""
	Completed      Status = "completed"
	Interrupted    Status = "interrupted"
	StillRunning   Status = "still_running"
	ConnectionLost Status = "connection_lost"
	NotSent        Status = "not_sent"
	Mismatch       Status = "mismatch"
	Vetoed         Status = "vetoed"
	Unobserved     Status = "unobserved"
)

// Command is one entry of the journal. Exit, Cwd and Duration are the host's
// claim.
type Command struct {
	Seq         int
	Intent      uint64 // seq of the record
	Line        string
	Origin      policy.Origin
	Suggestion  *gate.Suggestion
	Edited      bool
	Risk        policy.Risk
	Evidence    gate.Evidence
	Exit        *int
	Cwd         string
	Started     time.Time
	Duration    time.Duration
	OutputBytes int64
	Row         screen.RowID
	Status      Status
}
