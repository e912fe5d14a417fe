package gate

import (
	"sync"
	"time"

	"sallyport/policy"
	"sallyport/redact"
)

// SlotConfig says whose channel a Slot is.
type SlotConfig struct {
	Session  string
	User     string // who the policy's scopes see
	Recorder Recorder
	Asker    Asker
	Judge    func() Judge // the policy of this moment
	Redactor *redact.Redactor
	Targets  []policy.Target // the frame stack, outermost first
	Clock    func() time.Time
}

// State is what Enter declares about a slot.
type State struct {
	Phase      Phase
	Integrated bool            // a shell that is asked for its buffer: no CR or LF ever
	Prompt     uint64          // which prompt this is; part of what a consent binds
	Targets    []policy.Target // nil keeps the targets
	Program    string          // in Field and Raw: the program in front
	Secret     bool            // in Field: the remote does not echo and the approved command asks for a secret
	Intent     uint64          // seq of the record of the running command
}

// Slot is one channel's place at the gate. It is safe for concurrent use.
type Slot struct {
	cfg SlotConfig

	mu    sync.Mutex
	epoch uint64
	state State
	void  chan struct{} // closed when the epoch ends
	count map[Kind]uint64

	suggestions map[string]Suggestion // by text, spaces aside

	asking  sync.Mutex // one question at a time, in order
	secrets int        // secret lines given to the running command
}

// NewSlot gives a slot in phase Closed: nothing but a boot is cleared there.
func NewSlot(c SlotConfig) *Slot {
	return &Slot{cfg: c, void: make(chan struct{}), count: map[Kind]uint64{}}
}

// Enter declares the state of the remote end and starts a new epoch: every
// open question and every unspent clearance of the slot is void.
func (s *Slot) Enter(st State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st.Targets == nil {
		st.Targets = s.state.Targets
	}
	if st.Phase == AtPrompt {
		s.secrets = 0
	}
	s.state = st
	s.epoch++
	close(s.void)
	s.void = make(chan struct{})
}

// Session is the id of the session that the slot belongs to.
func (s *Slot) Session() string { return s.cfg.Session }

// Targets is the frame stack, outermost first.
func (s *Slot) Targets() []policy.Target {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.targets()
}

func (s *Slot) targets() []policy.Target {
	if s.state.Targets != nil {
		return s.state.Targets
	}
	return s.cfg.Targets
}

// Counts says how many clearances of each kind were made, for the record at
// the end of a session.
func (s *Slot) Counts() map[Kind]uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[Kind]uint64, len(s.count))
	for k, n := range s.count {
		out[k] = n
	}
	return out
}
