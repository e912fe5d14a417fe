package audit

import "time"

// Intent says that a command is about to leave for a host. It is durable
// before the first byte leaves.
type Intent[T Words] struct {
	// Command is what will run, redacted.
	Command T `json:"command"`
	// CommandDigest is of the exact bytes, which go to sealed/ too when the
	// log has recipients.
	CommandDigest Exact `json:"command_digest"`

	Origin        Origin `json:"origin"`
	SuggestionID  T      `json:"suggestion_id,omitzero"`
	SuggestionSeq uint64 `json:"suggestion_seq,omitempty"` // number of the copilot's call that brought it
	Agent         T      `json:"agent,omitzero"`           // who proposed it, if an agent did

	// Suggested is the copilot's text, Edit a diff from it to Command.
	Suggested       T     `json:"suggested,omitzero"`
	SuggestedDigest Exact `json:"suggested_digest,omitzero"`
	Edited          bool  `json:"edited"`
	Edit            T     `json:"edit,omitzero"`

	// Echo is the line as the operator saw it, Form where the mark stood.
	Echo T    `json:"echo,omitzero"`
	Form Form `json:"form,omitempty"`

	ClaimedRisk Risk       `json:"claimed_risk,omitempty"`
	Risk        Risk       `json:"risk"`
	Effect      Effect     `json:"effect"`
	Rules       []Rule[T]  `json:"rules"`
	Policy      Policy[T]  `json:"policy"`
	Consent     Consent    `json:"consent"`
	Evidence    Evidence   `json:"evidence"`
	Dialect     T          `json:"dialect,omitzero"`
	Account     T          `json:"account,omitzero"`
	Cwd         T          `json:"cwd,omitzero"`
	Targets     []Frame[T] `json:"targets,omitempty"`
	Facts       []Fact[T]  `json:"facts,omitempty"`

	// Analyzable is false where the parser gave up; Why says at what.
	Analyzable bool `json:"analyzable"`
	Why        T    `json:"why,omitzero"`
}

func (Intent[T]) event(T) {}

// Kind is command.intent.
func (Intent[T]) Kind() Kind { return KindCommandIntent }

func (i Intent[T]) exacts() []Exact { return []Exact{i.CommandDigest, i.SuggestedDigest} }

// Refused says that a command did not leave. Text that equals a learned
// secret is refused with an empty Command.
type Refused[T Words] struct {
	Command       T     `json:"command,omitzero"`
	CommandDigest Exact `json:"command_digest,omitzero"`

	Class        Class     `json:"class,omitempty"` // line, input, file …: what wanted to leave
	Origin       Origin    `json:"origin"`
	SuggestionID T         `json:"suggestion_id,omitzero"`
	Agent        T         `json:"agent,omitzero"`
	By           RefusedBy `json:"by"`
	Reason       T         `json:"reason"`

	ClaimedRisk Risk       `json:"claimed_risk,omitempty"`
	Risk        Risk       `json:"risk,omitempty"`
	Effect      Effect     `json:"effect,omitempty"`
	Rules       []Rule[T]  `json:"rules,omitempty"`
	Policy      Policy[T]  `json:"policy,omitzero"`
	Dialect     T          `json:"dialect,omitzero"`
	Cwd         T          `json:"cwd,omitzero"`
	Targets     []Frame[T] `json:"targets,omitempty"`
}

func (Refused[T]) event(T) {}

// Kind is command.refused.
func (Refused[T]) Kind() Kind { return KindCommandRefused }

func (r Refused[T]) exacts() []Exact { return []Exact{r.CommandDigest} }

// Outcome says how a sent command ended. Exit code, cwd and end are the
// host's claim.
type Outcome[T Words] struct {
	// Intent is the seq of the command.intent record, IntentLog its log when that
	// is an earlier one.
	Intent    uint64 `json:"intent"`
	IntentLog LogID  `json:"intent_log,omitempty"`

	Status     OutcomeStatus `json:"status"`
	ExitCode   *int          `json:"exit_code"` // null: unknown
	Cwd        T             `json:"cwd,omitzero"`
	DurationMS int64         `json:"duration_ms"`

	// OutputBytes is left out where OutputDigest is keyed; the log sees to it.
	OutputBytes  *int64 `json:"output_bytes,omitempty"`
	OutputDigest Digest `json:"output_digest,omitzero"`
	OutputTail   T      `json:"output_tail,omitzero"`

	// Supersedes is the seq of an outcome "unobserved" that this one replaces.
	Supersedes *uint64 `json:"supersedes,omitempty"`
	Note       T       `json:"note,omitzero"`
}

func (Outcome[T]) event(T) {}

// Kind is command.outcome.
func (Outcome[T]) Kind() Kind { return KindCommandOutcome }

// Rule is a policy rule that matched.
type Rule[T Words] struct {
	ID   T   `json:"id"`
	File T   `json:"file,omitzero"`
	Line int `json:"line,omitempty"`
	Mode T   `json:"mode,omitzero"`
}

// Policy identifies the policy that judged.
type Policy[T Words] struct {
	ID      T    `json:"id,omitzero"`
	Version T    `json:"version,omitzero"`
	Digest  Hash `json:"digest,omitzero"`
}

// Consent says how a person agreed.
type Consent struct {
	How         ConsentHow `json:"how"`
	TextMatched bool       `json:"text_matched"` // the typed phrase was right
	ShownAt     time.Time  `json:"shown_at,omitzero"`
	AnsweredAt  time.Time  `json:"answered_at,omitzero"`
}

// Frame is one target of the stack, outermost first.
type Frame[T Words] struct {
	Host        T           `json:"host"`
	Account     T           `json:"account,omitzero"`
	Container   T           `json:"container,omitzero"`
	Address     Address     `json:"address,omitempty"`
	Port        int         `json:"port,omitempty"`
	Fingerprint Fingerprint `json:"fingerprint,omitempty"`
	Verified    bool        `json:"verified"` // the console saw this host's key
}

// Fact is what the parser saw of one simple command, enough to judge again.
type Fact[T Words] struct {
	Program    T   `json:"program,omitzero"`
	Subcommand T   `json:"subcommand,omitzero"`
	Words      []T `json:"words,omitempty"`
	Writes     []T `json:"writes,omitempty"`
	Constructs []T `json:"constructs,omitempty"`
	Via        T   `json:"via,omitzero"` // the wrapper that runs it: sudo, env, xargs …
}
