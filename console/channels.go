package console

import (
	"context"

	"sallyport/console/gate"
	"sallyport/console/remote"
)

// What the operator's ssh configuration asks for beside a shell. Variables go
// where the policy's [channels] lists them, and are recorded either way.

// environment submits each variable, and gives what was cleared.
func (c *Console) environment(ctx context.Context, slot *gate.Slot, wants []remote.Want) []gate.Cleared {
	var out []gate.Cleared
	for _, w := range wants {
		if w.Kind != "env" {
			continue
		}
		got, err := c.gate.Submit(ctx, slot, channelRequest(w.Kind, w.Detail, asItIs{}))
		if err == nil {
			out = append(out, got)
		}
	}
	return out
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
