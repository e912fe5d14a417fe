package screen_test

import (
	"os"
	"runtime"
	"testing"

	"sallyport/console/screen"
)

// TestMemoryAfterMuchOutput: a gigabyte of coloured output leaves a full scrollback and nothing else behind. Every run writes 16 MB.
func TestMemoryAfterMuchOutput(t *testing.T) {
	total := 16 << 20
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		total = 1 << 30
	}
	p := colouredLog(4 << 20)
	before := heap()
	s := screen.New(120, 40, screen.Options{})
	for n := 0; n < total; n += len(p) {
		writeAll(s, p)
	}
	used := int64(heap()) - int64(before)
	t.Logf("%.1f MB", float64(used)/1e6)
	if used > 30e6 {
		t.Errorf("%d bytes are in use", used)
	}
	runtime.KeepAlive(s)
}
