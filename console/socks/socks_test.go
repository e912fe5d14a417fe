package socks

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
)

// client sends what it holds, and keeps what it is answered.
type client struct {
	*strings.Reader
	got bytes.Buffer
}

func (c *client) Write(p []byte) (int, error) { return c.got.Write(p) }

func TestReadRequest(t *testing.T) {
	for _, tt := range []struct{ name, sent, want string }{
		{"an IPv4 address", "\x05\x01\x00\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x50", "127.0.0.1:80"},
		{"an IPv6 address", "\x05\x01\x00\x05\x01\x00\x04\xfd\x00" + strings.Repeat("\x00", 13) + "\x01\xff\xff", "[fd00::1]:65535"},
		{"a name", "\x05\x01\x00\x05\x01\x00\x03\x09db_1.prod\x15\x38", "db_1.prod:5432"},
		{"port 0", "\x05\x01\x00\x05\x01\x00\x03\x01h\x00\x00", "h:0"},
		{"no way of authentication", "\x05\x00\x05\x01\x00\x03\x01h\x00\x00", ""},
		{"a password only", "\x05\x01\x02\x05\x01\x00\x03\x01h\x00\x00", ""},
		{"several ways", "\x05\x03\x00\x01\x02\x05\x01\x00\x03\x01h\x00\x01", "h:1"},
		{"SOCKS 4", "\x04\x01\x00\x50\x7f\x00\x00\x01\x00", ""},
		{"HTTP", "CONNECT db:5432 HTTP/1.1\r\n\r\n", ""},
		{"another version in the request", "\x05\x01\x00\x04\x01\x00\x01\x7f\x00\x00\x01\x00\x50", ""},
		{"BIND", "\x05\x01\x00\x05\x02\x00\x01\x7f\x00\x00\x01\x00\x50", ""},
		{"UDP ASSOCIATE", "\x05\x01\x00\x05\x03\x00\x01\x7f\x00\x00\x01\x00\x50", ""},
		{"no such type of address", "\x05\x01\x00\x05\x01\x00\x02\x7f\x00\x00\x01\x00\x50", ""},
		{"an empty name", "\x05\x01\x00\x05\x01\x00\x03\x00\x00\x50", ""},
		{"a name with a line break", "\x05\x01\x00\x05\x01\x00\x03\x03a\nb\x00\x50", ""},
		{"a name with an escape", "\x05\x01\x00\x05\x01\x00\x03\x03a\x1bb\x00\x50", ""},
		{"a name with an address behind", "\x05\x01\x00\x05\x01\x00\x03\x03a:1\x00\x50", ""},
		{"a name with a letter beyond ASCII", "\x05\x01\x00\x05\x01\x00\x03\x02\xc3\xa4\x00\x50", ""},
		{"nothing", "", ""},
	} {
		c := &client{Reader: strings.NewReader(tt.sent)}
		got, err := ReadRequest(c)
		if got != tt.want || tt.want == "" && !errors.Is(err, ErrRequest) {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
		if tt.want != "" && c.got.String() != "\x05\x00" {
			t.Errorf("%s: answered %q", tt.name, c.got.String())
		}
	}
}

// What a client hears that asks for something else.
func TestWhatIsNotUnderstoodIsAnswered(t *testing.T) {
	for _, tt := range []struct{ name, sent, want string }{
		{"a password only", "\x05\x01\x02", "\x05\xff"},
		{"BIND", "\x05\x01\x00\x05\x02\x00\x01\x7f\x00\x00\x01\x00\x50", "\x05\x00" + string(noSuchCommand.Bytes())},
		{"no such type of address", "\x05\x01\x00\x05\x01\x00\x02\x7f\x00\x00\x01\x00\x50", "\x05\x00" + string(noSuchAddress.Bytes())},
		{"SOCKS 4", "\x04\x01\x00\x50\x7f\x00\x00\x01\x00", ""},
	} {
		c := &client{Reader: strings.NewReader(tt.sent)}
		if _, err := ReadRequest(c); !errors.Is(err, ErrRequest) || c.got.String() != tt.want {
			t.Errorf("%s: answered %q, %v", tt.name, c.got.String(), err)
		}
	}
}

// A request that is cut anywhere is none.
func TestARequestThatIsCut(t *testing.T) {
	whole := "\x05\x02\x00\x02\x05\x01\x00\x03\x02db\x15\x38"
	for n := range whole {
		if got, err := ReadRequest(&client{Reader: strings.NewReader(whole[:n])}); !errors.Is(err, ErrRequest) {
			t.Errorf("%d bytes of %d: %q, %v", n, len(whole), got, err)
		}
	}
}

func TestReplies(t *testing.T) {
	for r, code := range map[Reply]byte{Succeeded: 0, Failed: 1, NotAllowed: 2, Refused: 5} {
		if got := r.Bytes(); len(got) != 10 || got[0] != 5 || got[1] != code || got[3] != 1 {
			t.Errorf("%d: % x", r, got)
		}
	}
}

// Whatever a client sends, what is read as a request names a host and a port
// in letters that cannot be seen otherwise, and what stands behind it is left.
func FuzzReadRequest(f *testing.F) {
	f.Add("\x05\x01\x00\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x50")
	f.Add("\x05\x01\x00\x05\x01\x00\x04" + strings.Repeat("\x00", 15) + "\x01\x00\x50behind")
	f.Add("\x05\x01\x00\x05\x01\x00\x03\x02db\x15\x38GET / HTTP/1.1\r\n")
	f.Fuzz(func(t *testing.T, sent string) {
		c := &client{Reader: strings.NewReader(sent)}
		to, err := ReadRequest(c)
		if err != nil {
			if to != "" || !errors.Is(err, ErrRequest) {
				t.Errorf("%q, %v", to, err)
			}
			return
		}
		host, port, err := net.SplitHostPort(to)
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
			t.Errorf("port %q, %v", port, err)
		}
		if err != nil || net.ParseIP(host) == nil && !isHostName([]byte(host)) {
			t.Errorf("host %q, %v", host, err)
		}
		size := map[byte]int{typeIPv4: 4, typeIPv6: 16, typeName: 1 + len(host)}[sent[2+int(sent[1])+3]]
		if rest, _ := io.ReadAll(c); string(rest) != sent[2+int(sent[1])+4+size+2:] {
			t.Errorf("%q is left of %q", rest, sent)
		}
	})
}
