package review

import (
	_ "embed"
	"html/template"
	"io"
	"time"

	"sallyport/audit"
)

//go:embed report.html
var reportHTML string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"visible": visible,
	"summary": func(r audit.Record) string { return visible(Summary(r)) },
	"clock":   func(t time.Time) string { return t.UTC().Format("15:04:05.000") },
	"day":     func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 MST") },
	"round":   func(d time.Duration) time.Duration { return d.Round(time.Second) },
	"ms":      func(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond },
	"edit":    func(in *audit.Intent[string]) []Part { return visibleParts(Edit(in.Suggested, in.Command)) },
}).Parse(reportHTML))

// Frame is what the terminal showed at a moment, as plain text.
type Frame struct {
	At   float64 `json:"at"` // seconds since the recording began
	Mark string  `json:"mark,omitempty"`
	Text string  `json:"text"`
}

// Report is what a page about a session is made of.
type Report struct {
	*Session
	Verdicts []string // of package verify, on each log
	Verified bool     // all of them were good
	Frames   []Frame  // of the recording, if there is one
	Now      time.Time
}

// HTML writes one page that needs nothing else: no network, no file beside it.
func (r Report) HTML(w io.Writer) error {
	frames := make([]Frame, len(r.Frames))
	for i, f := range r.Frames {
		frames[i] = Frame{f.At, visible(f.Mark), visible(f.Text)}
	}
	r.Frames = frames
	return reportTemplate.Execute(w, r)
}

// Lane is a command's place in the lane of risks, in percent of the session.
type Lane struct {
	Entry
	Left float64
}

// Lanes places the commands in time.
func (r Report) Lanes() (out []Lane) {
	whole := r.End.Sub(r.Began).Seconds()
	for _, e := range r.Entries {
		if e.Intent == nil {
			continue
		}
		left := 0.0
		if whole > 0 {
			left = 99 * e.Time.Sub(r.Began).Seconds() / whole
		}
		out = append(out, Lane{e, left})
	}
	return out
}
