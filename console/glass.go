package console

import (
	"context"
	"errors"
	"strings"

	"sallyport/audit"
	"sallyport/audit/ship"
)

// secondSink has the collector hold the records while the log cannot.
func (c *Console) secondSink(a *audit.Config) error {
	switch {
	case !c.cfg.BreakGlass || c.cfg.Daemon.Socket != "":
		return nil
	case c.cfg.Ship == nil:
		c.warn("audit.break_glass is set and there is no collector: sends are refused while the log cannot be written")
		return nil
	}
	cfg := *c.cfg.Ship
	cfg.Dir, cfg.Warn = c.cfg.AuditDir, c.warn
	s, err := ship.New(cfg)
	if err != nil {
		return err
	}
	c.second, a.Second = s, s
	return nil
}

// CanBreakGlass says that commands may go on while the log cannot be written,
// and that it, or what is sealed beside it, cannot be written now.
func (c *Console) CanBreakGlass() bool {
	st := c.log.Status()
	return c.second != nil && st.Refusing != nil && !st.Glass
}

// errNoReason says that a reason is the price.
var errNoReason = errors.New("a reason is needed: it is the first thing in the record")

// BreakGlass lets commands leave while the log cannot be written, for the
// reason that the operator typed. The collector has that before it returns.
func (c *Console) BreakGlass(ctx context.Context, reason string) error {
	if strings.TrimSpace(reason) == "" {
		return errNoReason
	}
	defer c.notify()
	return c.log.BreakGlass(ctx, c.text(reason))
}
