package copilot

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"sallyport/redact"
)

// line is one line of a session's chat. It is guarded by the client.
type line struct {
	Message
	words redact.Text // of the operator's own messages
}

// outgoing is a message of the operator that waits.
type outgoing struct {
	session *Session
	line    *line
}

// What Chat and Resend refuse with.
var (
	ErrQueueFull = fmt.Errorf("%d chat messages wait already: wait until Linus is back, or shorten what you have to say", MaxQueue)
	ErrTooLong   = fmt.Errorf("a chat message has at most %d bytes: send the rest as another one", MaxMessage)
	ErrEmpty     = errors.New("the message is empty")
	ErrWithheld  = errors.New("policy sends nothing of this host to Linus")
	ErrNone      = errors.New("no copilot is configured: set [copilot] command or url")
	ErrClosed    = errors.New("the session is closed")
	ErrNotFailed = errors.New("only a message that failed can be sent again")
)

// say adds a line and gives it.
func (s *Session) say(from Author, text Untrusted, at time.Time) *line {
	s.spoken++
	l := &line{Message: Message{Number: s.spoken, From: from, Text: text, At: at}}
	s.chat = append(s.chat, l)
	if len(s.chat) > MaxChat {
		s.forgetOldest()
	}
	return l
}

// forgetOldest drops the oldest line that no longer waits for anything.
func (s *Session) forgetOldest() {
	i := slices.IndexFunc(s.chat, func(l *line) bool {
		return l.Delivery != Queued && l.Delivery != Sending
	})
	if i >= 0 {
		s.chat = slices.Delete(s.chat, i, i+1)
	}
}

// enqueue puts a message behind the others.
func (c *Client) enqueue(s *Session, l *line) error {
	if len(c.queue) >= MaxQueue {
		return ErrQueueFull
	}
	l.Delivery, l.Reason = Queued, ""
	c.queue = append(c.queue, outgoing{s, l})
	return nil
}

// putBack puts a message that was not sent in front again.
func (c *Client) putBack(o outgoing) {
	o.line.Delivery = Queued
	c.queue = slices.Insert(c.queue, 0, o)
}

func (c *Client) unqueue(s *Session) {
	c.queue = slices.DeleteFunc(c.queue, func(o outgoing) bool { return o.session == s })
}
