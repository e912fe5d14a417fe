package verify_test

import (
	"crypto/sha256"
	"runtime"
	"syscall"
	"testing"
	"time"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/verify"
)

// BenchmarkVerify also says what one core does, since on a machine that others use
// the clock on the wall tells of them too; and how that compares with one SHA-256 of
// the same bytes, in the same run. Each line is hashed twice, parsed and put into
// a tree, so half of that is out of reach.
func BenchmarkVerify(b *testing.B) {
	mem := durabletest.NewMemory()
	path := written(b, mem, dir, 20_000, audit.Config{})
	data := mem.Bytes(path)
	b.SetBytes(int64(len(data)))
	var verifying, hashing time.Duration
	for b.Loop() {
		began := cpu(syscall.RUSAGE_SELF)
		if _, err := verify.Dirs(verify.Options{FS: mem}, dir); err != nil {
			b.Fatal(err)
		}
		verifying += cpu(syscall.RUSAGE_SELF) - began
		hashing += hashed(data)
	}
	b.ReportMetric(float64(len(data))*float64(b.N)/1e6/verifying.Seconds(), "MB/cpu-s")
	b.ReportMetric(hashing.Seconds()/verifying.Seconds(), "of-sha256")
}

// hashed is what hashing takes of this thread alone: the collector may still be
// clearing up elsewhere.
func hashed(data []byte) time.Duration {
	const rusageThread = 1
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := cpu(rusageThread)
	for range 4 {
		sha256.Sum256(data)
	}
	return (cpu(rusageThread) - began) / 4
}

func cpu(whose int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(whose, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
