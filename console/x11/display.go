package x11

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// magicCookie is the one way of proving that is spoken.
const magicCookie = "MIT-MAGIC-COOKIE-1"

// Display is the operator's X11 display.
type Display struct {
	network, address string
	screen           int
	fake, real       []byte
}

// Open reads a DISPLAY, [host]:number[.screen], and finds its cookie in an
// authority file, which need not be there. It connects to nothing; a host that
// is a name is looked up, for two seconds at the most.
func Open(ctx context.Context, name, authority string) (*Display, error) {
	i := strings.LastIndexByte(name, ':')
	host := strings.Trim(name[:max(i, 0)], "[]")
	number, screen, _ := strings.Cut(name[i+1:], ".")
	n, err := strconv.ParseUint(number, 10, 12)
	s, err2 := strconv.ParseUint(cmp.Or(screen, "0"), 10, 8)
	if i < 0 || err != nil || err2 != nil {
		return nil, fmt.Errorf("DISPLAY is %q", name)
	}
	d := &Display{network: "tcp", address: net.JoinHostPort(host, strconv.FormatUint(6000+n, 10)), screen: int(s), fake: make([]byte, 16)}
	if host == "" || host == "unix" {
		d.network, d.address = "unix", "/tmp/.X11-unix/X"+strconv.FormatUint(n, 10)
	}
	rand.Read(d.fake)
	if b, err := os.ReadFile(authority); err == nil {
		d.real = cookieOf(b, displayOwners(ctx, host), strconv.FormatUint(n, 10))
	}
	return d, nil
}

// Request is what a shell channel asks for X11 with: the protocol, the made-up
// cookie in hex and the number of the screen, with a space between.
func (d *Display) Request() string {
	return magicCookie + " " + hex.EncodeToString(d.fake) + " " + strconv.Itoa(d.screen)
}

// Dial connects to the display for one client. A Write fails where the client
// does not show the made-up cookie; only one goroutine may write.
func (d *Display) Dial(ctx context.Context, timeout time.Duration) (net.Conn, error) {
	dialer := net.Dialer{Timeout: timeout}
	conn, err := dialer.DialContext(ctx, d.network, d.address)
	if err != nil {
		return nil, err
	}
	return &client{Conn: conn, d: d}, nil
}
