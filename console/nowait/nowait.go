// Package nowait reads what has come and writes what there is room for, and
// never waits inside the kernel.
//
// The runtime's scheduler is told of every system call that may wait. The first
// one after a rest, which is the one that reads a key, wakes the scheduler's
// watching thread for that, and this thread then looks around every 20 µs on
// the processor where the host's answer was to be worked on. A call on a
// non-blocking descriptor does not wait, so nobody need be told: between a key
// and its echo that is worth a fifth of a millisecond.
//
// Nothing here reports an error or an end: what could not be read or written is
// 0 bytes, and the ordinary Read or Write of the same file or connection, which
// the caller turns to then, waits or says why.
package nowait

import (
	"net"
	"syscall"
)

// Wrap gives a connection whose reads and writes tell the scheduler only where
// they wait. What is no socket stays as it is.
func Wrap(c net.Conn) net.Conn {
	if socket, ok := c.(syscall.Conn); ok {
		if raw, err := socket.SyscallConn(); err == nil {
			return conn{c, raw}
		}
	}
	return c
}

type conn struct {
	net.Conn
	raw syscall.RawConn
}

func (c conn) Read(p []byte) (int, error) {
	if n := Read(c.raw, p); n > 0 {
		return n, nil
	}
	return c.Conn.Read(p)
}

func (c conn) Write(p []byte) (int, error) {
	n := Write(c.raw, p)
	if n == len(p) {
		return n, nil
	}
	rest, err := c.Conn.Write(p[n:])
	return n + rest, err
}

// Read waits, as everybody who waits for the network does, until there is
// something to read, and takes it. 0 means the end, an error, or a closed c.
func Read(c syscall.RawConn, p []byte) (n int) {
	_ = c.Read(func(fd uintptr) bool {
		var err error
		n, err = read(fd, p)
		return err != syscall.EAGAIN
	})
	return n
}

// Write writes what c takes at once.
func Write(c syscall.RawConn, p []byte) (n int) {
	_ = c.Write(func(fd uintptr) bool {
		n = WriteFd(fd, p)
		return true
	})
	return n
}

// WriteFd writes what a non-blocking descriptor takes at once.
func WriteFd(fd uintptr, p []byte) int {
	n, _ := write(fd, p)
	return n
}
