package remote

import (
	"strings"

	"sallyport/console/safetext"
)

// maxShown bounds what a message quotes of a host's words.
const maxShown = 200

// harmless makes a host's words fit for a message: one line, everything
// invisible made visible, cut at maxShown characters.
func harmless(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if r := []rune(s); len(r) > maxShown {
		s = string(r[:maxShown]) + "…"
	}
	return safetext.Line(s)
}

// harmlessBlock is harmless for a text of several lines.
func harmlessBlock(s string) string {
	if len(s) > maxBanner {
		s = s[:maxBanner]
	}
	return safetext.Block(strings.ToValidUTF8(s, "\uFFFD"))
}
