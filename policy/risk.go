package policy

import "fmt"

// A Risk is how much harm a command can do.
type Risk uint8

// The risks, in rising order.
const (
	Low Risk = iota
	Medium
	High
)

// An Effect is what must happen before a command may leave.
type Effect uint8

// The effects, in rising order. Second, another person's consent, denies
// until it is built.
const (
	Permit Effect = iota
	Confirm
	Typed
	Second
	Deny
)

// An Origin says who a command comes from.
type Origin string

// The origins; each has an effects table.
const (
	Human   Origin = "human"
	Copilot Origin = "copilot"
	Agent   Origin = "agent"
	Paste   Origin = "paste"
	Input   Origin = "input"
	Run     Origin = "run"
	File    Origin = "file"
)

// Origins are all origins, in the order of the documentation.
var Origins = []Origin{Human, Copilot, Agent, Paste, Input, Run, File}

var (
	riskNames   = []string{"low", "medium", "high"}
	effectNames = []string{"permit", "confirm", "typed", "second", "deny"}
)

func (r Risk) String() string   { return nameOf(riskNames, int(r)) }
func (e Effect) String() string { return nameOf(effectNames, int(e)) }

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("invalid(%d)", i)
}

func indexOf(names []string, what, s string) (int, error) {
	for i, n := range names {
		if n == s {
			return i, nil
		}
	}
	return 0, fmt.Errorf("unknown %s %q: one of %q", what, s, names)
}

// MarshalText gives the risk's name.
func (r Risk) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the risk's name.
func (r *Risk) UnmarshalText(b []byte) error {
	i, err := indexOf(riskNames, "risk", string(b))
	*r = Risk(i)
	return err
}

// MarshalText gives the effect's name.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads the effect's name.
func (e *Effect) UnmarshalText(b []byte) error {
	i, err := indexOf(effectNames, "effect", string(b))
	*e = Effect(i)
	return err
}

// ParseRisk reads a risk's name.
func ParseRisk(s string) (r Risk, err error) { err = r.UnmarshalText([]byte(s)); return r, err }

// ParseOrigin reads an origin's name.
func ParseOrigin(s string) (Origin, error) {
	for _, o := range Origins {
		if string(o) == s {
			return o, nil
		}
	}
	return "", fmt.Errorf("unknown origin %q: one of %q", s, Origins)
}
