package console

import (
	"errors"
	"fmt"
	"slices"

	"sallyport/audit"
	"sallyport/audit/recording"
	"sallyport/console/gate"
	"sallyport/console/screen"
	"sallyport/console/session"
	"sallyport/policy"
	"sallyport/redact"
)

// recorder keeps what the operator saw of one attempt. What becomes of the
// session when it cannot is the policy's word.
type recorder struct {
	host  *Host
	a     *attempt
	shell *session.Session
	rec   *recording.Recorder // nil: it could not begin

	cols, rows int
}

// record begins the recording of an attempt.
func (h *Host) record(a *attempt) *recorder {
	r := &recorder{host: h, a: a}
	if err := h.c.auditors(); err != nil {
		r.failed(err)
		return r
	}
	rec, err := recording.New(recording.Config{
		Dir:        h.c.cfg.AuditDir,
		Session:    a.session,
		Cols:       firstCols,
		Rows:       firstRows,
		Term:       "xterm-256color",
		Recipients: h.c.recipients(),
		Log:        a.scope,
		OnFailure:  r.failed,
		FS:         h.c.cfg.Audit.FS,
	})
	if err != nil {
		r.failed(err)
		return r
	}
	r.rec, r.cols, r.rows = rec, firstCols, firstRows
	return r
}

// recipients are the auditors of the configuration and of the policy in force.
func (c *Console) recipients() []string {
	all := append(slices.Clone(c.cfg.Audit.Recipients), c.Rules().Recording().Recipients...)
	slices.Sort(all)
	return slices.Compact(all)
}

// errNoAuditors refuses to keep what the operator could read.
var errNoAuditors = errors.New("policy's [recording] recipients_required is set, and no recipients are named")

// auditors says whether somebody is named to whom the policy wants recordings
// encrypted.
func (c *Console) auditors() error {
	if c.Rules().Recording().RecipientsRequired && len(c.recipients()) == 0 {
		return errNoAuditors
	}
	return nil
}

// The size of a terminal that nobody has measured yet.
const (
	firstCols = 80
	firstRows = 24
)

// output takes what the operator sees, in the session's goroutine.
func (r *recorder) output(p []byte) {
	if r.rec == nil {
		return
	}
	var cols, rows int
	r.shell.Screen(func(s *screen.Screen) { cols, rows = s.Size() })
	if cols != r.cols || rows != r.rows {
		r.cols, r.rows = cols, rows
		r.rec.Resize(cols, rows)
	}
	r.rec.Output(p)
}

// redacted takes the same as the redactor gives it.
func (r *recorder) redacted(t redact.Text) {
	if r.rec != nil {
		r.rec.Redacted(t)
	}
}

func (r *recorder) mark(c session.Command, text redact.Text) {
	if r.rec == nil {
		return
	}
	if c.Origin == policy.Human && c.Evidence == gate.EvidenceShell { // the shell echoed it as it was typed
		r.rec.Input(redact.Join(text, redact.Literal("\r")))
	}
	r.rec.Mark(c.Intent, text)
}

func (r *recorder) close() {
	if r.rec != nil {
		r.rec.Close()
	}
}

// errRecording refuses sends of a session that is not recorded.
var errRecording = errors.New("the recording cannot be written, and policy's [recording] on_failure refuses what is not recorded")

// failed does what the policy says: end the session, refuse sends, or note it.
func (r *recorder) failed(err error) {
	c := r.host.c
	c.append(r.a.scope, audit.SessionError[redact.Text]{
		Step:   redact.Literal(audit.StepRecording),
		Reason: c.text(err.Error()),
	})
	switch c.Rules().Recording().OnFailure {
	case "end":
		r.a.cancel()
	case "refuse_sends":
		r.a.refused.Store(&noPolicy{fmt.Errorf("%w: %w", errRecording, err)})
		c.notify()
	}
}

// judgeOf is the policy for one attempt: what cannot be recorded may be refused
// whatever the policy says of the command.
func (c *Console) judgeOf(a *attempt) gate.Judge {
	if n := a.refused.Load(); n != nil {
		return *n
	}
	return c.judge()
}
