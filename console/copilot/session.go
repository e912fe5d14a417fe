package copilot

import (
	"strings"
	"time"

	"sallyport/audit"
	"sallyport/redact"
)

// SessionConfig is what one session brings.
type SessionConfig struct {
	ID       redact.Text    // the session's id
	Recorder Recorder       // its audit scope; nil: the Client's
	Context  func() Context // what is known now; called from other goroutines, must not block
	Sends    func() Sends   // what policy lets out now; nil: nothing goes out
}

// Session is Linus' side of one remote shell. Its methods may be called from any
// goroutine and do not wait for Linus, nor for the log.
type Session struct {
	client *Client
	cfg    SessionConfig

	// The rest is guarded by client.mu.

	board    board
	tokens   *tokens
	chat     []*line
	spoken   int // number of the last line
	waiting  int // chat calls in flight
	last     Event
	closed   bool
	lane     []report // events and commands that are to be told, in order
	inLane   bool     // one of them is under way
	output   gather
	due      time.Time // when output may be sent
	updating bool
	running  []*runningCommand
}

// report is a call that is told in the order in which things happened.
type report struct {
	event   Event
	command *Command
	final   bool
}

// runningCommand is a command that has not ended.
type runningCommand struct {
	Command
	output gather
	due    time.Time // when it is told of although it runs
	told   bool
}

const (
	updateEvery = time.Second
	tellAfter   = 5 * time.Second
	maxLane     = 64 // reports that wait; the oldest are dropped
	maxRunning  = 16
)

// Session adds a session. It is there until Close.
func (c *Client) Session(cfg SessionConfig) *Session {
	if cfg.Context == nil {
		cfg.Context = func() Context { return Context{} }
	}
	if cfg.Sends == nil {
		cfg.Sends = func() Sends { return SendNone }
	}
	s := &Session{client: c, cfg: cfg, tokens: newTokens()}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions = append(c.sessions, s)
	if c.link != nil {
		s.noteTools(c.link)
	}
	return s
}

// Close ends the session: its queued messages are dropped, and what was reported
// before, as that it was disconnected, is still told. Its State stays.
func (s *Session) Close() {
	s.client.change(func() {
		s.closed = true
		s.output.reset()
		s.client.unqueue(s)
		s.client.dropEnded()
	})
}

// ended tells that the session is closed and nothing of it is left to be told.
func (s *Session) ended() bool { return s.closed && !s.inLane && len(s.lane) == 0 }

// State gives what a person sees now.
func (s *Session) State() State {
	sends := s.sends()
	c := s.client
	c.mu.Lock()
	defer c.mu.Unlock()
	st := State{
		Configured: c.dialer != nil, Online: c.link != nil, Since: c.since, Reason: c.reason,
		Retry: c.retry, Server: c.server, Sends: sends, Queued: len(c.queue),
		Intent: s.board.intent, Suggestions: s.board.suggestions(), Thinking: s.waiting > 0,
	}
	for _, l := range s.chat {
		st.Chat = append(st.Chat, l.Message)
	}
	return st
}

func (s *Session) sends() Sends {
	switch v := s.cfg.Sends(); v {
	case SendTail, SendChat:
		return v
	default:
		return SendNone
	}
}

// Chat queues a message of the operator. The error says why it was refused.
func (s *Session) Chat(message redact.Text) error {
	switch {
	case strings.TrimSpace(message.String()) == "":
		return ErrEmpty
	case message.Len() > MaxMessage:
		return ErrTooLong
	case s.client.dialer == nil:
		return ErrNone
	case s.sends() == SendNone:
		return ErrWithheld
	}
	return s.client.try(func() error {
		if s.closed {
			return ErrClosed
		}
		if len(s.client.queue) >= MaxQueue {
			return ErrQueueFull
		}
		l := s.say(Operator, Untrusted(message.String()), time.Now())
		l.words = message
		s.tokens.operator(message.String())
		s.client.connectNow()
		return s.client.enqueue(s, l)
	})
}

// Resend queues a [Failed] message again. Linus may then read it twice.
func (s *Session) Resend(number int) error {
	return s.client.try(func() error {
		for _, l := range s.chat {
			if l.Number == number && l.Delivery == Failed {
				s.client.connectNow()
				return s.client.enqueue(s, l)
			}
		}
		return ErrNotFailed
	})
}

// Event tells of a turn in the session's life.
func (s *Session) Event(e Event) {
	s.client.change(func() {
		s.last = e
		if e != Connected {
			s.running = nil // nobody will tell how they end
		}
		s.report(report{event: e})
	})
}

// report queues a report, unless Linus is away or the session is gone.
func (s *Session) report(r report) {
	if s.client.link == nil || s.closed {
		return
	}
	s.lane = append(s.lane, r)
	if over := len(s.lane) - maxLane; over > 0 {
		s.lane = s.lane[over:]
	}
}

// Update takes new output of the session.
func (s *Session) Update(output redact.Text) {
	if output.Empty() {
		return
	}
	c := s.client
	c.mu.Lock()
	defer c.mu.Unlock()
	s.tokens.output(output.String())
	if n := len(s.running); n > 0 {
		s.running[n-1].output.add(output)
	}
	if c.link == nil || s.closed {
		return
	}
	if s.output.empty() {
		s.due = maxTime(s.due, time.Now().Add(updateEvery))
		c.wake()
	}
	s.output.add(output)
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Started tells that a command was started.
func (s *Session) Started(c Command) {
	s.client.change(func() {
		switch c.Source {
		case Suggested:
			s.board.sent(c.Suggestion.String())
		default:
			s.tokens.operator(c.Line.String())
		}
		s.running = append(s.running, &runningCommand{Command: c, due: time.Now().Add(tellAfter)})
		if over := len(s.running) - maxRunning; over > 0 {
			s.running = s.running[over:]
		}
	})
}

// Ended tells that it has ended, with its output and its exit code.
func (s *Session) Ended(c Command) {
	s.client.change(func() {
		for i, r := range s.running {
			if r.Seq == c.Seq {
				s.running = append(s.running[:i], s.running[i+1:]...)
				break
			}
		}
		s.report(report{command: &c, final: true})
	})
}

// Hold keeps a suggestion as it is while it is edited or confirmed, and gives it.
// Each Hold needs a Release.
func (s *Session) Hold(id string) (got Suggestion, ok bool) {
	s.client.change(func() { got, ok = s.board.hold(id) })
	return got, ok
}

// Release ends a Hold: a newer version or a withdrawal takes effect.
func (s *Session) Release(id string) {
	s.client.change(func() { s.board.release(id) })
}

// Edited records that the operator changed a suggestion before sending it.
func (s *Session) Edited(id string, text redact.Text) {
	s.client.change(func() {
		if k := s.board.find(id); k != nil {
			s.client.note(s, s.client.edited(k.Suggestion, text))
		}
	})
}

// Dismiss puts a suggestion away. It comes back only with another command.
func (s *Session) Dismiss(id string) {
	s.client.change(func() {
		if s.board.dismiss(id) {
			s.client.note(s, audit.SuggestionDismissed[redact.Text]{ID: s.client.clean(id)})
		}
	})
}
