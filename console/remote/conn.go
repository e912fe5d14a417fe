package remote

import (
	"context"
	"errors"
	"net"
	"sync"

	"golang.org/x/crypto/ssh"

	"sallyport/policy"
)

// Conn is a connection to a host that is who it should be and has accepted
// the operator.
type Conn struct {
	client ssh.Conn
	target policy.Target
	via    []policy.Target
	auth   string
	wants  []Want
	agent  string // where the agent listens that may be forwarded; empty: nowhere

	offers offers

	under []*Conn // jump hosts' connections, nearest first; closed with this one

	once sync.Once
	done chan struct{}
	err  error // why it ended; owned by end until done is closed
}

// Target is the host as the policy sees it.
func (c *Conn) Target() policy.Target { return c.target }

// Via is the jump hosts on the way, nearest first.
func (c *Conn) Via() []policy.Target { return c.via }

// Fingerprint is the host key's, as SHA256:….
func (c *Conn) Fingerprint() string { return c.target.Fingerprint }

// Authenticated says how the host accepted the operator: "publickey
// SHA256:…", "password", "keyboard-interactive", or several.
func (c *Conn) Authenticated() string { return c.auth }

// Wants is what the ssh configuration asks for beside a shell.
func (c *Conn) Wants() []Want { return c.wants }

// Done is closed when the connection is over.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err says why the connection is over: nil while it lives, an Error with
// ErrDead, ErrClosed or what the network said afterwards.
func (c *Conn) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// Close ends the connection and those to the jump hosts.
func (c *Conn) Close() error {
	c.end(ErrClosed)
	return nil
}

// end closes the connection once; the first reason counts.
func (c *Conn) end(reason error) {
	c.once.Do(func() {
		c.err = fail(StepSession, c.target.Asked, ClassConnect, reason, "reconnect")
		_ = c.client.Close()
		for i := len(c.under) - 1; i >= 0; i-- {
			c.under[i].end(reason)
		}
		close(c.done)
	})
}

// watch ends the Conn when the transport does.
func (c *Conn) watch() {
	err := c.client.Wait()
	if err == nil || errors.Is(err, net.ErrClosed) {
		err = errors.New("the host closed the connection")
	}
	c.end(err)
}

// maxTold bounds how often Config.Refused is told of one kind: a server that
// goes on asking must not fill a log.
const maxTold = 16

// refusals tells of what was refused.
type refusals struct {
	to    func(kind string)
	count int
}

func (r *refusals) tell(what string) {
	if r.to == nil || r.count >= maxTold {
		return
	}
	if r.count++; r.count == maxTold {
		what += " (further ones are not told)"
	}
	r.to(what)
}

// rejectRequests answers every global request with failure, as RFC 4254
// wants it even for keep-alives.
func rejectRequests(in <-chan *ssh.Request, refused func(string)) {
	told := refusals{to: refused}
	for r := range in {
		if !expected[r.Type] {
			told.tell("request " + harmless(r.Type))
		}
		if r.WantReply {
			_ = r.Reply(false, nil)
		}
	}
}

// expected are requests that servers make of every client; they are refused
// too, without a word.
var expected = map[string]bool{
	"keepalive@openssh.com":   true,
	"hostkeys-00@openssh.com": true,
}

func (c *Conn) channelError(err error) error {
	var open *ssh.OpenChannelError
	hint := "reconnect"
	switch {
	case errors.As(err, &open):
		hint = "the host allows no further session on this connection (MaxSessions): open another connection"
	case errors.Is(err, context.DeadlineExceeded):
		hint = "the host did not answer in time: wait, or reconnect"
	}
	return fail(StepChannel, c.target.Asked, ClassConnect, err, hint)
}

// forwardError is one about a forwarded port, which has nothing to do with
// sessions.
func (c *Conn) forwardError(err error) error {
	var open *ssh.OpenChannelError
	hint := "reconnect"
	switch {
	case errors.As(err, &open) && open.Reason == ssh.Prohibited:
		hint = "the host's sshd forbids it: AllowTcpForwarding, PermitOpen"
	case errors.As(err, &open):
		hint = "the host does not reach it: look at the address there"
	case c.Err() == nil:
		hint = "another program may listen there, or the host's sshd forbids it: AllowTcpForwarding, PermitListen"
	}
	return fail(StepChannel, c.target.Asked, ClassConnect, err, hint)
}
