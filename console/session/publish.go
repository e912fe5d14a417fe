package session

import "sallyport/console/gate"

// publish puts a snapshot where View finds it.
func (l *loop) publish() {
	v := View{
		ID: l.cfg.ID, State: l.state, Cwd: l.cwd, LastExit: l.exit, Degraded: l.why, Held: len(l.held),
		Waiting: l.waiting, Alarms: l.alarms, Alarm: l.alarm, UserCode: l.userCode, Tainted: l.tainted, Refused: l.refused,
		Evidence: gate.EvidenceNone, Frames: l.cfg.Targets,
	}
	if f := l.top(); f != nil && l.boot == notBooting {
		v.Shell, v.Evidence, v.Frames = f.name(), f.evidence(), f.targets
	}
	if l.refused != nil {
		v.Dropped = l.dropped
	}
	if l.cmd != nil && l.active != nil {
		v.Running, v.Since = l.cmd.Line, l.cmd.Started
	}
	v.Field, v.Compose, v.Program = l.field.view(), l.compose.view(), l.keys.program()
	v.ReadOnly = l.readOnly()
	if l.replace(v) {
		l.cfg.OnChange()
	}
}

// replace tells whether anything looks different: a key that only went on its
// way asks for no frame, its echo does.
func (l *loop) replace(v View) bool {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	v.Error = l.s.view.Error
	shown := shown{l.s.screen.Version(), len(l.s.journal)}
	same := shown == l.shown && v.Same(l.s.view)
	l.s.view, l.shown = v, shown
	return !same
}

// shown is what was there to see, beside the view, when it was last published.
type shown struct {
	screen  uint64
	journal int
}

// readOnly says why nothing can be sent: the policy wants surer evidence than
// there is.
func (l *loop) readOnly() string {
	f := l.top()
	if f == nil || l.boot != notBooting {
		return ""
	}
	want := gate.Evidence(l.rules().EvidenceMinimum(f.targets))
	if !f.evidence().Below(want) {
		return ""
	}
	return "the policy wants evidence " + string(want) + " on this host, and there is " + string(f.evidence())
}
