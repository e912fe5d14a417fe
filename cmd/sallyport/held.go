package main

import (
	"io"
	"slices"
	"sync"
)

// heldBack keeps messages off the terminal while the screen is drawn on it, and
// prints them afterwards: each once, the last hundred.
type heldBack struct {
	to io.Writer

	mu      sync.Mutex
	holding bool
	held    []string
}

const maxHeldBack = 100

// Write takes one message.
func (h *heldBack) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.holding {
		return h.to.Write(p)
	}
	if msg := string(p); !slices.Contains(h.held, msg) {
		h.held = append(h.held, msg)
	}
	if len(h.held) > maxHeldBack {
		h.held = h.held[1:]
	}
	return len(p), nil
}

// hold begins to keep messages back, until the function it gives is called.
func (h *heldBack) hold() (release func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holding = true
	return h.release
}

func (h *heldBack) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holding = false
	for _, msg := range h.held {
		io.WriteString(h.to, msg)
	}
	h.held = nil
}
