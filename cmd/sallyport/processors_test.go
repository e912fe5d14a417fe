package main

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestProcessors: one in calm, all at the start, under a flood and for a second after it.
func TestProcessors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := 4
		p := &processors{all: 4}
		p.begin(func(n int) { now = n })
		at := func(want int, when string) {
			t.Helper()
			synctest.Wait()
			p.mu.Lock()
			defer p.mu.Unlock()
			if now != want {
				t.Errorf("%s: %d processors, want %d", when, now, want)
			}
		}
		at(4, "at the start")
		time.Sleep(floodRest)
		at(1, "in calm")
		for range 100 { // a fast typist, or a program that draws ten times a second
			p.changed()
			p.changed()
			time.Sleep(floodWindow / 2)
		}
		at(1, "while somebody types")
		for range floodChanges {
			p.changed()
		}
		at(4, "in a flood")
		for range 30 {
			for range floodChanges {
				p.changed()
			}
			time.Sleep(floodWindow + 1)
		}
		at(4, "in a long flood")
		time.Sleep(floodRest)
		at(1, "after it")
	})
}

// TestProcessorsOfTheEnvironment: what the environment says stays.
func TestProcessorsOfTheEnvironment(t *testing.T) {
	t.Setenv("GOMAXPROCS", "2")
	if p := newProcessors(); p.set != nil {
		t.Error("the environment's number is changed")
	}
	var none processors
	none.changed()
}
