//go:build linux || darwin

package demo

import (
	"os"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"
)

// flag is a terminal mode that is one bit.
type flag struct {
	field func(*unix.Termios) *tcflag
	bit   tcflag
}

func input(t *unix.Termios) *tcflag   { return &t.Iflag }
func output(t *unix.Termios) *tcflag  { return &t.Oflag }
func local(t *unix.Termios) *tcflag   { return &t.Lflag }
func control(t *unix.Termios) *tcflag { return &t.Cflag }

var flags = map[byte]flag{
	ssh.IGNPAR: {input, unix.IGNPAR}, ssh.PARMRK: {input, unix.PARMRK}, ssh.INPCK: {input, unix.INPCK},
	ssh.ISTRIP: {input, unix.ISTRIP}, ssh.INLCR: {input, unix.INLCR}, ssh.IGNCR: {input, unix.IGNCR},
	ssh.ICRNL: {input, unix.ICRNL}, ssh.IXON: {input, unix.IXON}, ssh.IXANY: {input, unix.IXANY},
	ssh.IXOFF: {input, unix.IXOFF}, ssh.IMAXBEL: {input, unix.IMAXBEL},
	ssh.ISIG: {local, unix.ISIG}, ssh.ICANON: {local, unix.ICANON}, ssh.ECHO: {local, unix.ECHO},
	ssh.ECHOE: {local, unix.ECHOE}, ssh.ECHOK: {local, unix.ECHOK}, ssh.ECHONL: {local, unix.ECHONL},
	ssh.NOFLSH: {local, unix.NOFLSH}, ssh.TOSTOP: {local, unix.TOSTOP}, ssh.IEXTEN: {local, unix.IEXTEN},
	ssh.ECHOCTL: {local, unix.ECHOCTL}, ssh.ECHOKE: {local, unix.ECHOKE},
	ssh.OPOST: {output, unix.OPOST}, ssh.ONLCR: {output, unix.ONLCR},
	ssh.PARENB: {control, unix.PARENB}, ssh.PARODD: {control, unix.PARODD},
}

var characters = map[byte]int{
	ssh.VINTR: unix.VINTR, ssh.VQUIT: unix.VQUIT, ssh.VERASE: unix.VERASE, ssh.VKILL: unix.VKILL,
	ssh.VEOF: unix.VEOF, ssh.VEOL: unix.VEOL, ssh.VSTART: unix.VSTART, ssh.VSTOP: unix.VSTOP,
	ssh.VSUSP: unix.VSUSP, ssh.VREPRINT: unix.VREPRINT, ssh.VWERASE: unix.VWERASE, ssh.VLNEXT: unix.VLNEXT,
}

// setModes gives the terminal the modes that the client encoded; unknown ones
// are left as they are.
func setModes(tty *os.File, encoded []byte) error {
	modes, err := readModes(encoded)
	if err != nil {
		return err
	}
	t, err := unix.IoctlGetTermios(int(tty.Fd()), ioctlGetTermios)
	if err != nil {
		return err
	}
	for op, value := range modes {
		if f, ok := flags[op]; ok {
			set(f.field(t), f.bit, value != 0)
		} else if i, ok := characters[op]; ok {
			t.Cc[i] = uint8(value)
		}
	}
	return unix.IoctlSetTermios(int(tty.Fd()), ioctlSetTermios, t)
}

func set(field *tcflag, bit tcflag, on bool) {
	*field &^= bit
	if on {
		*field |= bit
	}
}
