package remote

import (
	"fmt"
	"sync"
	"time"
)

// stepClock ends a step that waits for the network too long. It stands still
// while a person is asked.
type stepClock struct {
	limit time.Duration
	stop  func(error) // what to do when the time is over; called once

	mu     sync.Mutex
	timer  *time.Timer
	armed  int // how often: a timer that was replaced does nothing
	paused int
	over   bool
}

func newStepClock(limit time.Duration, stop func(error)) *stepClock {
	return &stepClock{limit: limit, stop: stop}
}

// begin starts a step's time anew.
func (c *stepClock) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arm()
}

// arm (re)starts the timer; the caller holds mu.
func (c *stepClock) arm() {
	if c.timer != nil {
		c.timer.Stop()
	}
	c.armed++
	if c.over || c.paused > 0 {
		return
	}
	n := c.armed
	c.timer = time.AfterFunc(c.limit, func() { c.expire(n) })
}

func (c *stepClock) expire(armed int) {
	c.mu.Lock()
	if c.over || c.paused > 0 || c.armed != armed {
		c.mu.Unlock()
		return
	}
	c.over = true
	c.mu.Unlock()
	c.stop(fmt.Errorf("no answer for %v", c.limit))
}

// pause stops the time until the function that it returns is called.
func (c *stepClock) pause() (resume func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.paused++
	if c.timer != nil {
		c.timer.Stop()
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.paused--
		c.arm()
	}
}

// end stops the clock for good.
func (c *stepClock) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	if c.timer != nil {
		c.timer.Stop()
	}
}
