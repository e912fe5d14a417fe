package mcpserver

// The inputs of the tools, for their schemas. Fields that are not always known are
// optional.

type situation struct {
	Host         string `json:"ssh_host,omitempty" jsonschema:"user@host"`
	User         string `json:"ssh_user,omitempty"`
	Connected    bool   `json:"connected,omitempty"`
	TerminalTail string `json:"terminal_tail,omitempty" jsonschema:"the last lines of the terminal, colours kept"`
	Cwd          string `json:"cwd,omitempty"`
	LastCommand  string `json:"last_command,omitempty"`
	LastExit     *int   `json:"last_exit_code,omitempty"`
}

type chatInput struct {
	Session string    `json:"session_id"`
	Message string    `json:"message"`
	Context situation `json:"context"`
}

type updateInput struct {
	Session      string    `json:"session_id"`
	NewOutput    string    `json:"new_output"`
	TerminalTail string    `json:"terminal_tail"`
	Context      situation `json:"context"`
}

type executedInput struct {
	Session    string    `json:"session_id"`
	Command    string    `json:"command"`
	Source     string    `json:"source" jsonschema:"suggested or user_typed"`
	Suggestion string    `json:"suggestion_id,omitempty"`
	Edited     bool      `json:"was_edited,omitempty"`
	Output     string    `json:"output"`
	Exit       *int      `json:"exit_code" jsonschema:"null when it is not known"`
	Context    situation `json:"context"`
}

type stateInput struct {
	Session string    `json:"session_id"`
	Event   string    `json:"event" jsonschema:"connected, disconnected, connection_error or authentication_failed"`
	Context situation `json:"context"`
}
