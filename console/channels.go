package console

import (
	"context"
	"slices"
	"strings"

	"sallyport/audit"
	"sallyport/console/gate"
	"sallyport/policy"
)

// What the operator's ssh configuration asks for beside a shell. Variables go
// where the policy's [channels] lists them, and are recorded either way.

// environment submits each variable, and gives what was cleared. Those that the
// policy does not list stay here, and so do their values: one record names them.
func (c *Console) environment(ctx context.Context, slot *gate.Slot, a *attempt) []gate.Cleared {
	var out []gate.Cleared
	var kept []string
	for _, w := range a.conn.Wants() {
		if w.Kind != "env" {
			continue
		}
		name, _, _ := strings.Cut(w.Detail, "=")
		if c.Rules().Channel("env", name) != policy.Permit {
			kept = append(kept, name)
			continue
		}
		got, err := c.gate.Submit(ctx, slot, variable(w.Detail))
		if err == nil {
			out = append(out, got)
		}
	}
	if len(kept) > 0 {
		c.denied(a.scope, "env", strings.Join(slices.Sorted(slices.Values(kept)), " "), audit.OriginHuman)
	}
	return out
}

func variable(v string) gate.Request {
	return gate.Request{
		Kind: gate.Channel, Origin: policy.Human, Operation: "env", Text: v, Dialect: policy.Text,
		Evidence: gate.EvidenceNone, Wire: asItIs{},
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
