package tty

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"sallyport/console/nowait"
)

// direct is the terminal opened once more so that writing to it never waits,
// while the terminal as others have it stays blocking. The zero number takes
// nothing. It is no os.File: the runtime's poller would wake for every write.
type direct int

func openDirect(f *os.File) direct {
	fd, err := unix.Open(again(f), unix.O_WRONLY|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	return direct(fd)
}

// again is where an open file can be opened once more, with flags of its own.
func again(f *os.File) string { return "/proc/self/fd/" + strconv.Itoa(int(f.Fd())) }

// write gives how much of b the terminal took at once.
func (d direct) write(b []byte) int {
	if d == 0 {
		return 0
	}
	return nowait.WriteFd(uintptr(d), b)
}

func (d direct) close() {
	if d != 0 {
		_ = unix.Close(int(d))
	}
}
