package session

import (
	"strconv"
	"strings"

	"sallyport/console/gate"
	"sallyport/console/shellmarks"
)

// mark takes one mark out of the stream. Without the current nonce of a frame
// it is nothing: not shown, not believed, counted.
func (l *loop) mark(payload []byte) {
	m, err := shellmarks.Parse(payload)
	if err != nil {
		l.forged()
		return
	}
	switch m.Kind {
	case "LOADER":
		l.loader(m)
		return
	case "READY":
		l.ready()
		return
	}
	f := l.owner(m)
	if f == nil {
		return
	}
	l.heard(f, m)
}

// owner finds the frame of a mark. A mark of an outer frame means that the
// frames inside it have ended.
func (l *loop) owner(m shellmarks.Mark) *frame {
	for i := len(l.frames) - 1; i >= 0; i-- {
		f := l.frames[i]
		if f.owns(m) {
			l.pop(i + 1)
			return f
		}
		if f.stale(m.Nonce) {
			return nil
		}
	}
	l.forged()
	return nil
}

func (l *loop) heard(f *frame, m shellmarks.Mark) {
	switch m.Kind {
	case "I":
		l.identity(f, m)
	case "W":
		l.userCode = strings.Split(m.Field(0), "\n")
	case "D":
		l.done(f, m)
	case "B":
		switch {
		case f.fresh(m.Field(0)):
			l.prompt(f)
		case l.state == Interrupt: // fish draws the same prompt again: its answer proves it
			l.control(gate.QueryKey(f.shell))
		}
	case "2":
		if f.fresh(m.Field(1)) {
			l.continuation(f, m.Field(0))
		}
	case "R":
		l.report(f, m)
	case "C":
		l.commandStarts(f, m)
	case "N":
		l.notTaken(f, m.Field(0))
	case "U":
		l.vetoed(f, m.Field(1))
	case "L":
		l.readsOn(f)
	case "E":
		l.editor(m.Field(0))
	case "G":
	default:
		l.forged()
	}
}

// done is D: a command ended, with its exit code and where the shell is now.
func (l *loop) done(f *frame, m shellmarks.Mark) {
	n, err := strconv.Atoi(m.Field(0))
	if err != nil {
		l.forged()
		return
	}
	if l.active != nil && !l.active.ended {
		l.active.ended = true
		l.active.exit = &n
		l.active.cwd = m.Field(2)
		l.active.stoppedAt = l.cfg.Clock()
	}
	if l.active == nil && l.state != Granted {
		l.cwd = m.Field(2)
		if l.prompts > 0 { // before the first, no command has ended
			l.exit = &n
		}
	}
	f.acc = nil
	l.leftovers()
}

// leftovers ends what a program left on that died before it could: the next
// prompt would stand on its screen, in its characters. The recording has it as
// the operator sees it.
func (l *loop) leftovers() {
	l.s.mu.Lock()
	p := l.s.screen.Leftovers()
	l.s.mu.Unlock()
	if len(p) > 0 {
		l.output(p)
	}
}
