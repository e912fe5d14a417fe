package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"golang.org/x/crypto/ssh"
)

// hostKeys judges the key that one host shows during one dial.
type hostKeys struct {
	s      *settings
	cfg    *Config
	files  *knownHosts
	prompt *prompts

	shown ssh.PublicKey // what the host showed, once it was accepted
}

// name is what known hosts are searched for: the alias without a port, as
// OpenSSH does, or the host name with it.
func (h *hostKeys) name() string {
	if h.s.hostKeyAlias != "" {
		return hostPort(h.s.hostKeyAlias, 22)
	}
	return hostPort(strings.ToLower(h.s.hostName), h.s.port)
}

// check is the ssh.HostKeyCallback.
func (h *hostKeys) check(ctx context.Context, remote net.Addr, key ssh.PublicKey) error {
	fingerprint := fingerprintOf(key)
	if h.cfg.Resume != "" && h.cfg.Resume != fingerprint {
		return h.refuse(fmt.Errorf("%w: it shows %s, and had %s before the connection was lost", ErrHostKeyChanged, fingerprint, h.cfg.Resume),
			"find out who answers there; open a new session only if the change was announced")
	}
	f := h.files.check(h.name(), remote, key)
	switch f.verdict {
	case known:
		h.shown = key
		return nil
	case unknown:
		return h.unknown(ctx, remote, key)
	}
	return h.bad(f, key)
}

// bad is every verdict about which nobody is asked.
func (h *hostKeys) bad(f finding, key ssh.PublicKey) error {
	switch f.verdict {
	case changed:
		return h.refuse(fmt.Errorf("%w: it shows another key (%s %s) than %v. Someone may be in between. Nothing was sent",
			ErrHostKeyChanged, keyName(key), fingerprintOf(key), f.at),
			"remove that line only if the change was announced")
	case revoked:
		where := f.err
		if f.at.file != "" {
			where = fmt.Errorf("@revoked on %v", f.at)
		}
		return h.refuse(fmt.Errorf("%w: %s %s, %w", ErrHostKeyRevoked, keyName(key), fingerprintOf(key), where),
			"do not connect; ask who revoked the key")
	}
	return h.refuse(fmt.Errorf("its certificate is not good here: %s", harmless(trimSSH(f.err))),
		"ask who signs the host's certificates; check this machine's clock")
}

// unknown puts an unknown key to the operator.
func (h *hostKeys) unknown(ctx context.Context, remote net.Addr, key ssh.PublicKey) error {
	key = plain(key)
	q := h.question(remote, key)
	switch {
	case h.cfg.Resume == q.Fingerprint:
		h.shown = key
		return nil
	case h.cfg.RefuseUnknown || h.s.strictHostKeys:
		return h.refuse(fmt.Errorf("%w: %s %s is not in known_hosts, and unknown keys are refused here", ErrHostKeyUnknown, q.Type, q.Fingerprint),
			"have the key added to known_hosts by who administers the host")
	}
	answer, err := h.prompt.hostKey(ctx, q)
	if err != nil {
		return h.refuse(fmt.Errorf("%w: %w", ErrHostKeyUnknown, err),
			"compare the fingerprint with what your admin gave you, and answer the question")
	}
	return h.answered(answer, q, key)
}

func (h *hostKeys) answered(a HostKeyAnswer, q HostKeyQuestion, key ssh.PublicKey) error {
	switch a {
	case Remember:
		if q.File == "" {
			return h.refuse(errors.New("there is no known-hosts file to remember the key in"), "UserKnownHostsFile")
		}
		if err := remember(q.File, h.name(), key, h.s.hashKnownHosts); err != nil {
			return h.refuse(fmt.Errorf("remember the key: %w", err), "make "+q.File+" writable, or trust the key once")
		}
		fallthrough
	case Once:
		h.shown = key
		return nil
	}
	return h.refuse(fmt.Errorf("%w: %w", ErrHostKeyUnknown, ErrLeft), "compare the fingerprint with what your admin gave you")
}

func (h *hostKeys) question(remote net.Addr, key ssh.PublicKey) HostKeyQuestion {
	q := HostKeyQuestion{Host: h.s.label(), Type: keyName(key), Fingerprint: fingerprintOf(key)}
	if a, _, err := net.SplitHostPort(remote.String()); err == nil {
		q.Address = a
	}
	if len(h.s.userKnownHosts) > 0 {
		q.File = h.s.userKnownHosts[0]
	}
	return q
}

func (h *hostKeys) refuse(err error, hint string) error {
	return fail(StepHostKey, h.s.label(), ClassHostKey, err, hint)
}

// none explains that the host has no key of a type that is on file.
func (h *hostKeys) none(err *ssh.AlgorithmNegotiationError) error {
	lines := h.files.lines(h.name())
	if len(lines) == 0 {
		return h.refuse(fmt.Errorf("no host key that both sides know: it has %s", harmless(strings.Join(err.RequestedAlgorithms, " "))), "update the host's SSH server")
	}
	at := place{lines[0].Filename, lines[0].Line}
	return h.refuse(fmt.Errorf("%w: it has no %s key any more, which %v holds. Someone may be in between. Nothing was sent",
		ErrHostKeyChanged, keyName(lines[0].Key), at), "remove that line only if the change was announced")
}

// plain is the key that a certificate is for.
func plain(key ssh.PublicKey) ssh.PublicKey {
	if cert, ok := key.(*ssh.Certificate); ok {
		return cert.Key
	}
	return key
}

func fingerprintOf(key ssh.PublicKey) string { return ssh.FingerprintSHA256(plain(key)) }

// keyName is a key type as ssh-keygen prints it.
func keyName(key ssh.PublicKey) string {
	t := plain(key).Type()
	switch {
	case t == ssh.KeyAlgoRSA:
		return "RSA"
	case t == ssh.KeyAlgoED25519:
		return "ED25519"
	case strings.HasPrefix(t, "ecdsa-"):
		return "ECDSA"
	case t == ssh.KeyAlgoSKED25519:
		return "ED25519-SK"
	case t == ssh.KeyAlgoSKECDSA256:
		return "ECDSA-SK"
	}
	return strings.ToUpper(strings.TrimPrefix(t, "ssh-"))
}

// trimSSH takes the library's prefix off a message.
func trimSSH(err error) string {
	s := err.Error()
	for _, p := range []string{"ssh: ", "knownhosts: "} {
		s = strings.ReplaceAll(s, p, "")
	}
	return s
}
