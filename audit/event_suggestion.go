package audit

// SuggestionReceived is a command that the copilot or an agent proposed.
type SuggestionReceived[T Words] struct {
	ID            T      `json:"id"`
	Seq           uint64 `json:"suggestion_seq,omitempty"`
	Agent         T      `json:"agent,omitzero"`
	Command       T      `json:"command"`
	CommandDigest Exact  `json:"command_digest,omitzero"`
	Description   T      `json:"description,omitzero"`
	ClaimedRisk   Risk   `json:"claimed_risk,omitempty"`
	Risk          Risk   `json:"risk,omitempty"`
	Effect        Effect `json:"effect,omitempty"`
}

func (SuggestionReceived[T]) event(T) {}

// Kind is suggestion.received.
func (SuggestionReceived[T]) Kind() Kind { return KindSuggestionReceived }

func (s SuggestionReceived[T]) exacts() []Exact { return []Exact{s.CommandDigest} }

// SuggestionEdited says that the operator changed a suggestion before
// sending it.
type SuggestionEdited[T Words] struct {
	ID            T     `json:"id"`
	Suggested     T     `json:"suggested"`
	Command       T     `json:"command"`
	CommandDigest Exact `json:"command_digest,omitzero"`
	Edit          T     `json:"edit,omitzero"`
}

func (SuggestionEdited[T]) event(T) {}

// Kind is suggestion.edited.
func (SuggestionEdited[T]) Kind() Kind { return KindSuggestionEdited }

func (s SuggestionEdited[T]) exacts() []Exact { return []Exact{s.CommandDigest} }

// SuggestionCleared says that the copilot withdrew suggestions.
type SuggestionCleared[T Words] struct {
	IDs []T  `json:"ids,omitempty"`
	All bool `json:"all"`
}

func (SuggestionCleared[T]) event(T) {}

// Kind is suggestion.cleared.
func (SuggestionCleared[T]) Kind() Kind { return KindSuggestionCleared }

// SuggestionDismissed says that the operator put a suggestion away.
type SuggestionDismissed[T Words] struct {
	ID T `json:"id"`
}

func (SuggestionDismissed[T]) event(T) {}

// Kind is suggestion.dismissed.
func (SuggestionDismissed[T]) Kind() Kind { return KindSuggestionDismissed }
