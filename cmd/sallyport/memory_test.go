package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestAGigabyteOfOutputNeedsLittleMemory prints 1 GB at the remote shell of the console as it ships, more lines than its scrollback holds,
// and looks at what the kernel counts for the whole process.
func TestAGigabyteOfOutputNeedsLittleMemory(t *testing.T) {
	if os.Getenv("SALLYPORT_NIGHTLY") == "" {
		t.Skip("nightly: prints 1 GB")
	}
	config := benchHost(t)
	for _, kind := range []string{"coloured", "cjk"} {
		t.Run(kind, func(t *testing.T) {
			file := output(t, kind)
			s := atConsole(t, program(t), config)
			s.await("ready>")
			s.quiet(500 * time.Millisecond)
			for range int(1e9 / outputBytes) {
				s.print(file)
			}
			if peak := kernelCounts(t, s.cmd.Process.Pid, "VmHWM"); peak > 80<<10 {
				t.Errorf("%d KiB at most, 80 MiB allowed (%d KiB now)", peak, kernelCounts(t, s.cmd.Process.Pid, "VmRSS"))
			} else {
				t.Logf("%d KiB at most", peak)
			}
		})
	}
}

// kernelCounts is a figure of /proc/PID/status, in KiB.
func kernelCounts(t *testing.T, pid int, name string) (kib int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if n, _ := fmt.Sscanf(line, name+": %d kB", &kib); n == 1 {
			return kib
		}
	}
	t.Fatalf("no %s in:\n%s", name, text)
	return 0
}
