package tui

import (
	"image/color"
	"strings"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"sallyport/console/tty"
	"sallyport/policy"
)

// theme is every style that the screen uses. One accent, for what has the
// focus; the risks; quiet text. No meaning is carried by colour alone.
type theme struct {
	text, bold, dim, rule, accent, warn tty.Style
	low, medium, high                   tty.Style
	mark                                tty.Style // something invisible, made visible
	added, removed                      tty.Style // of an edit
	choice                              tty.Style // the selected line
	found, chosen                       func(tty.Style) tty.Style
	quiet                               func(tty.Style) tty.Style // a command that came from a suggestion
}

// palette is the colours of one background.
type palette struct {
	accent, dim, rule, low, medium, high, ground color.Color
}

func rgb(v uint32) color.Color {
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

var (
	darkColors = palette{
		accent: rgb(0x7fb4ff), dim: rgb(0x8b929c), rule: rgb(0x4b515a),
		low: rgb(0x86c08a), medium: rgb(0xe8b45a), high: rgb(0xff6f6a), ground: rgb(0x2a3140),
	}
	lightColors = palette{
		accent: rgb(0x1d5fc4), dim: rgb(0x626a73), rule: rgb(0xb4bac2),
		low: rgb(0x2d7a33), medium: rgb(0x8f5a00), high: rgb(0xc4262e), ground: rgb(0xe4ebf7),
	}
	// Of sixteen colours the bright black is the background itself in some
	// schemes: quiet text is faint there.
	dark16 = palette{
		accent: ansi.BrightCyan,
		low:    ansi.Green, medium: ansi.BrightYellow, high: ansi.BrightRed,
	}
	light16 = palette{
		accent: ansi.Blue,
		low:    ansi.Green, medium: ansi.Magenta, high: ansi.Red,
	}
)

// newTheme chooses by what the terminal can show.
func newTheme(p colorprofile.Profile, light bool) theme {
	switch {
	case p <= colorprofile.ASCII:
		return plainTheme()
	case p == colorprofile.ANSI && light:
		return colored(light16)
	case p == colorprofile.ANSI:
		return colored(dark16)
	case light:
		return colored(lightColors)
	}
	return colored(darkColors)
}

func colored(c palette) theme {
	t := common()
	t.dim, t.rule = tty.Style{Fg: c.dim}, tty.Style{Fg: c.rule}
	t.quiet = func(s tty.Style) tty.Style { s.Fg = c.dim; return s }
	if c.dim == nil {
		t.dim = tty.Style{Attrs: uv.AttrFaint}
		t.rule = t.dim
		t.quiet = func(s tty.Style) tty.Style { s.Fg, s.Attrs = nil, s.Attrs|uv.AttrFaint; return s }
	}
	t.accent = tty.Style{Fg: c.accent, Attrs: uv.AttrBold}
	t.warn = tty.Style{Fg: c.medium, Attrs: uv.AttrBold}
	t.low = tty.Style{Fg: c.low}
	t.medium = tty.Style{Fg: c.medium}
	t.high = tty.Style{Fg: c.high, Attrs: uv.AttrBold}
	t.mark = tty.Style{Fg: c.high, Attrs: uv.AttrReverse}
	t.added = tty.Style{Fg: c.low}
	t.removed = tty.Style{Fg: c.high}
	t.choice = tty.Style{Bg: c.ground}
	return t
}

// plainTheme has no colour: weight, underline and reversal only.
func plainTheme() theme {
	t := common()
	t.dim = tty.Style{Attrs: uv.AttrFaint}
	t.rule = t.dim
	t.accent = t.bold
	t.warn = tty.Style{Attrs: uv.AttrBold, Underline: uv.UnderlineSingle}
	t.high = t.bold
	t.mark = tty.Style{Attrs: uv.AttrReverse}
	t.added = tty.Style{Underline: uv.UnderlineSingle}
	t.removed = tty.Style{Attrs: uv.AttrStrikethrough}
	t.quiet = func(s tty.Style) tty.Style { s.Attrs |= uv.AttrFaint; return s }
	return t
}

func common() theme {
	return theme{
		bold: tty.Style{Attrs: uv.AttrBold},
		found: func(s tty.Style) tty.Style {
			s.Attrs |= uv.AttrReverse
			return s
		},
		chosen: func(s tty.Style) tty.Style {
			s.Attrs ^= uv.AttrReverse
			return s
		},
	}
}

// risk is the style, glyph and word of a risk.
func (t *theme) risk(r policy.Risk) (tty.Style, string) {
	switch r {
	case policy.Low:
		return t.low, "·"
	case policy.Medium:
		return t.medium, "▲"
	}
	return t.high, "■"
}

// verdict is the same of a decision: what is denied is above every risk.
func (t *theme) verdict(d policy.Decision) (st tty.Style, glyph, word string) {
	if d.Effect == policy.Deny {
		return t.high, "✕", "denied"
	}
	st, glyph = t.risk(d.Risk)
	return st, glyph, d.Risk.String()
}

// asciiGlyphs has a character of one column for each of ours that ASCII lacks.
var asciiGlyphs = map[string]string{
	"·": ".", "▲": "^", "■": "#", "◂": "<", "✕": "x", "✓": "+", "▸": ">", "○": "o", "●": "*", "→": ">", "›": ">", "‹": "<",
	"│": "|", "─": "-", "▰": "#", "▱": ".", "…": "~", "↑": "^", "↓": "v", "–": "-", "—": "-", "•": "*", "↵": "$",
	"⇥": "%", "␠": "_", "▌": "|", "’": "'", "“": "\"", "”": "\"", "├": "+", "└": "+", "┌": "+", "┐": "+", "┘": "+",
	"┤": "+", "┬": "+", "┴": "+", "┼": "+", "═": "=", "║": "|", "█": "#", "░": ".", "▒": ":", "\u00a0": " ",
}

// foldASCII redraws a canvas with ASCII alone. Nothing is guessed: what has no
// glyph of its own becomes a question mark.
func foldASCII(c *tty.Canvas) {
	c.Title = strings.Map(func(r rune) rune {
		if r > 0x7e {
			return '?'
		}
		return r
	}, c.Title)
	w, h := c.Size()
	for y := range h {
		for x := range w {
			s, n, st := c.Cell(x, y)
			if n == 0 || len(s) == 1 {
				continue
			}
			g, ok := asciiGlyphs[s]
			if !ok {
				g = "?"
			}
			for i := range n {
				c.Put(x+i, y, g, 1, st)
			}
		}
	}
}
