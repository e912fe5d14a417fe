package console

import (
	"context"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/console/remote"
	"sallyport/policy"
	"sallyport/redact"
)

// What the operator's ssh configuration asks for beside a shell. Variables go
// where the policy's [channels] lists them; nothing is forwarded. Both are
// recorded, either way.

// environment submits each variable, and gives what was cleared.
func (c *Console) environment(ctx context.Context, slot *gate.Slot, wants []remote.Want) []gate.Cleared {
	var out []gate.Cleared
	for _, w := range wants {
		if w.Kind != "env" {
			continue
		}
		got, err := c.gate.Submit(ctx, slot, gate.Request{
			Kind: gate.Channel, Origin: policy.Human, Operation: w.Kind, Text: w.Detail, Dialect: policy.Text,
			Evidence: gate.EvidenceNone, Wire: asItIs{},
		})
		if err == nil {
			out = append(out, got)
		}
	}
	return out
}

// notForwarded records what was asked for and is not done.
func (c *Console) notForwarded(scope *audit.Scope, wants []remote.Want) {
	for _, w := range wants {
		if w.Kind != "env" {
			c.append(scope, audit.ChannelOpen[redact.Text]{
				Channel: c.text(w.Kind), Detail: c.text(w.Detail), Effect: audit.Effect(policy.Deny.String()),
			})
		}
	}
}

// asItIs is the wire of a text that leaves as it was judged.
type asItIs struct{}

// Step is the text.
func (asItIs) Step(n int, text string) []byte {
	if n != 0 {
		return nil
	}
	return []byte(text)
}
