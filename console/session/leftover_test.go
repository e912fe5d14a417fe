package session_test

import (
	"strings"
	"testing"

	"sallyport/console/screen"
)

// TestAProgramThatDiedLeavesTheTerminalUsable: another screen, another character set, margins, a hidden cursor and
// the mouse end with the program, where the shell tells its end.
func TestAProgramThatDiedLeavesTheTerminalUsable(t *testing.T) {
	shells(t, integrated, func(t *testing.T, shell string) {
		r := start(t, setup{shell: shell})
		r.run("echo before")
		r.run(`printf '\033[?1049h\033[?1003h\033[?25l\033(0\033[2;3r\033[?7l\033[7mleft'`)
		r.run("echo plain")
		r.until("the prompt on the first screen", func() bool {
			var left []byte
			r.s.Screen(func(s *screen.Screen) { left = s.Leftovers() })
			text := r.text()
			return left == nil && strings.Contains(text, "before") && strings.Contains(text, "\nplain")
		})
	})
}
