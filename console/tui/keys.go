package tui

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"sallyport/console/keys"
)

// special are the keys that have a name.
var special = map[rune]keys.Key{
	tea.KeyEnter: keys.Enter, tea.KeyTab: keys.Tab, tea.KeyBackspace: keys.Backspace, tea.KeyEscape: keys.Escape,
	tea.KeyUp: keys.Up, tea.KeyDown: keys.Down, tea.KeyRight: keys.Right, tea.KeyLeft: keys.Left,
	tea.KeyHome: keys.Home, tea.KeyEnd: keys.End, tea.KeyInsert: keys.Insert, tea.KeyDelete: keys.Delete,
	tea.KeyPgUp: keys.PageUp, tea.KeyPgDown: keys.PageDown,
	tea.KeyKpUp: keys.Up, tea.KeyKpDown: keys.Down, tea.KeyKpRight: keys.Right, tea.KeyKpLeft: keys.Left,
	tea.KeyKpHome: keys.Home, tea.KeyKpEnd: keys.End, tea.KeyKpInsert: keys.Insert, tea.KeyKpDelete: keys.Delete,
	tea.KeyKpPgUp: keys.PageUp, tea.KeyKpPgDown: keys.PageDown,
	tea.KeyKpEnter: keys.KPEnter, tea.KeyKpEqual: keys.KPEqual, tea.KeyKpMultiply: keys.KPMultiply,
	tea.KeyKpPlus: keys.KPAdd, tea.KeyKpMinus: keys.KPSubtract, tea.KeyKpDecimal: keys.KPDecimal, tea.KeyKpDivide: keys.KPDivide,
	tea.KeyKp0: keys.KP0, tea.KeyKp1: keys.KP1, tea.KeyKp2: keys.KP2, tea.KeyKp3: keys.KP3, tea.KeyKp4: keys.KP4,
	tea.KeyKp5: keys.KP5, tea.KeyKp6: keys.KP6, tea.KeyKp7: keys.KP7, tea.KeyKp8: keys.KP8, tea.KeyKp9: keys.KP9,
	tea.KeyF1: keys.F1, tea.KeyF2: keys.F2, tea.KeyF3: keys.F3, tea.KeyF4: keys.F4, tea.KeyF5: keys.F5,
	tea.KeyF6: keys.F6, tea.KeyF7: keys.F7, tea.KeyF8: keys.F8, tea.KeyF9: keys.F9, tea.KeyF10: keys.F10,
	tea.KeyF11: keys.F11, tea.KeyF12: keys.F12, tea.KeyF13: keys.F13, tea.KeyF14: keys.F14, tea.KeyF15: keys.F15,
	tea.KeyF16: keys.F16, tea.KeyF17: keys.F17, tea.KeyF18: keys.F18, tea.KeyF19: keys.F19, tea.KeyF20: keys.F20,
}

// event is a key press in the words of package keys.
func event(k tea.Key) keys.Event {
	mod := modifiers(k.Mod)
	if s, ok := special[k.Code]; ok {
		return keys.Press(s, mod)
	}
	if k.Text != "" && mod&^keys.Shift == 0 {
		r, _ := utf8.DecodeRuneInString(k.Text)
		return keys.Event{Rune: r, Text: k.Text}
	}
	r := k.Code
	if mod&keys.Shift != 0 && mod&keys.Ctrl == 0 {
		if k.ShiftedCode != 0 {
			r = k.ShiftedCode
		} else if r >= 'a' && r <= 'z' {
			r -= 'a' - 'A'
		}
		mod &^= keys.Shift
	}
	return keys.Event{Rune: r, Mod: mod}
}

func modifiers(m tea.KeyMod) keys.Mod {
	var out keys.Mod
	for _, p := range [...]struct {
		from tea.KeyMod
		to   keys.Mod
	}{{tea.ModShift, keys.Shift}, {tea.ModAlt | tea.ModMeta, keys.Alt}, {tea.ModCtrl, keys.Ctrl}} {
		if m&p.from != 0 {
			out |= p.to
		}
	}
	return out
}

// spelled is a key for somebody who sees it for the first time: Ctrl-].
func spelled(k keys.Event) string {
	if k.Key == keys.Char && k.Mod == keys.Ctrl {
		return "Ctrl-" + label(k)[1:]
	}
	return label(k)
}

// label is a key as it is shown to a person: ^], Esc, M-b.
func label(k keys.Event) string {
	if k.Key == keys.Escape {
		return "Esc"
	}
	if k.Key == keys.Char && k.Mod == keys.Ctrl {
		s := string(k.Rune)
		if k.Rune >= 'a' && k.Rune <= 'z' {
			s = string(k.Rune - 'a' + 'A')
		}
		return "^" + s
	}
	return k.String()
}
