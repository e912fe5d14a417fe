package main

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func BenchmarkZZKey(b *testing.B) {
	config := benchHost(b)
	var sides []*seat
	for _, p := range strings.Fields(os.Getenv("ZZBINS")) {
		sides = append(sides, atConsole(b, p, config))
	}
	sides = append(sides, atTmux(b, config))
	for _, s := range sides {
		s.await("ready>")
		s.quiet(500 * time.Millisecond)
	}
	runtime.LockOSThread()
	took := make([][]time.Duration, len(sides))
	for i := range 300 {
		for n, s := range sides {
			s.rest(i)
			took[n] = append(took[n], s.key("+%"[i%2]))
		}
	}
	for n := range sides {
		sortDur(took[n])
		b.ReportMetric(float64(took[n][150].Microseconds()), "p50-"+string('a'+rune(n)))
		b.ReportMetric(float64(took[n][297].Microseconds()), "p99-"+string('a'+rune(n)))
	}
}

func sortDur(d []time.Duration) {
	for i := range d {
		for j := i; j > 0 && d[j] < d[j-1]; j-- {
			d[j], d[j-1] = d[j-1], d[j]
		}
	}
}
