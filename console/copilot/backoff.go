package copilot

import (
	"math/rand/v2"
	"time"
)

// backoff gives the waits between attempts to connect: from a second, doubling to
// thirty, each between half of that and all of it.
type backoff struct{ step time.Duration }

const (
	firstWait = time.Second
	lastWait  = 30 * time.Second
)

func (b *backoff) next() time.Duration {
	switch {
	case b.step == 0:
		b.step = firstWait
	default:
		b.step = min(2*b.step, lastWait)
	}
	return b.step/2 + rand.N(b.step/2+1)
}

func (b *backoff) reset() { b.step = 0 }
