package demo

import "golang.org/x/sys/unix"

type tcflag = uint32

const (
	ioctlGetTermios = unix.TCGETS
	ioctlSetTermios = unix.TCSETS
)
