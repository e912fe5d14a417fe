package daemon

import (
	"cmp"
	"context"
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
		x = &session{uid: c.uid, open: map[ref]bool{}}
		s.sessions[id] = x
	}
	switch {
	case x.owner == nil && x.uid == c.uid:
		x.owner = c
	case x.owner != c:
		return fmt.Errorf("session %s is another console's", id)
	}
	return x.allows(events)
}

func noOutcomes(events []audit.Event) error {
	for _, e := range events {
		if _, ok := e.(audit.Outcome[redact.Text]); ok {
			return fmt.Errorf("an outcome without a session")
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
		case audit.InputLine[redact.Text], audit.ChannelOpen[redact.Text]:
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
		out := audit.Outcome[redact.Text]{Intent: o.seq, IntentLog: cmp.Or(o.log, ""), Status: audit.Unobserved}
		_, err = sc.Append(context.Background(), out)
	}
	if err != nil {
		c.s.warn("session %s: %v", o.session, err)
	}
}
