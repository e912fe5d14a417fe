package console

import (
	"context"
	"sync/atomic"
	"time"

	"sallyport/audit"
	"sallyport/console/copilot"
	"sallyport/console/devices"
	"sallyport/console/gate"
	"sallyport/console/probe"
	"sallyport/console/remote"
	"sallyport/console/session"
	"sallyport/policy"
)

// sessionConfig is what an attempt's shell works with.
func (h *Host) sessionConfig(a *attempt, slot *gate.Slot, targets []policy.Target, w *watcher) session.Config {
	c := h.c
	return session.Config{
		ID:         a.session,
		Gate:       &c.gate,
		Slot:       slot,
		Host:       shells{c, a},
		Redactor:   w.redactor,
		Recorder:   counting{a.scope, &a.refusals},
		Rules:      func() session.Rules { return c.Rules() },
		Probe:      func(ctx context.Context) (session.Prober, error) { return h.probe(ctx, a) },
		Digest:     c.log.Digester,
		Targets:    targets,
		OnChange:   c.notify,
		Observer:   w,
		Output:     a.record.output,
		Clock:      c.cfg.Now,
		Device:     c.device(a.conn.Target()),
		ViKeys:     c.cfg.ViKeys,
		Scrollback: c.cfg.Scrollback,
	}
}

// device is the profile of a host that is a network device; empty: it is none.
func (c *Console) device(t policy.Target) string {
	return devices.Kind(c.cfg.Devices, t.Asked, t.HostName)
}

// probe opens the side channel that reads the remote terminal's state.
func (h *Host) probe(ctx context.Context, a *attempt) (session.Prober, error) {
	p, err := probe.Open(ctx, a.conn, &h.c.gate, h.c.slotConfig(a))
	if err != nil {
		return nil, err
	}
	return p, nil
}

// shells opens shell channels of an attempt's connection for session, whose
// Channel is the smaller side of remote.Shell.
type shells struct {
	c *Console
	a *attempt
}

func (s shells) Shell(ctx context.Context, slot *gate.Slot, boot gate.Cleared, p session.PTY) (session.Channel, error) {
	env := s.c.environment(ctx, slot, s.a)
	pty := remote.PTY{Term: p.Term, Cols: p.Cols, Rows: p.Rows, NoEcho: p.NoEcho, Env: env}
	s.c.offered(ctx, slot, s.a, &pty)
	sh, err := s.a.conn.Shell(ctx, slot, boot, pty)
	if err != nil {
		return nil, err
	}
	s.a.channel = sh
	return sh, nil
}

// lost is why the connection is gone, or nil where the shell ended by itself:
// then the host said how it exited.
func (a *attempt) lost() error {
	if a.channel == nil {
		return a.conn.Err()
	}
	if _, err := a.channel.Wait(); err == nil {
		return nil
	}
	select {
	case <-a.conn.Done():
	case <-time.After(lossWait):
	}
	if err := a.conn.Err(); err != nil {
		return err
	}
	return remote.ErrNoExit
}

// exit is the status that the shell ended with, once the connection is over.
func (a *attempt) exit() *int {
	if a.channel == nil {
		return nil
	}
	e, err := a.channel.Wait()
	if err != nil || e.Code < 0 {
		return nil
	}
	return &e.Code
}

// lossWait is how long the end of a channel may come before the news that its
// connection is gone.
const lossWait = time.Second

// Judge is the verdict on text if it were sent now in place of s. Nothing is
// recorded and nobody is asked.
func (h *Host) Judge(s copilot.Suggestion, text string) policy.Decision {
	sh := h.Session()
	view := sh.View()
	return h.c.Rules().Decide(policy.Request{
		Text:    text,
		Dialect: dialect(view.Shell),
		Origin:  policy.Copilot,
		Targets: view.Frames,
		Cwd:     view.Cwd,
		Claimed: claimed(s),
		At:      h.c.cfg.Now(),
		User:    account(),
	})
}

// dialect is how a shell of this name reads a line; an unknown one is judged
// under every reading.
func dialect(shell string) policy.Dialect {
	if d, err := policy.ParseDialect(shell); err == nil {
		return d
	}
	return policy.Unknown
}

// Send sends s as it is or edited. It returns when the text is on its way or
// refused, after whatever the gate had to ask.
func (h *Host) Send(ctx context.Context, s copilot.Suggestion, text string) error {
	h.mu.Lock()
	shell, cop := h.attempt.shell, h.attempt.copilot
	h.mu.Unlock()
	if text != string(s.Command) {
		t, _ := h.c.redactor.CommandText(text)
		cop.Edited(s.ID, t)
	}
	return shell.Send(ctx, Suggested(s), text)
}

// Chat queues a message to Linus. The error says why it was not taken.
func (h *Host) Chat(text string) error {
	t, _ := h.c.redactor.Text(text)
	return h.Copilot().Chat(t)
}

// counting counts what was refused, for the record of the session's end.
type counting struct {
	*audit.Scope
	refused *atomic.Int64
}

// Append is the scope's.
func (c counting) Append(ctx context.Context, ev ...audit.Event) ([]audit.Receipt, error) {
	got, err := c.Scope.Append(ctx, ev...)
	for _, e := range ev {
		if e.Kind() == audit.KindCommandRefused && err == nil {
			c.refused.Add(1)
		}
	}
	return got, err
}
