package main

import (
	"bytes"
	"testing"
)

// TestRunShowsATerminalNothingThatActs: what `run` writes to a terminal holds
// the host's text and colours, and nothing that acts on the terminal.
func TestRunShowsATerminalNothingThatActs(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"text and lines", "a\tb\r\nc\n", "a\tb\r\nc\n"},
		{"colours", "\x1b[1;31mred\x1b[0m", "\x1b[1;31mred\x1b[0m"},
		{"title", "\x1b]0;pwned\x07x", "x"},
		{"clipboard", "\x1b]52;c;ZWNobw==\x1b\\x", "x"},
		{"cursor", "safe\x1b[2K\x1b[1Gevil", "safeevil"},
		{"query", "\x1b[c\x1b[6n\x1bP$qm\x1b\\x", "x"},
		{"backspace", "rm\b\bls", "rmls"},
		{"screen", "\x1b[?1049hx\x1bc", "x"},
		{"bidi", "a\u202eb", "a‹U+202E›b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for cut := range len(c.in) + 1 {
				var out bytes.Buffer
				w := &calm{to: &out}
				w.Write([]byte(c.in[:cut]))
				w.Write([]byte(c.in[cut:]))
				if got := out.String(); got != c.want {
					t.Fatalf("cut at %d: %q, want %q", cut, got, c.want)
				}
			}
		})
	}
}
