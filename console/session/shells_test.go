package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// olderBash is a bash that says it is of a version without the hooks.
const olderBash = "bash 4.4"

var shellNames = map[rune]string{'b': "bash", 'z': "zsh", 'f': "fish", 'd': "dash", 'a': "ash", 'k': "mksh", 'o': olderBash}

// composed tells the shells whose lines the console composes.
func composed(shell string) bool { return shell != "bash" && shell != "zsh" && shell != "fish" }

// program gives the path of a shell. That of busybox is known by its name.
func program(t *testing.T, shell string) string {
	t.Helper()
	switch shell {
	case olderBash:
		return need(t, "bash")
	case "ash":
		ash := filepath.Join(t.TempDir(), "ash")
		if err := os.Symlink(need(t, "busybox"), ash); err != nil {
			t.Fatal(err)
		}
		return ash
	}
	return need(t, shell)
}

// peerOf is a recording peer with a shell.
func peerOf(t *testing.T, shell string) *peer {
	t.Helper()
	p := newPeer(t, program(t, shell))
	if shell == olderBash {
		p.other = strings.NewReplacer("BASH_VERSINFO[0]*100+BASH_VERSINFO[1]<501", "1<501", "I;bash;$BASH_VERSION", "I;bash;4.4.20(1)-release")
	}
	return p
}
