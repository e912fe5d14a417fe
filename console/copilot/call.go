package copilot

import (
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"sallyport/redact"
)

// tool is the name of a tool that is called. The constants below are all there are.
type tool string

const (
	toolChat     tool = "linus_chat"
	toolUpdate   tool = "linus_terminal_update"
	toolExecuted tool = "linus_command_executed"
	toolState    tool = "linus_session_state"
)

var allTools = [...]tool{toolChat, toolUpdate, toolExecuted, toolState}

// The time a call may take. Updates are worthless when they are late.
const (
	callTimeout   = 20 * time.Second
	updateTimeout = 5 * time.Second
)

func (t tool) timeout() time.Duration {
	if t == toolUpdate || t == toolExecuted {
		return updateTimeout
	}
	return callTimeout
}

// arguments are what a tool is called with. The interface is sealed, and a test
// walks every type that has it: the strings in them are redact.Text or constants of
// this package.
type arguments interface {
	tool() tool
	// gist is what the record keeps of the arguments themselves.
	gist() redact.Text
}

type fullContext struct {
	SSHHost      redact.Text `json:"ssh_host,omitzero"`
	SSHUser      redact.Text `json:"ssh_user,omitzero"`
	Connected    bool        `json:"connected"`
	TerminalTail redact.Text `json:"terminal_tail,omitzero"`
	Cwd          redact.Text `json:"cwd,omitzero"`
	LastCommand  redact.Text `json:"last_command,omitzero"`
	LastExitCode *int        `json:"last_exit_code,omitempty"`
}

type placeContext struct {
	SSHHost redact.Text `json:"ssh_host,omitzero"`
	SSHUser redact.Text `json:"ssh_user,omitzero"`
	Cwd     redact.Text `json:"cwd,omitzero"`
}

type chatArguments struct {
	SessionID redact.Text `json:"session_id"`
	Message   redact.Text `json:"message"`
	Context   fullContext `json:"context"`
}

func (chatArguments) tool() tool          { return toolChat }
func (a chatArguments) gist() redact.Text { return a.Message }

type updateArguments struct {
	SessionID    redact.Text  `json:"session_id"`
	NewOutput    redact.Text  `json:"new_output"`
	TerminalTail redact.Text  `json:"terminal_tail"`
	Context      placeContext `json:"context"`
}

func (updateArguments) tool() tool          { return toolUpdate }
func (a updateArguments) gist() redact.Text { return redact.Text{} }

type executedArguments struct {
	SessionID    redact.Text  `json:"session_id"`
	Command      redact.Text  `json:"command"`
	Source       Source       `json:"source"`
	SuggestionID *redact.Text `json:"suggestion_id,omitempty"`
	WasEdited    *bool        `json:"was_edited,omitempty"`
	Output       redact.Text  `json:"output"`
	ExitCode     *int         `json:"exit_code"`
	Context      placeContext `json:"context"`
}

func (executedArguments) tool() tool          { return toolExecuted }
func (a executedArguments) gist() redact.Text { return a.Command }

type stateArguments struct {
	SessionID redact.Text `json:"session_id"`
	Event     Event       `json:"event"`
	Context   fullContext `json:"context"`
}

func (stateArguments) tool() tool { return toolState }

func (a stateArguments) gist() redact.Text {
	switch a.Event {
	case Connected:
		return redact.Literal("connected")
	case Disconnected:
		return redact.Literal("disconnected")
	case ConnectionError:
		return redact.Literal("connection_error")
	default:
		return redact.Literal("authentication_failed")
	}
}

// snip stands where lines were left out.
var snip = redact.Literal("\n--- snip ---\n")

func bounded(t redact.Text) redact.Text { return t.HeadTail(MaxOutput, snip) }

// tailLines is how much of the terminal Linus sees.
const tailLines = 100

func tail(t redact.Text) redact.Text { return bounded(t.Tail(tailLines).TrimRightLines()) }

// full is everything that sends allows of a context.
func (c Context) full(sends Sends) fullContext {
	f := fullContext{SSHHost: c.Host, SSHUser: c.User, Connected: c.Connected, Cwd: c.Cwd}
	if sends == SendTail {
		f.TerminalTail = tail(c.Tail)
		f.LastCommand, f.LastExitCode = bounded(c.LastCommand), c.LastExit
	}
	return f
}

func (c Context) place() placeContext {
	return placeContext{SSHHost: c.Host, SSHUser: c.User, Cwd: c.Cwd}
}

// executed builds the arguments of a command that ended or still runs.
func (c Command) executed(session redact.Text, where placeContext) executedArguments {
	a := executedArguments{
		SessionID: session, Command: bounded(c.Line), Source: UserTyped,
		Output: bounded(c.Output), ExitCode: c.Exit, Context: where,
	}
	if c.Source == Suggested {
		id, edited := c.Suggestion, c.Edited
		a.Source, a.SuggestionID, a.WasEdited = Suggested, &id, &edited
	}
	return a
}

// meta joins the two reports on one command: the number of the command in its
// session, and whether this report is the last.
type meta struct {
	command uint64
	final   bool
}

func (m *meta) mcp() *mcp.Meta {
	if m == nil {
		return nil
	}
	return &mcp.Meta{AdditionalFields: map[string]any{
		"command_id": strconv.FormatUint(m.command, 10),
		"final":      m.final,
	}}
}
