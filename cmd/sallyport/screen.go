package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"syscall"

	"sallyport/audit"
	"sallyport/console"
	"sallyport/console/copilot"
	"sallyport/console/gate"
	"sallyport/console/tui"
	"sallyport/policy"
)

// screenConsole is a console as the screen sees it.
type screenConsole struct {
	*console.Console
	groups *groups
	procs  *processors
}

func newScreenConsole(c *console.Console) screenConsole {
	return screenConsole{c, &groups{}, newProcessors()}
}

// OnChange passes on who is told, and counts how often.
func (c screenConsole) OnChange(changed func()) {
	c.Console.OnChange(func() {
		c.procs.changed()
		changed()
	})
}

func (c screenConsole) Hosts() []tui.Host {
	hosts := c.Console.Hosts()
	shown := make([]tui.Host, len(hosts))
	for i, h := range hosts {
		shown[i] = screenHost{h, c}
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
	c screenConsole
}

func (h screenHost) Link() tui.Link {
	l := h.Host.Link()
	groups, production := h.c.groups.of(h.c.Rules(), l.Target)
	shown := tui.Link{
		Name:       l.Name,
		Target:     l.Target,
		Groups:     groups,
		Production: production,
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

// groups remembers the host groups of targets, which are asked for every frame.
type groups struct {
	mu    sync.Mutex
	rules *policy.Set
	known map[policy.Target]grouped
}

type grouped struct {
	names      []string
	production bool // one of them is
}

// of gives the policy's host groups of a target and whether one is production.
func (g *groups) of(rules *policy.Set, t policy.Target) (names []string, production bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.rules != rules {
		g.rules, g.known = rules, map[policy.Target]grouped{}
	}
	k, ok := g.known[t]
	if !ok {
		k.names = rules.HostGroups([]policy.Target{t})
		k.production = slices.Contains(k.names, "prod") || slices.Contains(k.names, "production")
		g.known[t] = k
	}
	return k.names, k.production
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
