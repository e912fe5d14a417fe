package session

import (
	"sallyport/console/gate"
	"sallyport/console/shellmarks"
)

// What the shell says about a verdict, or about a line without one.

// grantedTooLong is an accept that nothing came of. What the shell does about
// it later is heard; meanwhile nothing is assumed.
func (l *loop) grantedTooLong(f *frame) {
	if l.state == Granted {
		l.alarmed("the shell did not say that it took the line")
		l.silent()
	}
}

// continuation is 2: the shell reads on. Without the console's leave something
// else accepted the line before: what the shell holds is unknown, and goes.
func (l *loop) continuation(f *frame, left string) {
	if !f.integrated() && l.out.lines > 0 {
		l.out.lines--
		return
	}
	switch l.state {
	case Granted:
		if left != "0" && left != "" {
			return // lines of one buffer, all judged
		}
		l.readOn(f)
	case Boot, Dead:
	case Running, Field, Keys:
		if f.integrated() {
			return // heredoc lines of one buffer
		}
		fallthrough
	default:
		l.alarmed("a line was continued that the console did not judge: it was dropped")
		l.signal(gate.SignalInterrupt)
	}
}

// readOn is a continuation prompt after a verdict. If the line was judged as a
// whole one, the shell saw it otherwise: nothing of it ran yet.
func (l *loop) readOn(f *frame) {
	l.stop("granted")
	if l.cmd != nil {
		f.acc = append(f.acc, l.ask.line)
		l.drop(NotSent, "the shell reads on")
	}
	l.set(Continuation)
	l.enterContinuation(f)
	l.drain()
}

// readsOn is L: the editor broke the line and goes on; its buffer holds all.
func (l *loop) readsOn(f *frame) {
	if l.state != Query && l.state != Granted {
		return
	}
	l.stop("query")
	l.stop("granted")
	if n := len(f.acc); n > 0 && f.acc[n-1] == l.ask.line {
		f.acc = f.acc[:n-1]
	}
	l.back(f)
}

// notTaken is N: the shell did not take a verdict. Nothing ran.
func (l *loop) notTaken(f *frame, why string) {
	if l.state != Granted {
		return
	}
	l.stop("granted")
	if why == "token" && !l.ask.anew {
		l.askAnew(f)
		return
	}
	if why == "changed" || why == "token" {
		l.alarmed("the line changed after it was judged: it was not run")
	}
	if why == "syntax" {
		l.refused = &gate.Refusal{By: gate.ByGate, Reason: "the shell finds an error in the line", Remedy: "edit it"}
	}
	l.drop(Mismatch, "the shell did not take the accept: "+why)
	if n := len(f.acc); n > 0 && l.cmd == nil && f.acc[n-1] == l.ask.line {
		f.acc = f.acc[:n-1]
	}
	l.dropHeld()
	l.back(f)
}

// askAnew follows a verdict on a report that was not the newest: a late answer
// to an earlier question was taken for it. Nothing ran; the line is judged
// again, once.
func (l *loop) askAnew(f *frame) {
	l.drop(NotSent, "the report was not the newest")
	if n := len(f.acc); n > 0 && f.acc[n-1] == l.ask.line {
		f.acc = f.acc[:n-1]
	}
	l.enterPrompt(f)
	if len(f.acc) > 0 {
		l.enterContinuation(f)
	}
	l.query()
	l.ask.anew = true
}

// vetoed is U: something tried to run a line that was not accepted, and the
// hook killed it.
func (l *loop) vetoed(f *frame, line string) {
	l.alarmed("a line that was not judged tried to run: it was stopped")
	l.recordVeto(f, line)
	l.drop(Vetoed, "not what was accepted")
	l.dropHeld()
	if f.shell == shellmarks.Fish { // it cannot stop a line but by ending
		l.frames = l.frames[:len(l.frames)-1]
		l.set(Boot)
		l.boot = loading
		l.cfg.Slot.Enter(gate.State{Phase: gate.Booting})
		l.awaitBoot(l.cfg.Timing.Loader, func() { l.plain("the shell did not come back") })
		return
	}
	l.interrupted()
}
