package review

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"sallyport/audit"
)

var columns = []string{
	"time", "log", "seq", "session", "event", "user", "uid", "host", "address", "account",
	"risk", "effect", "rules", "summary",
}

// CSV writes the selected records as RFC 4180, a heading first. A field that a
// spreadsheet would take for a formula gets an apostrophe before it.
func (l *Logs) CSV(w io.Writer, q Query) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	for r, err := range l.Search(q) {
		if err != nil {
			return err
		}
		if err := out.Write(row(r)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func row(r audit.Record) []string {
	var d judged
	_ = json.Unmarshal(r.Data, &d) // absent in most events
	var rules []string
	for _, x := range d.Rules {
		rules = append(rules, x.ID)
	}
	a, t := actorOf(r), targetOf(r)
	cells := []string{
		r.Time.UTC().Format(time.RFC3339Nano), string(r.Log), strconv.FormatUint(r.Seq, 10), string(r.Session), string(r.Event),
		a.User, strconv.Itoa(a.UID), t.Host, string(t.Address), t.Account,
		string(d.Risk), string(d.Effect), strings.Join(rules, " "), visible(Summary(r)),
	}
	for i, c := range cells {
		if c != "" && strings.ContainsRune("=+-@\t\r", rune(c[0])) {
			cells[i] = "'" + c
		}
	}
	return cells
}

func actorOf(r audit.Record) (a audit.ActorOf[string]) {
	if r.Actor != nil {
		a = *r.Actor
	}
	return a
}

func targetOf(r audit.Record) (t audit.TargetOf[string]) {
	if r.Target != nil {
		t = *r.Target
	}
	return t
}

// OCSF writes the selected records as events of the Open Cybersecurity Schema
// Framework 1.3 (https://schema.ocsf.io), one JSON object a line: commands as
// Process Activity (1007), sessions as SSH Activity (4007), all else as API
// Activity (6003). The record itself is under unmapped.
func (l *Logs) OCSF(w io.Writer, q Query) error {
	enc := json.NewEncoder(w)
	for r, err := range l.Search(q) {
		if err != nil {
			return err
		}
		if err := enc.Encode(ocsf(r)); err != nil {
			return err
		}
	}
	return nil
}

type ocsfClass struct {
	uid, category int
	activity      map[audit.Kind]int
}

var (
	processActivity = ocsfClass{1007, 1, map[audit.Kind]int{audit.KindCommandIntent: 1, audit.KindCommandOutcome: 2}}
	sshActivity     = ocsfClass{4007, 4, map[audit.Kind]int{audit.KindSessionConnecting: 1, audit.KindSessionConnected: 1, audit.KindSessionDisconnected: 2, audit.KindSessionAuthFailed: 4}}
	apiActivity     = ocsfClass{6003, 6, nil}
)

const activityOther = 99

func classOf(k audit.Kind) ocsfClass {
	switch group, _, _ := strings.Cut(string(k), "."); group {
	case "command", "input", "keys":
		return processActivity
	case "session", "channel":
		return sshActivity
	}
	return apiActivity
}

func ocsf(r audit.Record) map[string]any {
	c := classOf(r.Event)
	activity := activityOther
	if n, ok := c.activity[r.Event]; ok {
		activity = n
	}
	var d judged
	_ = json.Unmarshal(r.Data, &d) // absent in most events
	e := map[string]any{
		"class_uid": c.uid, "category_uid": c.category, "activity_id": activity, "type_uid": c.uid*100 + activity,
		"time": r.Time.UnixMilli(), "severity_id": severity(r, d.Risk), "status_id": status(r),
		"metadata": map[string]any{
			"version": "1.3.0", "uid": string(r.Log) + "/" + strconv.FormatUint(r.Seq, 10), "sequence": r.Seq,
			"event_code": string(r.Event), "product": map[string]any{"name": "Sallyport", "vendor_name": "Sallyport"},
		},
		"actor":    map[string]any{"user": map[string]any{"name": actorOf(r).User, "uid": strconv.Itoa(actorOf(r).UID)}, "session": map[string]any{"uid": string(r.Session)}},
		"device":   map[string]any{"hostname": targetOf(r).Host, "ip": string(targetOf(r).Address), "type_id": 1},
		"message":  visible(Summary(r)),
		"unmapped": map[string]any{"record": r},
	}
	if c.uid == processActivity.uid {
		e["process"] = map[string]any{"cmd_line": visible(Summary(r))}
	}
	return e
}

// severity: informational, low, medium, high.
func severity(r audit.Record, risk audit.Risk) int {
	if r.Event == audit.KindCommandRefused {
		return max(3, 1+rank(risk))
	}
	return 1 + rank(risk)
}

// status: success, failure, unknown.
func status(r audit.Record) int {
	switch r.Event {
	case audit.KindCommandRefused, audit.KindSessionAuthFailed, audit.KindSessionError, audit.KindPolicyRefused:
		return 2
	case audit.KindCommandOutcome:
		o, err := audit.Decode[audit.Outcome[string]](r)
		switch {
		case err != nil || o.ExitCode == nil:
			return 0
		case *o.ExitCode != 0:
			return 2
		}
	}
	return 1
}
