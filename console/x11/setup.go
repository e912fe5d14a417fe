package x11

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net"
)

// client exchanges the cookie at the beginning of what a client sends.
type client struct {
	net.Conn
	d     *Display
	begun bool
	head  []byte
}

var errCookie = errors.New("an X11 client that does not show the cookie of this connection")

// Write takes what the client sends. Only one goroutine may write.
func (x *client) Write(p []byte) (int, error) {
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
func (x *client) CloseWrite() error {
	if half, ok := x.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return x.Conn.Close()
}

// exchange puts the real cookie in the place of the made-up one in a connection
// setup (X11 protocol, section 8); nil while it is not whole.
func (d *Display) exchange(b []byte) ([]byte, error) {
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
