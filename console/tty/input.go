package tty

import (
	"io"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"sallyport/console/nowait"
)

// keyboard is where the operator's keys are read. After stop, a Read that waits
// and every later one end.
type keyboard interface {
	io.Reader
	stop()
}

// openKeyboard opens the terminal once more where that can be done: reading it
// then waits where everything else waits, in the runtime's poller, and the
// terminal as others have it stays blocking.
func openKeyboard(f *os.File) (keyboard, error) {
	twin, err := os.OpenFile(again(f), os.O_RDONLY|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return newBlocking(f)
	}
	if twin.SetReadDeadline(time.Time{}) != nil { // the poller does not take it
		_ = twin.Close()
		return newBlocking(f)
	}
	raw, err := twin.SyscallConn()
	if err != nil {
		_ = twin.Close()
		return newBlocking(f)
	}
	return polled{twin, raw}, nil
}

type polled struct {
	*os.File
	raw syscall.RawConn
}

// Read lets whoever got the last key go first: there is seldom another.
func (p polled) Read(b []byte) (int, error) {
	runtime.Gosched()
	if n := nowait.Read(p.raw, b); n > 0 {
		return n, nil
	}
	return p.File.Read(b)
}

func (p polled) stop() { _ = p.Close() }

// blocking reads the terminal as it is. Waiting blocks a thread, and with it,
// for the first moments, the processor that it runs on: whoever waits for the
// key just read runs before that.
type blocking struct {
	f    *os.File
	r, w *os.File // a pipe whose end says stop
	over bool     // owned by who reads
}

func newBlocking(f *os.File) (*blocking, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &blocking{f: f, r: r, w: w}, nil
}

func (in *blocking) Read(p []byte) (int, error) {
	if in.over {
		return 0, io.EOF
	}
	runtime.Gosched()
	fds := []unix.PollFd{{Fd: int32(in.f.Fd()), Events: unix.POLLIN}, {Fd: int32(in.r.Fd()), Events: unix.POLLIN}}
	for {
		_, err := unix.Poll(fds, -1)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return 0, err
		case fds[1].Revents != 0:
			in.over = true
			_ = in.r.Close()
			return 0, io.EOF
		}
		n, err := unix.Read(int(in.f.Fd()), p)
		switch {
		case err == unix.EINTR, err == unix.EAGAIN:
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (in *blocking) stop() { _ = in.w.Close() }

// onlyReader keeps Bubble Tea from reading the file in its own way.
type onlyReader struct{ io.Reader }
