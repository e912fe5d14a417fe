package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/google/go-cmp/cmp"

	"sallyport/console/tty"
)

var update = flag.Bool("update", false, "write the golden screens anew")

var sizes = [][2]int{{120, 36}, {100, 30}, {80, 24}, {60, 15}}

// Each file under testdata/screens holds one state at every size: its text and
// styles, and the same without colour and Unicode.
func TestScreens(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			var b strings.Builder
			for _, size := range sizes {
				c := s.draw(t, size, Options{})
				plain := s.draw(t, size, Options{ASCII: true, Profile: colorprofile.ASCII})
				fmt.Fprintf(&b, "== %dx%d\n%s-- styles\n%s-- ascii, no colour\n%s", size[0], size[1], text(c), looks(c), text(plain))
			}
			golden(t, filepath.Join("testdata", "screens", s.name+".txt"), b.String())
		})
	}
}

func (s scene) draw(t testing.TB, size [2]int, o Options) *tty.Canvas {
	w := newWorld(t, size[0], size[1], o)
	s.set(w)
	return w.settle()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), go test -update writes it:\n%s", file, diff)
	}
}
