// Package socks is the server's side of SOCKS 5 (RFC 1928), as much of it as a
// dynamic forwarding needs: CONNECT, without authentication. What a client sends
// may be hostile: a request is bounded (519 bytes at the most), and no byte behind
// it is read. A client that is silent is for the caller's deadline.
package socks

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strconv"
)

const version = 5

// Values of the protocol (RFC 1928, sections 3 to 5).
const (
	withoutAuthentication = 0
	noAcceptableWay       = 0xff
	connect               = 1
	typeIPv4              = 1
	typeName              = 3
	typeIPv6              = 4
)

// Reply says what became of a request (RFC 1928, section 6).
type Reply byte

// The replies that a forwarding can give. The last two are ReadRequest's.
const (
	Succeeded  Reply = 0
	Failed     Reply = 1
	NotAllowed Reply = 2
	Refused    Reply = 5

	noSuchCommand Reply = 7
	noSuchAddress Reply = 8
)

// Bytes are the reply as a client gets it. The address that was bound is left
// out: it stands for 0.0.0.0:0.
func (r Reply) Bytes() []byte { return []byte{version, byte(r), 0, typeIPv4, 0, 0, 0, 0, 0, 0} }

// ErrRequest is a client that speaks something else than what is understood.
var ErrRequest = errors.New("not a SOCKS 5 CONNECT request")

// ReadRequest reads where a client wants to be connected, as host:port, and
// answers its greeting. The host is an address, or a name of letters, digits,
// dots, hyphens and underscores; the port is 0 to 65535. The error is ErrRequest,
// or that of a write: a client that speaks SOCKS 5 was then told. Without an error
// the request is still to be answered, with a Reply.
func ReadRequest(c io.ReadWriter) (string, error) {
	if err := greet(c); err != nil {
		return "", err
	}
	head, err := read(c, 4)
	switch {
	case err != nil || head[0] != version:
		return "", ErrRequest
	case head[1] != connect:
		return "", refuse(c, noSuchCommand)
	}
	host, err := readHost(c, head[3])
	if err != nil {
		return "", refuse(c, noSuchAddress)
	}
	port, err := read(c, 2)
	if err != nil {
		return "", err
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port[0])<<8|int(port[1]))), nil
}

func refuse(c io.Writer, why Reply) error {
	_, _ = c.Write(why.Bytes()) // the client is left anyway
	return ErrRequest
}

// greet takes a client's greeting, and chooses to have no authentication: what
// the client must offer.
func greet(c io.ReadWriter) error {
	head, err := read(c, 2)
	if err != nil || head[0] != version {
		return ErrRequest
	}
	ways, err := read(c, int(head[1]))
	if err != nil {
		return err
	}
	if bytes.IndexByte(ways, withoutAuthentication) < 0 {
		_, _ = c.Write([]byte{version, noAcceptableWay})
		return ErrRequest
	}
	_, err = c.Write([]byte{version, withoutAuthentication})
	return err
}

func readHost(c io.Reader, kind byte) (string, error) {
	switch kind {
	case typeIPv4:
		return readAddress(c, net.IPv4len)
	case typeIPv6:
		return readAddress(c, net.IPv6len)
	case typeName:
		return readName(c)
	}
	return "", ErrRequest
}

func readAddress(c io.Reader, size int) (string, error) {
	b, err := read(c, size)
	if err != nil {
		return "", err
	}
	return net.IP(b).String(), nil
}

func readName(c io.Reader) (string, error) {
	size, err := read(c, 1)
	if err != nil {
		return "", err
	}
	name, err := read(c, int(size[0]))
	if err != nil || !isHostName(name) {
		return "", ErrRequest
	}
	return string(name), nil
}

func read(c io.Reader, size int) ([]byte, error) {
	b := make([]byte, size)
	if _, err := io.ReadFull(c, b); err != nil {
		return nil, ErrRequest
	}
	return b, nil
}

// isHostName keeps to what can stand in a name: it is judged, recorded and sent.
func isHostName(b []byte) bool {
	for _, r := range b {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '.' && r != '-' && r != '_' {
			return false
		}
	}
	return len(b) > 0
}
