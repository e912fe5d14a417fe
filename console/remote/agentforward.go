package remote

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"

	"sallyport/console/gate"
)

// JoinAgent joins an Incoming of TakeAgent with the operator's agent. The host
// can have keys listed and used; it can change nothing in the agent.
func (i *Incoming) JoinAgent(ctx context.Context, s *gate.Slot, c gate.Cleared) error {
	a, err := dialAgent(i.agent)
	if err == nil && a == nil {
		err = errors.New("no agent here: SSH_AUTH_SOCK, or IdentityAgent in the ssh configuration")
	}
	if err != nil {
		i.Refuse()
		return fail(StepChannel, i.host, ClassConnect, err, "start ssh-agent and ssh-add a key")
	}
	here, there := net.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		defer there.Close()
		for answerAgent(there, a) == nil {
		}
	}()
	defer func() { _ = a.Close(); <-served }() // an agent may be waiting for a person
	return i.Join(ctx, s, c, here)
}

// The messages of an agent (RFC 9987, section 6) that a host may send, and the
// answer to all others.
const (
	agentFailure    = 5
	agentIdentities = 11
	agentSign       = 13
)

// maxAgentMessage bounds one message, as OpenSSH does.
const maxAgentMessage = 256 << 10

var errAgentMessage = errors.New("no agent message")

// answerAgent passes one request on to the agent and its answer back.
func answerAgent(host, agent io.ReadWriter) error {
	m, err := agentMessage(host)
	if err != nil {
		return err
	}
	if m[4] != agentIdentities && m[4] != agentSign {
		_, err := host.Write([]byte{0, 0, 0, 1, agentFailure})
		return err
	}
	if _, err := agent.Write(m); err != nil {
		return err
	}
	if m, err = agentMessage(agent); err != nil {
		return err
	}
	_, err = host.Write(m)
	return err
}

// agentMessage reads one message, its length before it.
func agentMessage(from io.Reader) ([]byte, error) {
	m := make([]byte, 4)
	if _, err := io.ReadFull(from, m); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(m)
	if n == 0 || n > maxAgentMessage {
		return nil, errAgentMessage
	}
	m = append(m, make([]byte, n)...)
	_, err := io.ReadFull(from, m[4:])
	return m, err
}
