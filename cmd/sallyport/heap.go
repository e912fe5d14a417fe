package main

import (
	"os"
	"runtime/debug"
)

// The room of the heap is how much garbage, in per cent of what lives, waits for the collector.
// Under a flood of output some 25 MB live, most of it rules and scrollback, and of each
// byte that is printed five become garbage. At the runtime's own 100 per cent that
// room is a quarter of the whole process and saves 4 per cent of the processor's time.
// A limit in bytes would fit one session only: with several, what lives may pass it, and
// the collector would never rest.
// While the program begins next to nothing lives and much is read: at 20 per cent it
// would collect a score of times before the first prompt.
const (
	heapRoomAtFirst = 50
	heapRoom        = 20
)

// keepHeapSmall is for a process that stays. GOGC of the environment counts more.
func keepHeapSmall(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
