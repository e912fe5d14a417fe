package tui

import "sallyport/console/session"

// aheadTo says when what was typed ahead may be given to the shell in front.
type aheadTo uint8

const (
	never aheadTo = iota // it would reach something else, or nothing
	later
	now
)

// ahead: a shell that starts, or is at its prompt, holds keys. A question or a
// field would take them for its answer, and a host that is gone for a command of
// the screen.
func (m *Model) ahead() aheadTo {
	t := m.tab()
	switch {
	case t == nil, t.dialog != nil, t.field != nil, m.modal != nil, t.draft != nil, m.focus != shellArea:
		return never
	case t.link.Phase == Connecting:
		return later
	case t.link.Phase != Connected:
		return never
	case t.sess == nil:
		return later
	}
	switch t.view.State {
	case session.Boot, session.Prompt, session.Continuation, session.Running:
		return now
	case session.Query, session.Confirm, session.Granted, session.Interrupt, session.Waiting:
		return later
	}
	return never
}
