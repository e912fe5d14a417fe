package session_test

import (
	"context"
	"sync/atomic"
	"testing"

	"sallyport/console/gate"
	"sallyport/console/probe"
	"sallyport/console/session"
	"sallyport/policy"
)

func (r *rig) withProbe(c *session.Config, o setup) {
	if o.noProbe || o.peer != nil && o.shell != olderBash {
		return
	}
	c.Probe = func(ctx context.Context) (session.Prober, error) {
		return probe.Open(ctx, r.conn, c.Gate, gate.SlotConfig{Session: "s-1", Targets: []policy.Target{r.conn.Target()}})
	}
}

// breaking is a side channel that ends after some questions.
type breaking struct {
	session.Prober
	left int
}

func (b *breaking) Terminal(ctx context.Context, tty string) (probe.Terminal, error) {
	if b.left--; b.left < 0 {
		return probe.Terminal{}, probe.ErrBroken
	}
	return b.Prober.Terminal(ctx, tty)
}

func TestALostSideChannelIsOpenedAgain(t *testing.T) {
	var opened atomic.Int32
	r := start(t, setup{shell: "bash", tweak: func(c *session.Config) {
		open := c.Probe
		c.Probe = func(ctx context.Context) (session.Prober, error) {
			p, err := open(ctx)
			if opened.Add(1) <= 2 {
				p = &breaking{p, 1}
			}
			return p, err
		}
	}})
	for n := range 3 {
		wait, end := r.waiting()
		r.state(session.Prompt)
		r.typed(wait + "<Enter>")
		r.state(session.Running)
		r.quiet() // it is looked at a few times
		end()
		r.ended(n)
	}
	r.until("opened again", func() bool { return opened.Load() == 3 })
	r.state(session.Prompt)
	r.typed("read x; test $x = yes<Enter>")
	v := r.field(session.LineField)
	r.s.Field(v.ID, []byte("yes"), false)
	if c := r.ended(3); c.Exit == nil || *c.Exit != 0 {
		t.Errorf("got %+v", c)
	}
}
