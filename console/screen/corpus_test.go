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

// corpus returns the folder of suites that other terminals' authors wrote; the test is skipped without it.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SALLYPORT_TERMINAL_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus", "terminal")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no corpus: set SALLYPORT_TERMINAL_CORPUS to a folder with xtermjs/*.in or alacritty/*.in")
	}
	return dir
}

// TestCorpus runs recordings of other terminals' suites: xterm.js' fixtures were made on a tty (\n comes as \r\n) of 80x25, alacritty's
// have a size of their own.
func TestCorpus(t *testing.T) {
	inputs, err := filepath.Glob(filepath.Join(corpus(t), "*", "*.in"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, in := range inputs {
		base := strings.TrimSuffix(in, ".in")
		suite := filepath.Base(filepath.Dir(in))
		t.Run(suite+"/"+filepath.Base(base), func(t *testing.T) {
			input, want := read(t, in), read(t, base+".text")
			cols, rows := 80, 25
			if suite == "xtermjs" {
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
