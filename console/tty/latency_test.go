package tty

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/creack/pty"
)

// BenchmarkKeyToGlyph is the part of a key's way that this package adds: from
// the terminal through input, Update, Draw and back.
func BenchmarkKeyToGlyph(b *testing.B) {
	master, slave, err := pty.Open()
	if err != nil {
		b.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	_ = pty.Setsize(master, &pty.Winsize{Cols: 120, Rows: 36})
	term, err := Open(Options{In: slave, Out: slave, Env: []string{"TERM=xterm-256color"}, Profile: colorprofile.TrueColor})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- term.Run(ctx, &echo{}) }()
	got := make(chan []byte, 64)
	go func() {
		for {
			buf := make([]byte, 4096)
			n, err := master.Read(buf)
			if err != nil {
				close(got)
				return
			}
			got <- buf[:n]
		}
	}()
	await(b, got, 'w')
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		key := byte('a' + i%20)
		begin := time.Now()
		if _, err := master.Write([]byte{key}); err != nil {
			b.Fatal(err)
		}
		await(b, got, key)
		took = append(took, time.Since(begin))
		if i%60 == 59 { // the row is full: begin anew
			b.StopTimer()
			stop()
			<-done
			b.StartTimer()
			return
		}
		quietFor(got, 12*time.Millisecond)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/p99")
	stop()
	<-done
}

func await(b *testing.B, got chan []byte, key byte) {
	for {
		select {
		case p := <-got:
			if bytes.IndexByte(p, key) >= 0 {
				return
			}
		case <-time.After(2 * time.Second):
			b.Fatalf("no glyph for %q", key)
		}
	}
}

func quietFor(got chan []byte, d time.Duration) {
	for {
		select {
		case <-got:
		case <-time.After(d):
			return
		}
	}
}
