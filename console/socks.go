package console

import (
	"errors"
	"io"
	"net"
	"strconv"

	"golang.org/x/crypto/ssh"

	"sallyport/console/gate"
)

// errSocks is a client that speaks something else than what is understood:
// SOCKS 5 (RFC 1928), CONNECT, no authentication.
var errSocks = errors.New("not a SOCKS 5 CONNECT request")

// socks reads where a client wants to be connected, as host:port.
func socks(c io.ReadWriter) (string, error) {
	head := make([]byte, 2)
	if _, err := io.ReadFull(c, head); err != nil || head[0] != 5 {
		return "", errSocks
	}
	if _, err := io.ReadFull(c, make([]byte, head[1])); err != nil {
		return "", errSocks
	}
	if _, err := c.Write([]byte{5, 0}); err != nil {
		return "", err
	}
	request := make([]byte, 4)
	if _, err := io.ReadFull(c, request); err != nil || request[0] != 5 || request[1] != 1 {
		return "", errSocks
	}
	host, err := socksHost(c, request[3])
	if err != nil {
		return "", err
	}
	port := make([]byte, 2)
	if _, err := io.ReadFull(c, port); err != nil {
		return "", errSocks
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port[0])<<8|int(port[1]))), nil
}

func socksHost(c io.Reader, kind byte) (string, error) {
	size := map[byte]int{1: net.IPv4len, 4: net.IPv6len, 3: 1}[kind]
	b := make([]byte, size)
	if _, err := io.ReadFull(c, b); err != nil || size == 0 {
		return "", errSocks
	}
	if kind != 3 {
		return net.IP(b).String(), nil
	}
	name := make([]byte, b[0])
	if _, err := io.ReadFull(c, name); err != nil || !hostName(name) {
		return "", errSocks
	}
	return string(name), nil
}

// hostName keeps to what can stand in a name: it is judged, recorded and sent.
func hostName(b []byte) bool {
	for _, r := range b {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '.' && r != '-' && r != '_' {
			return false
		}
	}
	return len(b) > 0
}

// Answers to a SOCKS client (RFC 1928, section 6).
const (
	socksDone      = 0
	socksFailed    = 1
	socksForbidden = 2
	socksRefused   = 5
)

// socksAnswer says that the connection is made, or why it is not: the rules,
// here or the host's, or whoever was to be reached.
func socksAnswer(err error) []byte {
	var ref *gate.Refusal
	var open *ssh.OpenChannelError
	code := byte(socksFailed)
	switch {
	case err == nil:
		code = socksDone
	case errors.As(err, &ref), errors.As(err, &open) && open.Reason == ssh.Prohibited:
		code = socksForbidden
	case errors.As(err, &open) && open.Reason == ssh.ConnectionFailed:
		code = socksRefused
	}
	return []byte{5, code, 0, 1, 0, 0, 0, 0, 0, 0}
}
