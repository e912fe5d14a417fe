package review

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"sallyport/audit"
)

// Stats counts what the logs hold.
type Stats struct {
	Records  int `json:"records"`
	Sessions int `json:"sessions"`
	Commands int `json:"commands"`
	Edited   int `json:"edited"`
	Refused  int `json:"refused"`
	Failed   int `json:"failed"`  // exit code other than 0
	Unknown  int `json:"unknown"` // no outcome, or an unknown exit code
	FromAI   int `json:"from_suggestions"`

	Users   []Count        `json:"users"`
	Hosts   []Count        `json:"hosts"`
	Rules   []Count        `json:"rules"`
	Risk    []RiskOfADay   `json:"risk"`
	Origins map[string]int `json:"origins"`
}

// Count is how often a name came.
type Count struct {
	Name  string `json:"name"`
	Times int    `json:"times"`
}

// RiskOfADay counts the commands of a day (UTC) by risk.
type RiskOfADay struct {
	Day    string `json:"day"`
	Low    int    `json:"low"`
	Medium int    `json:"medium"`
	High   int    `json:"high"`
}

// tally is a Stats while it is counted.
type tally struct {
	s                   Stats
	users, hosts, rules map[string]int
	days                map[string]*RiskOfADay
	sessions            map[audit.SessionID]bool
	open                map[place]bool
}

// Stats reads all logs.
func (l *Logs) Stats() (Stats, error) {
	t := tally{
		users: map[string]int{}, hosts: map[string]int{}, rules: map[string]int{},
		days: map[string]*RiskOfADay{}, sessions: map[audit.SessionID]bool{}, open: map[place]bool{},
	}
	t.s.Origins = map[string]int{}
	for r, err := range l.Records() {
		if err != nil {
			return Stats{}, err
		}
		t.count(r)
	}
	return t.result(), nil
}

func (t *tally) count(r audit.Record) {
	t.s.Records++
	if r.Session != "" {
		t.sessions[r.Session] = true
	}
	switch r.Event {
	case audit.KindCommandIntent:
		t.command(r)
	case audit.KindCommandOutcome:
		t.outcome(r)
	case audit.KindCommandRefused:
		t.s.Refused++
		t.judged(r)
	}
}

func (t *tally) command(r audit.Record) {
	in, err := audit.Decode[audit.Intent[string]](r)
	if err != nil {
		return
	}
	t.s.Commands++
	t.s.Origins[string(in.Origin)]++
	t.open[place{r.Log, r.Seq}] = true
	if in.Edited {
		t.s.Edited++
	}
	if in.SuggestionID != "" {
		t.s.FromAI++
	}
	if r.Actor != nil {
		t.users[r.Actor.User]++
	}
	if r.Target != nil {
		t.hosts[r.Target.Host]++
	}
	t.day(r).add(in.Risk)
	t.judged(r)
}

func (t *tally) judged(r audit.Record) {
	var d judged
	if json.Unmarshal(r.Data, &d) != nil {
		return
	}
	for _, x := range d.Rules {
		t.rules[x.ID]++
	}
}

func (t *tally) outcome(r audit.Record) {
	o, err := audit.Decode[audit.Outcome[string]](r)
	if err != nil || o.ExitCode == nil {
		return
	}
	delete(t.open, place{cmp.Or(o.IntentLog, r.Log), o.Intent})
	if *o.ExitCode != 0 {
		t.s.Failed++
	}
}

func (t *tally) day(r audit.Record) *RiskOfADay {
	name := r.Time.UTC().Format("2006-01-02")
	if t.days[name] == nil {
		t.days[name] = &RiskOfADay{Day: name}
	}
	return t.days[name]
}

func (d *RiskOfADay) add(r audit.Risk) {
	switch r {
	case audit.RiskLow:
		d.Low++
	case audit.RiskMedium:
		d.Medium++
	case audit.RiskHigh:
		d.High++
	}
}

func (t *tally) result() Stats {
	s := t.s
	s.Sessions, s.Unknown = len(t.sessions), len(t.open)
	s.Users, s.Hosts, s.Rules = ranked(t.users), ranked(t.hosts), ranked(t.rules)
	for _, day := range slices.Sorted(maps.Keys(t.days)) {
		s.Risk = append(s.Risk, *t.days[day])
	}
	return s
}

// ranked sorts by how often, then by name.
func ranked(m map[string]int) (out []Count) {
	for name, n := range m {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Name, b.Name))
	})
	return out
}
