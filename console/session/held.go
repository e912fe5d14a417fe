package session

import (
	"unicode/utf8"

	"sallyport/console/keys"
)

// held is one key or paste that waits.
type held struct {
	key   keys.Event
	paste string
}

// maxHeld bounds what waits.
const maxHeld = 4096

func (l *loop) hold(h held) {
	if len(l.held) < maxHeld {
		l.held = append(l.held, h)
	}
}

func (l *loop) dropHeld() { l.held = nil }

// dropWithRefused drops what was typed or pasted behind a line that did not
// leave: it was meant for after it. How much that was is shown.
func (l *loop) dropWithRefused() {
	l.dropped = 0
	for _, h := range l.held {
		l.dropped += max(utf8.RuneCountInString(h.paste), 1)
	}
	l.dropHeld()
}

// drain types what was held, until something else happens.
func (l *loop) drain() {
	for len(l.held) > 0 && (l.state == Prompt || l.state == Continuation) {
		h := l.held[0]
		l.held = l.held[1:]
		if h.paste != "" {
			l.paste(h.paste)
		} else {
			l.promptKey(h.key)
		}
	}
}
