package screen_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"
	"time"

	"sallyport/console/screen"
)

// The streams that the figures are about: scrolling output as people see it.

// seq is what `seq` prints.
func seq(size int) []byte {
	var b bytes.Buffer
	for i := 1; b.Len() < size; i++ {
		fmt.Fprintf(&b, "%d\r\n", i)
	}
	return b.Bytes()
}

// plainLog is a log without colours.
func plainLog(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "Nov 30 13:%02d:%02d web-%02d nginx[%d]: 10.2.0.%d GET /api/v1/items/%d 200 %d\r\n", i/60%60, i%60, i%7, 900+i%50, i%250, i, i*37%9000)
	}
	return b.Bytes()
}

// colouredLog is a log whose time, level, name and fields have colours.
func colouredLog(size int) []byte {
	var b bytes.Buffer
	levels := []string{"\x1b[32mINFO\x1b[0m", "\x1b[33mWARN\x1b[0m", "\x1b[1;31mERROR\x1b[0m", "\x1b[38;5;244mDEBUG\x1b[0m"}
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "\x1b[2m13:%02d:%02d\x1b[0m %s \x1b[36mworker-%d\x1b[0m request handled \x1b[38;2;120;90;200mid=\x1b[0m%d took=\x1b[1m%dms\x1b[0m\r\n", i/60%60, i%60, levels[i%4], i%16, i, i*13%700)
	}
	return b.Bytes()
}

// cjkLog is text of wide characters.
func cjkLog(size int) []byte {
	var b bytes.Buffer
	text := []rune("日志記錄伺服器正在重新啟動請稍候한국어로그메시지ひらがなカタカナ漢字")
	r := rand.New(rand.NewPCG(1, 2))
	for b.Len() < size {
		for range 30 {
			b.WriteRune(text[r.IntN(len(text))])
		}
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

// fullScreen is what a program draws that owns the screen: places, colours, short texts.
func fullScreen(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "\x1b[%d;%dH\x1b[3%dm%5.1f%%\x1b[0;1m│\x1b[K", i%40+1, i*7%100+1, i%8, float64(i%1000)/10)
	}
	return b.Bytes()
}

var streams = []struct {
	name string
	make func(int) []byte
}{
	{"seq", seq}, {"plain", plainLog}, {"coloured", colouredLog}, {"cjk", cjkLog}, {"fullscreen", fullScreen},
}

// writeAll writes p in pieces as a channel delivers them.
func writeAll(s interface{ Write([]byte) (int, error) }, p []byte) {
	for len(p) > 0 {
		n := min(len(p), 32<<10)
		s.Write(p[:n])
		p = p[n:]
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, st := range streams {
		b.Run(st.name, func(b *testing.B) {
			p := st.make(8 << 20)
			s := screen.New(120, 40, screen.Options{})
			b.SetBytes(int64(len(p)))
			start := cpu()
			for b.Loop() {
				writeAll(s, p)
			}
			b.ReportMetric(float64(len(p))*float64(b.N)/1e6/(cpu()-start).Seconds(), "MB/cpu-s")
		})
	}
}

// cpu returns how long this process has computed. Unlike the wall clock it is not moved by what else the machine does.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSplitter is the other pass over every byte: a session's, that looks for marks.
func BenchmarkSplitter(b *testing.B) {
	p := colouredLog(8 << 20)
	sp := screen.NewSplitter("7770;")
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		for range sp.Split(p) {
		}
	}
}

func BenchmarkResize(b *testing.B) {
	s := screen.New(120, 40, screen.Options{})
	writeAll(s, plainLog(2<<20))
	for i := 0; b.Loop(); i++ {
		s.Resize(80+40*(i%2), 40)
	}
}

func BenchmarkSearch(b *testing.B) {
	s := screen.New(120, 40, screen.Options{})
	writeAll(s, plainLog(2<<20))
	for b.Loop() {
		s.Search("nowhere to be found", screen.Point{}, false)
	}
}

// heap returns how much memory is in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestScrollbackMemory: 10,000 rows at 120 columns, all written to the margin, in at most 25 MB.
func TestScrollbackMemory(t *testing.T) {
	before := heap()
	s := screen.New(120, 40, screen.Options{})
	line := append(bytes.Repeat([]byte("x"), 120), "\r\n"...)
	for range 2 * screen.DefaultScrollback {
		s.Write(line)
	}
	used := heap() - before
	if s.Scrollback() != screen.DefaultScrollback {
		t.Fatalf("scrollback %d", s.Scrollback())
	}
	t.Logf("%.1f MB", float64(used)/1e6)
	if used > 25e6 {
		t.Errorf("scrollback takes %d bytes", used)
	}
	runtime.KeepAlive(s)
}
