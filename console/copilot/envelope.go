package copilot

// Envelope is the answer of every tool. All blocks are optional.
type Envelope struct {
	Chat     *ChatResponse      `json:"chat_response,omitempty" jsonschema:"what Linus says in the chat"`
	Intent   *IntentUpdate      `json:"intent_update,omitempty" jsonschema:"the plan, as a living checklist; replaces the one before"`
	Commands *SuggestedCommands `json:"suggested_commands,omitempty" jsonschema:"commands that the operator may edit and send"`
	Clear    *ClearSuggestions  `json:"clear_suggestions,omitempty" jsonschema:"suggestions that no longer apply"`
}

// ChatResponse is an answer in the chat, in Markdown.
type ChatResponse struct {
	Message  string   `json:"message" jsonschema:"Markdown"`
	Mentions []string `json:"mentions,omitempty" jsonschema:"ids of suggested commands that the message speaks of"`
}

// IntentUpdate replaces the plan.
type IntentUpdate struct {
	Summary    string       `json:"summary" jsonschema:"what is being investigated or done, in one line"`
	Confidence *float64     `json:"confidence,omitempty" jsonschema:"how sure Linus is of the approach, 0 to 1"`
	Steps      []StepUpdate `json:"steps,omitempty" jsonschema:"the plan in order"`
}

// StepUpdate is one step of the plan.
type StepUpdate struct {
	Status StepStatus `json:"status" jsonschema:"done, current or pending"`
	Text   string     `json:"text" jsonschema:"what is done in this step, in one line"`
}

// SuggestedCommands adds commands, or newer versions of known ones.
type SuggestedCommands struct {
	Commands []SuggestedCommand `json:"commands" jsonschema:"the commands, each with an id of its own"`
}

// SuggestedCommand is one command that Linus proposes.
type SuggestedCommand struct {
	ID          string `json:"id" jsonschema:"identifies the suggestion; the same id again replaces it"`
	Command     string `json:"command" jsonschema:"the command line, exactly as it would be sent"`
	Description string `json:"description,omitempty" jsonschema:"what it does and what it touches"`
	Risk        string `json:"risk,omitempty" jsonschema:"low, medium or high; missing or unknown counts as high"`
}

// ClearSuggestions withdraws suggestions by id, or all of them.
type ClearSuggestions struct {
	IDs []string `json:"ids,omitempty" jsonschema:"ids of the suggestions to withdraw"`
	All bool     `json:"all,omitempty" jsonschema:"withdraw every suggestion"`
}

// Bounds of what is taken from Linus and kept. Lengths are in bytes.
const (
	MaxReply       = 4 << 20  // one reply
	MaxLive        = 50       // suggestions that are shown; the oldest leave
	MaxCommand     = 16 << 10 // a command
	MaxDescription = 1 << 10  // its description
	MaxSteps       = 100      // steps of the plan
	MaxMessage     = 64 << 10 // a chat message, either way
	MaxLine        = 1 << 10  // a summary or the text of a step
	MaxID          = 256      // an id
	MaxMentions    = 100      // ids that one message mentions
	MaxCleared     = 1000     // ids that are cleared at once
	MaxQueue       = 200      // chat messages that wait
	MaxChat        = 500      // chat lines that are kept in a session
	MaxOutput      = 64 << 10 // terminal_tail, new_output and output of one call
	MaxStderr      = 1 << 20  // of a child's standard error
)
