package console

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

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
	d, err := openDisplay(f.ctx, os.Getenv("DISPLAY"), xauthority())
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
func openDisplay(ctx context.Context, name, authority string) (*display, error) {
	i := strings.LastIndexByte(name, ':')
	host := strings.Trim(name[:max(i, 0)], "[]")
	number, screen, _ := strings.Cut(name[i+1:], ".")
	n, err := strconv.ParseUint(number, 10, 12)
	s, err2 := strconv.ParseUint(cmp.Or(screen, "0"), 10, 8)
	if i < 0 || err != nil || err2 != nil {
		return nil, fmt.Errorf("DISPLAY is %q", name)
	}
	d := &display{network: "tcp", address: net.JoinHostPort(host, strconv.FormatUint(6000+n, 10)), screen: int(s), fake: make([]byte, 16)}
	if host == "" || host == "unix" {
		d.network, d.address = "unix", "/tmp/.X11-unix/X"+strconv.FormatUint(n, 10)
	}
	rand.Read(d.fake)
	if b, err := os.ReadFile(authority); err == nil {
		d.real = cookieOf(b, displayOwners(ctx, host), strconv.FormatUint(n, 10))
	}
	return d, nil
}

// owner is whose display an entry of an authority file is about.
type owner struct {
	family  uint16
	address string
}

// The families of an authority file (X11/Xauth.h, X11/X.h).
const (
	familyInternet  = 0
	familyInternet6 = 6
	familyLocal     = 256
	familyWild      = 65535
)

// displayOwners are the owners whose entries speak of a display's host: this
// machine goes by its name, every other one by its addresses.
func displayOwners(ctx context.Context, host string) []owner {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	var ips []net.IP
	if host != "" && host != "unix" {
		ips, _ = net.DefaultResolver.LookupIP(ctx, "ip", host)
	}
	name, _ := os.Hostname()
	var out []owner
	if host == "" || host == "unix" {
		out = append(out, owner{familyLocal, name})
	}
	for _, ip := range ips {
		if ip.IsLoopback() {
			out = append(out, owner{familyLocal, name})
		}
		if v4 := ip.To4(); v4 != nil {
			out = append(out, owner{familyInternet, string(v4)})
		} else {
			out = append(out, owner{familyInternet6, string(ip)})
		}
	}
	return out
}

// lookupTime bounds the wait for the addresses of a display's host.
const lookupTime = 2 * time.Second

func xauthority() string {
	if f := os.Getenv("XAUTHORITY"); f != "" {
		return f
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".Xauthority")
}

// cookieOf finds a display's cookie in an authority file (Xau, Xsecurity(7)):
// entries of a family and four counted fields, address, number, name and data.
func cookieOf(b []byte, owners []owner, number string) []byte {
	for len(b) > 2 {
		family := binary.BigEndian.Uint16(b)
		b = b[2:]
		var field [4][]byte
		for i := range field {
			if len(b) < 2 || len(b) < 2+int(binary.BigEndian.Uint16(b)) {
				return nil
			}
			n := int(binary.BigEndian.Uint16(b))
			field[i], b = b[2:2+n], b[2+n:]
		}
		whose := family == familyWild || slices.Contains(owners, owner{family, string(field[0])})
		if whose && (len(field[1]) == 0 || string(field[1]) == number) && string(field[2]) == magicCookie {
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
