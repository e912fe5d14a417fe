package remote

import (
	"bufio"
	"bytes"
	"net"
	"runtime"
	"sync"
	"time"

	"sallyport/console/nowait"
)

// maxFirstWords is how much of what a host says first is kept for a message.
const maxFirstWords = 256

// watchedConn remembers what a message or the keep-alive needs to know of a
// connection: the first bytes that came, when the last ones did, and what
// ended it.
type watchedConn struct {
	net.Conn
	in *bufio.Reader // the library reads a packet in two small steps

	mu    sync.Mutex
	first []byte
	last  time.Time // when something came last
	count uint64    // how often something came
	err   error
}

// readAhead is how much of what has come is taken from the kernel at once.
const readAhead = 64 << 10

func watchConn(c net.Conn) *watchedConn {
	w := &watchedConn{Conn: nowait.Wrap(c), last: time.Now()}
	w.in = bufio.NewReaderSize(arrivals{w}, readAhead)
	return w
}

func (w *watchedConn) Read(p []byte) (int, error) { return w.in.Read(p) }

// arrivals are the reads of the connection itself.
type arrivals struct{ *watchedConn }

func (a arrivals) Read(p []byte) (int, error) {
	w := a.watchedConn
	runtime.Gosched() // whoever got the last bytes goes first
	n, err := w.Conn.Read(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	if n > 0 {
		w.last = time.Now()
		w.count++
		if room := maxFirstWords - len(w.first); room > 0 {
			w.first = append(w.first, p[:min(n, room)]...)
		}
	}
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

// failed is the error that ended reading, if any.
func (w *watchedConn) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// reads is a number that changes whenever something comes.
func (w *watchedConn) reads() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count
}

// silence is how long nothing has come.
func (w *watchedConn) silence() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Since(w.last)
}

// spokeSSH tells whether a line of what came first identifies an SSH server
// (RFC 4253, section 4.2).
func (w *watchedConn) spokeSSH() bool {
	for _, line := range bytes.Split(w.firstWords(), []byte("\n")) {
		if bytes.HasPrefix(line, []byte("SSH-")) {
			return true
		}
	}
	return false
}

func (w *watchedConn) firstWords() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return bytes.Clone(w.first)
}
