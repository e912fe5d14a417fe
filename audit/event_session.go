package audit

// PolicyLoaded says which policy judges from here on.
type PolicyLoaded[T Words] struct {
	Policy   Policy[T] `json:"policy"`
	Owner    T         `json:"owner,omitzero"`
	Files    []File[T] `json:"files,omitempty"`
	Rules    int       `json:"rules"`
	Warnings []T       `json:"warnings,omitempty"`
}

func (PolicyLoaded[T]) event(T) {}

// Kind is policy.loaded.
func (PolicyLoaded[T]) Kind() Kind { return KindPolicyLoaded }

// File is a file that was read, with its digest.
type File[T Words] struct {
	Path   T    `json:"path"`
	Digest Hash `json:"digest,omitzero"`
}

// PolicyRefused says that a policy was not taken, and why.
type PolicyRefused[T Words] struct {
	File   T   `json:"file,omitzero"`
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	Reason T   `json:"reason"`
}

func (PolicyRefused[T]) event(T) {}

// Kind is policy.refused.
func (PolicyRefused[T]) Kind() Kind { return KindPolicyRefused }

// SessionConnecting is written before the first packet to the host.
type SessionConnecting[T Words] struct {
	Destination T         `json:"destination"`
	Via         []T       `json:"via,omitempty"` // jump hosts
	Resumes     SessionID `json:"resumes,omitempty"`
	Origin      Origin    `json:"origin,omitempty"`
	Client      T         `json:"client,omitzero"`
}

func (SessionConnecting[T]) event(T) {}

// Kind is session.connecting.
func (SessionConnecting[T]) Kind() Kind { return KindSessionConnecting }

// SessionConnected says whom the console reached and how it logged in.
type SessionConnected[T Words] struct {
	Address       Address     `json:"address,omitempty"`
	Port          int         `json:"port,omitempty"`
	Account       T           `json:"account,omitzero"`
	Fingerprint   Fingerprint `json:"fingerprint,omitempty"`
	KeyType       T           `json:"key_type,omitzero"`
	HostKeyFrom   T           `json:"host_key_from,omitzero"` // known_hosts line, certificate authority, trusted once
	Method        T           `json:"method,omitzero"`        // publickey, password …
	UserKey       Fingerprint `json:"user_key,omitempty"`
	ServerVersion T           `json:"server_version,omitzero"`
	Via           []T         `json:"via,omitempty"`
	DurationMS    int64       `json:"duration_ms"`
}

func (SessionConnected[T]) event(T) {}

// Kind is session.connected.
func (SessionConnected[T]) Kind() Kind { return KindSessionConnected }

// SessionAuthFailed says that the host did not let the operator in.
type SessionAuthFailed[T Words] struct {
	Methods []T `json:"methods,omitempty"`
	Reason  T   `json:"reason"`
}

func (SessionAuthFailed[T]) event(T) {}

// Kind is session.auth_failed.
func (SessionAuthFailed[T]) Kind() Kind { return KindSessionAuthFailed }

// SessionBoot is written before the bootstrap leaves (Stage "send"), and when
// it is known how it went.
type SessionBoot[T Words] struct {
	Stage    T        `json:"stage"`
	Digest   Hash     `json:"digest,omitzero"` // of the constant text that is sent
	Shell    T        `json:"shell,omitzero"`
	Version  T        `json:"version,omitzero"`
	Evidence Evidence `json:"evidence,omitempty"`
	UserCode []T      `json:"user_code,omitempty"` // code that the user bound to keys or completion
	Probes   []Hash   `json:"probes,omitempty"`    // constant commands that side channels may use
}

func (SessionBoot[T]) event(T) {}

// Kind is session.boot.
func (SessionBoot[T]) Kind() Kind { return KindSessionBoot }

// SessionDegraded says that the console knows less than before about what
// runs.
type SessionDegraded[T Words] struct {
	Reason   T        `json:"reason"`
	From     Evidence `json:"from,omitempty"`
	Evidence Evidence `json:"evidence"`
}

func (SessionDegraded[T]) event(T) {}

// Kind is session.degraded.
func (SessionDegraded[T]) Kind() Kind { return KindSessionDegraded }

// The steps of a session.error that others judge by: beside the steps of
// connecting, which console/remote names.
const (
	StepRecording = "recording" // the recording ended early
	StepSealed    = "sealed"    // an exact text could not be kept
	StepShipping  = "shipping"  // the collector could not be asked
)

// SessionError says which step failed.
type SessionError[T Words] struct {
	Step   T `json:"step,omitzero"`
	Reason T `json:"reason"`
}

func (SessionError[T]) event(T) {}

// Kind is session.error.
func (SessionError[T]) Kind() Kind { return KindSessionError }

// SessionDisconnected ends a session.
type SessionDisconnected[T Words] struct {
	Reason     T     `json:"reason,omitzero"`
	DurationMS int64 `json:"duration_ms"`
	Commands   int   `json:"commands"`
	Refused    int   `json:"refused"`
	// Counts of what is not recorded one by one.
	Edits   int64 `json:"edits,omitempty"`
	Signals int64 `json:"signals,omitempty"`
	Probes  int64 `json:"probes,omitempty"`
}

func (SessionDisconnected[T]) event(T) {}

// Kind is session.disconnected.
func (SessionDisconnected[T]) Kind() Kind { return KindSessionDisconnected }

// SessionResized gives the new size of the terminal.
type SessionResized[T Words] struct {
	Cols int `json:"cols"`
	Rows int `json:"rows"`
}

func (SessionResized[T]) event(T) {}

// Kind is session.resized.
func (SessionResized[T]) Kind() Kind { return KindSessionResized }
