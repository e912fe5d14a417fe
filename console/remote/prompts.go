package remote

import (
	"context"
	"errors"
	"fmt"
)

// errNobody: there is no one who could be asked.
var errNobody = errors.New("nobody can be asked")

// prompts puts questions to the operator while the step's clock stands still,
// and teaches the redactor what was typed into a masked field.
type prompts struct {
	to    Prompter
	learn func([]byte)
	clock *stepClock
}

func (p *prompts) there() bool { return p.to != nil }

func (p *prompts) hostKey(ctx context.Context, q HostKeyQuestion) (HostKeyAnswer, error) {
	if p.to == nil {
		return Leave, fmt.Errorf("%s %s: %w", q.Type, q.Fingerprint, errNobody)
	}
	defer p.clock.pause()()
	return p.to.HostKey(ctx, q)
}

// secret asks for a line; a masked one is learned before it is returned.
func (p *prompts) secret(ctx context.Context, prompt string, echo bool) ([]byte, error) {
	if p.to == nil {
		return nil, errNobody
	}
	defer p.clock.pause()()
	b, err := p.to.Secret(ctx, prompt, echo)
	if err != nil {
		return nil, err
	}
	if !echo && len(b) > 0 && p.learn != nil {
		p.learn(append([]byte(nil), b...))
	}
	return b, nil
}

func wipe(b []byte) {
	for i := range b {
		b[i] = 0
	}
}
