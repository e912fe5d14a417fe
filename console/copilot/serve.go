package copilot

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"sallyport/audit"
)

// maxBad is how many unreadable replies in a row end the connection.
const maxBad = 3

// work is one call that is due.
type work struct {
	number  uint64
	link    *link
	session *Session
	args    arguments
	meta    *meta
}

// result is how a call ended.
type result struct {
	raw   []byte
	env   Envelope
	drops []dropped
	err   error // the call failed
	bad   error // there was a reply and it was no envelope
	took  time.Duration
}

// useless tells that nothing of the reply could be used.
func (r result) useless() bool {
	return r.bad != nil || len(r.drops) > 0 && r.env == Envelope{}
}

func (r result) outcome() audit.MCPOutcome {
	switch {
	case errors.Is(r.err, context.DeadlineExceeded):
		return audit.MCPTimeout
	case r.err != nil:
		return audit.MCPError
	case r.bad != nil || len(r.drops) > 0:
		return audit.MCPInvalid
	default:
		return audit.MCPOK
	}
}

func (r result) problem() error {
	switch {
	case r.err != nil:
		return r.err
	case r.bad != nil:
		return r.bad
	case len(r.drops) > 0:
		return fmt.Errorf("%s: %s", r.drops[0].Block, r.drops[0].Reason)
	default:
		return nil
	}
}

// caller makes the calls of one connection.
type caller struct {
	client *Client
	link   *link
	calls  sync.WaitGroup
	failed context.CancelCauseFunc
	waits  *backoff
}

// serve makes calls as they become due, until the connection ends. It returns why,
// when every call has ended and the connection is closed.
func (c *Client) serve(ctx context.Context, l *link, waits *backoff) error {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &caller{client: c, link: l, failed: cancel, waits: waits}
	defer s.calls.Wait()
	defer l.close()
	defer cancel(nil)
	c.checkPins(l)
	c.back(l)
	for {
		next := s.start(ctx)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-l.lost:
			cancel(err)
			return err
		case <-c.kick:
		case <-next:
		}
	}
}

// start starts the calls that are due and gives the time of the next.
func (s *caller) start(ctx context.Context) <-chan time.Time {
	c := s.client
	c.mu.Lock()
	defer c.mu.Unlock()
	next := time.Time{}
	now := time.Now()
	for _, session := range c.sessions {
		session.tellLongRunning(now)
		s.startReport(ctx, session)
		s.startUpdate(ctx, session, now)
		next = earliest(next, session.nextDue())
	}
	// After what has happened: of two answers that arrive together the one to the
	// operator's question counts.
	if !c.chatting && len(c.queue) > 0 {
		s.startChat(ctx)
	}
	if next.IsZero() {
		return nil
	}
	return time.After(time.Until(next))
}

func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// nextDue is when something of the session is due that nothing will wake us for.
func (s *Session) nextDue() time.Time {
	var next time.Time
	if !s.output.empty() && !s.updating {
		next = s.due
	}
	for _, r := range s.running {
		if !r.told {
			next = earliest(next, r.due)
		}
	}
	return next
}

// tellLongRunning reports commands that run for long, once.
func (s *Session) tellLongRunning(now time.Time) {
	for _, r := range s.running {
		if r.told || now.Before(r.due) {
			continue
		}
		r.told = true
		c := r.Command
		c.Output, c.Exit = r.output.text(), nil
		s.report(report{command: &c})
	}
}

func (s *caller) startChat(ctx context.Context) {
	c := s.client
	o := c.queue[0]
	c.queue = c.queue[1:]
	c.chatting = true
	o.line.Delivery = Sending
	o.session.waiting++
	number := c.nextCall()
	s.calls.Go(func() {
		sends := o.session.sends()
		var r result
		if sends == SendNone {
			r.err = ErrWithheld
		} else {
			r = s.call(ctx, number, o.session, chatArguments{
				SessionID: o.session.cfg.ID, Message: o.line.words, Context: o.session.cfg.Context().full(sends),
			}, nil)
		}
		c.change(func() { c.chatDone(o, r) })
	})
}

// chatDone notes what became of a message. One that Linus has not got waits again.
func (c *Client) chatDone(o outgoing, r result) {
	c.chatting = false
	o.session.waiting--
	switch {
	case r.err == nil:
		o.line.Delivery, o.line.Reason = Sent, ""
	case o.session.closed:
		o.line.Delivery = Failed
	case errors.Is(r.err, errUnsent), errors.Is(r.err, errUnrecorded):
		c.putBack(o)
		o.line.Reason = c.cleanReason(r.err).String()
	case errors.Is(r.err, ErrWithheld):
		o.line.Delivery, o.line.Reason = Failed, r.err.Error()
	default:
		o.line.Delivery = Failed
		o.line.Reason = c.cleanLine(r.err.Error()) + "; Linus may have read it"
	}
}

