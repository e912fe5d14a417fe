package remote

import (
	"fmt"
	"time"
)

// How a dead peer is noticed where nothing else is said.
const (
	DefaultAliveInterval = 15 * time.Second
	DefaultAliveCount    = 3
)

// keepAlive is the flags', else the ssh configuration's, else our own.
func (h *hop) keepAlive() KeepAlive {
	k := h.cfg.KeepAlive
	if k.Interval <= 0 {
		k.Interval = h.s.aliveInterval
	}
	if k.Interval <= 0 {
		k.Interval = DefaultAliveInterval
	}
	if k.Count <= 0 && h.s.aliveInterval > 0 {
		k.Count = h.s.aliveCount
	}
	if k.Count <= 0 {
		k.Count = DefaultAliveCount
	}
	return k
}

// keepAlive asks a silent peer for a sign of life and ends the connection
// when it gives none. Whatever comes from the peer counts as one. It ends
// with the connection.
func (c *Conn) keepAlive(k KeepAlive, conn *watchedConn) {
	tick := time.NewTicker(k.Interval)
	defer tick.Stop()
	asked, before := 0, conn.reads()
	for {
		select {
		case <-c.done:
			return
		case <-tick.C:
		}
		if now := conn.reads(); now != before {
			asked, before = 0, now
			continue
		}
		if asked >= k.Count {
			c.end(fmt.Errorf("%w for %v", ErrDead, conn.silence().Round(time.Second)))
			return
		}
		asked++
		go c.poke()
	}
}

// poke asks for an answer; that it is a refusal does not matter. With a dead
// peer it returns when the connection is ended.
func (c *Conn) poke() {
	_, _, _ = c.client.SendRequest("keepalive@openssh.com", true, nil)
}
