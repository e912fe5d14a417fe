package daemon

import (
	"context"
	"errors"
	"fmt"

	"sallyport/audit"
	"sallyport/redact"
)

// admit checks whose session this is, and that an outcome is of an intent of
// it.
func (s *Server) admit(c *conn, id string, events []audit.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == "" {
		return noOutcomes(events)
	}
	x := s.sessions[id]
	if x == nil {
		x = &session{uid: c.uid, open: map[ref]bool{}, lost: map[ref]uint64{}}
		s.sessions[id] = x
	}
	switch {
	case x.owner == nil && x.uid == c.uid:
		x.owner = c
	case x.owner != c:
		return fmt.Errorf("session %s is another console's", id)
	}
	if err := x.allows(events); err != nil {
		return err
	}
	x.supersede(events)
	return nil
}

// supersede lets a real outcome say which "unobserved" it comes after.
func (x *session) supersede(events []audit.Event) {
	for i, e := range events {
		o, ok := e.(audit.Outcome[redact.Text])
		if !ok {
			continue
		}
		if seq, ok := x.lost[x.find(o)]; ok {
			o.Supersedes = &seq
			events[i] = o
		}
	}
}

func noOutcomes(events []audit.Event) error {
	for _, e := range events {
		if _, ok := e.(audit.Outcome[redact.Text]); ok {
			return errors.New("an outcome without a session")
		}
	}
	return nil
}

func (x *session) allows(events []audit.Event) error {
	for _, e := range events {
		o, ok := e.(audit.Outcome[redact.Text])
		if ok && x.find(o) == (ref{}) {
			return fmt.Errorf("an outcome of %d, which is no intent of this session without one", o.Intent)
		}
	}
	return nil
}

// find gives the open intent that an outcome is of.
func (x *session) find(o audit.Outcome[redact.Text]) ref {
	for r := range x.open {
		if r.seq == o.Intent && (o.IntentLog == "" || o.IntentLog == r.log) {
			return r
		}
	}
	return ref{}
}

// note keeps which intents have no outcome yet.
func (s *Server) note(id string, events []audit.Event, receipts []audit.Receipt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.sessions[id]
	if x == nil {
		return
	}
	for i, e := range events {
		switch e := e.(type) {
		case audit.Intent[redact.Text]:
			x.open[ref{receipts[i].Log(), receipts[i].Seq()}] = true
		case audit.Outcome[redact.Text]:
			if e.Status != audit.StillRunning && e.Status != audit.Unobserved {
				delete(x.open, x.find(e))
			}
		}
	}
}

// unobserved closes an intent whose console went away.
func (c *conn) unobserved(o orphan) {
	sc, err := c.s.cfg.Log.In(o.session, audit.Target{}).By(c.actor)
	if err == nil {
		out := audit.Outcome[redact.Text]{Intent: o.seq, IntentLog: o.log, Status: audit.Unobserved}
		var rs []audit.Receipt
		if rs, err = sc.Append(context.Background(), out); err == nil {
			c.s.lose(o, rs[0].Seq())
		}
	}
	if err != nil {
		c.s.warn("session %s: %v", o.session, err)
	}
}

func (s *Server) lose(o orphan, seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.sessions[o.session]; x != nil {
		x.lost[o.ref] = seq
	}
}
