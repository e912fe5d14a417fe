package screen

import (
	"fmt"
	"time"
)

// maxReplies is how many replies are given in a second; queries beyond that stay unanswered.
const maxReplies = 32

// replies is the queue of answers to the remote's queries, with a rate limit.
type replies struct {
	queue []byte
	since time.Time
	count int
}

// Replies returns what is to be sent to the remote since the last call: fixed forms, no text of the remote's.
func (s *Screen) Replies() []byte {
	q := s.replies.queue
	s.replies.queue = nil
	return q
}

func (s *Screen) reply(format string, args ...any) {
	r := &s.replies
	if now := s.now(); now.Sub(r.since) >= time.Second {
		r.since, r.count = now, 0
	}
	if r.count >= maxReplies || len(r.queue) >= maxReplies*32 {
		return
	}
	r.count++
	r.queue = fmt.Appendf(r.queue, format, args...)
}
