package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"

	"golang.org/x/crypto/ssh"
)

// connect opens the way to the host: TCP, or a channel of the last jump host.
func (h *hop) connect(ctx context.Context) (net.Conn, error) {
	if n := len(h.under); n > 0 {
		return h.connectThrough(ctx, h.under[n-1])
	}
	addresses, err := h.lookup(ctx)
	if err != nil {
		return nil, err
	}
	h.begin(StepConnect)
	return h.tryAll(ctx, addresses)
}

// lookup resolves the host's name. A numeric address is itself.
func (h *hop) lookup(ctx context.Context) ([]net.IPAddr, error) {
	h.begin(StepResolve)
	found, err := net.DefaultResolver.LookupIPAddr(ctx, h.s.hostName)
	if err == nil {
		found = ofFamily(found, h.s.addressFamily)
	}
	switch {
	case ctx.Err() != nil:
		return nil, h.unresolved(context.Cause(ctx))
	case err != nil:
		return nil, h.unresolved(err)
	case len(found) == 0:
		return nil, h.unresolved(errors.New("it has no address of AddressFamily " + h.s.addressFamily))
	}
	return found, nil
}

func (h *hop) unresolved(err error) error {
	var dns *net.DNSError
	hint := "check the name, and this machine's resolver"
	if errors.As(err, &dns) {
		if dns.IsNotFound {
			err = fmt.Errorf("no address for %s", h.s.hostName)
			hint = "check the name; HostName in ~/.ssh/config; an address works too"
		} else {
			err = fmt.Errorf("resolver: %s", dns.Err)
		}
	}
	return fail(StepResolve, h.s.label(), ClassConnect, err, hint)
}

func ofFamily(all []net.IPAddr, family string) []net.IPAddr {
	var out []net.IPAddr
	for _, a := range all {
		is4 := a.IP.To4() != nil
		if family == "inet" && !is4 || family == "inet6" && is4 {
			continue
		}
		out = append(out, a)
	}
	return out
}

// maxAddresses bounds how many addresses of one name are tried.
const maxAddresses = 8

// tryAll connects to the first address that answers, each in its own time.
func (h *hop) tryAll(ctx context.Context, addresses []net.IPAddr) (net.Conn, error) {
	var last error
	for _, a := range addresses[:min(len(addresses), maxAddresses)] {
		conn, err := h.try(ctx, a)
		if err == nil {
			return conn, nil
		}
		last = fmt.Errorf("%s: %w", hostPort(a.String(), h.s.port), err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, h.unreachable(ctx, last)
}

func (h *hop) try(ctx context.Context, a net.IPAddr) (net.Conn, error) {
	d := net.Dialer{Timeout: h.limit()}
	if h.s.bindAddress != "" {
		d.LocalAddr = &net.TCPAddr{IP: net.ParseIP(h.s.bindAddress)}
	}
	h.clock.begin()
	return d.DialContext(ctx, "tcp", hostPort(a.String(), h.s.port))
}

func (h *hop) unreachable(ctx context.Context, err error) error {
	hint := "check the network and the address"
	var timeout net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		err, hint = fmt.Errorf("%s: connection refused", hostPort(h.s.hostName, h.s.port)), "nothing listens there: check the port (-p) and that sshd runs"
	case ctx.Err() != nil && context.Cause(ctx) != nil && !errors.Is(context.Cause(ctx), context.Canceled):
		err, hint = fmt.Errorf("%s: %w", hostPort(h.s.hostName, h.s.port), context.Cause(ctx)), "is a VPN or a jump host (-J) needed?"
	case errors.As(err, &timeout) && timeout.Timeout():
		err, hint = fmt.Errorf("%s: no answer for %v", hostPort(h.s.hostName, h.s.port), h.limit()), "is a VPN or a jump host (-J) needed?"
	}
	return fail(StepConnect, h.s.label(), ClassConnect, err, hint)
}

// connectThrough opens a direct-tcpip channel (RFC 4254, section 7.2) from
// the jump host to the host's SSH port.
func (h *hop) connectThrough(ctx context.Context, via *Conn) (net.Conn, error) {
	h.begin(StepConnect)
	stop := context.AfterFunc(ctx, func() { via.end(context.Cause(ctx)) })
	defer stop()
	conn, err := dialChannel(via.client, h.s.hostName, h.s.port)
	if err == nil {
		return conn, nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	var open *ssh.OpenChannelError
	hint := "check that the jump host can reach " + h.s.label()
	if errors.As(err, &open) {
		err = errors.New(strings.TrimSpace(open.Reason.String() + ": " + harmless(open.Message)))
		if open.Reason == ssh.Prohibited {
			hint = "the jump host does not allow it (AllowTcpForwarding, PermitOpen)"
		}
	}
	return nil, fail(StepConnect, h.s.label(), ClassConnect, fmt.Errorf("through %s: %w", via.target.Asked, err), hint)
}
