package redact

import "sync"

// Stream redacts live output. It holds back what could still become part of a secret: the
// unfinished line, an open key or Secret, a token cut by the margin; at most 64 KiB, and
// no longer than the caller, who owns the time, lets it (see Expire). What it gives out,
// joined, does not depend on how the input was cut.
type Stream struct {
	mu sync.Mutex
	f  *flow
}

// Stream begins one. Every byte stream of a terminal has its own.
func (r *Redactor) Stream() *Stream { return &Stream{f: newFlow(r)} }

// Columns says how wide the terminal is, so that lines cut at its margin are joined.
func (s *Stream) Columns(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.f.width, s.f.norm.width = n, n
}

// Write takes the next bytes and gives what may be shown now.
func (s *Stream) Write(p []byte) Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.f.write(p)
	return Text{s.f.give()}
}

// Flush ends the stream and gives all that is held.
func (s *Stream) Flush() Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.f.finish()
	return Text{s.f.give()}
}

// Mark says that a prompt or a command mark is here: open regions end, and what is held
// is given.
func (s *Stream) Mark() Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.f.gen
	s.f.finish()
	s.f.scan.Forget()
	if s.f.gen != before { // sent before the mark: its output comes behind it
		s.f.scan.ReadsKey()
	}
	return Text{s.f.give()}
}
