package session

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/shellmarks"
	"sallyport/policy"
)

// key routes one key press by state.
func (l *loop) key(k keys.Event) {
	if l.state != Confirm {
		l.refused = nil
	}
	switch l.state {
	case Prompt, Continuation:
		l.promptKey(k)
	case Running, Granted, Query, Interrupt, Boot, Confirm, Field:
		l.busyKey(k)
	case Keys:
		if !l.pagerKey(k) {
			l.rawKey(k)
		}
	case Waiting:
		l.waitingKey(k)
	}
}

// busyKey lets signals pass and holds the rest.
func (l *loop) busyKey(k keys.Event) {
	if l.device != nil && l.device.escape != 0 && k.Key == keys.Char && k.Mod == keys.Ctrl && k.Rune == '^' {
		l.control(gate.Press(gate.SignalEscape))
		return
	}
	if b, ok := signalOf(k); ok {
		l.signal(b)
		return
	}
	if k.Key == keys.Escape && len(l.held) > 0 {
		l.dropHeld()
		return
	}
	if l.undrawn() {
		l.early(held{key: k})
		return
	}
	l.hold(held{key: k})
	if l.state == Running {
		if !l.asking {
			l.asked = "" // refused before: a new key asks anew
		}
		l.look()
	}
}

// isEnter tells the keys that end a line.
func isEnter(k keys.Event) bool {
	if k.Key == keys.Char {
		return k.Mod == keys.Ctrl && strings.ContainsRune("jJmM", k.Rune)
	}
	return k.Key == keys.Enter || k.Key == keys.KPEnter
}

// signalOf tells the keys that always pass.
func signalOf(k keys.Event) (byte, bool) {
	if k.Mod != keys.Ctrl || k.Key != keys.Char {
		return 0, false
	}
	switch k.Rune {
	case 'c', 'C':
		return gate.SignalInterrupt, true
	case 'z', 'Z':
		return gate.SignalStop, true
	case '\\':
		return gate.SignalQuit, true
	case 'd', 'D':
		return gate.SignalEOF, true
	}
	return 0, false
}

// signal sends a signal key. At a prompt the terminal drops what was typed, so
// keys wait for the next prompt.
func (l *loop) signal(b byte) {
	if b == gate.SignalEOF && l.endWaits() {
		l.hold(held{key: keys.Event{Rune: 'd', Mod: keys.Ctrl}})
		l.look()
		return
	}
	if b == gate.SignalInterrupt {
		l.dropHeld()
	}
	if l.ch == nil || !l.control(gate.Press(b)) {
		return
	}
	if b == gate.SignalInterrupt && l.atLine() {
		l.interrupted()
	}
}

// endWaits tells whether an end of file waits: until it is known that something
// reads, and behind the line that is on its way there.
func (l *loop) endWaits() bool {
	return l.state == Running && l.probe.works() && l.asked == "" || l.state == Field && l.field.sending
}

// atLine tells whether a shell's line is being edited or judged.
func (l *loop) atLine() bool {
	switch l.state {
	case Prompt, Continuation, Query, Confirm, Waiting:
		return true
	}
	return false
}

// interrupted waits for the prompt that follows ^C. It voids an open question.
func (l *loop) interrupted() {
	f := l.top()
	l.ask = query{answer: l.ask.answer, number: l.ask.number + 1}
	l.set(Interrupt)
	l.enterPrompt(f)
	l.after("interrupt", max(l.cfg.Timing.Interrupt, 2*l.ask.answer), func() { l.promptLate(f, 0) })
}

// promptLate is no prompt after ^C yet. A shell that is asked may answer; that
// proves it as well.
func (l *loop) promptLate(f *frame, n int) {
	switch {
	case l.state != Interrupt:
	case !f.integrated():
		l.atPrompt(f)
	case n < maxTries:
		l.control(gate.QueryKey(f.shell))
		l.after("interrupt", l.patience(), func() { l.promptLate(f, n+1) })
	default:
		l.wait()
	}
}

// interruptAnswered is a report after ^C: the shell is at its prompt. fish loses
// a ^C that comes while it runs a key's function, one of the console's own too:
// it keeps the line, which is emptied then before anything else goes to it.
func (l *loop) interruptAnswered(f *frame, r shellmarks.Report) {
	f.seq = r.Seq
	switch {
	case r.Blocking():
		l.unasked(f, r)
	case strings.TrimSpace(r.Line) == "" || f.shell != shellmarks.Fish:
		l.atPrompt(f)
	case !l.ask.cleared:
		l.ask.cleared = true
		l.control(gate.ClearLine(f.shell))
		l.after("interrupt", l.patience(), func() { l.promptLate(f, 1) })
	}
}

