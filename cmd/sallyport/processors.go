package main

import (
	"os"
	"runtime"
	"sync"
	"time"
)

// A key on its way to the host, and its echo on the way back, pass a chain of goroutines of which
// each wakes the next. On one processor that costs a few instructions. With more, the runtime
// wakes a thread for each link, which mostly finds nothing to do: the key comes later, and whoever
// shares the machine is disturbed. Under a flood of output, though, reading, redacting and drawing
// have each a processor's work to do. So the runtime gets one processor in calm and all
// of them from the moment on when much changes, and at the start, until the first calm.
const (
	floodChanges = 24                     // so many changes
	floodWindow  = 100 * time.Millisecond // in so short a time are a flood,
	floodRest    = time.Second            // which is over when for so long there was none
)

// processors gives the runtime its processors. The zero value keeps what the runtime has.
type processors struct {
	all int       // how many there are
	set func(int) // nil: keep

	mu      sync.Mutex
	began   time.Time // of the window
	changes int       // in it
	flooded time.Time // when there were too many last
	calm    bool
	timer   *time.Timer
}

// newProcessors begins with all. GOMAXPROCS of the environment counts more.
func newProcessors() *processors {
	p := &processors{all: runtime.GOMAXPROCS(0)}
	if p.all > 1 && os.Getenv("GOMAXPROCS") == "" {
		p.begin(func(n int) { runtime.GOMAXPROCS(n) })
	}
	return p
}

func (p *processors) begin(set func(int)) {
	p.set, p.flooded = set, time.Now()
	p.timer = time.AfterFunc(floodRest, p.look)
}

// changed counts a change of what is shown.
func (p *processors) changed() {
	if p.set == nil {
		return
	}
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.began) > floodWindow {
		p.began, p.changes = now, 0
	}
	p.changes++
	if p.changes < floodChanges {
		return
	}
	p.flooded = now
	if p.calm {
		p.calm = false
		p.set(p.all)
		p.timer.Reset(floodRest)
	}
}

// look goes back to one processor once the flood is over.
func (p *processors) look() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if left := floodRest - time.Since(p.flooded); left > 0 {
		p.timer.Reset(left)
		return
	}
	p.calm = true
	p.set(1)
}
