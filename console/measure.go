package console

import (
	"context"

	"sallyport/console/gate"
	"sallyport/console/telemetry"
)

// startTelemetry begins to measure, if that is configured. What cannot be
// measured is said and holds nothing up.
func (c *Console) startTelemetry() {
	t, err := telemetry.Start(context.Background(), c.cfg.Telemetry)
	if err != nil {
		c.warn("traces and metrics of the console are off: " + err.Error())
		return
	}
	c.telemetry = t
	if t == nil {
		return
	}
	c.gate.Passed = c.passed
}

// passed measures a submission. With the daemon the log's commit is measured
// from here: until the acknowledgement.
func (c *Console) passed(p gate.Passage) {
	c.telemetry.Passed(p)
	if took := p.Recording(); took > 0 && c.cfg.Daemon.Socket != "" {
		c.telemetry.Synced(took)
	}
}

// stopTelemetry delivers what was measured last.
func (c *Console) stopTelemetry(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, restWait)
	defer cancel()
	if err := c.telemetry.Close(ctx); err != nil {
		c.warn("the last traces and metrics of the console were not delivered")
	}
}
