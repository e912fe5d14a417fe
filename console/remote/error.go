package remote

import (
	"errors"
	"fmt"
)

// Class says what kind of failure an Error is.
type Class string

// The classes. A caller's exit code goes by them.
const (
	ClassConfig  Class = "config"  // the destination, an option or an ssh configuration
	ClassConnect Class = "connect" // resolving, connecting, speaking SSH, a lost connection
	ClassHostKey Class = "hostkey" // the host is not proved to be the one on file
	ClassAuth    Class = "auth"    // the host does not accept the operator
)

// The steps of a connection, in order, as Error.Step and Config.OnStep name
// them.
const (
	StepConfig   = "configuration"
	StepResolve  = "resolve"
	StepConnect  = "connect"
	StepBanner   = "identification"
	StepExchange = "key exchange"
	StepHostKey  = "host key"
	StepAuth     = "authentication"
	StepChannel  = "channel"
	StepSession  = "session"
)

// What a connection can end with.
var (
	// ErrDead: the peer answered no keep-alive.
	ErrDead = errors.New("no answer")
	// ErrLeft: the operator left a question with no.
	ErrLeft = errors.New("left by the operator")
	// ErrClosed: Close was called.
	ErrClosed = errors.New("connection closed")
	// ErrHostKeyChanged: the host shows another key than the one on file.
	ErrHostKeyChanged = errors.New("host key changed")
	// ErrHostKeyRevoked: the host's key is marked @revoked.
	ErrHostKeyRevoked = errors.New("host key revoked")
	// ErrHostKeyUnknown: the host's key is not on file, and nobody accepted it.
	ErrHostKeyUnknown = errors.New("host key unknown")
)

// Error is why a connection failed: at which step, at which host (a jump host
// perhaps), and what to try next.
type Error struct {
	Step  string
	Host  string
	Class Class
	Err   error
	Hint  string
}

func (e *Error) Error() string {
	if e.Host == "" {
		return e.Err.Error()
	}
	return fmt.Sprintf("%s: %s: %v", e.Host, e.Step, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// fail makes the Error of one step, unless err is one already.
func fail(step, host string, class Class, err error, hint string) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return &Error{Step: step, Host: host, Class: class, Err: err, Hint: hint}
}
