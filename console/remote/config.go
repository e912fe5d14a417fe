package remote

import (
	"context"
	"time"
)

// Config says where to and how. Only Dest is required.
type Config struct {
	Dest     string  // [user@]host[:port], [addr]:port
	Options  Options // as on ssh's command line
	Prompter Prompter

	// Learn is given every masked secret before it is first used, so that the
	// redactor knows it. Nil: not told.
	Learn func(secret []byte)
	// OnStep is told each step as it begins, with the host it is about.
	OnStep func(step, host string)
	// OnBanner is given the host's pre-authentication text, made harmless.
	OnBanner func(host, text string)
	// Refused is told what a server wanted to open or ask for and did not get;
	// of each of the two a few times at most.
	Refused func(kind string)

	// RefuseUnknown refuses unknown host keys without asking (policy's
	// unknown_key = "refuse").
	RefuseUnknown bool
	// Resume is the fingerprint of the host key that the connection being
	// resumed had: another key is refused, the same one needs no question.
	Resume string

	// Timeout bounds each step that waits for the network. Zero: the ssh
	// configuration's ConnectTimeout, else 15 s.
	Timeout time.Duration
	// KeepAlive overrides the ssh configuration's ServerAlive options.
	KeepAlive KeepAlive
}

// KeepAlive says how a dead peer is noticed: after Interval of silence it is
// asked, and after Count unanswered questions it is dead. Zero values: 15 s
// and 3. OpenSSH's own default, never to ask, is not available.
type KeepAlive struct {
	Interval time.Duration
	Count    int
}

// Options are ssh's command line flags.
type Options struct {
	Port       int      // -p
	User       string   // -l
	Identities []string // -i
	Jump       string   // -J
	ConfigFile string   // -F; "none" reads no configuration
	Set        []string // -o, "Name=value"; a named subset
}

// Prompter asks the operator. Both methods are called one at a time for a
// connection; ErrLeft, or any other error, ends the attempt.
type Prompter interface {
	// HostKey asks whether an unknown key is to be trusted.
	HostKey(ctx context.Context, q HostKeyQuestion) (HostKeyAnswer, error)
	// Secret asks for a line. With echo false it is masked while typed, kept
	// out of every record, and given to Config.Learn. The prompt is harmless
	// text. The slice is overwritten after use.
	Secret(ctx context.Context, prompt string, echo bool) ([]byte, error)
}

// HostKeyAnswer is what a person said about an unknown key.
type HostKeyAnswer uint8

// The answers; the zero value leaves.
const (
	Leave    HostKeyAnswer = iota
	Once                   // for this connection and its reconnects
	Remember               // and written to the known-hosts file
)

// HostKeyQuestion is an unknown host key.
type HostKeyQuestion struct {
	Host        string // as asked for, with the port when it is not 22
	Address     string // where it answered
	Type        string // ED25519, ECDSA, RSA
	Fingerprint string // SHA256:…
	File        string // where Remember writes; empty: it cannot be remembered
}

// Text is the question in one sentence.
func (q HostKeyQuestion) Text() string {
	where := q.Host
	if q.Address != "" && q.Address != q.Host {
		where += " (" + q.Address + ")"
	}
	return where + " is not in known_hosts. It shows " + q.Type + " " + q.Fingerprint +
		" Compare it with what your admin gave you."
}
