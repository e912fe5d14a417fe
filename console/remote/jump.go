package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// maxHops bounds a chain of jump hosts; a loop of them ends here.
const maxHops = 8

// route gives the hosts to pass, the destination last. As with ssh, each jump
// host has its own configuration, of the flags only -F holds for it, and the
// first may have a ProxyJump itself.
func route(ctx context.Context, s *settings, o Options, depth int) ([]*settings, error) {
	if s.proxyJump == "" {
		return []*settings{s}, nil
	}
	names := strings.Split(s.proxyJump, ",")
	if depth+len(names) > maxHops {
		return nil, jumpError(s, fmt.Errorf("more than %d jump hosts: does one of them jump through itself?", maxHops))
	}
	var hops []*settings
	for i, name := range names {
		hop, err := jumpHost(ctx, strings.TrimSpace(name), o)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			hops = append(hops, hop)
			continue
		}
		first, err := route(ctx, hop, o, depth+len(names))
		if err != nil {
			return nil, err
		}
		hops = append(hops, first...)
	}
	return append(hops, s), nil
}

func jumpHost(ctx context.Context, name string, o Options) (*settings, error) {
	d, err := ParseDest(strings.TrimPrefix(name, "ssh://"))
	if err != nil {
		return nil, err
	}
	return resolve(ctx, d, Options{ConfigFile: o.ConfigFile})
}

func jumpError(s *settings, err error) error {
	return fail(StepConfig, s.label(), ClassConfig, fmt.Errorf("ProxyJump: %w", err), "ProxyJump in ~/.ssh/config, or -J")
}

// channelConn is a channel of a jump host as a net.Conn. Deadlines are the
// business of who dials: it closes the connection.
type channelConn struct {
	ssh.Channel
	remote net.Addr
}

func dialChannel(client ssh.Conn, host string, port int) (net.Conn, error) {
	payload := ssh.Marshal(struct {
		Host       string
		Port       uint32
		OriginHost string
		OriginPort uint32
	}{host, uint32(port), "127.0.0.1", 0})
	ch, reqs, err := client.OpenChannel("direct-tcpip", payload)
	if err != nil {
		return nil, err
	}
	go ssh.DiscardRequests(reqs)
	return &channelConn{ch, channelAddr(hostPort(host, port))}, nil
}

var errNoDeadline = errors.New("a channel has no deadline")

func (c *channelConn) LocalAddr() net.Addr              { return channelAddr("127.0.0.1:0") }
func (c *channelConn) RemoteAddr() net.Addr             { return c.remote }
func (c *channelConn) SetDeadline(time.Time) error      { return errNoDeadline }
func (c *channelConn) SetReadDeadline(time.Time) error  { return errNoDeadline }
func (c *channelConn) SetWriteDeadline(time.Time) error { return errNoDeadline }

// channelAddr is an address behind a jump host, which alone can resolve it.
type channelAddr string

func (channelAddr) Network() string  { return "tcp" }
func (a channelAddr) String() string { return string(a) }
