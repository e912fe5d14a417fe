package ship

import (
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"

	"sallyport/audit"
)

// line is a record on its way.
type line struct {
	seq  uint64
	leaf audit.Hash
	ts   time.Time
	raw  []byte
	end  int64 // offset behind it
	size int64 // with its newline
}

func (s *Shipper) request(batch []line) *collogs.ExportLogsServiceRequest {
	records := make([]*logs.LogRecord, len(batch))
	for i, l := range batch {
		records[i] = record(l, s.now())
	}
	return &collogs.ExportLogsServiceRequest{ResourceLogs: []*logs.ResourceLogs{{
		Resource: &resource.Resource{Attributes: s.attributes},
		ScopeLogs: []*logs.ScopeLogs{{
			Scope: &common.InstrumentationScope{Name: "sallyport/audit"}, LogRecords: records,
		}},
	}}}
}

// Attributes are the resource's, by the names of OpenTelemetry's semantic
// conventions. What the console knows itself is not overridden by More.
func (r Resource) Attributes() map[string]string {
	out := maps.Clone(r.More)
	if out == nil {
		out = map[string]string{}
	}
	for k, v := range map[string]string{"service.name": r.Service, "service.instance.id": r.Instance, "host.name": r.Host} {
		if v != "" {
			out[k] = v
		}
	}
	if out["service.name"] == "" {
		out["service.name"] = "sallyport"
	}
	return out
}

func (r Resource) encode() (out []*common.KeyValue) {
	all := r.Attributes()
	for _, k := range slices.Sorted(maps.Keys(all)) {
		out = append(out, text(k, all[k]))
	}
	return out
}

func text(k, v string) *common.KeyValue {
	return &common.KeyValue{Key: k, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: v}}}
}

func number(k string, n int64) *common.KeyValue {
	return &common.KeyValue{Key: k, Value: &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: n}}}
}

// searched are the fields that become attributes.
type searched struct {
	audit.Record
	Data struct {
		Risk     audit.Risk          `json:"risk"`
		Effect   audit.Effect        `json:"effect"`
		ExitCode *int64              `json:"exit_code"`
		Status   audit.OutcomeStatus `json:"status"`
	} `json:"data"`
}

// record makes a log record of a line. A line that cannot be read, of a log
// that was damaged, goes as it is.
func record(l line, now time.Time) *logs.LogRecord {
	var r searched
	_ = json.Unmarshal(l.raw, &r)
	out := &logs.LogRecord{
		TimeUnixNano: uint64(l.ts.UnixNano()), ObservedTimeUnixNano: uint64(now.UnixNano()),
		Body:       &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: string(l.raw)}},
		EventName:  string(r.Event),
		Attributes: attributesOf(r, l),
	}
	out.SeverityNumber, out.SeverityText = severity(r)
	trace(out, string(r.Trace))
	return out
}

func attributesOf(r searched, l line) []*common.KeyValue {
	out := []*common.KeyValue{
		text("log.record.uid", l.leaf.String()), text("event.name", string(r.Event)),
		text("sallyport.log", string(r.Log)), number("sallyport.seq", int64(l.seq)),
	}
	add := func(k, v string) {
		if v != "" {
			out = append(out, text(k, v))
		}
	}
	add("session.id", string(r.Session))
	if r.Actor != nil {
		add("user.name", r.Actor.User)
		add("user.id", strconv.Itoa(r.Actor.UID))
	}
	if r.Target != nil {
		add("server.address", r.Target.Host)
	}
	add("sallyport.risk", string(r.Data.Risk))
	add("sallyport.effect", string(r.Data.Effect))
	add("sallyport.status", string(r.Data.Status))
	if r.Data.ExitCode != nil {
		out = append(out, number("process.exit.code", *r.Data.ExitCode))
	}
	return out
}

// severity: errors are what failed or was found damaged, warnings what was
// refused or was risky.
func severity(r searched) (logs.SeverityNumber, string) {
	switch {
	case r.Event == audit.KindSessionError, r.Event == audit.KindSessionAuthFailed, r.Event == audit.KindPolicyRefused,
		r.Event == audit.KindBreakGlassOpened, r.Event == audit.KindLogRecovered, r.Event == audit.KindShipRejected:
		return logs.SeverityNumber_SEVERITY_NUMBER_ERROR, "ERROR"
	case r.Event == audit.KindCommandRefused, r.Event == audit.KindSessionDegraded, r.Event == audit.KindMCPOffline,
		r.Data.Risk == audit.RiskHigh, r.Data.ExitCode != nil && *r.Data.ExitCode != 0,
		r.Event == audit.KindCommandOutcome && r.Data.Status != audit.Completed:
		return logs.SeverityNumber_SEVERITY_NUMBER_WARN, "WARN"
	}
	return logs.SeverityNumber_SEVERITY_NUMBER_INFO, "INFO"
}

// trace sets the ids of a W3C traceparent: 00-TRACE-SPAN-FLAGS.
func trace(r *logs.LogRecord, parent string) {
	f := strings.Split(parent, "-")
	if len(f) != 4 {
		return
	}
	id, err1 := hex.DecodeString(f[1])
	span, err2 := hex.DecodeString(f[2])
	flags, err3 := strconv.ParseUint(f[3], 16, 8)
	if err1 == nil && err2 == nil && err3 == nil {
		r.TraceId, r.SpanId, r.Flags = id, span, uint32(flags)
	}
}
