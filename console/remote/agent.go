package remote

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// An agent answers a listing at once; a signature may wait for a touch or a
// confirmation.
const (
	agentListTime = 5 * time.Second
	agentSignTime = 2 * time.Minute
)

// agentConn is the operator's agent. The zero value has none.
type agentConn struct {
	conn   net.Conn
	client agent.ExtendedAgent
}

// openAgent connects to IdentityAgent, else to SSH_AUTH_SOCK. No agent is no
// error.
func openAgent(s *settings) (*agentConn, error) {
	conn, err := dialAgent(agentPath(s.identityAgent))
	if conn == nil {
		return &agentConn{}, err
	}
	return &agentConn{conn, agent.NewClient(conn)}, nil
}

// dialAgent connects to the agent that listens at path; nil: there is none.
func dialAgent(path string) (net.Conn, error) {
	if path == "" {
		return nil, nil
	}
	conn, err := net.DialTimeout("unix", path, agentListTime)
	if err != nil {
		return nil, fmt.Errorf("agent at %s: %w", path, errors.Unwrap(err))
	}
	return conn, nil
}

func agentPath(configured string) string {
	switch {
	case strings.EqualFold(configured, "none"):
		return ""
	case configured == "" || configured == "SSH_AUTH_SOCK":
		return os.Getenv("SSH_AUTH_SOCK")
	case strings.HasPrefix(configured, "$"):
		return os.Getenv(strings.Trim(configured, "${}"))
	}
	return configured
}

func (a *agentConn) identities() ([]identity, error) {
	if a.client == nil {
		return nil, nil
	}
	_ = a.conn.SetDeadline(time.Now().Add(agentListTime))
	signers, err := a.client.Signers()
	if err != nil {
		return nil, err
	}
	keys, err := a.client.List()
	if err != nil {
		return nil, err
	}
	_ = a.conn.SetDeadline(time.Time{})
	out := make([]identity, len(signers))
	for i, s := range signers {
		out[i] = identity{agentLabel(keys, i), a.bounded(s)}
	}
	return out, nil
}

func agentLabel(keys []*agent.Key, i int) string {
	if i < len(keys) {
		return "agent: " + harmless(keys[i].Comment)
	}
	return "agent"
}

func (a *agentConn) close() {
	if a.conn != nil {
		_ = a.conn.Close()
	}
}

// bounded gives s a time limit.
func (a *agentConn) bounded(s ssh.Signer) ssh.Signer {
	if as, ok := s.(ssh.AlgorithmSigner); ok {
		return &agentSigner{as, a.conn}
	}
	return s
}

type agentSigner struct {
	ssh.AlgorithmSigner
	conn net.Conn
}

func (s *agentSigner) Sign(rand io.Reader, data []byte) (*ssh.Signature, error) {
	return s.SignWithAlgorithm(rand, data, "")
}

func (s *agentSigner) SignWithAlgorithm(rand io.Reader, data []byte, algorithm string) (*ssh.Signature, error) {
	_ = s.conn.SetDeadline(time.Now().Add(agentSignTime))
	defer func() { _ = s.conn.SetDeadline(time.Time{}) }()
	return s.AlgorithmSigner.SignWithAlgorithm(rand, data, algorithm)
}