// enterPrompt starts a new epoch at the gate: no question that is open and no
// clearance that is unspent survives.
func (l *loop) enterPrompt(f *frame) {
	l.prompts++
	l.cfg.Slot.Enter(gate.State{
		Phase: gate.AtPrompt, Integrated: f.integrated(), Prompt: l.prompts, Targets: f.targets,
	})
}

// prompt is B: the shell's editor reads.
func (l *loop) prompt(f *frame) {
	switch l.state {
	case Boot:
		if l.boot == installed {
			l.bootAnswered()
			l.firstPrompt(f)
		}
	case Interrupt:
		l.atPrompt(f)
	case Granted:
		l.atPrompt(f) // an empty line, or a comment: nothing ran
	case Running, Field, Keys:
		l.promptClaimed(f)
	}
}

// atPrompt is the only way to a prompt.
func (l *loop) atPrompt(f *frame) {
	l.stop("granted")
	l.stop("interrupt")
	l.closeField()
	l.closeKeys("the program ended")
	l.finish()
	f.acc = nil
	l.pasted = false
	l.nest = nil
	l.s.mu.Lock()
	l.promptRow = l.s.screen.CursorRow()
	l.s.mu.Unlock()
	l.ask = query{answer: l.ask.answer, number: l.ask.number + 1}
	l.set(Prompt)
	l.enterPrompt(f)
	if !f.integrated() {
		l.beginComposing()
	}
	l.drain()
}

// promptKey is a key for the line editor: the remote's, or ours.
func (l *loop) promptKey(k keys.Event) {
	if b, ok := signalOf(k); ok && l.compose == nil {
		l.signal(b)
		return
	}
	if l.compose != nil {
		l.composeKey(k)
		return
	}
	var m keys.Modes
	l.s.mu.Lock()
	m = l.s.screen.Modes()
	l.s.mu.Unlock()
	b := keys.Encode(k, m)
	b = bytes.ReplaceAll(b, []byte{shellmarks.QueryByte}, nil)
	switch {
	case len(b) == 0:
	case isEnter(k) || bytes.ContainsAny(b, "\r\n"):
		l.query()
	default:
		l.lastEdit = b[len(b)-1]
		l.send(l.cfg.Gate.Edit(l.cfg.Slot, b))
	}
}

// paste puts cleaned text into the line. Nothing runs by it.
func (l *loop) paste(text string) {
	text = strings.TrimRight(keys.Clean(text), "\n")
	switch {
	case text == "":
	case l.state == Keys:
		l.rawPaste(text)
	case l.undrawn():
		l.early(held{paste: text})
	case l.state != Prompt && l.state != Continuation:
		l.hold(held{paste: text})
	case l.compose != nil:
		l.composePaste(text)
	default:
		l.pasted = true
		l.endPrefix()
		l.control(gate.Insert(l.shell(), text))
	}
}

// query is a question to the shell for its buffer, and the request that it
// ends in.
type query struct {
	sent    time.Time
	tries   int
	anew    bool          // asked again after a verdict on an older report
	answer  time.Duration // smoothed answer time
	inject  *injection
	seq     string // of the report that is being judged
	line    string
	nest    *nest
	blocked bool // the shell waits for the verdict
	cleared bool // the line that a ^C left was emptied
	number  int  // of the judgement: a later one makes it void
}

// injection is a suggestion on its way into the buffer.
type injection struct {
	text string
	wire *shellmarks.Verdict
	ok   gate.Cleared
}

// query asks the shell for its buffer. Keys wait for the answer.
func (l *loop) query() {
	l.ask = query{answer: l.ask.answer, number: l.ask.number + 1}
	l.set(Query)
	l.sendQuery()
}

// prefixes are keys after which an editor takes the next key as a part of
// something: it would eat the query.
const prefixes = "\x18\x1b\x16\x1d"

func (l *loop) sendQuery() {
	l.ask.sent = l.cfg.Clock()
	l.control(gate.QueryKey(l.shell()))
	if strings.IndexByte(prefixes, l.lastEdit) >= 0 {
		l.control(gate.QueryKey(l.shell()))
		l.control(gate.QueryKey(l.shell()))
	}
	l.lastEdit = 0
	l.after("query", l.patience()/maxTries, l.queryAgain)
}

