package runbook

import (
	"context"

	"sallyport/console/copilot"
)

// Kind is which of the four tools was called.
type Kind string

// The kinds of calls.
const (
	Chat     Kind = "linus_chat"
	Update   Kind = "linus_terminal_update"
	Executed Kind = "linus_command_executed"
	State    Kind = "linus_session_state"
)

// Call is one call of the console. Of the fields only those of its Kind are set.
type Call struct {
	Kind    Kind   `json:"-"`
	Session string `json:"session_id"`

	Message string `json:"message"` // Chat

	NewOutput    string `json:"new_output"` // Update
	TerminalTail string `json:"terminal_tail"`

	Command    string `json:"command"` // Executed
	Source     string `json:"source"`
	Suggestion string `json:"suggestion_id"`
	Edited     bool   `json:"was_edited"`
	Output     string `json:"output"`
	Exit       *int   `json:"exit_code"`
	Final      bool   `json:"-"` // the command has ended

	Event string `json:"event"` // State

	Context Context `json:"context"`
}

// Context is what the console knows besides.
type Context struct {
	Host         string `json:"ssh_host"`
	User         string `json:"ssh_user"`
	Connected    bool   `json:"connected"`
	TerminalTail string `json:"terminal_tail"`
	Cwd          string `json:"cwd"`
	LastCommand  string `json:"last_command"`
	LastExit     *int   `json:"last_exit_code"`
}

// Answerer answers the console's calls.
type Answerer interface {
	Answer(ctx context.Context, c Call) (copilot.Envelope, error)
}
