package daemon

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Listen gives the socket that systemd passed (sd_listen_fds(3)), or makes one
// at path that every user may connect to: who they are, the kernel says.
func Listen(path string) (net.Listener, error) {
	if os.Getenv("LISTEN_PID") == strconv.Itoa(os.Getpid()) && os.Getenv("LISTEN_FDS") == "1" {
		l, err := passed(firstPassed)
		if err != nil {
			return nil, fmt.Errorf("the socket that systemd passed: %w", err)
		}
		return l, nil
	}
	if err := removeStale(path); err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o666); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// firstPassed is SD_LISTEN_FDS_START.
const firstPassed = 3

// passed takes a socket over. A console asks the kernel who listens, and the
// kernel names whoever called listen(2) last (unix(7), SO_PEERCRED): that was
// systemd, as root. So we call it again.
func passed(fd uintptr) (net.Listener, error) {
	f := os.NewFile(fd, "socket")
	defer f.Close()
	if err := unix.Listen(int(fd), unix.SOMAXCONN); err != nil {
		return nil, os.NewSyscallError("listen", err)
	}
	return net.FileListener(f)
}

// removeStale removes a socket that nobody listens on any more; anything
// else is left alone.
func removeStale(path string) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return nil
	}
	if st.Mode&unix.S_IFMT != unix.S_IFSOCK {
		return fmt.Errorf("%s is there and is no socket", path)
	}
	c, err := net.Dial("unix", path)
	if err == nil {
		c.Close()
		return fmt.Errorf("%s: another daemon listens there", path)
	}
	return os.Remove(path)
}

// Ready tells systemd that the daemon serves (sd_notify(3)); without systemd
// it does nothing.
func Ready() error {
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return nil
	}
	if path[0] == '@' {
		path = "\x00" + path[1:]
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	defer c.Close()
	_, err = c.Write([]byte("READY=1"))
	return err
}
