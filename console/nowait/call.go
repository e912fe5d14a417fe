//go:build !race

package nowait

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

func read(fd uintptr, p []byte) (int, error)  { return call(unix.SYS_READ, fd, p) }
func write(fd uintptr, p []byte) (int, error) { return call(unix.SYS_WRITE, fd, p) }

// call gives 0 bytes where there is an error, and where there are none to give.
func call(trap, fd uintptr, p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, _, errno := unix.RawSyscall(trap, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
