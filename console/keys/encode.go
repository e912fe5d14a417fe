package keys

import (
	"strconv"
	"unicode/utf8"
)

// Modes is what the remote has asked of the keyboard and the mouse.
type Modes struct {
	AppCursor      bool // DECCKM: cursor keys send SS3
	AppKeypad      bool // DECKPAM: the keypad sends SS3
	NewLine        bool // LNM: Enter sends CR LF
	BackArrow      bool // DECBKM: Backspace sends BS instead of DEL
	BracketedPaste bool // 2004
	Focus          bool // 1004: focus changes are reported
	Mouse          Mouse
	MouseSGR       bool // 1006: mouse reports in SGR form
}

// Encode returns the bytes that the event sends in modes m; none for an event that has no bytes.
func Encode(e Event, m Modes) []byte {
	if e.Key == Char {
		return encodeChar(e)
	}
	if b, ok := encodeSimple(e, m); ok {
		return b
	}
	return encodeSpecial(e, m)
}

func encodeChar(e Event) []byte {
	var b []byte
	if e.Mod&Alt != 0 {
		b = append(b, 0x1b)
	}
	if e.Text != "" && e.Mod&Ctrl == 0 {
		return append(b, cleanTyped(e.Text)...)
	}
	if e.Mod&Ctrl != 0 {
		if c, ok := control(e.Rune); ok {
			return append(b, c)
		}
	}
	if !utf8.ValidRune(e.Rune) || isControl(e.Rune) {
		return nil
	}
	return utf8.AppendRune(b, e.Rune)
}

// control gives the C0 control that control with a character sends.
func control(r rune) (byte, bool) {
	switch {
	case r >= 'a' && r <= 'z':
		return byte(r) - 'a' + 1, true
	case r >= '@' && r <= '_':
		return byte(r) - '@', true
	case r == ' ', r == '2', r == '`':
		return 0, true
	case r >= '3' && r <= '7':
		return byte(r) - '3' + 0x1b, true
	case r == '8', r == '?':
		return 0x7f, true
	case r == '/', r == '-':
		return 0x1f, true
	case r == '~':
		return 0x1e, true
	}
	return 0, false
}

// encodeSimple gives the keys that are one control.
func encodeSimple(e Event, m Modes) ([]byte, bool) {
	var b []byte
	if e.Mod&Alt != 0 {
		b = append(b, 0x1b)
	}
	switch e.Key {
	case Enter:
		b = append(b, '\r')
		if m.NewLine {
			b = append(b, '\n')
		}
	case Escape:
		b = append(b, 0x1b)
	case Backspace:
		b = append(b, backspace(e.Mod, m))
	case Tab:
		if e.Mod&Shift != 0 {
			return append(b, "\x1b[Z"...), true
		}
		b = append(b, '\t')
	default:
		return nil, false
	}
	return b, true
}

func backspace(mod Mod, m Modes) byte {
	if m.BackArrow != (mod&Ctrl != 0) {
		return '\b'
	}
	return 0x7f
}

// cursorFinal has the final bytes of keys in the form CSI [1 ; mod] X, and SS3 X where a mode asks for it.
var cursorFinal = map[Key]byte{Up: 'A', Down: 'B', Right: 'C', Left: 'D', Home: 'H', End: 'F', F1: 'P', F2: 'Q', F3: 'R', F4: 'S'}

// tildeNumber has the numbers of keys in the form CSI n [; mod] ~.
var tildeNumber = map[Key]int{
	Insert: 2, Delete: 3, PageUp: 5, PageDown: 6,
	F5: 15, F6: 17, F7: 18, F8: 19, F9: 20, F10: 21, F11: 23, F12: 24,
	F13: 25, F14: 26, F15: 28, F16: 29, F17: 31, F18: 32, F19: 33, F20: 34,
}

// keypad has the character and the SS3 final byte of each keypad key.
var keypad = map[Key][2]byte{
	KP0: {'0', 'p'}, KP1: {'1', 'q'}, KP2: {'2', 'r'}, KP3: {'3', 's'}, KP4: {'4', 't'},
	KP5: {'5', 'u'}, KP6: {'6', 'v'}, KP7: {'7', 'w'}, KP8: {'8', 'x'}, KP9: {'9', 'y'},
	KPDecimal: {'.', 'n'}, KPDivide: {'/', 'o'}, KPMultiply: {'*', 'j'}, KPSubtract: {'-', 'm'},
	KPAdd: {'+', 'k'}, KPEnter: {'\r', 'M'}, KPEqual: {'=', 'X'},
}

func encodeSpecial(e Event, m Modes) []byte {
	if final, ok := cursorFinal[e.Key]; ok {
		return cursorKey(final, e, m)
	}
	if n, ok := tildeNumber[e.Key]; ok {
		b := strconv.AppendInt([]byte("\x1b["), int64(n), 10)
		return append(appendMod(b, e.Mod), '~')
	}
	if kp, ok := keypad[e.Key]; ok {
		return keypadKey(kp, e, m)
	}
	return nil
}

func cursorKey(final byte, e Event, m Modes) []byte {
	switch {
	case e.Mod != 0:
		return append(appendMod([]byte("\x1b[1"), e.Mod), final)
	case m.AppCursor || e.Key >= F1:
		return []byte{0x1b, 'O', final}
	}
	return []byte{0x1b, '[', final}
}

func keypadKey(kp [2]byte, e Event, m Modes) []byte {
	if m.AppKeypad && e.Mod == 0 {
		return []byte{0x1b, 'O', kp[1]}
	}
	if e.Mod&Alt != 0 {
		return []byte{0x1b, kp[0]}
	}
	return []byte{kp[0]}
}

func appendMod(b []byte, m Mod) []byte {
	if m == 0 {
		return b
	}
	return strconv.AppendInt(append(b, ';'), int64(m)+1, 10)
}

// Focus returns the report that the console's window got or lost the focus, if the remote asked for it.
func Focus(in bool, m Modes) []byte {
	switch {
	case !m.Focus:
		return nil
	case in:
		return []byte("\x1b[I")
	}
	return []byte("\x1b[O")
}
