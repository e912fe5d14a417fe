// Package rivals measures Sallyport beside other programs that do a part of its work. It
// is a module of its own, so that they never enter the product's.
package rivals

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zricethezav/gitleaks/v8/detect"

	"sallyport/redact"
)

const logSize = 50 << 20

// The log is the same for both: lines of a terminal, one in a thousand with a secret.
func terminalLog(size int) string {
	rnd := rand.New(rand.NewPCG(7, 11))
	var b strings.Builder
	b.Grow(size + 512)
	for n := 0; b.Len() < size; n++ {
		if n%1000 == 500 {
			fmt.Fprintf(&b, "export DB_PASSWORD=%s\n", word(rnd, 16))
			continue
		}
		k := rnd.IntN(1 << 20)
		switch rnd.IntN(8) {
		case 0:
			fmt.Fprintf(&b, "Jan  6 10:%02d:%02d web-0%d sshd[%d]: Accepted publickey for deploy from 10.0.%d.%d port %d ssh2: ED25519 SHA256:%s\n", k%60, k%59, k%9, k%30000, k%255, k%254, k%60000, word(rnd, 43))
		case 1:
			fmt.Fprintf(&b, "10.1.%d.%d - - [06/Jan/2031:10:00:%02d +0000] \"GET /api/v1/items/%d?page=%d HTTP/1.1\" 200 %d \"-\" \"curl/8.7\"\n", k%255, k%250, k%60, k, k%40, k%9000)
		case 2:
			fmt.Fprintf(&b, "time=2031-01-06T10:00:%02dZ level=info msg=\"request done\" method=GET path=/healthz status=200 dur=%dms trace_id=%016x%016x\n", k%60, k%400, rnd.Uint64(), rnd.Uint64())
		case 3:
			fmt.Fprintf(&b, "drwxr-xr-x  %d root root    4096 Jan  6 10:%02d backup-%d.tar.gz\n", k%9, k%60, k)
		case 4:
			fmt.Fprintf(&b, "{\"level\":\"info\",\"ts\":%d.%d,\"caller\":\"server/handler.go:%d\",\"msg\":\"served\",\"path\":\"/v1/user/%d\",\"bytes\":%d}\n", k, k%1000, k%900, k, k%70000)
		case 5:
			fmt.Fprintf(&b, "\x1b[32mok\x1b[0m deployment \x1b[1mapi-gateway-%09x-%05x\x1b[0m rolled out (%d/%d ready)\n", k, k, k%5, k%5)
		case 6:
			fmt.Fprintf(&b, "kernel: [%6d.%06d] eth0: link up, 1000Mbps, full duplex, flow control rx/tx, lpa 0x%04X\n", k%100000, k, k%65536)
		default:
			fmt.Fprintf(&b, "Get:%d http://deb.debian.org/debian bookworm/main amd64 libsecret-%d amd64 0.20.5-%d [%d kB]\n", k%90, k%5, k%9, k%4000)
		}
	}
	return b.String()
}

func word(rnd *rand.Rand, n int) string {
	const from = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = from[rnd.IntN(len(from))]
	}
	return string(b)
}

// measure runs f on one core and reports bytes per second of the time the process ran.
func measure(b *testing.B, size int, f func()) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	b.SetBytes(int64(size))
	start := ran()
	b.ResetTimer()
	for range b.N {
		f()
	}
	b.StopTimer()
	b.ReportMetric(float64(size)*float64(b.N)/1e6/(ran()-start).Seconds(), "MB/cpu-s")
}

func ran() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkRedactLog(b *testing.B) {
	log := []byte(terminalLog(logSize))
	redact.New(redact.Config{}).Text("the tables are built once, as gitleaks' are below")
	measure(b, len(log), func() {
		s := redact.New(redact.Config{}).Target("h").Stream()
		for at := 0; at < len(log); at += 32 << 10 {
			s.Write(log[at:min(len(log), at+32<<10)])
		}
		s.Flush()
	})
}

// gitleaks takes a text as a whole; it gets the log in pieces of 100 KiB, as its own
// sources cut files.
func BenchmarkGitleaksLog(b *testing.B) {
	log := terminalLog(logSize)
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		b.Fatal(err)
	}
	measure(b, len(log), func() {
		for at := 0; at < len(log); at += 100 << 10 {
			d.DetectString(log[at:min(len(log), at+100<<10)])
		}
	})
}
