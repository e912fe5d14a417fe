package session

import (
	"context"

	"sallyport/console/probe"
)

// prober asks the side channel, one question at a time.
type prober struct {
	p      Prober
	broken bool
	blind  bool // the newest frame's terminal is on another host
	busy   bool
	next   []func(probe.Terminal, error)
}

func (p *prober) open(l *loop) {
	if l.cfg.Probe == nil || p.p != nil {
		return
	}
	l.start(func() func() {
		got, err := l.cfg.Probe(l.ctx)
		return func() {
			if err != nil {
				p.broken = true
				return
			}
			p.p = got
		}
	})
}

func (p *prober) works() bool { return p.p != nil && !p.broken && !p.blind }

// ask reads the terminal of the newest frame; then gets the answer in the loop.
func (p *prober) ask(l *loop, then func(probe.Terminal, error)) {
	p.next = append(p.next, then)
	if !p.busy {
		p.run(l)
	}
}

func (p *prober) run(l *loop) {
	f := l.top()
	if f == nil || len(p.next) == 0 {
		p.next = nil
		return
	}
	p.busy = true
	waiting := p.next
	p.next = nil
	l.start(func() func() {
		ctx, cancel := context.WithTimeout(l.ctx, probeTimeout)
		defer cancel()
		t, err := p.p.Terminal(ctx, f.tty)
		return func() {
			p.busy = false
			p.failed(l, f, err)
			for _, then := range waiting {
				then(t, err)
			}
			if len(p.next) > 0 {
				p.run(l)
			}
		}
	})
}

// failed gives up the side channel, or, where only the terminal of a frame
// cannot be read, another account's, the view of that frame.
func (p *prober) failed(l *loop, f *frame, err error) {
	switch {
	case err == nil:
	case len(l.frames) > 1:
		f.blind = true
		p.blind = l.top().blind
	default:
		p.broken = true
	}
}

func (p *prober) close() {
	if p.p != nil {
		p.p.Close()
	}
}
