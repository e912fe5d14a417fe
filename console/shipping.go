package console

import (
	"context"
	"time"

	"sallyport/audit"
	"sallyport/audit/ship"
	"sallyport/redact"
)

// startShipping sends the log to the collector in the background. Nothing that
// sends commands waits for it, and a collector that cannot be reached is shown,
// never fatal.
func (c *Console) startShipping() {
	if c.cfg.Ship == nil || c.cfg.Daemon.Socket != "" { // the daemon ships its own log
		return
	}
	cfg := *c.cfg.Ship
	cfg.Dir, cfg.Log, cfg.Warn = c.cfg.AuditDir, c.log, c.warn
	s, err := ship.New(cfg)
	if err != nil {
		c.append(c.log.In("", audit.Target{}), audit.SessionError[redact.Text]{
			Step: redact.Literal(audit.StepShipping), Reason: c.text(err.Error()),
		})
		return
	}
	c.shipper = s
	if err := c.telemetry.Backlog(s.Status); err != nil {
		c.warn(err.Error())
	}
	c.work.Go(func() {
		defer s.Close()
		if err := s.Probe(c.ctx); err != nil && c.ctx.Err() == nil {
			c.warn(err.Error() + "; the log file waits")
		}
		s.Follow(c.ctx)
	})
}

// Shipping is how far the collector is behind; ok is false where none is
// configured.
func (c *Console) Shipping() (st ship.Status, ok bool) {
	if c.shipper == nil {
		return ship.Status{}, false
	}
	return c.shipper.Status(), true
}

// restWait is how long the end of a console waits for the collector. What is
// left then is sent by the next console, or by `audit ship`.
const restWait = 3 * time.Second

// shipRest sends what the end of the console added to its log.
func (c *Console) shipRest(ctx context.Context) {
	if c.shipper == nil {
		return
	}
	cfg := *c.cfg.Ship
	cfg.Dir, cfg.Warn = c.cfg.AuditDir, c.warn
	s, err := ship.New(cfg)
	if err != nil {
		return
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(ctx, restWait)
	defer cancel()
	s.Once(ctx)
}
