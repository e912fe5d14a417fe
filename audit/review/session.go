package review

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"sallyport/audit"
)

// Session is everything that the logs hold of one session.
type Session struct {
	ID         audit.SessionID
	Actor      audit.ActorOf[string]
	Target     audit.TargetOf[string]
	Began, End time.Time
	Ended      bool         // session.disconnected was recorded
	Logs       []audit.Name // whose files hold it, in the order of the records
	Entries    []Entry
}

// Entry is a line of the timeline.
type Entry struct {
	audit.Record
	// Intent and Outcome are set where the record is a command's: the outcome
	// is that which counts, and nil where none was recorded.
	Intent  *audit.Intent[string]
	Outcome *audit.Outcome[string]
	// Gap is the time since the entry before, if it is long.
	Gap time.Duration
}

// longGap is the silence that a timeline shows.
const longGap = 5 * time.Minute

// ErrNoSession says that no record has this session.
type ErrNoSession struct{ ID string }

// Error names the session.
func (e ErrNoSession) Error() string { return fmt.Sprintf("no record of session %q", e.ID) }

// Session collects one session's timeline.
func (l *Logs) Session(id string) (*Session, error) {
	s := &Session{ID: audit.SessionID(id)}
	for r, err := range l.Records() {
		if err != nil {
			return nil, err
		}
		if r.Session == s.ID {
			s.Entries = append(s.Entries, Entry{Record: r})
		}
	}
	if len(s.Entries) == 0 {
		return nil, ErrNoSession{id}
	}
	slices.SortStableFunc(s.Entries, func(a, b Entry) int { return a.Time.Compare(b.Time) })
	for _, e := range s.Entries {
		s.in(l.names[e.Log])
	}
	s.describe()
	s.join()
	return s, nil
}

func (s *Session) describe() {
	s.Began, s.End = s.Entries[0].Time, s.Entries[len(s.Entries)-1].Time
	for i, e := range s.Entries {
		if e.Actor != nil && s.Actor.User == "" {
			s.Actor = *e.Actor
		}
		if e.Target != nil && (s.Target.Host == "" || s.Target.Address == "") {
			s.Target = *e.Target
		}
		s.Ended = s.Ended || e.Event == audit.KindSessionDisconnected
		if i == 0 {
			continue
		}
		if gap := e.Time.Sub(s.Entries[i-1].Time); gap >= longGap {
			s.Entries[i].Gap = gap
		}
	}
}

type place struct {
	log audit.LogID
	seq uint64
}

// join gives each intent its outcome; one that supersedes "unobserved" wins.
func (s *Session) join() {
	outcomes := map[place]*audit.Outcome[string]{}
	for _, e := range s.Entries {
		if e.Event != audit.KindCommandOutcome {
			continue
		}
		o, err := audit.Decode[audit.Outcome[string]](e.Record)
		if err != nil {
			continue
		}
		at := place{cmp.Or(o.IntentLog, e.Log), o.Intent}
		if had := outcomes[at]; had == nil || had.Status == audit.Unobserved || had.Status == audit.StillRunning {
			outcomes[at] = &o
		}
	}
	for i := range s.Entries {
		e := &s.Entries[i]
		if e.Event != audit.KindCommandIntent {
			continue
		}
		if in, err := audit.Decode[audit.Intent[string]](e.Record); err == nil {
			e.Intent, e.Outcome = &in, outcomes[place{e.Log, e.Seq}]
		}
	}
}

// Sessions lists the sessions that the logs hold, oldest first.
func (l *Logs) Sessions() ([]Session, error) {
	byID := map[audit.SessionID]*Session{}
	for r, err := range l.Records() {
		if err != nil {
			return nil, err
		}
		if r.Session == "" {
			continue
		}
		s := byID[r.Session]
		if s == nil {
			s = &Session{ID: r.Session, Began: r.Time}
			byID[r.Session] = s
		}
		s.add(r)
		s.in(l.names[r.Log])
	}
	out := make([]Session, 0, len(byID))
	for _, s := range byID {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b Session) int { return a.Began.Compare(b.Began) })
	return out, nil
}

// in notes a log that holds records of the session.
func (s *Session) in(n audit.Name) {
	if n != "" && !slices.Contains(s.Logs, n) {
		s.Logs = append(s.Logs, n)
	}
}

func (s *Session) add(r audit.Record) {
	s.End = r.Time
	if r.Actor != nil && s.Actor.User == "" {
		s.Actor = *r.Actor
	}
	if r.Target != nil && (s.Target.Host == "" || s.Target.Address == "") {
		s.Target = *r.Target
	}
	s.Ended = s.Ended || r.Event == audit.KindSessionDisconnected
}
