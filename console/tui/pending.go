package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// pending is something that was asked for and takes its time.
type pending struct {
	what   string // "Asking the collector"
	since  time.Time
	cancel context.CancelFunc // nil: it cannot be called off
}

// cancelTime is from when on a wait can be called off.
const cancelTime = 2 * time.Second

func (p *pending) canCancel(now time.Time) bool {
	return p != nil && p.cancel != nil && now.Sub(p.since) > cancelTime
}

// line says what is waited for, once that takes a while.
func (p *pending) line(m *Model) line {
	if p == nil || m.frame.Sub(p.since) < slowTime {
		return nil
	}
	l := line{{p.what + " for " + lasting(m.frame.Sub(p.since)), m.theme.warn}}
	if p.canCancel(m.frame) {
		l = append(l, m.keyHint("Esc", "give up")...)
	}
	return l
}

// await runs f, whose end shows by itself, and says meanwhile that it runs.
func (m *Model) await(what string, limit time.Duration, f func(context.Context) tea.Msg) tea.Cmd {
	ctx, cancel := context.WithTimeout(m.ctx, limit)
	m.pending = &pending{what, m.now(), cancel}
	p := m.pending
	return func() tea.Msg {
		defer cancel()
		return awaited{p, f(ctx)}
	}
}

// awaited is the end of something that was pending.
type awaited struct {
	p   *pending
	msg tea.Msg
}

func (a awaited) apply(m *Model) tea.Cmd {
	if m.pending == a.p {
		m.pending = nil
	}
	return func() tea.Msg { return a.msg }
}