// maxTries is how often the query key is sent.
const maxTries = 3

// patience is how long an answer may take: a link that answers slowly is not
// a shell that does not.
func (l *loop) patience() time.Duration {
	return max(l.cfg.Timing.Answer, 6*l.ask.answer)
}

// queryAgain sends the key once more: a pending prefix may have eaten it. The
// shell gives the same answer the same number, so one too many does nothing.
func (l *loop) queryAgain() {
	if l.state != Query {
		return
	}
	if l.ask.tries++; l.ask.tries < maxTries {
		l.control(gate.QueryKey(l.shell()))
		l.after("query", l.patience()/maxTries, l.queryAgain)
		return
	}
	l.silent()
}

// endPrefix ends what a key such as Esc began in the line editor: it would
// take the console's own key for a part of it.
func (l *loop) endPrefix() {
	if strings.IndexByte(prefixes, l.lastEdit) < 0 {
		return
	}
	l.control(gate.QueryKey(l.shell()))
	if l.lastEdit == 0x18 {
		l.control(gate.QueryKey(l.shell()))
	}
	l.lastEdit = 0
}

// report is R: the shell's buffer.
func (l *loop) report(f *frame, m shellmarks.Mark) {
	r, err := shellmarks.ParseReport(m)
	if err != nil {
		l.forged()
		return
	}
	if r.Seq == f.seq && !r.Blocking() && l.state != Query && l.state != Waiting && l.state != Interrupt {
		return // the second answer to a key sent twice
	}
	switch l.state {
	case Query:
		l.answered(f, r)
	case Waiting:
		l.stop("query")
		l.waiting = time.Time{}
		l.answered(f, r)
	case Confirm, Granted:
		l.reportLate(f, r)
	case Interrupt:
		l.interruptAnswered(f, r)
	case Prompt, Continuation:
		switch {
		case r.Blocking():
			l.unasked(f, r)
		case r.Mode == "B": // fish: a key that would have run the line
			l.query()
		}
	case Running, Keys, Field:
		if r.Blocking() { // a line editor inside a program: read -e, vared
			l.unasked(f, r)
		}
	}
}

// reportLate is a report while an older one is judged: the buffer changed, so
// what was consented to is void.
func (l *loop) reportLate(f *frame, r shellmarks.Report) {
	if !r.Blocking() && l.state == Granted {
		return // the shell compares its buffer with what was judged
	}
	l.enterPrompt(f)
	l.answered(f, r)
}

// unasked is a line that something but the console's Enter wants to run: the
// shell blocks until it is judged.
func (l *loop) unasked(f *frame, r shellmarks.Report) {
	if l.state == Running || l.state == Keys || l.state == Field {
		f.seq = r.Seq
		l.deny(f, r.Seq)
		return
	}
	l.ask = query{answer: l.ask.answer, number: l.ask.number + 1}
	l.enterPrompt(f)
	l.answered(f, r)
}

func (l *loop) deny(f *frame, seq string) {
	v := l.verdict(f, seq, true)
	f.pend(v.Next)
	l.control(gate.Deny(v))
}

// answered judges a report.
func (l *loop) answered(f *frame, r shellmarks.Report) {
	if l.ask.inject != nil && r.Mode == "q" {
		f.seq = r.Seq
		return // the key that ended a prefix was answered
	}
	l.stop("query")
	if l.state == Query && l.ask.tries == 0 {
		l.smooth(l.cfg.Clock().Sub(l.ask.sent))
	}
	f.seq, l.ask.seq, l.ask.line, l.ask.blocked = r.Seq, r.Seq, r.Line, r.Blocking()
	if l.ask.inject != nil && r.Mode == "i" {
		l.injected(f, r)
		return
	}
	l.judge(f, r)
}

func (l *loop) smooth(d time.Duration) {
	if l.ask.answer == 0 {
		l.ask.answer = d
	}
	l.ask.answer += (d - l.ask.answer) / 4
}

// request is what a report asks to run.
func (l *loop) request(f *frame, r shellmarks.Report) gate.Request {
	req := gate.Request{
		Kind: gate.Line, Origin: policy.Human, Text: f.joined(r.Line), Dialect: f.shell.Dialect(), Cwd: l.cwd,
		State: r.State, Evidence: gate.EvidenceShell, Gutter: true,
	}
	if l.pasted && strings.Contains(req.Text, "\n") {
		req.Origin = policy.Paste
	}
	return req
}

