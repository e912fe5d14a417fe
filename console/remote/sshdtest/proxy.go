package sshdtest

import (
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// Proxy passes TCP connections on to a server, late or not at all.
type Proxy struct {
	Addr string
	Port int

	target   string
	half     time.Duration // delay of one direction
	listener net.Listener
	work     sync.WaitGroup

	mu     sync.Mutex
	thawed chan struct{} // closed while bytes pass
	over   chan struct{}
	conns  map[net.Conn]bool
}

// NewProxy starts a proxy to target that adds latency to a round trip. It
// ends with the test.
func NewProxy(t testing.TB, target string, latency time.Duration) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	open := make(chan struct{})
	close(open)
	p := &Proxy{
		Addr: l.Addr().String(), Port: l.Addr().(*net.TCPAddr).Port,
		target: target, half: latency / 2, listener: l,
		thawed: open, over: make(chan struct{}), conns: map[net.Conn]bool{},
	}
	p.work.Go(p.accept)
	t.Cleanup(p.stop)
	return p
}

// Freeze makes the proxy swallow silence: connections stay open, nothing
// passes in either direction until Thaw.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.thawed:
		p.thawed = make(chan struct{})
	default:
	}
}

// Thaw lets pass what waited, and what comes.
func (p *Proxy) Thaw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.thawed:
	default:
		close(p.thawed)
	}
}

// Cut closes every connection.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
}

func (p *Proxy) stop() {
	close(p.over)
	_ = p.listener.Close()
	p.Cut()
	p.work.Wait()
}

func (p *Proxy) accept() {
	for {
		near, err := p.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", p.target)
		if err != nil {
			_ = near.Close()
			continue
		}
		p.join(near, far)
		p.join(far, near)
	}
}

// join copies from one connection to the other, each chunk when it is due.
func (p *Proxy) join(from, to net.Conn) {
	p.mu.Lock()
	p.conns[from] = true
	p.mu.Unlock()
	queue := make(chan chunk, 1024)
	p.work.Go(func() { p.read(from, queue) })
	p.work.Go(func() {
		defer to.Close()
		p.write(to, queue)
	})
}

// chunk is what was read at once, and when it may go on.
type chunk struct {
	data []byte
	due  time.Time
}

func (p *Proxy) read(from net.Conn, queue chan<- chunk) {
	defer close(queue)
	for {
		b := make([]byte, 32<<10)
		n, err := from.Read(b)
		if n > 0 {
			select {
			case queue <- chunk{b[:n], time.Now().Add(p.half)}:
			case <-p.over:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *Proxy) write(to io.Writer, queue <-chan chunk) {
	broken := false
	for c := range queue {
		if broken || !p.await(c.due) {
			continue // the reader must not block
		}
		_, err := to.Write(c.data)
		broken = err != nil
	}
}

// await waits until due, and until the proxy is thawed; false when it is over.
func (p *Proxy) await(due time.Time) bool {
	select {
	case <-time.After(time.Until(due)):
	case <-p.over:
		return false
	}
	p.mu.Lock()
	thawed := p.thawed
	p.mu.Unlock()
	select {
	case <-thawed:
		return true
	case <-p.over:
		return false
	}
}
