package session_test

import (
	"context"

	"sallyport/console/gate"
	"sallyport/console/probe"
	"sallyport/console/session"
	"sallyport/policy"
)

func (r *rig) withProbe(c *session.Config, o setup) {
	if o.noProbe || o.peer != nil {
		return
	}
	c.Probe = func(ctx context.Context) (session.Prober, error) {
		return probe.Open(ctx, r.conn, c.Gate, gate.SlotConfig{Session: "s-1", Targets: []policy.Target{r.conn.Target()}})
	}
}
