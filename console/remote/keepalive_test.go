package remote

import (
	"errors"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/ssh"
)

// silentPeer is a transport whose peer answers only while it lives. What it
// does not implement nobody calls.
type silentPeer struct {
	ssh.Conn
	heard func()

	mu     sync.Mutex
	lives  bool
	asked  int
	closed chan struct{}
}

func (p *silentPeer) SendRequest(string, bool, []byte) (bool, []byte, error) {
	p.mu.Lock()
	p.asked++
	lives := p.lives
	p.mu.Unlock()
	if lives {
		p.heard()
		return false, nil, nil
	}
	<-p.closed
	return false, nil, net.ErrClosed
}

func (p *silentPeer) Close() error { close(p.closed); return nil }

func (p *silentPeer) questions() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

// watched starts the keep-alive of a connection to p.
func watched(p *silentPeer, k KeepAlive) *Conn {
	conn := watchConn(nil)
	p.closed = make(chan struct{})
	p.heard = func() {
		conn.mu.Lock()
		defer conn.mu.Unlock()
		conn.count++
	}
	c := &Conn{client: p, done: make(chan struct{})}
	go c.keepAlive(k, conn)
	return c
}

func TestKeepAliveHoldsWhileAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &silentPeer{lives: true}
		c := watched(p, KeepAlive{15 * time.Second, 3})
		time.Sleep(time.Hour)
		if c.Err() != nil {
			t.Error(c.Err())
		}
		if n := p.questions(); n < 100 || n > 240 {
			t.Errorf("asked %d times in an hour", n)
		}
		c.Close()
	})
}

func TestKeepAliveEndsADeadConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &silentPeer{lives: true}
		c := watched(p, KeepAlive{15 * time.Second, 3})
		time.Sleep(10 * time.Minute)
		p.mu.Lock()
		p.lives = false
		p.mu.Unlock()
		begin := time.Now()
		<-c.Done()
		if took := time.Since(begin); took < 45*time.Second || took > 75*time.Second {
			t.Errorf("noticed after %v, want 3 unanswered questions of 15 s", took)
		}
		if !errors.Is(c.Err(), ErrDead) {
			t.Errorf("got %v", c.Err())
		}
	})
}

func TestKeepAliveAsksNothingWhileTheHostTalks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &silentPeer{lives: true}
		c := watched(p, KeepAlive{15 * time.Second, 3})
		for range 600 {
			time.Sleep(time.Second)
			p.heard()
		}
		if n := p.questions(); n > 0 {
			t.Errorf("asked %d times", n)
		}
		c.Close()
	})
}

func TestStepClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan error, 1)
		c := newStepClock(10*time.Second, func(err error) { over <- err })
		ended := func() bool { synctest.Wait(); return len(over) > 0 }
		c.begin()
		time.Sleep(9 * time.Second)
		c.begin() // the next step has its own time
		time.Sleep(9 * time.Second)
		resume := c.pause()
		time.Sleep(time.Hour)
		resume()
		time.Sleep(9 * time.Second)
		if ended() {
			t.Fatal("a step ended though none took 10 s of the network")
		}
		time.Sleep(2 * time.Second)
		if !ended() {
			t.Error("a step of 11 s did not end")
		}
		c.end()
	})
}
