package console

import (
	"context"
	"strings"
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
	ctx  context.Context // of all that is forwarded; end cancels it
	free chan struct{}   // one token for each connection
	pace *pace           // of what the host opens

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
// function that it returns ends all of it, and the connection with it: a host
// that keeps silent is waited for by nothing.
func (h *Host) forward(ctx context.Context, a *attempt) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	f := &forwarder{c: h.c, a: a, ctx: ctx, free: make(chan struct{}, maxForwarded), pace: newPace(h.c.cfg.Now())}
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
		f.mu.Lock() // what is just being started is counted, what comes later is not started
		cancel()
		f.mu.Unlock()
		_ = a.conn.Close()
		f.work.Wait()
	}
}

// allows tells whether the policy in force lets a want be given.
func (c *Console) allows(w remote.Want) bool {
	return w.Err == nil && c.Rules().Channel(w.Kind, listed(w)) == policy.Permit
}

// dynamic is what [channels] local_forward must list for DynamicForward to
// listen; each destination is judged beside.
const dynamic = "dynamic"

// listed is what the policy lists of a want.
func listed(w remote.Want) string {
	if w.Kind == "local_forward" && w.Detail == "" {
		return dynamic
	}
	return w.Detail
}

// notForwarded records what was asked for and is not done.
func (c *Console) notForwarded(scope *audit.Scope, w remote.Want) {
	detail := way(w, listed(w))
	if w.Err != nil {
		detail = strings.TrimPrefix(detail+": "+w.Err.Error(), ": ")
	}
	c.denied(scope, w.Kind, detail, audit.OriginHuman)
}

// denied records a channel that there is none of.
func (c *Console) denied(scope *audit.Scope, kind, detail string, origin audit.Origin) {
	c.append(scope, audit.ChannelOpen[redact.Text]{
		Channel: c.text(kind), Detail: c.text(detail), Origin: origin, Effect: audit.Effect(policy.Deny.String()),
	})
}

// way is where something is listened for and where it leads.
func way(w remote.Want, to string) string {
	if w.Listen == "" {
		return to
	}
	return w.Listen + " → " + to
}

// What a record of a channel is about.
const (
	asked = "request"    // the host, or this machine, is asked for the way
	used  = "connection" // one that comes by it
)

// use is one use of what a want names: it is judged by where it leads, and
// recorded with where it comes from.
type use struct {
	remote.Want
	to   string // what the policy lists
	what string // asked or used
	host bool   // the host opens it
	wire gate.Wire
}

func (u use) request() gate.Request {
	detail := way(u.Want, u.to) + " (" + u.what + ")"
	if u.to == "" {
		detail = u.what
	}
	return gate.Request{
		Kind: gate.Channel, Origin: policy.Human, Operation: u.Kind, Text: u.to, Dialect: policy.Text,
		Evidence: gate.EvidenceNone, Wire: u.wire, Detail: detail, ByHost: u.host,
	}
}

// cleared judges and records one use, in a slot of its own.
func (f *forwarder) cleared(u use) (*gate.Slot, gate.Cleared, error) {
	slot := gate.NewSlot(f.c.slotConfig(f.a))
	slot.Enter(gate.State{Phase: gate.SideChannel})
	c, err := f.c.gate.Submit(f.ctx, slot, u.request())
	return slot, c, err
}

// offered is what a shell asks the host for beside its variables.
func (c *Console) offered(ctx context.Context, slot *gate.Slot, a *attempt, p *remote.PTY) {
	for _, w := range a.conn.Wants() {
		if w.Kind != "agent_forward" && w.Kind != "x11" || !c.allows(w) {
			continue
		}
		if w.Kind == "agent_forward" {
			p.Agent, _ = c.gate.Submit(ctx, slot, use{w, w.Detail, asked, false, asItIs{}}.request())
		} else if a.display != nil {
			p.X11, _ = c.gate.Submit(ctx, slot, use{w, w.Detail, asked, false, place(a.display.Request())}.request())
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
