package review

import (
	"encoding/json"
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"

	"sallyport/audit"
)

// Query selects records. The zero value of a field asks for nothing; all that
// are set must hold.
type Query struct {
	User, Host   string // equal, without regard to case; Host also without its domain
	Session      string
	Risk         audit.Risk // at least
	Event        string     // a name, or a group: "command" for command.*
	Rule         string     // id of a rule that matched
	Text         string     // somewhere in the record's fields, without regard to case
	Since, Until time.Time
}

// Search gives the records that a query selects.
func (l *Logs) Search(q Query) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for r, err := range l.Records() {
			if (err != nil || q.Selects(r)) && !yield(r, err) {
				return
			}
		}
	}
}

// Selects says whether the record is one that the query asks for.
func (q Query) Selects(r audit.Record) bool {
	return q.when(r) && q.who(r) && q.what(r)
}

func (q Query) when(r audit.Record) bool {
	return (q.Since.IsZero() || !r.Time.Before(q.Since)) && (q.Until.IsZero() || r.Time.Before(q.Until))
}

func (q Query) who(r audit.Record) bool {
	if q.Session != "" && string(r.Session) != q.Session {
		return false
	}
	if q.User != "" && (r.Actor == nil || !strings.EqualFold(r.Actor.User, q.User)) {
		return false
	}
	return q.Host == "" || r.Target != nil && sameHost(r.Target.Host, q.Host)
}

func sameHost(have, want string) bool {
	short, _, _ := strings.Cut(have, ".")
	return strings.EqualFold(have, want) || strings.EqualFold(short, want)
}

func (q Query) what(r audit.Record) bool {
	if q.Event != "" && string(r.Event) != q.Event && !strings.HasPrefix(string(r.Event), q.Event+".") {
		return false
	}
	if q.Risk == "" && q.Rule == "" && q.Text == "" {
		return true
	}
	var d judged
	if json.Unmarshal(r.Data, &d) != nil {
		return false
	}
	return (q.Risk == "" || rank(d.Risk) >= rank(q.Risk)) && (q.Rule == "" || d.matched(q.Rule)) &&
		(q.Text == "" || contains(r.Data, q.Text))
}

// judged is what records of judged things have in common.
type judged struct {
	Risk   audit.Risk           `json:"risk"`
	Effect audit.Effect         `json:"effect"`
	Rules  []audit.Rule[string] `json:"rules"`
}

func (d judged) matched(id string) bool {
	return slices.ContainsFunc(d.Rules, func(r audit.Rule[string]) bool { return r.ID == id })
}

var risks = []audit.Risk{"", audit.RiskLow, audit.RiskMedium, audit.RiskHigh}

func rank(r audit.Risk) int { return slices.Index(risks, r) }

// contains looks for text in the strings of data, as they are read and not as
// they are escaped.
func contains(data json.RawMessage, text string) bool {
	var v any
	return json.Unmarshal(data, &v) == nil && within(v, strings.ToLower(text))
}

// digest is what nobody reads: hashes, keys, ids. Only who gives enough of one means
// it.
var digest = regexp.MustCompile(`^((hmac-)?sha256:([0-9a-f]{16}:)?)?[0-9a-f]{16,}$|^SHA256:[A-Za-z0-9+/]{43}$|^[A-Za-z0-9+/]{43}=$|^[A-Za-z0-9+/]{86}==$`)

const longEnough = 8

func within(v any, text string) bool {
	switch x := v.(type) {
	case string:
		return strings.Contains(strings.ToLower(x), text) && (len(text) >= longEnough || !digest.MatchString(x))
	case []any:
		return slices.ContainsFunc(x, func(e any) bool { return within(e, text) })
	case map[string]any:
		for _, e := range x {
			if within(e, text) {
				return true
			}
		}
	}
	return false
}
