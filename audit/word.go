package audit

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"

	"sallyport/audit/layout"
)

// The closed lists. A value outside its list is refused by Append: a record
// holds these, what audit itself minted, and redacted words, nothing else.
type (
	// Risk is low, medium or high.
	Risk string
	// Effect is what the policy wanted.
	Effect string
	// Origin is where a command came from.
	Origin string
	// Evidence is how surely the console knows that these bytes will run.
	Evidence string
	// Class is the kind of thing that wanted to leave.
	Class string
	// RefusedBy is who refused.
	RefusedBy string
	// ConsentHow is how a person agreed.
	ConsentHow string
	// Form is where the mark of a suggestion stood.
	Form string
	// OutcomeStatus is how a command ended.
	OutcomeStatus string
	// MCPDirection is who calls whom.
	MCPDirection string
	// MCPOutcome is how a call ended.
	MCPOutcome string
	// Anchor is what the log's first key rests on.
	Anchor string
	// CloseReason is why a log was closed.
	CloseReason string
	// CheckpointReason is why a checkpoint was written.
	CheckpointReason string
	// Damage is what was found at the end of a log that was left behind.
	Damage string
)

// The values of the closed lists.
const (
	RiskLow    Risk = "low"
	RiskMedium Risk = "medium"
	RiskHigh   Risk = "high"

	EffectPermit  Effect = "permit"
	EffectConfirm Effect = "confirm"
	EffectTyped   Effect = "typed"
	EffectSecond  Effect = "second"
	EffectDeny    Effect = "deny"

	OriginHuman   Origin = "human"
	OriginCopilot Origin = "copilot"
	OriginAgent   Origin = "agent"
	OriginPaste   Origin = "paste"
	OriginInput   Origin = "input"
	OriginRun     Origin = "run"
	OriginFile    Origin = "file"
	OriginHost    Origin = "host" // of channels alone

	EvidenceShell    Evidence = "shell"
	EvidenceComposed Evidence = "composed"
	EvidenceScreen   Evidence = "screen"
	EvidenceNone     Evidence = "none"

	ClassLine    Class = "line"
	ClassInput   Class = "input"
	ClassSecret  Class = "secret"
	ClassEdit    Class = "edit"
	ClassKeys    Class = "keys"
	ClassSignal  Class = "signal"
	ClassReply   Class = "reply"
	ClassBoot    Class = "boot"
	ClassProbe   Class = "probe"
	ClassFile    Class = "file"
	ClassChannel Class = "channel"

	ByPolicy   RefusedBy = "policy"
	ByOperator RefusedBy = "operator"
	ByLog      RefusedBy = "log"
	ByGate     RefusedBy = "gate"
	ByExpired  RefusedBy = "expired"

	ConsentSend    ConsentHow = "send"
	ConsentConfirm ConsentHow = "confirm"
	ConsentTyped   ConsentHow = "typed"
	ConsentSecond  ConsentHow = "second"

	FormGutter Form = "gutter"
	FormNone   Form = "none"

	Completed      OutcomeStatus = "completed"
	Interrupted    OutcomeStatus = "interrupted"
	StillRunning   OutcomeStatus = "still_running"
	ConnectionLost OutcomeStatus = "connection_lost"
	NotSent        OutcomeStatus = "not_sent"
	Mismatch       OutcomeStatus = "mismatch"
	Vetoed         OutcomeStatus = "vetoed"
	Unobserved     OutcomeStatus = "unobserved"

	ToCopilot MCPDirection = "to_copilot"
	FromAgent MCPDirection = "from_agent"

	MCPOK        MCPOutcome = "ok"
	MCPError     MCPOutcome = "error"
	MCPTimeout   MCPOutcome = "timeout"
	MCPInvalid   MCPOutcome = "invalid"
	MCPRefused   MCPOutcome = "refused"
	MCPSent      MCPOutcome = "sent"
	MCPEdited    MCPOutcome = "edited"
	MCPWithdrawn MCPOutcome = "withdrawn"

	AnchorNone Anchor = "none"
	AnchorHost Anchor = "host"

	ClosedDone   CloseReason = "done"
	ClosedSize   CloseReason = "size"
	ClosedAge    CloseReason = "age"
	ClosedFailed CloseReason = "failed"

	AtCount      CheckpointReason = "count"
	AtTime       CheckpointReason = "time"
	AtSessionEnd CheckpointReason = "session_end"
	AtClose      CheckpointReason = "close"
	AtOpen       CheckpointReason = "open"

	DamageNone    Damage = "none"    // ends with a complete line
	DamageTorn    Damage = "torn"    // a crash: one incomplete last line, or NULs
	DamageEdited  Damage = "edited"  // a complete line fails
	DamageShorter Damage = "shorter" // ends before what was seen of it
)

