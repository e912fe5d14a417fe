package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// maxKeys bounds how many keys are shown to a host: it counts each as an
// attempt and hangs up.
const maxKeys = 20

// authenticator chooses the next way to prove who the operator is, each time
// the host says what it would take.
type authenticator struct {
	ctx    context.Context // of the dial: the SSH library's callbacks take none
	s      *settings
	prompt *prompts
	clock  *stepClock
	ring   *keyRing
	conn   *watchedConn // set when there is one

	keys      []identity // still to try
	loaded    bool
	keysShown int
	passwords int // password prompts so far
	questions int // keyboard-interactive rounds so far
	silent    int // rounds without a question

	current string   // what the running attempt is called
	tried   []string // attempts that failed or were not enough, as people read them
	won     []string // attempts that the host took
	partial int      // partial successes seen
	left    error    // the operator left: nothing more is tried
}

// next is the ssh.ClientAuthCallback.
func (a *authenticator) next(c *ssh.ClientAuthContext) (ssh.AuthMethod, error) {
	a.clock.begin()
	a.settle(len(c.PartialSuccessMethods))
	switch {
	case a.left != nil:
		return nil, a.left
	case a.ctx.Err() != nil:
		return nil, context.Cause(a.ctx)
	}
	if a.conn.failed() != nil {
		return nil, a.refuse(errors.New("the host closed the connection"), "it may allow no more attempts (MaxAuthTries), or no login at all: its log says which")
	}
	for _, m := range a.order() {
		if !slices.Contains(c.AllowedMethods, m) {
			continue
		}
		if method := a.method(m); method != nil {
			return method, nil
		}
	}
	return nil, a.exhausted(c.AllowedMethods)
}

// settle books the attempt that has just ended.
func (a *authenticator) settle(partial int) {
	if a.current == "" {
		return
	}
	if partial > a.partial {
		a.partial = partial
		a.won = append(a.won, a.current)
		a.passwords, a.questions = 0, 0
	} else if !slices.Contains(a.tried, a.current) {
		a.tried = append(a.tried, a.current)
	}
	a.current = ""
}

// order is PreferredAuthentications, else ssh's own order of what we speak.
func (a *authenticator) order() []string {
	if len(a.s.preferred) > 0 {
		return a.s.preferred
	}
	return []string{"publickey", "keyboard-interactive", "password"}
}

// method gives an attempt of kind name, or nil when there is none left.
func (a *authenticator) method(name string) ssh.AuthMethod {
	switch name {
	case "publickey":
		return a.publickey()
	case "keyboard-interactive":
		return a.interactive()
	case "password":
		return a.password()
	}
	return nil
}

func (a *authenticator) publickey() ssh.AuthMethod {
	if !a.s.publickey {
		return nil
	}
	if !a.loaded {
		a.keys, a.loaded = a.ring.identities(a.ctx), true
	}
	if len(a.keys) == 0 || a.keysShown >= maxKeys {
		return nil
	}
	id := a.keys[0]
	a.keys = a.keys[1:]
	a.keysShown++
	a.current = "publickey " + fingerprintOf(id.signer.PublicKey())
	return ssh.PublicKeys(a.watched(id.signer))
}

// watched notices when the operator leaves a passphrase question.
func (a *authenticator) watched(s ssh.Signer) ssh.Signer { return &leaving{s, a} }

func (a *authenticator) password() ssh.AuthMethod {
	if !a.s.password || !a.canAsk() || a.passwords >= a.s.passwordPrompts {
		return nil
	}
	a.passwords++
	a.current = "password"
	prompt := fmt.Sprintf("%s@%s's password: ", a.s.user, a.s.label())
	if a.passwords > 1 {
		prompt = "That was not accepted. " + prompt
	}
	return ssh.PasswordCallback(func() (string, error) {
		b, err := a.ask(prompt, false)
		defer wipe(b)
		return string(b), err
	})
}

// maxSilent bounds rounds in which the host asks nothing.
const maxSilent = 3

func (a *authenticator) interactive() ssh.AuthMethod {
	if !a.s.kbdInteractive || !a.canAsk() || a.questions >= a.s.passwordPrompts {
		return nil
	}
	a.questions++
	a.current = "keyboard-interactive"
	return ssh.KeyboardInteractive(a.challenge)
}

// maxQuestions bounds what a host asks in one round.
const maxQuestions = 16

// challenge puts a host's questions, each under the name of the host: what it
// says is a claim.
func (a *authenticator) challenge(name, instruction string, questions []string, echos []bool) ([]string, error) {
	a.clock.begin()
	if a.silent++; len(questions) > 0 {
		a.silent = 0
	}
	if a.silent > maxSilent || len(questions) > maxQuestions {
		return nil, errors.New("the host asks without end")
	}
	answers := make([]string, len(questions))
	for i, q := range questions {
		b, err := a.ask(a.promptFor(name, instruction, q), echos[i])
		if err != nil {
			return nil, err
		}
		answers[i] = string(b)
		wipe(b)
	}
	return answers, nil
}

func (a *authenticator) promptFor(name, instruction, question string) string {
	parts := []string{"(" + a.s.user + "@" + a.s.label() + ")"}
	for _, p := range []string{name, instruction, question} {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, harmless(p))
		}
	}
	return strings.Join(parts, " ") + " "
}

func (a *authenticator) canAsk() bool { return a.prompt.there() && !a.s.batch }

// ask puts one question. Whatever error it ends with ends the attempt to
// connect: a person who leaves is not asked by the next method.
func (a *authenticator) ask(prompt string, echo bool) ([]byte, error) {
	b, err := a.prompt.secret(a.ctx, prompt, echo)
	if err != nil {
		a.left = a.refuse(err, "start again when you are ready")
	}
	return b, err
}

// succeeded says how the host accepted the operator.
func (a *authenticator) succeeded() string {
	won := a.won
	if a.current != "" {
		won = append(won, a.current)
	}
	if len(won) == 0 {
		return "none"
	}
	return strings.Join(won, ", ")
}

func (a *authenticator) refuse(err error, hint string) error {
	return fail(StepAuth, a.s.label(), ClassAuth, err, hint)
}

// exhausted says what was tried, what the host would take, and what to do.
func (a *authenticator) exhausted(allowed []string) error {
	tried := "nothing was tried"
	if len(a.tried) > 0 {
		tried = "tried " + strings.Join(a.tried, ", ")
	}
	if len(a.won) > 0 {
		tried += " after " + strings.Join(a.won, ", ")
	}
	takes := harmless(strings.Join(allowed, ", "))
	if takes == "" {
		takes = "nothing more"
	}
	return a.refuse(fmt.Errorf("%s is not accepted: %s; the host takes %s", a.s.user, tried, takes), a.hint(allowed))
}

func (a *authenticator) hint(allowed []string) string {
	var hints []string
	if slices.Contains(allowed, "publickey") && a.s.publickey && a.keysShown == 0 {
		hints = append(hints, "ssh-add a key, or -i FILE")
	}
	if !a.canAsk() && (slices.Contains(allowed, "password") || slices.Contains(allowed, "keyboard-interactive")) {
		hints = append(hints, "run it where a person can be asked for the password")
	}
	hints = append(hints, a.ring.notes...)
	if len(hints) == 0 {
		hints = append(hints, "check the account's name, and that the host lists your key")
	}
	return strings.Join(hints, "; ")
}
