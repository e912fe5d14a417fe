package copilot

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// awaitExit returns when p has exited, without reaping it.
func awaitExit(p *os.Process) {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, p.Pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
