package nowait

import (
	"bytes"
	"io"
	"net"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// pair are two ends of a TCP connection over loopback.
func pair(t *testing.T) (a, b *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dialled, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	taken, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dialled.Close(); taken.Close() })
	return dialled.(*net.TCPConn), taken.(*net.TCPConn)
}

func raw(t *testing.T, c syscall.Conn) syscall.RawConn {
	t.Helper()
	r, err := c.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestReadWaitsForWhatComes: a Read that finds nothing waits, and takes what comes then.
func TestReadWaitsForWhatComes(t *testing.T) {
	a, b := pair(t)
	from := raw(t, a)
	got := make(chan string)
	go func() {
		p := make([]byte, 8)
		got <- string(p[:Read(from, p)])
	}()
	if n := Write(raw(t, b), []byte("a key")); n != 5 {
		t.Fatalf("wrote %d bytes of 5", n)
	}
	if s := <-got; s != "a key" {
		t.Errorf("read %q", s)
	}
}

// TestNothingSaysNothing: at the end, on a closed connection and into no room there are 0 bytes, and the ordinary call says why.
func TestNothingSaysNothing(t *testing.T) {
	a, b := pair(t)
	from, p := raw(t, a), make([]byte, 8)
	b.CloseWrite()
	if n := Read(from, p); n != 0 {
		t.Errorf("read %d bytes at the end", n)
	}
	if _, err := a.Read(p); err != io.EOF {
		t.Errorf("then the ordinary Read says %v, want EOF", err)
	}
	if n := Read(from, nil); n != 0 {
		t.Errorf("read %d bytes into nothing", n)
	}
	a.Close()
	if n := Read(from, p); n != 0 {
		t.Errorf("read %d bytes of a closed connection", n)
	}
	if n := Write(from, p); n != 0 {
		t.Errorf("wrote %d bytes to a closed connection", n)
	}
}

// TestACloseEndsARead that waits.
func TestACloseEndsARead(t *testing.T) {
	a, _ := pair(t)
	from := raw(t, a)
	got := make(chan int)
	go func() { got <- Read(from, make([]byte, 8)) }()
	a.Close()
	if n := <-got; n != 0 {
		t.Errorf("read %d bytes of a closed connection", n)
	}
}

// TestAWrappedConnectionIsOne: all of what is more than the kernel takes at once arrives, and the end is told.
func TestAWrappedConnectionIsOne(t *testing.T) {
	a, b := pair(t)
	all := bytes.Repeat([]byte("0123456789"), 1<<20)
	sent := make(chan error)
	go func() {
		n, err := Wrap(a).Write(all)
		if err == nil && n != len(all) {
			err = io.ErrShortWrite
		}
		a.CloseWrite()
		sent <- err
	}()
	got, err := io.ReadAll(Wrap(b))
	if err != nil || !bytes.Equal(got, all) {
		t.Errorf("read %d bytes of %d: %v", len(got), len(all), err)
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
	if here, _ := net.Pipe(); Wrap(here) != here {
		t.Error("what is no socket is wrapped")
	}
}

// TestAFullPipeTakesAPart: what there is no room for is not waited for.
func TestAFullPipeTakesAPart(t *testing.T) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_NONBLOCK|unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fds[0])
	defer unix.Close(fds[1])
	all := bytes.Repeat([]byte("x"), 1<<20)
	n := WriteFd(uintptr(fds[1]), all)
	if n <= 0 || n >= len(all) {
		t.Fatalf("a pipe took %d of %d bytes", n, len(all))
	}
	if more := WriteFd(uintptr(fds[1]), all); more != 0 {
		t.Errorf("a full pipe took %d bytes more", more)
	}
}
