package audit

// MCPCall is a call to a tool: by the console to the copilot, or by an agent
// to the console.
type MCPCall[T Words] struct {
	Direction MCPDirection `json:"direction"`
	Transport T            `json:"transport,omitzero"` // stdio, http, socket
	Agent     T            `json:"agent,omitzero"`     // the paired name
	Claimed   T            `json:"claimed,omitzero"`   // what the client calls itself
	Tool      T            `json:"tool"`
	Call      uint64       `json:"call,omitempty"` // the console's number of the call
	Arguments T            `json:"arguments,omitzero"`
	Body      Body         `json:"body,omitzero"` // of arguments that are not recorded themselves
}

func (MCPCall[T]) event(T) {}

// Kind is mcp.call.
func (MCPCall[T]) Kind() Kind { return KindMCPCall }

// MCPResult ends the call of the record Intent.
type MCPResult[T Words] struct {
	Direction  MCPDirection `json:"direction"`
	Transport  T            `json:"transport,omitzero"`
	Agent      T            `json:"agent,omitzero"`
	Tool       T            `json:"tool"`
	Call       uint64       `json:"call,omitempty"`
	Intent     *uint64      `json:"intent,omitempty"` // seq of mcp.call; absent for a read-only call
	Outcome    MCPOutcome   `json:"outcome"`
	Error      T            `json:"error,omitzero"`
	DurationMS int64        `json:"duration_ms"`
	Response   Body         `json:"response,omitzero"`
}

func (MCPResult[T]) event(T) {}

// Kind is mcp.result.
func (MCPResult[T]) Kind() Kind { return KindMCPResult }

// MCPOffline says that the copilot went away.
type MCPOffline[T Words] struct {
	Reason T   `json:"reason"`
	Queued int `json:"queued"`
}

func (MCPOffline[T]) event(T) {}

// Kind is mcp.offline.
func (MCPOffline[T]) Kind() Kind { return KindMCPOffline }

// MCPOnline says that the copilot answers.
type MCPOnline[T Words] struct {
	Server  T     `json:"server,omitzero"`
	Version T     `json:"version,omitzero"`
	Tools   Hash  `json:"tools,omitzero"` // of tool names and descriptions
	Changed bool  `json:"changed"`        // they differ from what was pinned
	AwayMS  int64 `json:"away_ms"`
}

func (MCPOnline[T]) event(T) {}

// Kind is mcp.online.
func (MCPOnline[T]) Kind() Kind { return KindMCPOnline }

// JobDispatch starts a background proposal.
type JobDispatch[T Words] struct {
	Job       T    `json:"job"`
	Agent     T    `json:"agent,omitzero"`
	Tool      T    `json:"tool"`
	Arguments T    `json:"arguments,omitzero"`
	Body      Body `json:"body,omitzero"`
}

func (JobDispatch[T]) event(T) {}

// Kind is job.dispatch.
func (JobDispatch[T]) Kind() Kind { return KindJobDispatch }

// JobTerminal ends it.
type JobTerminal[T Words] struct {
	Job        T          `json:"job"`
	Agent      T          `json:"agent,omitzero"`
	Outcome    MCPOutcome `json:"outcome"`
	Intent     *uint64    `json:"intent,omitempty"` // the command.intent that came of it
	Error      T          `json:"error,omitzero"`
	DurationMS int64      `json:"duration_ms"`
	Response   Body       `json:"response,omitzero"`
}

func (JobTerminal[T]) event(T) {}

// Kind is job.terminal.
func (JobTerminal[T]) Kind() Kind { return KindJobTerminal }
