package session

import (
	"context"
	"errors"

	"sallyport/console/probe"
)

// prober asks the side channel, one question at a time.
type prober struct {
	p      Prober
	broken bool
	blind  bool // the newest frame's terminal is on another host
	busy   bool
	lost   int // how often it was opened again
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
			l.look()
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
	waiting, side := p.next, p.p
	p.next = nil
	if side == nil { // lost meanwhile
		for _, then := range waiting {
			then(probe.Terminal{}, probe.ErrBroken)
		}
		return
	}
	p.busy = true
	l.start(func() func() {
		ctx, cancel := context.WithTimeout(l.ctx, probeTimeout)
		defer cancel()
		t, err := side.Terminal(ctx, f.tty)
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

// failed is an answer that did not come. A terminal that cannot be read,
// another host's, costs the view of that frame; a side channel that is gone is
// opened again, a few times.
func (p *prober) failed(l *loop, f *frame, err error) {
	switch {
	case err == nil || l.state == Dead:
	case errors.Is(err, probe.ErrUnanswered) && len(l.frames) > 1:
		f.blind = true
		p.blind = l.top().blind
	case p.lost < maxLost:
		p.lost++
		p.p.Close()
		p.p = nil
		p.open(l)
	default:
		p.broken = true
	}
}

// maxLost is how often a lost side channel is opened again.
const maxLost = 3

func (p *prober) close() {
	if p.p != nil {
		p.p.Close()
	}
}
