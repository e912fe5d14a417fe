package session

import (
	"bytes"
	"time"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/keys"
	"sallyport/console/probe"
	"sallyport/policy"
	"sallyport/redact"
)

// openKeys is a program that owns the screen and gets keys.
type openKeys struct {
	prog    string
	record  uint64 // seq of keys.open
	count   int64
	since   time.Time
	checked time.Time
}

func (k *openKeys) program() string {
	if k == nil {
		return ""
	}
	return k.prog
}

// recheck is how often the foreground program is read while keys go to one.
const recheck = 250 * time.Millisecond

// wantsKeys asks the gate to let keys through to a program that reads single
// keys. The asking is done once a program. args are the words that it was
// started with, where the host tells them.
func (l *loop) wantsKeys(who string, args []string) {
	if l.asked == who {
		return
	}
	l.asked, l.asking = who, true
	run := l.active
	req := gate.Request{Kind: gate.Keys, Origin: policy.Human, Text: who, Program: who, Started: args, Cwd: l.cwd, Dialect: policy.POSIX}
	l.start(func() func() {
		l.records.settle()
		c, err := l.cfg.Gate.Submit(l.ctx, l.cfg.Slot, req)
		return func() { l.keysOpened(run, who, c, err) }
	})
}

func (l *loop) keysOpened(run *running, who string, c gate.Cleared, err error) {
	l.asking = false
	if l.state != Running || l.active != run {
		l.abandon(c, err, "the program ended before it got a key")
		return
	}
	if err != nil {
		l.note(err)
		if l.holdsEOF() { // a shell inside is left as any shell is
			l.control(gate.Press(gate.SignalEOF))
		}
		l.dropHeld()
		return
	}
	now := l.cfg.Clock()
	l.keys = &openKeys{prog: who, record: c.Intent(), since: now, checked: now}
	l.set(Keys)
	st := gate.State{Phase: gate.Raw, Prompt: l.prompts, Program: who}
	if l.active != nil {
		st.Intent = l.active.intent
	}
	l.cfg.Slot.Enter(st)
	waiting := l.held
	l.held = nil
	for _, h := range waiting {
		l.heldRaw(h)
	}
}

func (l *loop) holdsEOF() bool {
	for _, h := range l.held {
		if b, ok := signalOf(h.key); ok && b == gate.SignalEOF {
			return true
		}
	}
	return false
}

func (l *loop) heldRaw(h held) {
	switch {
	case l.state != Keys:
		l.hold(h)
	case h.paste != "":
		l.rawPaste(h.paste)
	default:
		l.rawKey(h.key)
	}
}

// rawKey passes a key to the program. After a line end, and every so often,
// the foreground is read again before more goes.
func (l *loop) rawKey(k keys.Event) {
	l.s.mu.Lock()
	m := l.s.screen.Modes()
	l.s.mu.Unlock()
	b := bytes.ReplaceAll(keys.Encode(k, m), []byte{0x1e}, nil)
	l.rawBytes(b, isEnter(k))
}

// mouse passes a mouse report to the program that asked for them.
func (l *loop) mouse(e keys.MouseEvent) {
	if l.state != Keys {
		return
	}
	l.s.mu.Lock()
	m := l.s.screen.Modes()
	l.s.mu.Unlock()
	l.rawBytes(keys.EncodeMouse(e, m), false)
}

// focus reports that the operator's window got or lost the focus.
func (l *loop) focus(in bool) {
	if l.state != Keys {
		return
	}
	l.s.mu.Lock()
	m := l.s.screen.Modes()
	l.s.mu.Unlock()
	l.rawBytes(keys.Focus(in, m), false)
}

func (l *loop) rawPaste(text string) {
	l.s.mu.Lock()
	m := l.s.screen.Modes()
	l.s.mu.Unlock()
	l.rawBytes(keys.Paste(text, m.BracketedPaste), false)
}

// rawBytes sends what a program that owns the screen gets. The keypad's Enter has
// no line end in it where the program asked for the keypad's own codes.
func (l *loop) rawBytes(b []byte, enter bool) {
	if len(b) == 0 {
		return
	}
	if !l.send(l.cfg.Gate.Raw(l.cfg.Slot, b)) {
		return
	}
	l.keys.count++
	now := l.cfg.Clock()
	if l.probe.works() && (enter || bytes.ContainsAny(b, "\r\n") || now.Sub(l.keys.checked) >= recheck) {
		l.keys.checked = now
		l.recheck()
	}
}

// recheck closes the way to a program that is not in front any more, or that
// stopped reading single keys.
func (l *loop) recheck() {
	open := l.keys
	l.probe.ask(l, func(t probe.Terminal, err error) {
		if l.keys != open || l.state != Keys {
			return
		}
		if err == nil && program(t) == open.prog && !t.Canonical {
			l.after("recheck", recheck, func() {
				if l.keys == open && l.cfg.Clock().Sub(open.checked) < 2*time.Second {
					l.recheck()
				}
			})
			return
		}
		l.closeKeys("another program came to the front")
		l.asked = ""
		l.set(Running)
		l.cfg.Slot.Enter(gate.State{Phase: gate.Busy, Prompt: l.prompts})
		if err == nil {
			l.seen(t)
		}
	})
}

func (l *loop) closeKeys(why string) {
	k := l.keys
	l.asked = ""
	if k == nil {
		return
	}
	l.keys = nil
	l.records.append(audit.KeysClose[redact.Text]{
		Program: l.text(k.prog), Opened: k.record, Keys: k.count, Reason: l.text(why), DurationMS: l.cfg.Clock().Sub(k.since).Milliseconds(),
	})
}
