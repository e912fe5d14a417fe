package screen_test

import (
	"testing"

	"sallyport/console/screen"
)

func TestLegible(t *testing.T) {
	red, black, white := screen.Indexed(1), screen.Indexed(16), screen.Indexed(231)
	for _, tc := range []struct {
		name     string
		in, want screen.Style
	}{
		{"plain", screen.Style{FG: red}, screen.Style{FG: red}},
		{"concealed", screen.Style{FG: red, Attr: screen.Bold | screen.Conceal}, screen.Style{FG: red, Attr: screen.Bold}},
		{"red on red", screen.Style{FG: red, BG: red}, screen.Style{FG: white, BG: red}},
		{"white on white, named differently", screen.Style{FG: screen.Indexed(15), BG: screen.RGB(255, 255, 255)}, screen.Style{FG: black, BG: screen.RGB(255, 255, 255)}},
		{"almost the same", screen.Style{FG: screen.RGB(10, 10, 11), BG: screen.RGB(10, 12, 10)}, screen.Style{FG: white, BG: screen.RGB(10, 12, 10)}},
		{"grey on black", screen.Style{FG: screen.Indexed(240), BG: black}, screen.Style{FG: screen.Indexed(240), BG: black}},
		{"red on green", screen.Style{FG: red, BG: screen.Indexed(2)}, screen.Style{FG: red, BG: screen.Indexed(2)}},
	} {
		if got := tc.in.Legible(); got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}
