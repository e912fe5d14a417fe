package main

import (
	"context"
	"errors"
	"syscall"

	"sallyport/audit"
	"sallyport/console"
	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/tui"
	"sallyport/policy"
)

// screenConsole is a console as the screen sees it.
type screenConsole struct{ *console.Console }

func (c screenConsole) Hosts() []tui.Host {
	hosts := c.Console.Hosts()
	shown := make([]tui.Host, len(hosts))
	for i, h := range hosts {
		shown[i] = screenHost{h, c.Console}
	}
	return shown
}

func (c screenConsole) Open(dest string) error {
	_, err := c.Console.Open(dest)
	return err
}

func (c screenConsole) Log() tui.LogStatus {
	s := c.Console.Log()
	shown := tui.LogStatus{Records: s.Records, Glass: s.Glass}
	if s.Refusing != nil {
		shown.Refusing = s.Refusing.Error()
		if u, ok := errors.AsType[*audit.Unwritable](s.Refusing); ok {
			shown.Refusing = u.Why() // the screen says itself that it is not writable
		}
		shown.Full = s.Log != "" && (errors.Is(s.Refusing, syscall.ENOSPC) || errors.Is(s.Refusing, syscall.EDQUOT))
		shown.KeysUntil = s.Since.Add(gate.KeysGrace)
	}
	if st, ok := c.Shipping(); ok {
		shown.Collector = &tui.Collector{Behind: st.Backlog, Age: st.Age}
		if st.Error != nil {
			shown.Collector.Err = st.Error.Error()
		}
	}
	return shown
}

func (c screenConsole) Policy() policy.Identity { return c.Rules().Identity() }

// screenHost is a host as the screen sees it.
type screenHost struct {
	*console.Host
	c *console.Console
}

func (h screenHost) Link() tui.Link {
	l := h.Host.Link()
	shown := tui.Link{
		Name:       l.Name,
		Target:     l.Target,
		Groups:     h.c.Rules().HostGroups([]policy.Target{l.Target}),
		Production: h.production(l.Target),
		Phase:      tui.Phase(l.Phase),
		Step:       l.Step,
		Since:      l.Since,
		Up:         l.Up,
		Err:        l.Err,
		Exit:       l.Exit,
	}
	_, shown.Hint = explain(l.Err)
	return shown
}

// production says whether policy's host groups call t one.
func (h screenHost) production(t policy.Target) bool {
	for _, g := range h.c.Rules().HostGroups([]policy.Target{t}) {
		if g == "prod" || g == "production" {
			return true
		}
	}
	return false
}

func (h screenHost) Session() tui.Session {
	if s := h.Host.Session(); s != nil {
		return s
	}
	return nil
}

func (h screenHost) Copilot() tui.Copilot {
	if s := h.Host.Copilot(); s != nil && h.c.HasCopilot() {
		return s
	}
	return nil
}

func (h screenHost) Send(ctx context.Context, s copilot.Suggestion, text string) error {
	return h.Host.Send(ctx, s, text)
}

// ClipboardWrite says whether the policy lets a host ask for the clipboard.
func (c screenConsole) ClipboardWrite() bool { return c.Rules().ClipboardWrite() }
