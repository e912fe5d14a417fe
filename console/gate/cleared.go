package gate

import (
	"errors"
	"sync"

	"sallyport/audit"
	"sallyport/policy"
)

// What spending can fail with.
var (
	ErrNotCleared = errors.New("not cleared by the gate")
	ErrSpent      = errors.New("clearance already spent")
	ErrWrongSlot  = errors.New("clearance belongs to another channel")
	ErrVoid       = errors.New("clearance void: the prompt changed since it was given")
	ErrLineEnd    = errors.New("a line end never leaves for an integrated prompt")
	ErrNotJudged  = errors.New("the shell holds another text than the judged one")
	ErrNoStep     = errors.New("clearance has no further step")
)

// Cleared is the permission to send particular bytes once. Only this package
// can make one; the zero value is refused.
type Cleared struct{ c *clearance }

type clearance struct {
	slot       *Slot
	epoch      uint64
	kind       Kind
	text       string
	wire       Wire
	intent     uint64
	decision   policy.Decision
	suggestion *Suggestion
	unsent     func(why string) audit.Event // what closes its record; nil: there is none

	mu   sync.Mutex
	step int // the step that may be spent now
	done int // steps spent
}

// Kind is what the clearance is for.
func (c Cleared) Kind() Kind {
	if c.c == nil {
		return 0
	}
	return c.c.kind
}

// Intent is the seq of the durable record that came before; 0 for kinds that
// are only counted.
func (c Cleared) Intent() uint64 {
	if c.c == nil {
		return 0
	}
	return c.c.intent
}

// Suggestion is what the text was attributed to, if anything.
func (c Cleared) Suggestion() *Suggestion {
	if c.c == nil {
		return nil
	}
	return c.c.suggestion
}

// Decision is the policy's final word on the text.
func (c Cleared) Decision() policy.Decision {
	if c.c == nil {
		return policy.Decision{}
	}
	return c.c.decision
}

// Spend gives the bytes of the clearance's next step, once, and only to the
// slot and in the epoch it was made in.
func (c Cleared) Spend(s *Slot) ([]byte, error) {
	if c.c == nil || s == nil {
		return nil, ErrNotCleared
	}
	return c.c.spend(s)
}

func (c *clearance) spend(s *Slot) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case c.slot != s:
		return nil, ErrWrongSlot
	case c.done > c.step:
		return nil, ErrSpent
	case c.epoch != s.epoch:
		return nil, ErrVoid
	case c.wire == nil:
		return nil, ErrNoStep
	}
	c.done = c.step + 1
	p := c.wire.Step(c.step, c.text)
	if p == nil {
		return nil, ErrNoStep
	}
	if s.integratedPrompt() && hasLineEnd(p) && c.kind != Boot && c.kind != Probe {
		return nil, ErrLineEnd
	}
	return p, nil
}

// Abandon voids a clearance that came too late to be sent, and gives the record
// that closes the one which came before it; nil where none did.
func (c Cleared) Abandon(why string) audit.Event {
	if c.c == nil {
		return nil
	}
	c.c.mu.Lock()
	defer c.c.mu.Unlock()
	c.c.done = 1 << 30
	if c.c.unsent == nil {
		return nil
	}
	return c.c.unsent(why)
}

// Next releases a second wire step, only when what the shell says it holds is
// the judged text, byte for byte. Any other answer voids the clearance.
func (c Cleared) Next(echoed string) (Cleared, error) {
	if c.c == nil {
		return Cleared{}, ErrNotCleared
	}
	c.c.mu.Lock()
	defer c.c.mu.Unlock()
	if c.c.done != c.c.step+1 {
		return Cleared{}, ErrSpent
	}
	if echoed != c.c.text {
		c.c.done = 1 << 30
		return Cleared{}, ErrNotJudged
	}
	c.c.step++
	return c, nil
}

func (s *Slot) integratedPrompt() bool {
	return s.state.Integrated && (s.state.Phase == AtPrompt || s.state.Phase == AtContinuation)
}

func hasLineEnd(p []byte) bool {
	for _, b := range p {
		if b == '\r' || b == '\n' {
			return true
		}
	}
	return false
}
