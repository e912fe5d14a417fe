package copilot

import "sallyport/redact"

// gather collects output until it is sent, in bounded memory: of much output the head
// and the tail are kept.
type gather struct {
	parts []redact.Text
	size  int
}

// A gather is folded when it holds more than this.
const (
	gatherBytes = 4 * MaxOutput
	gatherParts = 1024
)

func (g *gather) add(t redact.Text) {
	if t.Empty() {
		return
	}
	g.parts = append(g.parts, t)
	g.size += t.Len()
	if g.size > gatherBytes || len(g.parts) > gatherParts {
		g.fold()
	}
}

func (g *gather) fold() {
	all := redact.Join(g.parts...)
	if g.size > gatherBytes {
		all = bounded(all)
	}
	g.parts, g.size = []redact.Text{all}, all.Len()
}

func (g *gather) empty() bool { return g.size == 0 }

// text gives what was gathered, within MaxOutput.
func (g *gather) text() redact.Text { return bounded(redact.Join(g.parts...)) }

func (g *gather) reset() { *g = gather{} }
