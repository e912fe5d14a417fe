package demo

import (
	"encoding/binary"
	"errors"
	"os"

	"github.com/creack/pty"
	"golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"
)

// terminal is a PTY: near is the server's end, far the shell's.
type terminal struct {
	near, far *os.File
	term      string
}

func openTerminal(payload []byte) (*terminal, error) {
	var m struct {
		Term                      string
		Cols, Rows, Width, Height uint32
		Modes                     string
	}
	if err := ssh.Unmarshal(payload, &m); err != nil {
		return nil, err
	}
	near, far, err := openPTY()
	if err != nil {
		return nil, err
	}
	t := &terminal{near, far, m.Term}
	t.setSize(m.Cols, m.Rows)
	if err := setModes(far, []byte(m.Modes)); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// openPTY gives a near end whose reads end when it is closed: the one that
// pty.Open gives blocks in the kernel.
func openPTY() (near, far *os.File, err error) {
	blocking, far, err := pty.Open()
	if err != nil {
		return nil, nil, err
	}
	defer blocking.Close()
	fd, err := unix.FcntlInt(blocking.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		_ = far.Close()
		return nil, nil, err
	}
	return os.NewFile(uintptr(fd), blocking.Name()), far, nil
}

func (t *terminal) setSize(cols, rows uint32) {
	size := &unix.Winsize{Col: uint16(min(cols, 0xffff)), Row: uint16(min(rows, 0xffff))}
	raw, err := t.near.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { _ = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, size) })
}

// resize takes the payload of window-change. The kernel tells the foreground
// program.
func (t *terminal) resize(payload []byte) bool {
	var m struct{ Cols, Rows, Width, Height uint32 }
	if t == nil || ssh.Unmarshal(payload, &m) != nil {
		return false
	}
	t.setSize(m.Cols, m.Rows)
	return true
}

func (t *terminal) close() {
	_ = t.near.Close()
	_ = t.far.Close()
}

// readModes reads encoded terminal modes (RFC 4254, section 8): opcode and
// value, until opcode 0.
func readModes(b []byte) (map[byte]uint32, error) {
	modes := map[byte]uint32{}
	for len(b) > 0 && b[0] != 0 && b[0] < 160 {
		if len(b) < 5 {
			return nil, errors.New("terminal modes cut short")
		}
		modes[b[0]] = binary.BigEndian.Uint32(b[1:5])
		b = b[5:]
	}
	return modes, nil
}
