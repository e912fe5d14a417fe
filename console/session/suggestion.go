package session

import (
	"errors"
	"time"

	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/probe"
	"sallyport/console/shellmarks"
	"sallyport/policy"
	"sallyport/policy/command"
)

// Why a suggestion was not sent, where the gate did not refuse it.
var (
	errEnded = errors.New("the session has ended: nothing was sent; reconnect, then send it again")
	errBusy  = errors.New("a suggestion is sent at a prompt: wait until the running command has ended")
)

func (l *loop) tooLate() error {
	if l.state == Dead {
		return errEnded
	}
	return errBusy
}

// suggestion puts a text into the shell's buffer and has it judged. The gate
// judges it first: of a refused one no byte leaves.
func (l *loop) suggestion(sug gate.Suggestion, text string, done chan<- error) {
	l.cfg.Slot.Suggest(sug)
	if l.state != Prompt {
		done <- l.tooLate()
		return
	}
	f := l.top()
	if l.compose != nil {
		l.composeSubmit(f, text, &sug, done)
		return
	}
	l.set(Confirm)
	l.ask.number++
	n := l.ask.number
	wire := &shellmarks.Verdict{Shell: f.shell}
	req := gate.Request{
		Kind: gate.Line, Origin: policy.Copilot, Text: text, Dialect: f.shell.Dialect(), Cwd: l.cwd,
		Suggestion: &sug, Evidence: gate.EvidenceShell, Wire: shellmarks.Inject{Verdict: wire}, Gutter: true,
		State: policy.ShellState{Options: map[string]bool{command.OptHistory: false}}, // an injected text is not expanded
	}
	l.start(func() func() {
		c, err := l.submit(req, false, shellmarks.Verdict{})
		return func() { l.inject(f, n, req, wire, c, err, done) }
	})
}

// inject sends the first step of a cleared suggestion: the text, which the
// shell puts into its buffer and reports.
func (l *loop) inject(f *frame, n int, req gate.Request, wire *shellmarks.Verdict, c gate.Cleared, err error, done chan<- error) {
	if n != l.ask.number || l.state != Confirm {
		l.abandon(c, err, "the prompt changed")
		done <- errors.Join(err, l.tooLate())
		return
	}
	done <- err
	if err != nil { // who sent it says so: the shell's own line is as it was
		l.dropHeld()
		l.back(f)
		return
	}
	l.accepted(req, c)
	l.ask.inject = &injection{text: req.Text, wire: wire, ok: c}
	l.ask.tries = maxTries // an injection is not repeated
	l.set(Query)
	l.ask.sent = l.cfg.Clock()
	l.endPrefix()
	if !l.send(c, nil) {
		l.notTakenByChannel()
		l.back(f)
		return
	}
	l.after("query", l.patience()+time.Duration(len(req.Text))*time.Millisecond/4, l.queryAgain)
}

// injected releases the accept, only if the shell holds the judged text and
// the state that it reports does not change what the text means.
func (l *loop) injected(f *frame, r shellmarks.Report) {
	in := l.ask.inject
	l.ask.inject = nil
	v := l.verdict(f, r.Seq, false)
	*in.wire = v
	next, err := in.ok.Next(r.Line)
	if err != nil {
		l.alarmed("the shell holds another text than the suggestion: it was not run")
		l.drop(Mismatch, err.Error())
		l.back(f)
		return
	}
	if c, stronger := l.stronger(f, r, in); stronger {
		l.drop(NotSent, "judged again with the shell's state")
		l.judgeInjected(f, r, c)
		return
	}
	l.grant(f, v, next)
}

// stronger tells whether the state that the shell reports makes the policy
// answer more severely than it did when the text was judged without it.
func (l *loop) stronger(f *frame, r shellmarks.Report, in *injection) (*gate.Suggestion, bool) {
	req := l.request(f, r)
	req.Suggestion = l.cmd.Suggestion
	was, is := in.ok.Decision(), l.cfg.Gate.Judge(l.cfg.Slot, req)
	return l.cmd.Suggestion, is.Effect > was.Effect || is.Risk > was.Risk
}

// judgeInjected judges the text again as a line that the shell holds.
func (l *loop) judgeInjected(f *frame, r shellmarks.Report, sug *gate.Suggestion) {
	l.cfg.Slot.Suggest(gate.Suggestion{ID: sug.ID, Seq: sug.Seq, Text: r.Line, Claimed: sug.Claimed, Agent: sug.Agent})
	l.judge(f, r)
}

// silent is no answer to a query. Nothing is assumed of it: where the side
// channel sees the shell idle in the foreground the operator chooses.
func (l *loop) silent() {
	if !l.probe.works() {
		l.wait()
		return
	}
	f, state, number := l.top(), l.state, l.ask.number
	l.probe.ask(l, func(t probe.Terminal, err error) {
		switch {
		case l.state != state || l.ask.number != number || state != Query && state != Granted:
		case err == nil && !idleInFront(t, f.pid):
			l.after("query", l.patience(), l.silent) // it completes, or an editor has the terminal
		default:
			l.wait()
		}
	})
}

func (l *loop) wait() {
	if l.cmd != nil && l.active == nil {
		l.drop(Unobserved, "the shell did not answer")
	}
	l.set(Waiting)
	l.waiting = l.cfg.Clock()
}

// waitingKey knows one key: Esc drops the line. The rest is held.
func (l *loop) waitingKey(k keys.Event) {
	if b, ok := signalOf(k); ok {
		l.signal(b)
		return
	}
	if k.Key == keys.Escape {
		l.choose(DropLine)
		return
	}
	l.hold(held{key: k})
}

// choose is what the operator does about a shell that does not answer.
func (l *loop) choose(c Choice) {
	f := l.top()
	switch {
	case c == Retry && (l.state == Waiting || l.state == Prompt && l.why != ""):
		l.retry()
	case l.state == Boot && !l.waiting.IsZero():
		l.chooseBoot(c)
	case l.state != Waiting:
	case c == Wait:
		l.waiting = l.cfg.Clock()
		l.control(gate.QueryKey(f.shell))
	case c == DropLine:
		l.waiting = l.cfg.Clock()
		l.signal(gate.SignalInterrupt)
		l.waiting = time.Time{}
	case c == Compose:
		l.waiting = time.Time{}
		l.plainAgain("the shell does not answer")
	}
}

// resize tells the screen and the remote.
func (l *loop) resize(cols, rows int) {
	l.cfg.Cols, l.cfg.Rows = cols, rows
	l.s.mu.Lock()
	l.s.screen.Resize(cols, rows)
	l.s.mu.Unlock()
	l.out.stream.Columns(cols)
	if l.ch == nil {
		return
	}
	if c, err := l.cfg.Gate.Control(l.cfg.Slot, gate.Window(cols, rows)); err == nil {
		l.note(l.ch.Resize(c))
	}
}