var words = map[string][]string{
	"risk":       {"low", "medium", "high"},
	"effect":     {"permit", "confirm", "typed", "second", "deny"},
	"origin":     {"human", "copilot", "agent", "paste", "input", "run", "file", "host"},
	"evidence":   {"shell", "composed", "screen", "none"},
	"class":      {"line", "input", "secret", "edit", "keys", "signal", "reply", "boot", "probe", "file", "channel"},
	"by":         {"policy", "operator", "log", "gate", "expired"},
	"how":        {"send", "confirm", "typed", "second"},
	"form":       {"gutter", "none"},
	"status":     {"completed", "interrupted", "still_running", "connection_lost", "not_sent", "mismatch", "vetoed", "unobserved"},
	"direction":  {"to_copilot", "from_agent"},
	"outcome":    {"ok", "error", "timeout", "invalid", "refused", "sent", "edited", "withdrawn"},
	"anchor":     {"none", "host"},
	"close":      {"done", "size", "age", "failed"},
	"checkpoint": {"count", "time", "session_end", "close", "open"},
	"damage":     {"none", "torn", "edited", "shorter"},
}

// checked is a string type whose values an encoder lets through only if check
// finds nothing wrong with them. The empty string stands for "not said".
type checked interface{ check(s string) error }

func oneOf(list, word string) error {
	if !slices.Contains(words[list], word) {
		return fmt.Errorf("%s %q is not one of %q", list, word, words[list])
	}
	return nil
}

func (Risk) check(w string) error             { return oneOf("risk", w) }
func (Effect) check(w string) error           { return oneOf("effect", w) }
func (Origin) check(w string) error           { return oneOf("origin", w) }
func (Evidence) check(w string) error         { return oneOf("evidence", w) }
func (Class) check(w string) error            { return oneOf("class", w) }
func (RefusedBy) check(w string) error        { return oneOf("by", w) }
func (ConsentHow) check(w string) error       { return oneOf("how", w) }
func (Form) check(w string) error             { return oneOf("form", w) }
func (OutcomeStatus) check(w string) error    { return oneOf("status", w) }
func (MCPDirection) check(w string) error     { return oneOf("direction", w) }
func (MCPOutcome) check(w string) error       { return oneOf("outcome", w) }
func (Anchor) check(w string) error           { return oneOf("anchor", w) }
func (CloseReason) check(w string) error      { return oneOf("close", w) }
func (CheckpointReason) check(w string) error { return oneOf("checkpoint", w) }
func (Damage) check(w string) error           { return oneOf("damage", w) }

// Shapes of what machines mint.
type (
	// Address is an IP address that was reached.
	Address string
	// Fingerprint is SHA256:… as OpenSSH prints it.
	Fingerprint string
	// SessionID names a session: letters, digits, dots and dashes, at most 64.
	SessionID string
	// LogID is 32 hex digits.
	LogID string
	// Name is a log's file name without its .jsonl.
	Name string
	// KeyID is the first 16 hex digits of a key's SHA-256.
	KeyID string
	// TraceParent is a W3C traceparent header.
	TraceParent string
)

var (
	fingerprintShape = regexp.MustCompile(`^SHA256:[A-Za-z0-9+/]{43}$`)
	sessionShape     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.-]{0,63}$`)
	logShape         = regexp.MustCompile(`^[0-9a-f]{32}$`)
	nameShape        = layout.LogName
	keyShape         = regexp.MustCompile(`^[0-9a-f]{16}$`)
	traceShape       = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)
)

func shaped(what string, shape *regexp.Regexp, s string) error {
	if !shape.MatchString(s) {
		return fmt.Errorf("%q is not a %s", s, what)
	}
	return nil
}

// MarshalText refuses what is not an IP address.
func (a Address) MarshalText() ([]byte, error) {
	if a == "" {
		return nil, nil
	}
	ip, err := netip.ParseAddr(string(a))
	if err != nil {
		return nil, fmt.Errorf("address: %w", err)
	}
	return []byte(ip.String()), nil
}

func (Fingerprint) check(s string) error { return shaped("fingerprint", fingerprintShape, s) }
func (SessionID) check(s string) error   { return shaped("session id", sessionShape, s) }
func (LogID) check(s string) error       { return shaped("log id", logShape, s) }
func (KeyID) check(s string) error       { return shaped("key id", keyShape, s) }
func (TraceParent) check(s string) error { return shaped("traceparent", traceShape, s) }
func (Name) check(s string) error        { return shaped("log name", nameShape, s) }
