package copilot

import "sallyport/redact"

// gather collects output until it is sent, in bounded memory: of much output the head
// and the tail are kept.
type gather struct{ ends redact.Ends }

func (g *gather) add(t redact.Text) {
	g.ends.Max = MaxOutput
	g.ends.Add(t)
}

func (g *gather) empty() bool { return g.ends.Empty() }

// text gives what was gathered, within MaxOutput.
func (g *gather) text() redact.Text { return g.ends.Text(snip) }

func (g *gather) reset() { *g = gather{} }
