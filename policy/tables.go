package policy

import "time"

// SessionTable is [session].
type SessionTable struct {
	IdleLock    time.Duration
	MaxDuration time.Duration
	Message     string
}

// RecordingTable is [recording].
type RecordingTable struct {
	OnFailure  string // "stop" or "warn"
	Recipients []string
}

// Interactive says whether program may own the screen, the words to put
// after it when it starts so, and what happens with one that is not listed.
func (s *Set) Interactive(program string) (allowed bool, start []string, other Effect) {
	return false, nil, Confirm
}

// PromptsForSecret says whether one of facts is a program of [secrets]
// prompts: only then may what is typed without echo be a secret.
func (s *Set) PromptsForSecret(facts []Fact) bool { return false }

// Channel judges a channel: kind is local_forward, remote_forward,
// agent_forward, x11, subsystem or env; detail its address or name.
func (s *Set) Channel(kind, detail string) Effect { return Deny }

// File judges a remote file: op is read or write. The string says why.
func (s *Set) File(op, path string) (Effect, string) { return Deny, "no [files] table" }

// FileLimit is the most bytes that op may move; 0 is no limit.
func (s *Set) FileLimit(op string) int64 { return 0 }

// EvidenceMinimum is shell, composed, screen or none.
func (s *Set) EvidenceMinimum(t []Target) string { return "none" }

// Session is the [session] table.
func (s *Set) Session() SessionTable { return SessionTable{} }

// Recording is the [recording] table.
func (s *Set) Recording() RecordingTable { return RecordingTable{} }

// CopilotSend says what of t's output a copilot may get: none, chat or tail.
func (s *Set) CopilotSend(t []Target) string { return "none" }

// HostGroups are the [hosts] names that t belongs to.
func (s *Set) HostGroups(t []Target) []string { return nil }

// UnknownKey is what happens at a host key that nobody knows: ask or refuse.
func (s *Set) UnknownKey() string { return "ask" }

// UserCode is what happens where the operator's own code is bound to keys:
// allow, ask or deny.
func (s *Set) UserCode() string { return "ask" }

// ClipboardWrite says whether the remote may set the operator's clipboard.
func (s *Set) ClipboardWrite() bool { return false }

// Presence is the [consent] presence: "" or "fido2".
func (s *Set) Presence() string { return "" }

// AgentAllowed says whether an agent may use tool on t.
func (s *Set) AgentAllowed(tool string, t []Target) bool { return false }
