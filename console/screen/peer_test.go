package screen_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/creack/pty"

	"sallyport/console/screen"
)

// BenchmarkProgramOutput has a program print through a pty, once into a Screen and once into tmux: the same bytes, the same kernel between.
// ns/op of the two sides divide to the ratio.
func BenchmarkProgramOutput(b *testing.B) {
	for _, st := range streams {
		file := filepath.Join(b.TempDir(), st.name)
		p := st.make(4 << 20)
		if err := os.WriteFile(file, p, 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(st.name+"/screen", func(b *testing.B) {
			b.SetBytes(int64(len(p)))
			for b.Loop() {
				catIntoScreen(b, file)
			}
		})
		b.Run(st.name+"/tmux", func(b *testing.B) {
			socket := startTmux(b)
			b.SetBytes(int64(len(p)))
			for b.Loop() {
				catIntoTmux(b, socket, file)
			}
		})
	}
}

func catIntoScreen(b *testing.B, file string) {
	cmd := exec.Command("cat", file)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	s := screen.New(120, 40, screen.Options{})
	io.CopyBuffer(struct{ io.Writer }{s}, struct{ io.Reader }{f}, make([]byte, 32<<10))
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
}

func startTmux(b *testing.B) (socket string) {
	if _, err := exec.LookPath("tmux"); err != nil {
		b.Skip("needs: tmux")
	}
	socket = filepath.Join(b.TempDir(), "tmux")
	if out, err := exec.Command("tmux", "-u", "-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", "sh").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	b.Cleanup(func() { exec.Command("tmux", "-S", socket, "kill-server").Run() })
	return socket
}

func catIntoTmux(b *testing.B, socket, file string) {
	tmux := "tmux -S " + socket
	line := "cat " + file + "; " + tmux + " wait-for -S done"
	if err := exec.Command("tmux", "-S", socket, "send-keys", line, "Enter").Run(); err != nil {
		b.Fatal(err)
	}
	if err := exec.Command("tmux", "-S", socket, "wait-for", "done").Run(); err != nil {
		b.Fatal(err)
	}
}
