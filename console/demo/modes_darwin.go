package demo

import "golang.org/x/sys/unix"

type tcflag = uint64

const (
	ioctlGetTermios = unix.TIOCGETA
	ioctlSetTermios = unix.TIOCSETA
)
