package remote

import (
	"sync"

	"golang.org/x/crypto/ssh"
)

// A host can open channels to this side. Each is refused, unless something was
// asked for on this connection that such a channel belongs to; who asked gets
// it as an Incoming, and nothing is read of it before a clearance is spent.

// maxIncoming bounds how many such channels are open at once.
const maxIncoming = 32

// The kinds of channel that a host may open once they were asked for.
const (
	agentChannel = "auth-agent@openssh.com"
	x11Channel   = "x11"
	portChannel  = "forwarded-tcpip"
)

// Incoming is a channel that the host wants to open. Join or Refuse answers it.
type Incoming struct {
	ch    ssh.NewChannel
	host  string
	agent string // where the operator's agent listens
	done  sync.Once
	free  func()
}

// Refuse turns the channel down.
func (i *Incoming) Refuse() {
	i.done.Do(func() {
		_ = i.ch.Reject(ssh.Prohibited, "not allowed")
		i.free()
	})
}

// offers are what was asked for, by what a channel that belongs to it says.
type offers struct {
	mu   sync.Mutex
	by   map[offer]func(*Incoming)
	open int
}

type offer struct {
	kind    string
	address string // of forwarded-tcpip: where the host listens, as it was asked to
	port    uint32
}

// take hands what belongs to kind over to h; nil: to nobody any more.
func (o *offers) take(of offer, h func(*Incoming)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.by == nil {
		o.by = map[offer]func(*Incoming){}
	}
	if o.by[of] = h; h == nil {
		delete(o.by, of)
	}
}

// of finds what was asked for. A host may name the address in a way of its own
// where only one was asked for with that port.
func (o *offers) of(want offer) func(*Incoming) {
	if h := o.by[want]; h != nil || want.kind != portChannel {
		return h
	}
	var found func(*Incoming)
	for have, h := range o.by {
		if have.kind != want.kind || have.port != want.port {
			continue
		}
		if found != nil {
			return nil
		}
		found = h
	}
	return found
}

// taker finds who asked, and books a place.
func (o *offers) taker(ch ssh.NewChannel) func(*Incoming) {
	of := offer{kind: ch.ChannelType()}
	if of.kind == portChannel {
		var p struct {
			Address string
			Port    uint32
			From    string
			FromAt  uint32
		}
		if ssh.Unmarshal(ch.ExtraData(), &p) != nil {
			return nil
		}
		of.address, of.port = p.Address, p.Port
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	h := o.of(of)
	if h == nil || o.open >= maxIncoming {
		return nil
	}
	o.open++
	return h
}

func (o *offers) left() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.open--
}

// answerChannels hands on what was asked for and refuses every other channel
// that the server opens.
func (c *Conn) answerChannels(in <-chan ssh.NewChannel, refused func(string)) {
	told := refusals{to: refused}
	for n := range in {
		if h := c.offers.taker(n); h != nil {
			go h(&Incoming{ch: n, host: c.target.Asked, agent: c.agent, free: c.offers.left})
			continue
		}
		told.tell("channel " + harmless(n.ChannelType()))
		_ = n.Reject(ssh.Prohibited, "not offered")
	}
}

// TakeAgent gives h the channels by which the host asks for the agent, from now
// on: PTY.Agent is how a shell lets the host know that it may.
func (c *Conn) TakeAgent(h func(*Incoming)) { c.offers.take(offer{kind: agentChannel}, h) }

// TakeX11 gives h the channels of X11 clients on the host, from now on: PTY.X11
// is how a shell lets the host know that there is a display.
func (c *Conn) TakeX11(h func(*Incoming)) { c.offers.take(offer{kind: x11Channel}, h) }
