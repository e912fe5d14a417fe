package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
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
	for b.Loop() {
		for i := range 200 {
			for n, s := range sides {
				s.rest(i)
				took[n] = append(took[n], s.key("+%"[i%2]))
			}
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

// BenchmarkOutput prints 100 MB at the remote shell and waits for the prompt after it: at the console, and at a tmux whose window is
// ssh to the same host. ratio is tmux' time over the console's.
func BenchmarkOutput(b *testing.B) {
	for _, kind := range []string{"seq", "coloured", "cjk"} {
		b.Run(kind, func(b *testing.B) {
			config := benchHost(b)
			file := output(b, kind)
			sides := []*seat{atConsole(b, program(b), config), atTmux(b, config)}
			for _, s := range sides {
				s.await("ready>")
				s.quiet(500 * time.Millisecond)
			}
			var took [2]time.Duration
			for b.Loop() {
				for range rounds() { // in turn, so that both meet the same machine
					for n, s := range sides {
						took[n] += s.print(file)
					}
				}
			}
			b.ReportMetric(float64(outputBytes*rounds()*b.N)/1e6/took[0].Seconds(), "MB/s")
			b.ReportMetric(float64(outputBytes*rounds()*b.N)/1e6/took[1].Seconds(), "tmux-MB/s")
			b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "ratio")
		})
	}
}

const outputBytes = 20e6

// rounds is how often the file is printed: 100 MB in all, with -short a fifth.
func rounds() int {
	if testing.Short() {
		return 1
	}
	return 5
}

// output writes a file of scrolling output.
func output(b testing.TB, kind string) (path string) {
	path = filepath.Join(b.TempDir(), kind)
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	levels := []string{"\x1b[32mINFO\x1b[0m", "\x1b[33mWARN\x1b[0m", "\x1b[1;31mERROR\x1b[0m", "\x1b[38;5;244mDEBUG\x1b[0m"}
	cjk := []rune("日志記錄伺服器正在重新啟動請稍候한국어로그메시지ひらがなカタカナ漢字")
	for i, n := 1, 0; n < outputBytes; i++ {
		var size int
		switch kind {
		case "seq":
			size, _ = fmt.Fprintln(w, i)
		case "coloured":
			size, _ = fmt.Fprintf(w, "\x1b[2m13:%02d:%02d\x1b[0m %s \x1b[36mworker-%d\x1b[0m request handled \x1b[38;2;120;90;200mid=\x1b[0m%d took=\x1b[1m%dms\x1b[0m\n", i/60%60, i%60, levels[i%4], i%16, i, i*13%700)
		case "cjk":
			at := i % (len(cjk) - 20)
			size, _ = fmt.Fprintf(w, "%d %s%s\n", i, string(cjk[at:at+20]), string(cjk[len(cjk)-at-20:len(cjk)-at]))
		}
		n += size
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return path
}

// print shows a file and gives the time until what was printed after it is seen.
func (s *seat) print(file string) time.Duration {
	s.prints++
	s.write(fmt.Sprintf("clear; cat %s; printf 'end%%s-%d\\n' ''", file, s.prints))
	s.quiet(300 * time.Millisecond)
	start := time.Now()
	s.write("\r")
	s.await(fmt.Sprintf("end-%d", s.prints))
	took := time.Since(start)
	s.quiet(300 * time.Millisecond)
	return took
}

// BenchmarkFirstPaint starts the console, and a tmux whose window is ssh to the same host, and waits for their first picture and for the
// prompt of the shell. ratio is tmux' time over the console's.
func BenchmarkFirstPaint(b *testing.B) {
	config, path := benchHost(b), program(b)
	var paint, prompt [2][]time.Duration
	for range 5 * b.N {
		for n, start := range []func() *seat{
			func() *seat { return atConsole(b, path, config) },
			func() *seat { return atTmux(b, config) },
		} {
			begin := time.Now()
			s := start()
			s.awaitAny()
			paint[n] = append(paint[n], time.Since(begin))
			s.await("ready>")
			prompt[n] = append(prompt[n], time.Since(begin))
			s.end()
		}
	}
	reportQuantile(b, paint, "paint", 50)
	reportQuantile(b, prompt, "prompt", 50)
}

// awaitAny waits until the terminal shows anything.
func (s *seat) awaitAny() {
	for strings.TrimSpace(s.screen.Text()) == "" {
		p := s.read(time.Minute)
		if p == nil {
			s.b.Fatal("nothing on the terminal")
		}
		s.draw(p)
	}
}
