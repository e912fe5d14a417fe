package screen

// Legible returns the style without what hides text: conceal, and a foreground that is the background or hardly differs from it. What a
// host printed is to be seen, whatever it says about its looks. light says that the terminal's own background is light: its own colours
// are taken for black and white. How it draws the palette is not known here.
func (st Style) Legible(light bool) Style {
	st.Attr &^= Conceal
	own, text := Indexed(16), Indexed(231)
	if light {
		own, text = text, own
	}
	switch {
	case st.FG == 0 && st.BG == 0:
	case st.BG == 0:
		if tooClose(st.FG, own) {
			st.FG = 0
		}
	case st.FG == 0:
		if tooClose(st.BG, text) {
			st.FG = own
		}
	case st.FG == st.BG || tooClose(st.FG, st.BG):
		st.FG = contrast(st.BG)
	}
	return st
}

// minDistance is the least sum of the differences of red, green and blue that an eye can be expected to see.
const minDistance = 48

func tooClose(a, b Color) bool {
	ar, ag, ab := a.components()
	br, bg, bb := b.components()
	return abs(ar-br)+abs(ag-bg)+abs(ab-bb) < minDistance
}

func abs(n int) int { return max(n, -n) }

// contrast returns black or white, whichever stands out from a background.
func contrast(bg Color) Color {
	r, g, b := bg.components()
	if 299*r+587*g+114*b > 128*1000 {
		return Indexed(16)
	}
	return Indexed(231)
}

// basic are the first 16 colours as xterm draws them.
var basic = [16][3]int{
	{0, 0, 0},
	{205, 0, 0},
	{0, 205, 0},
	{205, 205, 0},
	{0, 0, 238},
	{205, 0, 205},
	{0, 205, 205},
	{229, 229, 229},
	{127, 127, 127},
	{255, 0, 0},
	{0, 255, 0},
	{255, 255, 0},
	{92, 92, 255},
	{255, 0, 255},
	{0, 255, 255},
	{255, 255, 255},
}

// components returns red, green and blue of a colour that is not the default.
func (c Color) components() (r, g, b int) {
	if r, g, b, ok := c.RGB(); ok {
		return int(r), int(g), int(b)
	}
	i, _ := c.Index()
	switch n := int(i); {
	case n < 16:
		return basic[n][0], basic[n][1], basic[n][2]
	case n < 232:
		return cube((n - 16) / 36), cube((n - 16) / 6 % 6), cube((n - 16) % 6)
	default:
		grey := 8 + 10*(n-232)
		return grey, grey, grey
	}
}

// cube returns the intensity of a step of the 6x6x6 cube.
func cube(step int) int {
	if step == 0 {
		return 0
	}
	return 55 + 40*step
}
