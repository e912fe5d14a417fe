package session

import (
	"context"
	"errors"
	"time"

	"sallyport/console/gate"
	"sallyport/console/probe"
	"sallyport/console/shellmarks"
	"sallyport/policy"
)

// running is the command between its start and the prompt that ends it. What
// the host says of its end counts when the prompt does.
type running struct {
	entry     int // in the journal
	intent    uint64
	facts     []policy.Fact
	ended     bool
	exit      *int
	cwd       string
	stoppedAt time.Time
	status    Status
	secrets   bool // its facts name a program that asks for secrets
}

// accepted notes a command whose intent is durable; its clearance is about to
// be spent.
func (l *loop) accepted(req gate.Request, c gate.Cleared) {
	sug := req.Suggestion
	if sug == nil {
		sug = c.Suggestion()
	}
	d := c.Decision()
	l.cmd = &Command{
		Intent: c.Intent(), Line: req.Text, Origin: d.Origin, Suggestion: sug, Edited: sug != nil && sug.Text != req.Text,
		Risk: d.Risk, Evidence: req.Evidence, Cwd: l.cwd,
	}
	if d.Origin == "" {
		l.cmd.Origin = req.Origin
	}
	l.active = nil
	l.pending(d.Facts)
}

// pending keeps what is needed when the command starts.
func (l *loop) pending(facts []policy.Fact) {
	l.out.facts = facts
}

// commandStarts is C. A second C of one accept is a further command of the
// same buffer.
func (l *loop) commandStarts(f *frame, _ shellmarks.Mark) {
	if l.state != Granted || l.cmd == nil {
		if l.state == Granted {
			l.alarmed("the shell ran a line that was taken for unfinished")
		}
		return
	}
	l.stop("granted")
	f.acc = nil
	l.begin()
}

// begin puts the accepted command into the journal: it runs.
func (l *loop) begin() {
	l.cmd.Started = l.cfg.Clock()
	l.active = &running{intent: l.cmd.Intent, facts: l.out.facts}
	l.active.secrets = l.rules().PromptsForSecret(l.active.facts) || l.device.asksSecret(l.cmd.Line)
	l.s.mu.Lock()
	l.cmd.Seq = len(l.s.journal) + 1
	l.cmd.Row = l.promptRow
	l.active.entry = len(l.s.journal)
	l.s.journal = append(l.s.journal, *l.cmd)
	l.s.mu.Unlock()
	l.out.begin(l, l.cmd.Line)
	l.cfg.Observer.Started(*l.cmd)
	l.taint(l.cmd.Line, l.active.facts)
	l.sight = sight{}
	l.set(Running)
	l.cfg.Slot.Enter(gate.State{Phase: gate.Busy, Prompt: l.prompts, Intent: l.cmd.Intent})
	l.lookSoon(idle)
}

// lookSoon looks at a command a few times after its start: it may read
// without having printed anything.
func (l *loop) lookSoon(after time.Duration) {
	l.after("start", after, func() {
		l.look()
		if after < time.Second {
			l.lookSoon(3 * after)
		}
	})
}

// promptClaimed is a prompt mark while something runs: it counts when the
// side channel sees the shell in the foreground. Where there is no side
// channel, the end that came before it must do.
func (l *loop) promptClaimed(f *frame) { l.confirmPrompt(f, 0) }

// maxClaims is how often a claim is looked at before it is called false.
const maxClaims = 4

func (l *loop) confirmPrompt(f *frame, n int) {
	if !l.probe.works() {
		if l.active == nil || l.active.ended {
			l.atPrompt(f)
		}
		return
	}
	l.probe.ask(l, func(t probe.Terminal, err error) {
		switch {
		case l.state != Running && l.state != Field && l.state != Keys || l.top() != f:
		case err != nil || inFront(t, f.pid):
			l.atPrompt(f)
		case n < maxClaims:
			l.after("claim", idle, func() { l.confirmPrompt(f, n+1) })
		default:
			l.alarmed("a prompt was claimed while " + program(t) + " runs")
		}
	})
}

// finish closes the running command's entry.
func (l *loop) finish() {
	r := l.active
	if r == nil {
		if l.cmd != nil {
			l.drop(NotSent, "nothing ran")
		}
		return
	}
	l.active, l.cmd = nil, nil
	if !r.ended {
		r.stoppedAt = l.cfg.Clock()
	}
	if r.status == "" {
		r.status = Completed
		if r.exit != nil && *r.exit == 130 {
			r.status = Interrupted
		}
	}
	if r.cwd != "" {
		l.cwd = r.cwd
	}
	l.exit = r.exit
	l.close(r)
}

// close writes a command's end into journal and record.
func (l *loop) close(r *running) {
	tail, digest := l.out.end(l)
	l.s.mu.Lock()
	c := &l.s.journal[r.entry]
	c.Exit, c.Status, c.OutputBytes = r.exit, r.status, l.out.bytes
	c.Duration = r.stoppedAt.Sub(c.Started)
	if r.cwd != "" {
		c.Cwd = r.cwd
	}
	done := *c
	l.s.mu.Unlock()
	l.records.ended(done, tail, digest)
	l.cfg.Observer.Ended(done, tail)
}

// drop closes the record of a command that was accepted and never started.
func (l *loop) drop(st Status, why string) {
	if l.cmd == nil {
		return
	}
	if l.active != nil {
		l.active.status = st
		return
	}
	c := *l.cmd
	l.cmd = nil
	l.records.outcome(c.Intent, st, why)
}

// closing ends what is open when the session ends.
func (l *loop) closing(err error) {
	l.closeField()
	l.closeKeys("the session ended")
	for {
		l.cutOff(err)
		if len(l.frames) < 2 {
			return
		}
		l.pop(len(l.frames) - 1)
	}
}

// cutOff ends what runs in the newest frame when the session ends.
func (l *loop) cutOff(err error) {
	if l.active != nil {
		if l.active.status == "" && !l.active.ended {
			l.active.status = cutOffStatus(err)
		}
		l.finish()
	}
	if cutOffStatus(err) == ConnectionLost {
		l.drop(ConnectionLost, "the session ended")
	} else {
		l.drop(Unobserved, "the session ended")
	}
}

// cutOffStatus is what becomes of a command whose session ends.
func cutOffStatus(err error) Status {
	switch {
	case err == nil: // the shell ended: exit, or exec
		return Completed
	case errors.Is(err, context.Canceled): // the operator closed it
		return StillRunning
	}
	return ConnectionLost
}

// editor is E: a key would have opened a program on the line. Nobody would judge
// that it starts, nor what is run in it.
func (l *loop) editor(what string) {
	if what != "off" || l.state != Prompt && l.state != Continuation {
		return
	}
	l.refused = &gate.Refusal{
		By: gate.ByGate, Reason: "no editor and no pager is opened on the line: commands run in them that nobody judges",
		Remedy: "edit the line here, or start the program by a line of its own",
	}
}

func (l *loop) rules() Rules {
	if l.cfg.Rules == nil {
		return noRules{}
	}
	return l.cfg.Rules()
}

// noRules allows nothing.
type noRules struct{}

func (noRules) PromptsForSecret([]policy.Fact) bool                { return false }
func (noRules) Interactive(string) (bool, []string, policy.Effect) { return false, nil, policy.Deny }
func (noRules) EvidenceMinimum([]policy.Target) string             { return "none" }
func (noRules) UserCode() string                                   { return "allow" }
