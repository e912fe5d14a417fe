package tty

import (
	"bytes"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestSmallFramesGoAtOnce: what the terminal takes is written at once, the rest by the writer, in order.
func TestSmallFramesGoAtOnce(t *testing.T) {
	var got bytes.Buffer
	room := 3
	w := writer{w: &got, frames: make(chan []byte, 1), direct: func(b []byte) int {
		n := min(room, len(b))
		room -= n
		got.Write(b[:n])
		return n
	}}
	w.hand([]byte("ab"))
	if got.String() != "ab" || !w.idle() {
		t.Fatalf("wrote %q, idle %v; want ab at once", got.String(), w.idle())
	}
	w.hand([]byte("cdef"))
	if w.idle() {
		t.Error("idle while a rest waits")
	}
	close(w.frames)
	w.run(func(error) {})
	if got.String() != "abcdef" {
		t.Errorf("wrote %q", got.String())
	}
}

// TestDirectNeverWaits: a terminal that nobody reads takes what it has room for and no more.
func TestDirectNeverWaits(t *testing.T) {
	far, near, err := pty.Open()
	if err != nil {
		t.Skip("needs: a terminal (/dev/ptmx): " + err.Error())
	}
	defer far.Close()
	defer near.Close()
	d := openDirect(near)
	defer d.close()
	text := []byte(strings.Repeat("x", directBytes))
	taken := 0
	for range 1 << 10 {
		n := d.write(text)
		taken += n
		if n < len(text) {
			break
		}
	}
	if taken == 0 || taken == len(text)<<10 {
		t.Fatalf("took %d bytes of a terminal that nobody reads", taken)
	}
	if n := d.write(text); n == len(text) {
		t.Errorf("a full terminal took %d bytes", n)
	}
}
