package tui

import (
	"time"

	"sallyport/console/keys"
	"sallyport/console/session"
)

// slow is how far a person can have seen that the shell owes an answer, and
// what is being chosen about it. Somebody who types ahead does not choose: a
// key does only after quiet since the row was drawn, alone, and with nothing
// held; or behind the leader.
type slow struct {
	drawnAt time.Time // when the row with the choices was first in view; zero: it is not
	choice  alone
}

var slowChoices = map[string]session.Choice{"w": session.Wait, "d": session.Compose, "Escape": session.DropLine}

// slowOffers tells whether name is a choice that there is now.
func (t *tab) slowOffers(name string) bool {
	if !t.waiting() || t.sess == nil || t.link.Phase != Connected {
		return false
	}
	switch t.view.State {
	case session.Waiting:
		return name == "w" || name == "d" || name == "Escape"
	case session.Boot: // there is no line yet, and it is composed here in the outermost shell alone
		return name == "w" || name == "d" && len(t.view.Frames) < 2 || name == "Escape" && t.view.Held > 0
	}
	return false
}

// slowKey takes a key that may be a choice, and tells whether it did.
func (t *tab) slowKey(m *Model, k keys.Event) bool {
	t.typeHeld()
	name := k.String()
	if !t.slowOffers(name) {
		return false
	}
	if t.slow.drawnAt.IsZero() || m.now().Sub(latest(t.slow.drawnAt, m.lastKey)) < quietTime || t.view.Held > 0 && name != "Escape" {
		return t.noChoice(m, name)
	}
	t.slow.choice.hold(k, m.now())
	return true
}

// noChoice is a key that came too soon: it is held with what was typed. An
// Escape is no part of a line; the session would drop the line for it.
func (t *tab) noChoice(m *Model, name string) bool {
	if name != "Escape" || t.view.State != session.Waiting {
		return false
	}
	m.complain("Esc " + notAlone + ".")
	return true
}

// typeHeld gives the shell what would have been a choice, had it stayed alone.
func (t *tab) typeHeld() {
	k := t.slow.choice.release()
	if k != (keys.Event{}) && k.Key != keys.Escape && t.sess != nil {
		t.sess.Key(k)
	}
}

// settleSlow takes a choice that has stayed alone. A shell that answered
// meanwhile gets the key.
func (t *tab) settleSlow(now time.Time) {
	if !t.waiting() {
		t.typeHeld()
		t.slow.drawnAt = time.Time{}
		return
	}
	if !t.slow.choice.stayed(now) {
		return
	}
	if !t.choose(t.slow.choice.key.String()) {
		t.typeHeld()
	}
	t.slow.choice = alone{}
}

// choose answers a shell that is slow.
func (t *tab) choose(name string) bool {
	if !t.slowOffers(name) {
		return false
	}
	if name == "Escape" && t.view.State == session.Boot {
		t.sess.DropHeld()
		return true
	}
	t.sess.Choose(slowChoices[name])
	return true
}
