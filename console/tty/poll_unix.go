package tty

import (
	"os"

	"golang.org/x/sys/unix"
)

// writable tells whether a terminal takes bytes now. Linux says so only while
// next to nothing waits in it.
func writable(f *os.File) bool {
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLOUT}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n == 1 && fds[0].Revents == unix.POLLOUT
}
