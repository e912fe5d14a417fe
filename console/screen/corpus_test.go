package screen_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sallyport/console/screen"
)

// corpora returns the folders of suites: our own, whose grids tmux 3.3a captured (those of DEC graphics by hand), and where it is the one
// of suites that other terminals' authors wrote.
func corpora() []string {
	dirs := []string{filepath.Join("testdata", "terminal")}
	if dir := os.Getenv("SALLYPORT_TERMINAL_CORPUS"); dir != "" {
		return append(dirs, dir)
	}
	return append(dirs, filepath.Join("..", "..", "..", "shared", "corpus", "terminal"))
}

// TestCorpus runs the suites: SUITE/CASE.in has what a program printed, CASE.text the grid, CASE.size its size if that is not 80x25. The
// inputs of xterm.js and our own went through a tty, which makes \r\n of \n.
func TestCorpus(t *testing.T) {
	var inputs []string
	for _, dir := range corpora() {
		found, err := filepath.Glob(filepath.Join(dir, "*", "*.in"))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 && dir == os.Getenv("SALLYPORT_TERMINAL_CORPUS") {
			t.Fatalf("no cases in %s", dir)
		}
		inputs = append(inputs, found...)
	}
	for _, in := range inputs {
		base := strings.TrimSuffix(in, ".in")
		suite := filepath.Base(filepath.Dir(in))
		t.Run(suite+"/"+filepath.Base(base), func(t *testing.T) {
			input, want := read(t, in), read(t, base+".text")
			cols, rows := 80, 25
			if suite == "xtermjs" || suite == "tmux" {
				input = bytes.ReplaceAll(input, []byte("\n"), []byte("\r\n"))
			}
			if size, err := os.ReadFile(base + ".size"); err == nil {
				if _, err := fmt.Sscan(string(size), &cols, &rows); err != nil {
					t.Fatal(err)
				}
			}
			s := screen.New(cols, rows, screen.Options{})
			s.Write(input)
			if d := cmp.Diff(trimBlank(string(want)), trimBlank(s.Text())); d != "" {
				t.Errorf("grid differs (-want +got):\n%s", d)
			}
		})
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// trimBlank cuts blanks at the ends of lines, and empty lines at the end.
func trimBlank(text string) []string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \x00")
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
