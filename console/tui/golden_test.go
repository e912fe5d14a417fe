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

// variants are the ways in which a terminal, or the operator, differs from a
// dark one with all colours and Unicode.
var variants = []struct {
	name string
	o    Options
}{
	{"light", Options{Theme: ThemeLight}},
	{"16-colours-dark", Options{Theme: ThemeDark, Profile: colorprofile.ANSI}},
	{"16-colours-light", Options{Theme: ThemeLight, Profile: colorprofile.ANSI}},
	{"no-colour", Options{Profile: colorprofile.ASCII}},
	{"ascii", Options{ASCII: true}},
}

// telling are the scenes in which something is said by more than words.
var telling = []string{
	"work", "suggestions", "suggestion-marks", "draft", "draft-denied", "typed-hidden", "confirm-early", "denied-line", "offline",
	"log-refuses", "tainted", "copy-mode", "search", "mouse-selection", "copy-block", "help", "palette", "tabs",
}

// Each file under testdata/variants holds those scenes at 80x24 in one of the
// variants.
func TestVariants(t *testing.T) {
	for _, v := range variants {
		var b strings.Builder
		for _, name := range telling {
			c := sceneOf(t, name).draw(t, [2]int{80, 24}, v.o)
			fmt.Fprintf(&b, "== %s\n%s-- styles\n%s", name, text(c), looks(c))
		}
		golden(t, filepath.Join("testdata", "variants", v.name+".txt"), b.String())
	}
}

// Wide and tiny windows: what they show, in one file a size.
func TestSizes(t *testing.T) {
	for _, size := range [][2]int{{250, 60}, {160, 50}, {119, 30}, {99, 24}, {60, 40}, {59, 24}, {80, 14}, {40, 10}, {20, 5}} {
		var b strings.Builder
		for _, name := range []string{"work", "suggestions", "draft", "typed", "help", "empty"} {
			fmt.Fprintf(&b, "== %s\n%s", name, text(sceneOf(t, name).draw(t, size, Options{})))
		}
		golden(t, filepath.Join("testdata", "sizes", fmt.Sprintf("%dx%d.txt", size[0], size[1])), b.String())
	}
}

func sceneOf(t *testing.T, name string) scene {
	t.Helper()
	for _, s := range scenes {
		if s.name == name {
			return s
		}
	}
	t.Fatalf("there is no scene %s", name)
	return scene{}
}
