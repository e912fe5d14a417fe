//go:build unix && !linux

package copilot

import "os"

// awaitExit waits by reaping: here there is no portable way to wait without it, so
// the group is ended a moment after its number was given up.
func awaitExit(p *os.Process) { p.Wait() }