func (s *caller) startReport(ctx context.Context, session *Session) {
	if session.inLane || len(session.lane) == 0 {
		return
	}
	r := session.lane[0]
	session.lane = session.lane[1:]
	session.inLane = true
	number := s.client.nextCall()
	s.calls.Go(func() {
		if args, m := session.arguments(r); args != nil && s.link.tools[args.tool()] {
			s.call(ctx, number, session, args, m)
		}
		s.client.change(func() {
			session.inLane = false
			s.client.dropEnded()
		})
	})
}

// arguments gives what a report sends, nil if policy keeps it back.
func (s *Session) arguments(r report) (arguments, *meta) {
	sends, now := s.sends(), s.cfg.Context()
	switch {
	case r.command != nil && sends == SendTail:
		return r.command.executed(s.cfg.ID, now.place()), &meta{command: r.command.Seq, final: r.final}
	case r.command == nil && sends != SendNone:
		return stateArguments{SessionID: s.cfg.ID, Event: r.event, Context: now.full(sends)}, nil
	}
	return nil, nil
}

func (s *caller) startUpdate(ctx context.Context, session *Session, now time.Time) {
	if session.updating || session.output.empty() || now.Before(session.due) {
		return
	}
	output := session.output.text()
	session.output.reset()
	session.updating = true
	session.due = now.Add(updateEvery)
	number := s.client.nextCall()
	s.calls.Go(func() {
		if session.sends() == SendTail && s.link.tools[toolUpdate] {
			where := session.cfg.Context()
			s.call(ctx, number, session, updateArguments{
				SessionID: session.cfg.ID, NewOutput: output, TerminalTail: tail(where.Tail), Context: where.place(),
			}, nil)
		}
		s.client.change(func() { session.updating = false })
	})
}

// call makes one call: recorded before, applied and recorded after. A failure ends
// the connection.
func (s *caller) call(ctx context.Context, number uint64, session *Session, a arguments, m *meta) result {
	w := work{number: number, link: s.link, session: session, args: a, meta: m}
	intent, err := s.client.recordCall(w)
	if err != nil {
		s.failed(err)
		return result{err: err}
	}
	r := s.exchange(ctx, w)
	s.client.recordResult(w, intent, r)
	if r.err != nil {
		s.failed(r.err)
		return r
	}
	s.client.take(w, r)
	s.judge(r)
	return r
}

// exchange sends the call and reads the reply.
func (s *caller) exchange(ctx context.Context, w work) result {
	limit := w.args.tool().timeout()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	raw, err := w.link.call(limited, w.args, w.meta)
	r := result{raw: raw, took: time.Since(began)}
	switch {
	case err != nil && ctx.Err() != nil && !errors.Is(err, errUnsent):
		r.err = context.Cause(ctx)
		return r
	case err != nil:
		r.err = late(err, limit)
		return r
	}
	r.env, r.drops, r.bad = parse(raw)
	return r
}

// judge counts unreadable replies.
func (s *caller) judge(r result) {
	c := s.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if !r.useless() {
		c.bad = 0
		s.waits.reset()
		return
	}
	if c.bad++; c.bad >= maxBad {
		s.failed(fmt.Errorf("%d unreadable replies in a row: %w", c.bad, r.problem()))
	}
}

// nextCall numbers a call, in the order in which calls become due. The caller holds
// the lock.
func (c *Client) nextCall() uint64 {
	c.calls++
	return c.calls
}

// take applies an answer.
func (c *Client) take(w work, r result) {
	c.change(func() {
		s, at := w.session, time.Now()
		ch := s.board.apply(r.env, stamp{call: w.number, at: at, seq: c.nextVersion, seen: s.tokens.injected})
		for _, e := range c.changeEvents(ch) {
			c.note(s, e)
		}
		for _, d := range r.drops {
			s.complain(d.Block+": "+d.Reason, at)
		}
		if r.bad != nil {
			s.complain(safeReason(r.bad), at)
		}
		if r.env.Chat != nil {
			l := s.say(Linus, Untrusted(r.env.Chat.Message), at)
			l.Mentions = r.env.Chat.Mentions
			s.board.mention(r.env.Chat.Mentions)
		}
	})
}

// nextVersion numbers a version of a suggestion. The caller holds the lock.
func (c *Client) nextVersion() uint64 {
	c.versions++
	return c.versions
}

// complain notes in the chat what could not be read.
func (s *Session) complain(reason string, at time.Time) {
	s.say(Notice, Untrusted("Linus sent something unreadable: "+reason), at)
}
