package keys

import "strconv"

// Mouse says which mouse events the remote asked for.
type Mouse uint8

// Mouse tracking modes, each with more than the one before.
const (
	MouseOff    Mouse = iota
	MouseClick        // 1000: press and release
	MouseDrag         // 1002: and motion while a button is held
	MouseMotion       // 1003: and all motion
)

// Button is the button of a mouse event.
type Button uint8

// Buttons with their codes in reports.
const (
	LeftButton   Button = 0
	MiddleButton Button = 1
	RightButton  Button = 2
	NoButton     Button = 3
	WheelUp      Button = 64
	WheelDown    Button = 65
	WheelLeft    Button = 66
	WheelRight   Button = 67
)

// MouseEvent is a press, release or motion at a cell, from 0.
type MouseEvent struct {
	X, Y    int
	Button  Button
	Mod     Mod
	Release bool
	Motion  bool
}

// EncodeMouse returns the report of a mouse event in modes m; none if the remote did not ask for that kind, or cannot be told (the
// old form ends at column and row 223).
func EncodeMouse(e MouseEvent, m Modes) []byte {
	if !wanted(e, m.Mouse) || e.X < 0 || e.Y < 0 {
		return nil
	}
	code := mouseCode(e)
	if m.MouseSGR {
		return sgrMouse(e, code)
	}
	if e.Release {
		code = code&^3 | int(NoButton)
	}
	if e.X > 222 || e.Y > 222 {
		return nil
	}
	return []byte{0x1b, '[', 'M', byte(32 + code), byte(33 + e.X), byte(33 + e.Y)}
}

func wanted(e MouseEvent, m Mouse) bool {
	switch {
	case m == MouseOff:
		return false
	case !e.Motion:
		return true
	case e.Button == NoButton:
		return m == MouseMotion
	}
	return m >= MouseDrag
}

func mouseCode(e MouseEvent) int {
	code := int(e.Button)
	if e.Mod&Shift != 0 {
		code |= 4
	}
	if e.Mod&Alt != 0 {
		code |= 8
	}
	if e.Mod&Ctrl != 0 {
		code |= 16
	}
	if e.Motion {
		code |= 32
	}
	return code
}

func sgrMouse(e MouseEvent, code int) []byte {
	b := strconv.AppendInt([]byte("\x1b[<"), int64(code), 10)
	b = strconv.AppendInt(append(b, ';'), int64(e.X)+1, 10)
	b = strconv.AppendInt(append(b, ';'), int64(e.Y)+1, 10)
	if e.Release {
		return append(b, 'm')
	}
	return append(b, 'M')
}
