package verify_test

import (
	"syscall"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/verify"
)

// BenchmarkVerify also says what one core does: on a machine that others use,
// the clock on the wall tells of them too.
func BenchmarkVerify(b *testing.B) {
	mem := durabletest.NewMemory()
	path := written(b, mem, dir, 20_000, audit.Config{})
	size := len(mem.Bytes(path))
	b.SetBytes(int64(size))
	began := cpu()
	for b.Loop() {
		if _, err := verify.Dirs(verify.Options{FS: mem}, dir); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(size)*float64(b.N)/1e6/(cpu()-began).Seconds(), "MB/cpu-s")
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
