package session

import "time"

// A login takes as long as it takes: start files that work, a loaded host. The
// bootstrap is waited for while nothing but it can be meant; what gives it up is
// a host that has fallen silent behind a line that asks for something, a prompt
// or a menu, and did not answer.

// bootWait is how a bootstrap is waited for.
type bootWait struct {
	quiet time.Duration // how long a line that asks must have stood there
	began time.Time
	heard time.Time // the last output
	said  bool      // there was some: what stands on the screen is this login's
	end   func()    // gives up
}

// awaitBoot waits for the next answer of a bootstrap.
func (l *loop) awaitBoot(quiet time.Duration, end func()) {
	now := time.Now()
	l.bootWait = bootWait{quiet: quiet, began: now, heard: now, end: end}
	l.after("boot", quiet, l.bootLate)
}

// bootLate is a bootstrap that has not answered in time.
func (l *loop) bootLate() {
	w := &l.bootWait
	silent := time.Since(w.heard)
	switch {
	case l.state != Boot || l.boot == notBooting || l.boot == listed:
	case time.Since(w.began) >= l.cfg.Timing.Login:
		l.endBoot()
	case silent < w.quiet:
		l.after("boot", w.quiet-silent, l.bootLate)
	case len(l.frames) > 1, w.said && l.partial() != "": // a shell inside is left, and nothing of it is composed here
		l.endBoot()
	default:
		if l.waiting.IsZero() {
			l.waiting = l.cfg.Clock().Add(-silent)
		}
		l.after("boot", w.quiet, l.bootLate)
	}
}

func (l *loop) endBoot() {
	l.waiting = time.Time{}
	l.bootWait.end()
}

// bootAnswered is an answer of a bootstrap, however late.
func (l *loop) bootAnswered() {
	l.stop("boot")
	l.waiting = time.Time{}
}

// chooseBoot is what the operator does about a login that takes long.
func (l *loop) chooseBoot(c Choice) {
	switch c {
	case Wait:
		l.waiting = l.cfg.Clock()
		l.bootWait.began = time.Now()
	case DropLine:
		l.dropHeld()
	case Compose:
		if len(l.frames) < 2 {
			l.stop("boot")
			l.endBoot()
		}
	}
}
