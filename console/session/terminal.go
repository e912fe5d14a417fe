package session

import (
	"path"
	"strings"
	"time"

	"sallyport/console/probe"
)

// probeTimeout is how long the side channel may take before it counts as
// broken.
const probeTimeout = 5 * time.Second

// inFront tells whether the process is in the terminal's foreground group. A
// host whose ps cannot say does not contradict.
func inFront(t probe.Terminal, pid int) bool {
	if len(t.Foreground) == 0 {
		return true
	}
	for _, p := range t.Foreground {
		if p.PID == pid {
			return true
		}
	}
	return false
}

// program names the program in the foreground: the newest of its group.
func program(t probe.Terminal) string {
	if len(t.Foreground) == 0 {
		return "an unknown program"
	}
	args := strings.Fields(t.Foreground[len(t.Foreground)-1].Args)
	if len(args) == 0 {
		return "an unknown program"
	}
	return path.Base(strings.TrimPrefix(args[0], "-"))
}
