package review

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sallyport/audit"
)

// Summary says in one line what a record is about. It is made of what stands
// in the record: hostile until it is made safe to show.
func Summary(r audit.Record) string {
	var d map[string]any
	if json.Unmarshal(r.Data, &d) != nil {
		return ""
	}
	switch r.Event {
	case audit.KindCommandIntent:
		return str(d["command"])
	case audit.KindCommandRefused:
		return fmt.Sprintf("%s (by %s: %s)", str(d["command"]), str(d["by"]), str(d["reason"]))
	case audit.KindCommandOutcome:
		return outcomeSummary(d)
	}
	return plain(d)
}

func outcomeSummary(d map[string]any) string {
	exit := "exit unknown"
	if d["exit_code"] != nil {
		exit = "exit " + str(d["exit_code"])
	}
	return fmt.Sprintf("of %s: %s, %s, %s ms", str(d["intent"]), str(d["status"]), exit, str(d["duration_ms"]))
}

// plain lists the short fields of a record.
func plain(d map[string]any) string {
	var parts []string
	for k, v := range d {
		s := str(v)
		if s == "" || s == "false" || bulky[k] || strings.HasSuffix(k, "digest") || strings.HasSuffix(k, "sig") {
			continue
		}
		parts = append(parts, k+"="+s)
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// bulky fields say nothing in one line.
var bulky = map[string]bool{"note": true, "body": true, "response": true, "targets": true, "facts": true, "key": true, "sealed_key": true, "files": true}

func str(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case float64, bool:
		return fmt.Sprint(x)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
