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
		if got := tc.in.Legible(false); got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}

// The terminal's own colours hide as well as any: what is drawn on them must differ.
func TestLegibleOnTheTerminalsOwn(t *testing.T) {
	black, white := screen.Indexed(16), screen.Indexed(231)
	for _, tc := range []struct {
		name     string
		light    bool
		in, want screen.Style
	}{
		{"black on dark", false, screen.Style{FG: screen.Indexed(0)}, screen.Style{}},
		{"nearly black on dark", false, screen.Style{FG: screen.RGB(12, 12, 12)}, screen.Style{}},
		{"black on dark, reversed", false, screen.Style{FG: black, Attr: screen.Reverse}, screen.Style{Attr: screen.Reverse}},
		{"the text's own colour on white, on dark", false, screen.Style{BG: screen.RGB(250, 250, 250)}, screen.Style{FG: black, BG: screen.RGB(250, 250, 250)}},
		{"white on light", true, screen.Style{FG: screen.Indexed(15)}, screen.Style{}},
		{"the text's own colour on black, on light", true, screen.Style{BG: screen.Indexed(0)}, screen.Style{FG: white, BG: screen.Indexed(0)}},
		{"grey on dark", false, screen.Style{FG: screen.Indexed(8)}, screen.Style{FG: screen.Indexed(8)}},
		{"black on light", true, screen.Style{FG: black}, screen.Style{FG: black}},
		{"blue on dark", false, screen.Style{FG: screen.Indexed(4)}, screen.Style{FG: screen.Indexed(4)}},
	} {
		if got := tc.in.Legible(tc.light); got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}
