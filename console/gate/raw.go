package gate

import (
	"bytes"
	"time"
	"unicode/utf8"
)

// raw bytes that a person gave, as one step.
type plain []byte

func (p plain) Step(n int, _ string) []byte {
	if n != 0 {
		return nil
	}
	return p
}

// Edit clears keys for a verified line editor. None may hold CR, LF, the query
// key or anything else that this package keeps for itself.
func (g *Gate) Edit(s *Slot, b []byte) (Cleared, error) {
	if bytes.ContainsAny(b, "\r\n\x1e\x00") {
		return Cleared{}, misuse("the key could accept a line", "press Enter: the console asks the shell")
	}
	return s.clear(Edit, b, AtPrompt, AtContinuation)
}

// Raw clears keys for a program that owns the screen. Submit of kind Keys must
// have opened the way in this epoch.
func (g *Gate) Raw(s *Slot, b []byte) (Cleared, error) {
	if bytes.IndexByte(b, 0x1e) >= 0 {
		return Cleared{}, misuse("the private key never comes from the keyboard", "")
	}
	if err := g.keysRecorded(s, b); err != nil {
		return Cleared{}, err
	}
	return s.clear(Keys, b, Raw)
}

// KeysGrace is how long keys still pass to a program that runs already while
// nothing can be recorded: long enough to leave it in order.
const KeysGrace = time.Minute

// stopper is a Recorder that knows since when it takes nothing that would
// leave. *audit.Scope is one.
type stopper interface {
	Stopped() (since time.Time, why error)
}

// keysRecorded holds keys, but for signals, once the grace is over.
func (g *Gate) keysRecorded(s *Slot, b []byte) error {
	r, ok := s.cfg.Recorder.(stopper)
	if !ok || len(b) == 1 && bytes.IndexByte([]byte{0x03, 0x04, 0x1a, 0x1c}, b[0]) >= 0 {
		return nil
	}
	since, why := r.Stopped()
	if why == nil || g.now().Sub(since) <= KeysGrace {
		return nil
	}
	return &Refusal{By: ByLog, Reason: "the log cannot be written: " + why.Error(), Remedy: "^C, ^Z and ^D pass; make the log writable", Err: why}
}

// Limits of what is typed into a secret field.
const (
	maxSecret  = 256
	maxSecrets = 4
)

// Secret clears one line for a program that reads without echo. The redactor
// learns it first; it is never recorded.
func (g *Gate) Secret(s *Slot, b []byte) (Cleared, error) {
	switch {
	case len(b) > maxSecret:
		return Cleared{}, misuse("a secret field takes one line of at most 256 bytes", "enter it by other means")
	case bytes.ContainsAny(b, "\r\n\x1e\x00") || !utf8.Valid(b):
		return Cleared{}, misuse("a secret field takes one line of text", "")
	}
	if err := s.takeSecret(b); err != nil {
		return Cleared{}, err
	}
	return s.clear(Secret, append(bytes.Clone(b), '\n'), Field)
}

func (s *Slot) takeSecret(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Phase != Field || !s.state.Secret {
		return misuse("no program asks for a secret", "")
	}
	if s.secrets >= maxSecrets {
		return misuse("four secrets were given to this command", "interrupt it with ^C")
	}
	s.secrets++
	if s.cfg.Redactor != nil && len(b) > 0 {
		s.cfg.Redactor.Learn(b)
	}
	return nil
}

// Control clears one of the closed set of constant things.
func (g *Gate) Control(s *Slot, c Control) (Cleared, error) {
	if c.kind == 0 {
		return Cleared{}, misuse("not a control the gate knows", "")
	}
	switch c.kind {
	case Boot:
		return s.clear(Boot, c.p, Booting)
	case Edit:
		return s.clear(Edit, c.p, AtPrompt, AtContinuation)
	case Probe:
		return s.clear(Probe, c.p, SideChannel)
	case Signal:
		if c.p[0] == SignalEscape {
			return s.clear(Signal, c.p, Busy)
		}
	}
	return s.clear(c.kind, c.p)
}

// clear makes a clearance that no policy was asked for, in one of the phases
// given (any, if none is).
func (s *Slot) clear(k Kind, b []byte, in ...Phase) (Cleared, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.in(in) {
		return Cleared{}, misuse(k.String()+" is not possible now", "wait for the prompt")
	}
	s.count[k]++
	return Cleared{&clearance{slot: s, epoch: s.epoch, kind: k, wire: plain(b)}}, nil
}

func (s *Slot) in(phases []Phase) bool {
	for _, p := range phases {
		if s.state.Phase == p {
			return true
		}
	}
	return len(phases) == 0
}

func misuse(reason, remedy string) *Refusal {
	return &Refusal{By: ByGate, Reason: reason, Remedy: remedy}
}
