package console

import (
	"sync"

	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/screen"
	"sallyport/console/session"
	"sallyport/policy"
	"sallyport/redact"
)

const (
	tailLines = 100
	tailBytes = copilot.MaxOutput
)

var snip = redact.Literal("\n--- snip ---\n")

// watcher is the only way from a session to the copilot and to a recording that
// is not encrypted: what it tells is redacted, and policy says how much of it
// the copilot gets.
type watcher struct {
	host     *Host
	record   *recorder
	redactor *redact.Redactor
	targets  []policy.Target

	mu    sync.Mutex
	shell *session.Session
	cop   *copilot.Session
	last  *session.Command // the last that ended
	told  uint64           // highest Seq of a suggestion that the session knows
}

// config is the copilot's side of an attempt.
func (w *watcher) config(a *attempt) copilot.SessionConfig {
	return copilot.SessionConfig{
		ID:       w.host.c.text(a.session),
		Recorder: a.scope,
		Context:  w.context,
		Sends:    w.sends,
	}
}

func (w *watcher) attach(shell *session.Session, cop *copilot.Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shell, w.cop = shell, cop
}

func (w *watcher) sends() copilot.Sends {
	return copilot.Sends(w.host.c.Rules().CopilotSend(w.targets))
}

// context is what is known at this moment, redacted.
func (w *watcher) context() copilot.Context {
	w.mu.Lock()
	shell, last := w.shell, w.last
	w.mu.Unlock()
	target := w.targets[len(w.targets)-1]
	ctx := copilot.Context{
		Host:      w.text(target.Account + "@" + target.Asked),
		User:      w.text(target.Account),
		Connected: w.host.Link().Phase == Connected,
	}
	if shell == nil {
		return ctx
	}
	ctx.Tail = w.tail(shell)
	view := shell.View()
	ctx.Cwd, ctx.LastExit = w.text(view.Cwd), view.LastExit
	if last != nil {
		ctx.LastCommand = w.command(last.Line)
	}
	return ctx
}

// tail is the last lines of what the terminal shows and scrolled.
func (w *watcher) tail(shell *session.Session) redact.Text {
	var lines []redact.Line
	shell.Screen(func(s *screen.Screen) { lines = s.Tail(tailLines) })
	t, _ := w.redactor.Cells(redact.Lines(lines...))
	return t.TrimRightLines().HeadTail(tailBytes, snip)
}

func (w *watcher) text(s string) redact.Text {
	t, _ := w.redactor.Text(s)
	return t
}

func (w *watcher) command(line string) redact.Text {
	t, _ := w.redactor.CommandText(line)
	return t
}

// Output tells of new output.
func (w *watcher) Output(t redact.Text) {
	w.record.redacted(t)
	w.cop.Update(t)
}

// Started tells of a command that runs.
func (w *watcher) Started(c session.Command) {
	report := w.report(c)
	w.record.mark(c, report.Line)
	w.cop.Started(report)
}

// Ended tells of its end.
func (w *watcher) Ended(c session.Command, output redact.Text) {
	w.mu.Lock()
	w.last = &c
	w.mu.Unlock()
	told := w.report(c)
	told.Output, told.Exit = output, c.Exit
	w.cop.Ended(told)
}

// report is a command as Linus is told of it.
func (w *watcher) report(c session.Command) copilot.Command {
	t := copilot.Command{Seq: uint64(c.Seq), Line: w.command(c.Line), Source: copilot.UserTyped}
	if s := c.Suggestion; s != nil {
		t.Source, t.Edited = copilot.Suggested, c.Edited
		t.Suggestion = w.text(s.ID)
		if s.Agent != "" {
			t.Suggestion = redact.Join(redact.Literal("agent:"), t.Suggestion)
		}
	}
	return t
}

// learn tells the session what Linus suggested since the last time, so that
// a line which equals it keeps its origin however it got there.
func (w *watcher) learn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cop == nil {
		return
	}
	var fresh []gate.Suggestion
	high := w.told
	for _, s := range w.cop.State().Suggestions {
		for v := &s; v != nil; v = v.Newer {
			if v.Seq > w.told {
				fresh = append(fresh, Suggested(*v))
				high = max(high, v.Seq)
			}
		}
	}
	w.told = high
	if len(fresh) > 0 {
		w.shell.Suggest(fresh...)
	}
}

// Suggested is a suggestion of Linus as the gate takes it.
func Suggested(s copilot.Suggestion) gate.Suggestion {
	return gate.Suggestion{ID: s.ID, Seq: s.Seq, Text: string(s.Command), Claimed: claimed(s)}
}

// claimed is at least high where the text hides something.
func claimed(s copilot.Suggestion) policy.Risk {
	if s.Hidden || s.Unclaimed {
		return policy.High
	}
	return s.Claimed
}
