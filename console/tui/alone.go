package tui

import (
	"time"

	"sallyport/console/keys"
)

// aloneTime is how long before and after a key that approves no other may come:
// a letter of a word that is typed, or sent by a program, is no answer.
const aloneTime = 200 * time.Millisecond

const notAlone = "that came with other keys: press it alone"

// alone is a key that counts only if it stays alone: it is held until no other
// has come for aloneTime. What came before it is for its owner to judge.
type alone struct {
	key keys.Event // the zero Event: none is held
	at  time.Time
}

func (a *alone) hold(k keys.Event, now time.Time) { a.key, a.at = k, now }

func (a *alone) held() bool { return a.key != keys.Event{} }

// release gives the key that was held, if any, and holds it no more.
func (a *alone) release() keys.Event {
	k := a.key
	a.key = keys.Event{}
	return k
}

// stayed tells whether a key is held that counts now.
func (a *alone) stayed(now time.Time) bool { return a.held() && now.Sub(a.at) >= aloneTime }

// wake has a frame drawn when the key that is held counts.
func (a *alone) wake(next *earliest) {
	if a.held() {
		next.add(a.at.Add(aloneTime + time.Millisecond))
	}
}
