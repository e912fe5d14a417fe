package copilot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"sallyport/audit"
	"sallyport/console/safetext"
	"sallyport/policy"
	"sallyport/redact"
)

// Recorder keeps the record: an audit.Log or an audit.Scope.
type Recorder interface {
	Append(ctx context.Context, events ...audit.Event) ([]audit.Receipt, error)
}

// digester is what a Recorder may be able to do besides: digest bodies that are not
// recorded themselves.
type digester interface {
	Digest(p []byte, findings int) audit.Digest
}

// digesterOf finds what digests for a Recorder, nil if nothing does: the log itself, or
// the log behind a scope.
func digesterOf(to Recorder) digester {
	switch r := to.(type) {
	case digester:
		return r
	case interface{ Log() *audit.Log }:
		return r.Log()
	default:
		return nil
	}
}

// errUnrecorded says that a call was not made because it could not be recorded.
var errUnrecorded = errors.New("the log cannot be written")

// recordTimeout bounds one append.
const recordTimeout = 10 * time.Second

// maxJournal bounds what waits to be recorded outside of calls.
const maxJournal = 1000

// recording is an event with the log that it goes to.
type recording struct {
	to    Recorder
	event audit.Event
}

func (c *Client) recorder(s *Session) Recorder {
	if s != nil && s.cfg.Recorder != nil {
		return s.cfg.Recorder
	}
	return c.cfg.Recorder
}

// note has an event recorded soon, in order. The caller holds the lock.
func (c *Client) note(s *Session, e audit.Event) {
	to := c.recorder(s)
	if to == nil || len(c.journal) >= maxJournal {
		return
	}
	c.journal = append(c.journal, recording{to, e})
	select {
	case c.noted <- struct{}{}:
	default:
	}
}

// startRecording records what is noted, until stop is called.
func (c *Client) startRecording() (stop func()) {
	done := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for {
			select {
			case <-c.noted:
				c.recordNoted()
			case <-done:
				c.recordNoted()
				return
			}
		}
	})
	return func() { close(done); writer.Wait() }
}

func (c *Client) recordNoted() {
	c.mu.Lock()
	todo := c.journal
	c.journal = nil
	c.mu.Unlock()
	for _, r := range todo {
		c.append(r.to, r.event)
	}
}

// append records events and gives the number of the first record.
func (c *Client) append(to Recorder, events ...audit.Event) (*uint64, error) {
	if to == nil || len(events) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), recordTimeout)
	defer cancel()
	receipts, err := to.Append(ctx, events...)
	if err != nil {
		c.cfg.Log.Warn("copilot event not recorded", "error", err)
		return nil, fmt.Errorf("%w: %w", errUnrecorded, err)
	}
	if len(receipts) == 0 {
		return nil, nil
	}
	seq := receipts[0].Seq()
	return &seq, nil
}

// recordCall records a call before it is made.
func (c *Client) recordCall(w work) (*uint64, error) {
	to := c.recorder(w.session)
	e := audit.MCPCall[redact.Text]{
		Direction: audit.ToCopilot, Transport: kindText(w.link.kind), Tool: w.args.tool().text(),
		Call: w.number, Arguments: w.args.gist(),
	}
	if d := digesterOf(to); d != nil {
		if raw, err := json.Marshal(w.args); err == nil {
			e.Body = audit.BodyOf(d.Digest(raw, 0))
		}
	}
	return c.append(to, e)
}

// recordResult records how a call ended, and what came of it.
func (c *Client) recordResult(w work, intent *uint64, r result) {
	to := c.recorder(w.session)
	e := audit.MCPResult[redact.Text]{
		Direction: audit.ToCopilot, Transport: kindText(w.link.kind), Tool: w.args.tool().text(),
		Call: w.number, Intent: intent, Outcome: r.outcome(), DurationMS: r.took.Milliseconds(),
	}
	if err := r.problem(); err != nil {
		e.Error = c.cleanReason(err)
	}
	if d := digesterOf(to); d != nil && r.raw != nil {
		_, found := c.cfg.Redactor.Text(string(r.raw))
		e.Response = audit.BodyOf(d.Digest(r.raw, len(found)))
	}
	c.append(to, e)
}

// received is the record of one suggestion.
func (c *Client) received(s Suggestion) audit.Event {
	command, found := c.cfg.Redactor.CommandText(string(s.Command))
	return audit.SuggestionReceived[redact.Text]{
		ID: c.clean(s.ID), Seq: s.Seq, Command: command,
		CommandDigest: audit.NewExact([]byte(s.Command), len(found)),
		Description:   c.clean(string(s.Description)), ClaimedRisk: riskWord(s.Claimed),
	}
}

func (c *Client) edited(was Suggestion, now redact.Text) audit.Event {
	command, _ := c.cfg.Redactor.CommandText(string(was.Command))
	return audit.SuggestionEdited[redact.Text]{ID: c.clean(was.ID), Suggested: command, Command: now}
}

func (c *Client) changeEvents(ch change) []audit.Event {
	var out []audit.Event
	if ch.clearedAll || len(ch.cleared) > 0 {
		e := audit.SuggestionCleared[redact.Text]{All: ch.clearedAll}
		for _, id := range ch.cleared {
			e.IDs = append(e.IDs, c.clean(id))
		}
		out = append(out, e)
	}
	for _, s := range ch.received {
		out = append(out, c.received(s))
	}
	return out
}

// clean makes Linus' words fit for the record.
func (c *Client) clean(s string) redact.Text {
	t, _ := c.cfg.Redactor.Text(s)
	return t
}

// cleanLine makes words of others fit to be drawn on one short line.
func (c *Client) cleanLine(s string) string {
	return cutLine(safetext.Line(c.clean(s).String()), maxReason)
}

// cleanReason makes an error fit to be drawn and recorded.
func (c *Client) cleanReason(err error) redact.Text {
	if err == nil {
		return redact.Literal("the connection ended")
	}
	return c.clean(cutLine(safetext.Line(err.Error()), 2*maxReason))
}

func riskWord(r policy.Risk) audit.Risk {
	switch r {
	case policy.Low:
		return audit.RiskLow
	case policy.Medium:
		return audit.RiskMedium
	default:
		return audit.RiskHigh
	}
}

func kindText(kind string) redact.Text {
	if kind == "http" {
		return redact.Literal("http")
	}
	return redact.Literal("stdio")
}

func (t tool) text() redact.Text {
	switch t {
	case toolChat:
		return redact.Literal("linus_chat")
	case toolUpdate:
		return redact.Literal("linus_terminal_update")
	case toolExecuted:
		return redact.Literal("linus_command_executed")
	default:
		return redact.Literal("linus_session_state")
	}
}
