package console

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sallyport/console/gate"
	"sallyport/console/remote"
)

// The host never sees the key of the operator's display: it gets one made up
// for the connection, and a client that shows it gets the real one put in its
// place.

// magicCookie is the one way of proving that is spoken.
const magicCookie = "MIT-MAGIC-COOKIE-1"

// display is the operator's X11 display.
type display struct {
	network, address string
	screen           int
	fake, real       []byte
}

// takeX11 gives X11 clients on the host the operator's display.
func (f *forwarder) takeX11(w remote.Want) {
	d, err := openDisplay(os.Getenv("DISPLAY"), xauthority())
	if err != nil {
		f.c.warn("X11 is not forwarded: " + err.Error())
		return
	}
	f.a.display = d
	f.a.conn.TakeX11(func(in *remote.Incoming) {
		f.incoming(in, w, func(s *gate.Slot, c gate.Cleared) error {
			conn, err := d.dial(f.ctx)
			if err != nil {
				return err
			}
			return in.Join(f.ctx, s, c, conn)
		})
	})
}

// openDisplay reads a DISPLAY, [host]:number[.screen], and its cookie.
func openDisplay(name, authority string) (*display, error) {
	host, rest, ok := strings.Cut(name, ":")
	number, screen, _ := strings.Cut(rest, ".")
	n, err := strconv.ParseUint(number, 10, 12)
	if !ok || err != nil {
		return nil, fmt.Errorf("DISPLAY is %q", name)
	}
	d := &display{network: "tcp", address: net.JoinHostPort(host, strconv.FormatUint(6000+n, 10)), fake: make([]byte, 16)}
	if host == "" || host == "unix" {
		d.network, d.address = "unix", "/tmp/.X11-unix/X"+strconv.FormatUint(n, 10)
	}
	d.screen, _ = strconv.Atoi(screen)
	rand.Read(d.fake)
	b, err := os.ReadFile(authority)
	if err == nil {
		d.real = cookieOf(b, strconv.FormatUint(n, 10))
	}
	return d, nil
}

func xauthority() string {
	if f := os.Getenv("XAUTHORITY"); f != "" {
		return f
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".Xauthority")
}

// cookieOf finds a display's cookie in an authority file (Xau, Xsecurity(7)):
// entries of a family and four counted fields, address, number, name and data.
func cookieOf(b []byte, number string) []byte {
	for len(b) > 2 {
		b = b[2:]
		var field [4][]byte
		for i := range field {
			if len(b) < 2 || len(b) < 2+int(binary.BigEndian.Uint16(b)) {
				return nil
			}
			n := int(binary.BigEndian.Uint16(b))
			field[i], b = b[2:2+n], b[2+n:]
		}
		if string(field[1]) == number && string(field[2]) == magicCookie {
			return field[3]
		}
	}
	return nil
}

// request is what a shell channel asks for X11 with.
func (d *display) request() string {
	return magicCookie + " " + hex.EncodeToString(d.fake) + " " + strconv.Itoa(d.screen)
}

// dial connects to the display for one client.
func (d *display) dial(ctx context.Context) (net.Conn, error) {
	dialer := net.Dialer{Timeout: forwardTime}
	conn, err := dialer.DialContext(ctx, d.network, d.address)
	if err != nil {
		return nil, err
	}
	return &x11Conn{Conn: conn, d: d}, nil
}

// x11Conn exchanges the cookie at the beginning of what a client sends.
type x11Conn struct {
	net.Conn
	d     *display
	begun bool
	head  []byte
}

var errCookie = errors.New("an X11 client that does not show the cookie of this connection")

// Write takes what the client sends. Only one goroutine may write.
func (x *x11Conn) Write(p []byte) (int, error) {
	if x.begun {
		return x.Conn.Write(p)
	}
	x.head = append(x.head, p...)
	head, err := x.d.exchange(x.head)
	if head == nil || err != nil {
		return len(p), err
	}
	x.begun, x.head = true, nil
	_, err = x.Conn.Write(head)
	return len(p), err
}

// CloseWrite passes an end of file on.
func (x *x11Conn) CloseWrite() error {
	if half, ok := x.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return x.Conn.Close()
}

// exchange puts the real cookie in the place of the made-up one in a connection
// setup (X11 protocol, section 8); nil while it is not whole.
func (d *display) exchange(b []byte) ([]byte, error) {
	const fixed = 12
	if len(b) < fixed {
		return nil, nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	if b[0] == 'B' {
		order = binary.BigEndian
	}
	name, data := int(order.Uint16(b[6:])), int(order.Uint16(b[8:]))
	end := fixed + padded(name) + padded(data)
	if name != len(magicCookie) || data != len(d.fake) {
		return nil, errCookie
	}
	if len(b) < end {
		return nil, nil
	}
	if string(b[fixed:fixed+name]) != magicCookie || !bytes.Equal(b[fixed+padded(name):][:data], d.fake) {
		return nil, errCookie
	}
	if len(d.real) != len(d.fake) { // a display that wants none
		out := append([]byte(nil), b[:fixed]...)
		order.PutUint16(out[6:], 0)
		order.PutUint16(out[8:], 0)
		return append(out, b[end:]...), nil
	}
	out := append([]byte(nil), b...)
	copy(out[fixed+padded(name):], d.real)
	return out, nil
}

func padded(n int) int { return (n + 3) &^ 3 }
