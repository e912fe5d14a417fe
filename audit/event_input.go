package audit

// InputLine is a line for a program that reads lines; durable before it
// leaves.
type InputLine[T Words] struct {
	Text       T          `json:"text"`
	TextDigest Exact      `json:"text_digest,omitzero"`
	Program    T          `json:"program,omitzero"`
	Prompt     T          `json:"prompt,omitzero"`
	Dialect    T          `json:"dialect,omitzero"`
	Origin     Origin     `json:"origin,omitempty"`
	Intent     uint64     `json:"intent,omitempty"` // the command that reads it
	Risk       Risk       `json:"risk,omitempty"`
	Effect     Effect     `json:"effect,omitempty"`
	Rules      []Rule[T]  `json:"rules,omitempty"`
	Consent    Consent    `json:"consent,omitzero"`
	Targets    []Frame[T] `json:"targets,omitempty"`
}

func (InputLine[T]) event(T) {}

// Kind is input.line.
func (InputLine[T]) Kind() Kind { return KindInputLine }

func (i InputLine[T]) exacts() []Exact { return []Exact{i.TextDigest} }

// InputEOF is an end of file sent to a program.
type InputEOF[T Words] struct {
	Program T      `json:"program,omitzero"`
	Intent  uint64 `json:"intent,omitempty"`
}

func (InputEOF[T]) event(T) {}

// Kind is input.eof.
func (InputEOF[T]) Kind() Kind { return KindInputEOF }

// KeysOpen is written before the first key for a program that owns the
// screen.
type KeysOpen[T Words] struct {
	Program T      `json:"program"`
	Intent  uint64 `json:"intent,omitempty"`
	Reason  T      `json:"reason,omitzero"` // the policy row, or the consent
}

func (KeysOpen[T]) event(T) {}

// Kind is keys.open.
func (KeysOpen[T]) Kind() Kind { return KindKeysOpen }

// KeysClose counts what went there. Contents are in the encrypted recording
// only.
type KeysClose[T Words] struct {
	Program    T      `json:"program"`
	Opened     uint64 `json:"opened,omitempty"` // seq of keys.open
	Keys       int64  `json:"keys"`
	Digest     Digest `json:"digest,omitzero"`
	Reason     T      `json:"reason,omitzero"`
	DurationMS int64  `json:"duration_ms"`
}

func (KeysClose[T]) event(T) {}

// Kind is keys.close.
func (KeysClose[T]) Kind() Kind { return KindKeysClose }

// SecretEntered says that something was typed into a masked field: never
// what, never how long.
type SecretEntered[T Words] struct {
	Program T      `json:"program,omitzero"`
	Prompt  T      `json:"prompt,omitzero"`
	Intent  uint64 `json:"intent,omitempty"`
}

func (SecretEntered[T]) event(T) {}

// Kind is secret.entered.
func (SecretEntered[T]) Kind() Kind { return KindSecretEntered }

// ChannelOpen is written before a channel other than the shell is asked for.
type ChannelOpen[T Words] struct {
	Channel T         `json:"channel"` // local_forward, remote_forward, agent_forward, x11, subsystem, env
	Detail  T         `json:"detail,omitzero"`
	Origin  Origin    `json:"origin,omitempty"` // host: it opened the channel, or wanted to
	Effect  Effect    `json:"effect,omitempty"`
	Consent Consent   `json:"consent,omitzero"`
	Rules   []Rule[T] `json:"rules,omitempty"`
}

func (ChannelOpen[T]) event(T) {}

// Kind is channel.open.
func (ChannelOpen[T]) Kind() Kind { return KindChannelOpen }

// FileGet is written before a file is read from a host, and again with Body
// and Status when it is known how that went.
type FileGet[T Words] struct {
	Transfer[T]
}

func (FileGet[T]) event(T) {}

// Kind is file.get.
func (FileGet[T]) Kind() Kind { return KindFileGet }

// FilePut is written before a file is sent to a host, and again with Status
// when it is known how that went.
type FilePut[T Words] struct {
	Transfer[T]
}

func (FilePut[T]) event(T) {}

// Kind is file.put.
func (FilePut[T]) Kind() Kind { return KindFilePut }

// Transfer is what file.get and file.put have in common.
type Transfer[T Words] struct {
	Path     T             `json:"path"`
	Resolved T             `json:"resolved,omitzero"`
	Local    T             `json:"local,omitzero"`
	Agent    T             `json:"agent,omitzero"`
	Body     Body          `json:"body,omitzero"`
	Mode     T             `json:"mode,omitzero"`
	Effect   Effect        `json:"effect,omitempty"`
	Consent  Consent       `json:"consent,omitzero"`
	Rules    []Rule[T]     `json:"rules,omitempty"`
	Intent   *uint64       `json:"intent,omitempty"` // set in the second record
	Status   OutcomeStatus `json:"status,omitempty"`
	Reason   T             `json:"reason,omitzero"`
}