// judge submits the line, or lets the shell read on where it is none yet.
func (l *loop) judge(f *frame, r shellmarks.Report) {
	req := l.request(f, r)
	l.set(Confirm)
	l.ask.number++
	number := l.ask.number
	if r.BadEvent {
		l.refuse(f, &gate.Refusal{By: gate.ByGate, Reason: "a history event in the line does not exist", Remedy: "edit the line, or quote the !"})
		return
	}
	if r.GlobalAlias {
		l.refuse(f, &gate.Refusal{By: gate.ByGate, Reason: "the line holds a global or suffix alias", Remedy: "write out what it stands for"})
		return
	}
	if ref := l.deadEnd(req.Text); ref != nil {
		l.refuse(f, ref)
		return
	}
	v := l.verdict(f, r.Seq, r.Blocking())
	more := incomplete(req.Text, f.shell)
	req.Wire = shellmarks.Accept{Verdict: v}
	n, ok := nesting(req.Text, r.State)
	if ok && n.exec && f.shell == shellmarks.Fish { // where exec cannot be given another meaning for one line
		n, ok = nil, false
	}
	if ok {
		req.Wire = shellmarks.Nest{Verdict: v, Line: n.line}
	}
	l.ask.nest = n
	l.start(func() func() {
		c, err := l.submit(req, more, v)
		return func() { l.judged(f, number, req, v, more, c, err) }
	})
}

// submit runs beside the loop: it may wait for a person and for the disk.
func (l *loop) submit(req gate.Request, more bool, v shellmarks.Verdict) (gate.Cleared, error) {
	l.records.settle()
	if more {
		return l.cfg.Gate.Continue(l.ctx, l.cfg.Slot, req, v)
	}
	return l.cfg.Gate.Submit(l.ctx, l.cfg.Slot, req)
}

// judged sends the accept, or leaves the line to be edited.
func (l *loop) judged(f *frame, n int, req gate.Request, v shellmarks.Verdict, more bool, c gate.Cleared, err error) {
	if n != l.ask.number || l.state != Confirm {
		l.abandon(c, err, "the prompt changed")
		return
	}
	if err != nil {
		l.refuse(f, err)
		return
	}
	if !more {
		l.accepted(req, c)
		l.nest = l.ask.nest
	}
	if more {
		f.acc = append(f.acc, l.ask.line)
	}
	l.grant(f, v, c)
}

// grant sends a verdict that lets the shell go on.
func (l *loop) grant(f *frame, v shellmarks.Verdict, c gate.Cleared) {
	l.set(Granted)
	f.pend(v.Next)
	if !l.send(c, nil) {
		l.notTakenByChannel()
		l.back(f)
		return
	}
	l.after("granted", l.cfg.Timing.Granted+6*l.ask.answer, func() { l.grantedTooLong(f) })
}

// notTakenByChannel closes the record of an accepted line that could not be
// sent, and says so.
func (l *loop) notTakenByChannel() {
	l.drop(NotSent, "the channel did not take it")
	l.unread(nil, "the channel did not take the line", "press Enter again; if it stays so, reconnect")
	l.dropWithRefused()
}

// abandon closes the record of what was cleared and not sent.
func (l *loop) abandon(c gate.Cleared, err error, why string) {
	if err != nil {
		return
	}
	if ev := c.Abandon(why); ev != nil {
		l.records.append(ev)
	}
}

// refuse leaves the line as it is and empties the queue behind it. Nothing is
// sent, unless the shell blocks on the answer.
func (l *loop) refuse(f *frame, err error) {
	l.note(err)
	l.dropWithRefused()
	if l.ask.blocked {
		l.deny(f, l.ask.seq)
	}
	l.back(f)
	var ref *gate.Refusal
	if errors.As(err, &ref) && ref.Instead != "" && l.state == Prompt && len(f.acc) == 0 {
		l.control(gate.SetLine(f.shell, ref.Instead))
	}
}

// back is the prompt or the continuation that a refusal returns to.
func (l *loop) back(f *frame) {
	if len(f.acc) > 0 {
		l.set(Continuation)
		l.enterContinuation(f)
	} else {
		l.set(Prompt)
		l.enterPrompt(f)
	}
	l.drain()
}

func (l *loop) enterContinuation(f *frame) {
	l.prompts++
	l.cfg.Slot.Enter(gate.State{Phase: gate.AtContinuation, Integrated: f.integrated(), Prompt: l.prompts, Targets: f.targets})
}
