package gate

import (
	"time"

	"sallyport/policy"
)

// Suggestion is where a text came from when a machine wrote it first.
type Suggestion struct {
	ID      string
	Seq     uint64 // seq of the record that received it
	Text    string // as the machine wrote it
	Claimed policy.Risk
	Agent   string // which agent proposed it; empty for the copilot
}

// Request is something that wants to leave.
type Request struct {
	Kind       Kind
	Origin     policy.Origin
	Text       string // exact; a path for File, a detail for Channel
	Dialect    policy.Dialect
	Cwd        string
	State      policy.ShellState
	Suggestion *Suggestion // set when Text is, or is an edit of, a suggestion
	Evidence   Evidence
	Wire       Wire
	Program    string   // Input and Keys: the program it goes to
	Started    []string // Keys: the words that Program was started with, as the host tells them; nil: it does not
	Prompt     string   // Input: the partial line that asks
	Runs       string   // Input: the part of Text that its program gives to a shell
	Operation  string   // File: read, put, get; Channel: local_forward, …
	Detail     string   // Channel: what the record says of the use; empty: Text
	ByHost     bool     // Channel: the host opens it
	Gutter     bool     // the command's row will carry the arrow
	EOF        bool     // Input: end of file instead of a line
}

// edited tells whether the operator changed a suggestion's text.
func (r Request) edited() bool {
	return r.Suggestion != nil && r.Suggestion.Text != r.Text
}

// Question is what the operator is asked. Text, Targets and the decision are
// what the answer binds; whoever draws it passes every string through
// safetext.
type Question struct {
	ID         uint64
	Session    string
	Kind       Kind
	Origin     policy.Origin
	Text       string
	Dialect    policy.Dialect
	Cwd        string
	Suggestion *Suggestion
	Edited     bool
	Evidence   Evidence
	Program    string
	Targets    []policy.Target
	Target     policy.Target // the innermost
	Decision   policy.Decision
	Phrase     string   // what must be typed; empty: one deliberate key is enough
	Binding    [32]byte // digest of everything that is consented to
	ShownAt    time.Time
}

// Answer is what the operator said. Typed holds what was typed for a Phrase.
type Answer struct {
	Send  bool
	Typed string
}

// Refused says who refused.
type Refused string

// Who can refuse.
const (
	ByGate     Refused = "gate"     // a check before policy, or a misuse
	ByPolicy   Refused = "policy"   // the effect is deny
	ByOperator Refused = "operator" // the question was answered with no
	ByLog      Refused = "log"      // the intent is not durable
	ByChange   Refused = "expired"  // prompt, target, policy or time changed meanwhile
)

// Refusal is why nothing left. Reason says what happened, Remedy what to do
// next.
type Refusal struct {
	By       Refused
	Decision policy.Decision
	Reason   string
	Remedy   string
	Instead  string // a line that the policy would rather have; empty: none
	Text     string // the line that was refused, to be shown; empty for all else, and for a secret
	Err      error
}

func (r *Refusal) Error() string { return string(r.By) + " refused: " + r.Reason }

// Unwrap gives the error that made a log or an asker fail.
func (r *Refusal) Unwrap() error { return r.Err }
