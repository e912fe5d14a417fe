package console

import (
	"net"
	"os"
	"sync"
	"time"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/console/x11"
)

// listenThere lets the host listen, and connects what comes from here.
func (f *forwarder) listenThere(w remote.Want) {
	slot, cleared, err := f.cleared(use{w, w.Detail, asked, false, place(w.Listen)})
	if err != nil {
		return
	}
	err = f.a.conn.Listen(f.ctx, slot, cleared, func(in *remote.Incoming) {
		f.incoming(in, w, func(s *gate.Slot, c gate.Cleared) error {
			d := net.Dialer{Timeout: forwardTime}
			conn, err := d.DialContext(f.ctx, "tcp", w.Detail)
			if err != nil {
				return err
			}
			return in.Join(f.ctx, s, c, conn)
		})
	})
	if err != nil && f.ctx.Err() == nil {
		f.c.warn("not forwarded: " + err.Error())
	}
}

// takeX11 gives X11 clients on the host the operator's display.
func (f *forwarder) takeX11(w remote.Want) {
	d, err := x11.Open(f.ctx, os.Getenv("DISPLAY"), x11.Authority())
	if err != nil {
		f.c.warn("X11 is not forwarded: " + err.Error())
		return
	}
	f.a.display = d
	f.a.conn.TakeX11(func(in *remote.Incoming) {
		f.incoming(in, w, func(s *gate.Slot, c gate.Cleared) error {
			conn, err := d.Dial(f.ctx, forwardTime)
			if err != nil {
				return err
			}
			return in.Join(f.ctx, s, c, conn)
		})
	})
}

// incoming judges a channel that the host opens because of w, and joins it.
func (f *forwarder) incoming(in *remote.Incoming, w remote.Want, join func(*gate.Slot, gate.Cleared) error) {
	begun := f.start(func() {
		defer in.Refuse() // does nothing to one that was joined
		if !f.paced(w) {
			return
		}
		slot, cleared, err := f.cleared(use{w, w.Detail, used, true, asItIs{}})
		if err != nil {
			return
		}
		if err := join(slot, cleared); err != nil && f.ctx.Err() == nil {
			f.c.warn("a channel of the host, " + w.Kind + ": " + err.Error())
		}
	})
	if !begun {
		in.Refuse()
	}
}

// paced tells whether the host may open one more, and records once that it
// opens too many.
func (f *forwarder) paced(w remote.Want) bool {
	ok, first := f.pace.take(f.c.cfg.Now())
	if first {
		f.c.denied(f.a.scope, w.Kind, way(w, w.Detail)+": the host opens too many; further ones are refused without a record", audit.OriginHost)
	}
	return ok
}

// Bounds of how many channels a host may open on a connection: so many at
// once, and then one more each paceTime. Each is a record.
const (
	paceBurst = 256
	paceTime  = time.Second
)

// pace is what a host may open now.
type pace struct {
	mu   sync.Mutex
	left int
	at   time.Time // when left was counted
	over bool      // it was too much once
}

func newPace(now time.Time) *pace { return &pace{left: paceBurst, at: now} }

// take takes one; first tells that it is the first that is too many.
func (p *pace) take(now time.Time) (ok, first bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := now.Sub(p.at) / paceTime; n > 0 {
		p.left = int(min(paceBurst, time.Duration(p.left)+n))
		p.at = p.at.Add(n * paceTime)
	}
	if p.left > 0 {
		p.left--
		return true, false
	}
	first, p.over = !p.over, true
	return false, first
}
