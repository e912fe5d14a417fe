package remote

import (
	"errors"
	"io"

	"golang.org/x/crypto/ssh"
)

// leaving is a signer that tells the authenticator when the operator left the
// question for its passphrase. A key that only could not be opened is passed
// over, and the next way is tried. While it signs the step's clock stands
// still: an agent may wait for a person's touch.
type leaving struct {
	ssh.Signer
	a *authenticator
}

func (l *leaving) Sign(rand io.Reader, data []byte) (*ssh.Signature, error) {
	return l.SignWithAlgorithm(rand, data, "")
}

func (l *leaving) SignWithAlgorithm(rand io.Reader, data []byte, algorithm string) (*ssh.Signature, error) {
	defer l.a.clock.pause()()
	sig, err := signWith(l.Signer, rand, data, algorithm)
	if errors.Is(err, ErrLeft) {
		l.a.left = l.a.refuse(err, "start again when you are ready")
	}
	return sig, err
}

func signWith(s ssh.Signer, rand io.Reader, data []byte, algorithm string) (*ssh.Signature, error) {
	if as, ok := s.(ssh.AlgorithmSigner); ok {
		return as.SignWithAlgorithm(rand, data, algorithm)
	}
	return s.Sign(rand, data)
}
