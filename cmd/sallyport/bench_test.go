package main

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
)

// BenchmarkKeyToGlyph presses a key at the prompt of a remote shell and waits for its glyph: at the console, and at a tmux whose
// window is ssh to the same host, in turn. ratio is tmux' time over the console's.
func BenchmarkKeyToGlyph(b *testing.B) {
	config := benchHost(b)
	sides := []*seat{atConsole(b, program(b), config), atTmux(b, config)}
	for _, s := range sides {
		s.await("ready>")
		s.quiet(500 * time.Millisecond)
	}
	runtime.LockOSThread()
	took := [2][]time.Duration{}
	for i := 0; b.Loop(); i++ {
		for n, s := range sides {
			s.rest(i)
			took[n] = append(took[n], s.key("+%"[i%2]))
		}
	}
	reportQuantile(b, took, "p50", 50)
	reportQuantile(b, took, "p99", 99)
}

// rest is what a quick typist leaves between two keys; a full line is begun anew.
func (s *seat) rest(i int) {
	if i%60 == 59 {
		s.write("\x15")
		s.quiet(200 * time.Millisecond)
	}
	s.quiet(time.Duration(20+rand.IntN(20)) * time.Millisecond)
}

func reportQuantile(b *testing.B, took [2][]time.Duration, name string, percent int) {
	var at [2]time.Duration
	for n := range took {
		slices.Sort(took[n])
		at[n] = took[n][len(took[n])*percent/100]
	}
	b.ReportMetric(float64(at[0].Microseconds()), "µs-"+name)
	b.ReportMetric(float64(at[1].Microseconds()), "tmux-µs-"+name)
	b.ReportMetric(float64(at[1])/float64(at[0]), "ratio-"+name)
}
