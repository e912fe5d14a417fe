package tui

import (
	"image"

	"sallyport/console/tty"
)

// Sizes in cells. Below Need the console only says what it needs; below Least
// it cannot even say that, and does not start.
const (
	LeastWidth, LeastHeight = 40, 10
	NeedWidth, NeedHeight   = 60, 15

	wideWidth  = 120 // from here panels stand beside the shell
	roomyWidth = 100 // from here an open panel leaves the left half free
	shellWidth = 80  // what the shell keeps when panels stand beside it
	panelLeast = 38
	panelMost  = 60
)

// layout says where everything is. Areas that are not shown are empty.
type layout struct {
	small  bool // below Need: the shell lives on, unseen, and no key reaches it but ^C
	beside bool // panels stand beside the shell
	full   bool // consents take the whole screen

	tabs, header, gutter, term, rule, panel, status tty.Rect
	overlay                                         tty.Rect // an open panel, where panels do not stand beside
	consent                                         tty.Rect
}

// place lays out a screen of w by h cells with n tabs. panels says whether the
// operator wants them beside the shell.
func place(w, h, n int, panels bool) layout {
	l := layout{small: tooSmall(w, h)}
	top := 0
	if n > 1 {
		l.tabs = image.Rect(0, 0, w, 1)
		top = 1
	}
	l.beside = panels && w >= wideWidth && !l.small
	l.full = w < roomyWidth || h < 24
	shell := w
	if l.beside {
		shell = w - panelSize(w) - 1
		l.rule = image.Rect(shell, top, shell+1, h-1)
		l.panel = image.Rect(shell+1, top, w, h-1)
	}
	l.header = image.Rect(0, top, shell, top+1)
	l.gutter = image.Rect(0, top+1, 1, h-1)
	l.term = image.Rect(1, top+1, shell, h-1)
	l.status = image.Rect(0, h-1, w, h)
	l.overlay = overlayArea(w, h, top)
	l.consent = consentArea(l, w, h)
	return l
}

func tooSmall(w, h int) bool { return w < NeedWidth || h < NeedHeight }

// panelSize gives the shell its eighty columns first.
func panelSize(w int) int {
	room := w - 1 - 1 - shellWidth
	return min(max(room, panelLeast), max(panelLeast, min(w*2/5, panelMost)))
}

// overlayArea is the right half, or on narrow screens the lower two thirds.
func overlayArea(w, h, top int) tty.Rect {
	if w >= roomyWidth {
		return image.Rect(w/2, top, w, h-1)
	}
	return image.Rect(0, top+(h-1-top)/3, w, h-1)
}

// consentArea is the lower part of the terminal, or the whole screen.
func consentArea(l layout, w, h int) tty.Rect {
	if l.full {
		return image.Rect(0, 0, w, h)
	}
	rows := min(max(16, h*2/5), l.term.Dy())
	return image.Rect(0, h-1-rows, l.header.Max.X, h-1)
}
