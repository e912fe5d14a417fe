package session

import "sallyport/console/gate"

// beginPlain waits for the first prompt of a shell without marks.
func (l *loop) beginPlain() {
	l.set(Running)
	l.cfg.Slot.Enter(gate.State{Phase: gate.Busy})
}

// outputPlain looks for a prompt where no mark tells it.
func (l *loop) outputPlain() {}

// plainAgain leaves the integrated shell for composed lines.
func (l *loop) plainAgain(why string) {}

// retry tries the handshake again.
func (l *loop) retry(f *frame) {}
