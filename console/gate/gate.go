package gate

import (
	"context"
	"time"

	"sallyport/audit"
	"sallyport/policy"
)

// Judge is the policy in force. *policy.Set satisfies it.
type Judge interface {
	Decide(policy.Request) policy.Decision
	Digest() [32]byte
}

// ProgramJudge is the part of a Judge that knows programs which own the
// screen. A Judge without it lets none.
type ProgramJudge interface {
	Interactive(program string) (allowed bool, start []string, other policy.Effect)
}

// EvidenceJudge is the part of a Judge that demands how surely the console
// must know what will run.
type EvidenceJudge interface {
	EvidenceMinimum(t []policy.Target) string
}

// ChannelJudge is the part of a Judge that knows forwarding, agents, X11,
// environment and subsystems. A Judge without it lets none.
type ChannelJudge interface {
	Channel(kind, detail string) policy.Effect
}

// CodeJudge is the part of a Judge that says what is done about an account's
// own code on keys, completion and prompts: allow, ask or deny. A Judge
// without it asks.
type CodeJudge interface {
	UserCode() string
}

// FileJudge is the part of a Judge that knows remote paths. A Judge without
// it lets none.
type FileJudge interface {
	File(op, path string) (policy.Effect, string)
}

// Asker puts one question to the operator and waits. It returns an error when
// nobody can be asked; that refuses.
type Asker interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Recorder makes records durable before it returns. *audit.Scope satisfies it.
type Recorder interface {
	Append(ctx context.Context, ev ...audit.Event) ([]audit.Receipt, error)
}

// Secrets knows what must not be sent as text. *redact.Redactor satisfies it.
type Secrets interface {
	Known(s string) bool
	Learn(secret []byte)
}

// Wire turns a judged text into the bytes that leave, step by step. Step is
// called with n = 0 when the clearance is spent, and with n = 1 and so on by
// Next; nil means that there is no such step.
type Wire interface {
	Step(n int, text string) []byte
}

// Gate clears what may leave. The zero value is ready.
type Gate struct {
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Digits draws the two digits of a typed phrase; nil means crypto/rand.
	Digits func() string
	// Passed hears how each submission went; it must not block. It may be nil.
	Passed func(Passage)
}

func (g *Gate) now() time.Time {
	if g.Now != nil {
		return g.Now()
	}
	return time.Now()
}
