package remote

// This file is the only one that writes to a channel. Every function here
// that sends bytes of anybody's takes a gate.Cleared and spends it in the
// slot of the channel.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/crypto/ssh"

	"sallyport/console/gate"
)

// PTY is the terminal that a shell is given.
type PTY struct {
	Term       string
	Cols, Rows int
	NoEcho     bool           // starts with ECHO off, as the bootstrap wants it
	Env        []gate.Cleared // "NAME=value" each, kind Channel
	Agent      gate.Cleared   // kind Channel: the agent is offered to the host; zero: it is not
	X11        gate.Cleared   // kind Channel, "PROTOCOL COOKIE SCREEN": X11 is; zero: it is not
}

// Shell opens a channel with a PTY and starts boot on it: an exec request for
// boot's bytes, or the login shell when it has none.
func (c *Conn) Shell(ctx context.Context, s *gate.Slot, boot gate.Cleared, p PTY) (*Shell, error) {
	ch, err := c.open(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := ch.startShell(ctx, boot, p); err != nil {
		_ = ch.Close()
		return nil, err
	}
	go func() { _, _ = io.Copy(io.Discard, ch.stderr) }() // a PTY has none
	return &Shell{ch}, nil
}

// Exec opens a channel without a PTY and runs cmd's bytes on it.
func (c *Conn) Exec(ctx context.Context, s *gate.Slot, cmd gate.Cleared) (*Exec, error) {
	ch, err := c.open(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := ch.start(ctx, cmd, gate.Run, gate.Probe, gate.File); err != nil {
		_ = ch.Close()
		return nil, err
	}
	return &Exec{ch}, nil
}

// open opens a session channel for the slot s.
func (c *Conn) open(ctx context.Context, s *gate.Slot) (*channel, error) {
	if s == nil {
		return nil, c.channelError(gate.ErrNotCleared)
	}
	ch, reqs, err := c.openSession(ctx)
	if err != nil {
		return nil, c.channelError(err)
	}
	return serve(c.target.Asked, ch, reqs, s), nil
}

// openSession waits for the host's answer no longer than ctx: a channel that
// opens later is closed.
func (c *Conn) openSession(ctx context.Context) (ssh.Channel, <-chan *ssh.Request, error) {
	type opened struct {
		ch   ssh.Channel
		reqs <-chan *ssh.Request
		err  error
	}
	answer := make(chan opened, 1)
	go func() {
		ch, reqs, err := c.client.OpenChannel("session", nil)
		answer <- opened{ch, reqs, err}
	}()
	select {
	case o := <-answer:
		return o.ch, o.reqs, o.err
	case <-ctx.Done():
		go func() {
			if o := <-answer; o.err == nil {
				go ssh.DiscardRequests(o.reqs)
				_ = o.ch.Close()
			}
		}()
		return nil, nil, context.Cause(ctx)
	}
}

func (ch *channel) startShell(ctx context.Context, boot gate.Cleared, p PTY) error {
	for _, v := range p.Env {
		if err := ch.setenv(v); err != nil {
			return err
		}
	}
	if err := ch.request(ctx, "pty-req", p.request()); err != nil {
		return err
	}
	if err := ch.offer(p); err != nil {
		return err
	}
	return ch.start(ctx, boot, gate.Boot)
}

// start spends c, which must be of one of kinds, as the command to run.
func (ch *channel) start(ctx context.Context, c gate.Cleared, kinds ...gate.Kind) error {
	p, err := ch.spend(c, kinds...)
	if err != nil {
		return err
	}
	if len(p) == 0 {
		return ch.request(ctx, "shell", nil)
	}
	return ch.request(ctx, "exec", ssh.Marshal(struct{ Command string }{string(p)}))
}

// setenv does not wait: a host that takes no variables says nothing of use.
func (ch *channel) setenv(c gate.Cleared) error {
	p, err := ch.spend(c, gate.Channel)
	if err != nil {
		return err
	}
	name, value, ok := strings.Cut(string(p), "=")
	if !ok || name == "" {
		return ch.failed(errors.New("malformed environment variable"))
	}
	_, err = ch.ch.SendRequest("env", false, ssh.Marshal(struct{ Name, Value string }{name, value}))
	return err
}

// offer asks for agent and X11 forwarding where they are cleared. As with
// setenv nobody waits: a host that does not want them uses none.
func (ch *channel) offer(p PTY) error {
	if p.Agent != (gate.Cleared{}) {
		if _, err := ch.spend(p.Agent, gate.Channel); err != nil {
			return err
		}
		if _, err := ch.ch.SendRequest("auth-agent-req@openssh.com", false, nil); err != nil {
			return err
		}
	}
	if p.X11 == (gate.Cleared{}) {
		return nil
	}
	b, err := ch.spend(p.X11, gate.Channel)
	if err != nil {
		return err
	}
	var r struct {
		Single           bool
		Protocol, Cookie string
		Screen           uint32
	}
	if _, err := fmt.Sscanf(string(b), "%s %s %d", &r.Protocol, &r.Cookie, &r.Screen); err != nil {
		return ch.failed(fmt.Errorf("malformed X11 request: %w", err))
	}
	_, err = ch.ch.SendRequest("x11-req", false, ssh.Marshal(r))
	return err
}

// Forward connects to the host:port that to holds, from the host, and joins
// that with local until either ends. Before anything passes, answered hears
// whether the host connected. What passes is not looked at.
func (c *Conn) Forward(ctx context.Context, s *gate.Slot, to gate.Cleared, local net.Conn, answered func(error)) error {
	defer local.Close()
	ch, reqs, err := c.openForward(s, to)
	answered(err)
	if err != nil {
		return err
	}
	join(ctx, ch, reqs, local)
	return nil
}

func (c *Conn) openForward(s *gate.Slot, to gate.Cleared) (ssh.Channel, <-chan *ssh.Request, error) {
	b, err := spendFor(s, to)
	if err != nil {
		return nil, nil, c.channelError(err)
	}
	host, port, err := address(string(b))
	if err != nil {
		return nil, nil, c.channelError(err)
	}
	n, _ := strconv.ParseUint(port, 10, 16) // address checked it
	ch, reqs, err := c.client.OpenChannel("direct-tcpip", ssh.Marshal(struct {
		Host       string
		Port       uint32
		OriginHost string
		OriginPort uint32
	}{host, uint32(n), "127.0.0.1", 0}))
	if err != nil {
		return nil, nil, c.forwardError(err)
	}
	return ch, reqs, nil
}

// Listen asks the host to listen at the loopback address:port that at holds,
// and gives h what connects there. It ends with the connection.
func (c *Conn) Listen(ctx context.Context, s *gate.Slot, at gate.Cleared, h func(*Incoming)) error {
	b, err := spendFor(s, at)
	if err != nil {
		return c.channelError(err)
	}
	host, port, err := bind(string(b))
	if err != nil {
		return c.channelError(err)
	}
	of := offer{portChannel, host, port}
	c.offers.take(of, h)
	ok, _, err := c.client.SendRequest("tcpip-forward", true, ssh.Marshal(struct {
		Address string
		Port    uint32
	}{host, port}))
	if err == nil && !ok {
		err = fmt.Errorf("the host does not listen on %s", b)
	}
	if err != nil {
		c.offers.take(of, nil)
		return c.forwardError(err)
	}
	return nil
}

// Join spends c, accepts the channel and joins it with local until either
// ends. What passes is not looked at.
func (i *Incoming) Join(ctx context.Context, s *gate.Slot, c gate.Cleared, local net.Conn) error {
	defer local.Close()
	defer i.Refuse() // does nothing to one that was accepted
	if _, err := spendFor(s, c); err != nil {
		return fail(StepChannel, i.host, ClassConnect, err, "")
	}
	var err error
	i.done.Do(func() {
		defer i.free()
		var ch ssh.Channel
		var reqs <-chan *ssh.Request
		if ch, reqs, err = i.ch.Accept(); err == nil {
			join(ctx, ch, reqs, local)
		}
	})
	return err
}

func spendFor(s *gate.Slot, c gate.Cleared) ([]byte, error) {
	if c.Kind() != gate.Channel {
		return nil, fmt.Errorf("%w: %v does not leave this way", gate.ErrNotCleared, c.Kind())
	}
	return c.Spend(s)
}

// join copies both ways. An end of file passes; the end of the channel, of
// local or of ctx ends both.
func join(ctx context.Context, ch ssh.Channel, reqs <-chan *ssh.Request, local net.Conn) {
	end := func() { _ = local.Close(); _ = ch.Close() }
	stop := context.AfterFunc(ctx, end)
	defer stop()
	var both sync.WaitGroup
	drained := make(chan struct{}) // all that the host sent was passed on
	both.Go(func() {
		ssh.DiscardRequests(reqs) // ends with the channel
		<-drained
		_ = local.Close()
	})
	both.Go(func() {
		_, _ = io.Copy(ch, local)
		_ = ch.CloseWrite()
	})
	_, _ = io.Copy(local, ch)
	close(drained)
	if half, ok := local.(interface{ CloseWrite() error }); !ok || half.CloseWrite() != nil {
		_ = local.Close()
	}
	both.Wait()
	end()
}

// request sends a channel request and waits for the answer no longer than ctx.
func (ch *channel) request(ctx context.Context, name string, payload []byte) error {
	stop := context.AfterFunc(ctx, func() { _ = ch.ch.Close() })
	defer stop()
	ok, err := ch.ch.SendRequest(name, true, payload)
	switch {
	case ctx.Err() != nil:
		return ch.failed(context.Cause(ctx))
	case err != nil:
		return ch.failed(fmt.Errorf("%s: %w", name, err))
	case !ok:
		return ch.failed(fmt.Errorf("the host refuses the %s request", name))
	}
	return nil
}

// send spends c and writes its bytes; two sends never mix.
func (ch *channel) send(c gate.Cleared) error {
	ch.writing.Lock()
	defer ch.writing.Unlock()
	p, err := ch.spend(c, bytesForAChannel...)
	if err != nil {
		return err
	}
	if _, err := ch.ch.Write(p); err != nil {
		return ch.failed(fmt.Errorf("send: %w", err))
	}
	return nil
}

// bytesForAChannel are the kinds whose bytes are written as they are. The
// others are requests of their own.
var bytesForAChannel = []gate.Kind{
	gate.Line, gate.Input, gate.Secret, gate.Edit, gate.Keys, gate.Signal, gate.Reply,
	gate.Boot, gate.Probe, gate.File, gate.Ask,
}

// noPixels are the width and height in pixels of a window-change request
// (RFC 4254, section 6.7), which nobody here knows.
var noPixels = make([]byte, 8)

func (ch *channel) resize(c gate.Cleared) error {
	p, err := ch.spend(c, gate.Resize)
	if err != nil {
		return err
	}
	if len(p) != len(noPixels) {
		return ch.failed(errors.New("malformed window size"))
	}
	_, err = ch.ch.SendRequest("window-change", false, append(p, noPixels...))
	return err
}

// spend takes the bytes out of c, which must be of one of kinds.
func (ch *channel) spend(c gate.Cleared, kinds ...gate.Kind) ([]byte, error) {
	if !slices.Contains(kinds, c.Kind()) {
		return nil, ch.failed(fmt.Errorf("%w: %v does not leave this way", gate.ErrNotCleared, c.Kind()))
	}
	p, err := c.Spend(ch.slot)
	if err != nil {
		return nil, ch.failed(err)
	}
	return p, nil
}

// request is the payload of pty-req (RFC 4254, section 6.2): the modes say
// only what differs from the host's own.
func (p PTY) request() []byte {
	modes := []byte{}
	if p.NoEcho {
		modes = append(modes, ssh.ECHO, 0, 0, 0, 0)
	}
	modes = append(modes, ttyOpEnd)
	return ssh.Marshal(struct {
		Term                      string
		Cols, Rows, Width, Height uint32
		Modes                     string
	}{p.Term, uint32(p.Cols), uint32(p.Rows), 0, 0, string(modes)})
}

// ttyOpEnd ends a list of terminal modes.
const ttyOpEnd = 0
