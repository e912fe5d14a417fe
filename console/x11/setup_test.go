package x11

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net"
	"strings"
	"testing"
)

var (
	fake = []byte("made up here    ")
	real = []byte("of the display  ")
)

// begins is how a client begins: byte order, version, cookie.
func begins(order byte, name string, cookie []byte) []byte {
	var o binary.AppendByteOrder = binary.LittleEndian
	if order == 'B' {
		o = binary.BigEndian
	}
	b := o.AppendUint16([]byte{order, 0}, 11)
	b = o.AppendUint16(b, 0)
	b = o.AppendUint16(b, uint16(len(name)))
	b = o.AppendUint16(b, uint16(len(cookie)))
	b = append(b, 0, 0)
	pad := func(n int) []byte { return make([]byte, padded(n)-n) }
	b = append(append(b, name...), pad(len(name))...)
	return append(append(b, cookie...), pad(len(cookie))...)
}

// display keeps what a client sends to it.
type display struct {
	net.Conn
	got bytes.Buffer
}

func (d *display) Write(p []byte) (int, error) { return d.got.Write(p) }

func TestTheDisplayGetsItsOwnCookie(t *testing.T) {
	for _, tt := range []struct {
		name       string
		sent, want []byte
		real       []byte
	}{
		{"little-endian", begins('l', magicCookie, fake), begins('l', magicCookie, real), real},
		{"big-endian", begins('B', magicCookie, fake), begins('B', magicCookie, real), real},
		{"a display that wants none", begins('l', magicCookie, fake), begins('l', "", nil), nil},
		{"another cookie", begins('l', magicCookie, real), nil, real},
		{"no cookie", begins('l', "", nil), nil, real},
		{"another protocol", begins('l', "XDM-AUTHORIZATION-1", fake), nil, real},
		{"a name as long", begins('l', strings.Repeat("M", len(magicCookie)), fake), nil, real},
		{"the other byte order's lengths", append([]byte{'B'}, begins('l', magicCookie, fake)[1:]...), nil, real},
	} {
		var there display
		c := &client{Conn: &there, d: &Display{fake: fake, real: tt.real}}
		_, err := c.Write(append(bytes.Clone(tt.sent), "and more"...))
		if tt.want == nil {
			if !errors.Is(err, errCookie) || there.got.Len() > 0 {
				t.Errorf("%s: %v, the display got %q", tt.name, err, there.got.Bytes())
			}
			continue
		}
		if want := append(tt.want, "and more"...); err != nil || !bytes.Equal(there.got.Bytes(), want) {
			t.Errorf("%s: %v, the display got %q", tt.name, err, there.got.Bytes())
		}
	}
}

// However a client's bytes are cut, the display gets the same, never the made-up
// cookie, and nothing of a client that does not show it.
func FuzzSetup(f *testing.F) {
	f.Add(begins('l', magicCookie, fake), uint8(1))
	f.Add(append(begins('B', magicCookie, fake), "behind"...), uint8(13))
	f.Add(begins('l', magicCookie, real), uint8(40))
	f.Fuzz(func(t *testing.T, sent []byte, at uint8) {
		write := func(pieces ...[]byte) ([]byte, error) {
			var there display
			c := &client{Conn: &there, d: &Display{fake: fake, real: real}}
			for _, p := range pieces {
				if _, err := c.Write(p); err != nil {
					return there.got.Bytes(), err
				}
			}
			return there.got.Bytes(), nil
		}
		n := min(int(at), len(sent))
		whole, err := write(sent)
		cut, cutErr := write(sent[:n], sent[n:])
		if !bytes.Equal(whole, cut) || (err == nil) != (cutErr == nil) {
			t.Errorf("%q %v, cut at %d %q %v", whole, err, n, cut, cutErr)
		}
		if len(whole) == 0 {
			return
		}
		if err != nil || len(whole) != len(sent) || !bytes.Contains(sent[:48], fake) || bytes.Contains(whole[:48], fake) {
			t.Errorf("%q of %q, %v", whole, sent, err)
		}
	})
}
