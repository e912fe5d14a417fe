package console

import (
	"context"
	"net"
	"sync"
	"time"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/policy"
	"sallyport/redact"
)

// What the operator's ssh configuration wants forwarded is given where the
// policy's [channels] allows it, for as long as the connection lives. Asking
// the host for it is judged and recorded, and so is each connection that is
// made through it, with the policy of that moment. What passes through one is
// not looked at.

// dynamic is what [channels] local_forward must list for DynamicForward to
// listen; each destination is judged beside.
const dynamic = "dynamic"

// Bounds of what is forwarded at once, and of how long it may take to get
// ready.
const (
	maxForwarded = 32
	forwardTime  = 15 * time.Second
)

// forwarder is what an attempt forwards.
type forwarder struct {
	c    *Console
	a    *attempt
	ctx  context.Context
	free chan struct{} // one token for each connection

	mu   sync.Mutex // held while something is started: nothing is after the end
	work sync.WaitGroup
}

// start runs g beside the rest, if it is not over.
func (f *forwarder) start(g func()) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx.Err() != nil {
		return false
	}
	f.work.Go(g)
	return true
}

// forward begins what is asked for and allowed, and records what is not. The
// function that it returns ends all of it.
func (h *Host) forward(ctx context.Context, a *attempt) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	f := &forwarder{c: h.c, a: a, ctx: ctx, free: make(chan struct{}, maxForwarded)}
	for _, w := range a.conn.Wants() {
		switch {
		case w.Kind == "env":
		case !h.c.allows(w):
			h.c.notForwarded(a.scope, w)
		case w.Kind == "local_forward":
			f.listenHere(w)
		case w.Kind == "remote_forward":
			f.start(func() { f.listenThere(w) })
		case w.Kind == "agent_forward":
			a.conn.TakeAgent(func(in *remote.Incoming) {
				f.incoming(in, w, func(s *gate.Slot, c gate.Cleared) error { return in.JoinAgent(ctx, s, c) })
			})
		case w.Kind == "x11":
			f.takeX11(w)
		}
	}
	return func() {
		cancel()
		f.mu.Lock() // what was being started is counted now
		defer f.mu.Unlock()
		f.work.Wait()
	}
}

// allows tells whether the policy in force lets a want be given.
func (c *Console) allows(w remote.Want) bool {
	return w.Err == nil && c.Rules().Channel(w.Kind, listed(w)) == policy.Permit
}

// listed is what the policy lists of a want.
func listed(w remote.Want) string {
	if w.Kind == "local_forward" && w.Detail == "" {
		return dynamic
	}
	return w.Detail
}

// notForwarded records what was asked for and is not done.
func (c *Console) notForwarded(scope *audit.Scope, w remote.Want) {
	detail := listed(w)
	if w.Listen != "" {
		detail = w.Listen + " " + detail
	}
	if w.Err != nil {
		detail += ": " + w.Err.Error()
	}
	c.append(scope, audit.ChannelOpen[redact.Text]{
		Channel: c.text(w.Kind), Detail: c.text(detail), Effect: audit.Effect(policy.Deny.String()),
	})
}

// cleared judges and records one use, in a slot of its own.
func (f *forwarder) cleared(kind, detail string, wire gate.Wire) (*gate.Slot, gate.Cleared, error) {
	slot := gate.NewSlot(f.c.slotConfig(f.a))
	slot.Enter(gate.State{Phase: gate.SideChannel})
	c, err := f.c.gate.Submit(f.ctx, slot, channelRequest(kind, detail, wire))
	return slot, c, err
}

func channelRequest(kind, detail string, wire gate.Wire) gate.Request {
	return gate.Request{
		Kind: gate.Channel, Origin: policy.Human, Operation: kind, Text: detail, Dialect: policy.Text,
		Evidence: gate.EvidenceNone, Wire: wire,
	}
}

// listenHere listens for programs on this machine, which are connected from the
// host to where the configuration says, or where each of them says.
func (f *forwarder) listenHere(w remote.Want) {
	if _, _, err := f.cleared(w.Kind, listed(w), asItIs{}); err != nil {
		return
	}
	l, err := net.Listen("tcp", w.Listen)
	if err != nil {
		f.c.warn("not forwarded: " + err.Error())
		return
	}
	context.AfterFunc(f.ctx, func() { _ = l.Close() })
	f.start(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			f.connected(conn, w)
		}
	})
}

// connected serves one connection, if there is a place for it.
func (f *forwarder) connected(conn net.Conn, w remote.Want) {
	select {
	case f.free <- struct{}{}:
	default:
		_ = conn.Close()
		return
	}
	begun := f.start(func() {
		defer func() { <-f.free }()
		defer conn.Close()
		f.goThere(conn, w)
	})
	if !begun {
		_ = conn.Close()
	}
}

func (f *forwarder) goThere(conn net.Conn, w remote.Want) {
	to, answer := w.Detail, func(bool) {}
	if to == "" {
		var err error
		_ = conn.SetDeadline(time.Now().Add(forwardTime))
		if to, err = socks(conn); err != nil {
			return
		}
		answer = func(ok bool) { _, _ = conn.Write(socksAnswer(ok)) }
	}
	slot, cleared, err := f.cleared(w.Kind, to, asItIs{})
	answer(err == nil)
	if err != nil {
		return
	}
	_ = conn.SetDeadline(time.Time{})
	if err := f.a.conn.Forward(f.ctx, slot, cleared, conn); err != nil && f.ctx.Err() == nil {
		f.c.warn("forward to " + to + ": " + err.Error())
	}
}

// listenThere lets the host listen, and connects what comes from here.
func (f *forwarder) listenThere(w remote.Want) {
	slot, cleared, err := f.cleared(w.Kind, w.Detail, place(w.Listen))
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
	if err != nil {
		f.c.warn("not forwarded: " + err.Error())
	}
}

// incoming judges a channel that the host opens because of w, and joins it.
func (f *forwarder) incoming(in *remote.Incoming, w remote.Want, join func(*gate.Slot, gate.Cleared) error) {
	begun := f.start(func() {
		defer in.Refuse() // does nothing to one that was joined
		slot, cleared, err := f.cleared(w.Kind, w.Detail, asItIs{})
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

// offered is what a shell asks the host for beside its variables.
func (c *Console) offered(ctx context.Context, slot *gate.Slot, a *attempt, p *remote.PTY) {
	for _, w := range a.conn.Wants() {
		if w.Kind != "agent_forward" && w.Kind != "x11" || !c.allows(w) {
			continue
		}
		if w.Kind == "agent_forward" {
			p.Agent, _ = c.gate.Submit(ctx, slot, channelRequest(w.Kind, w.Detail, asItIs{}))
		} else if a.display != nil {
			p.X11, _ = c.gate.Submit(ctx, slot, channelRequest(w.Kind, w.Detail, place(a.display.request())))
		}
	}
}

// place is the wire of a request whose bytes are not the judged text: where the
// host shall listen, or how its X11 clients prove who they are.
type place string

// Step is the place.
func (p place) Step(n int, _ string) []byte {
	if n != 0 {
		return nil
	}
	return []byte(p)
}
