package keys

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Key is a key that is no character. The zero value says that the Event is a character.
type Key uint8

// Keys in the order of their names.
const (
	Char Key = iota // the Event's Rune
	Enter
	Tab
	Backspace
	Escape
	Up
	Down
	Right
	Left
	Home
	End
	Insert
	Delete
	PageUp
	PageDown
	F1
	F2
	F3
	F4
	F5
	F6
	F7
	F8
	F9
	F10
	F11
	F12
	F13
	F14
	F15
	F16
	F17
	F18
	F19
	F20
	KP0
	KP1
	KP2
	KP3
	KP4
	KP5
	KP6
	KP7
	KP8
	KP9
	KPDecimal
	KPDivide
	KPMultiply
	KPSubtract
	KPAdd
	KPEnter
	KPEqual
	keyCount
)

// Mod is a set of held modifier keys.
type Mod uint8

// Modifiers, with the weights that xterm gives them.
const (
	Shift Mod = 1 << iota
	Alt
	Ctrl
)

// Event is one key press. A character has its Rune, and Text when the press gave more than that one rune (a composed grapheme
// cluster, an input method's word).
type Event struct {
	Key  Key
	Rune rune
	Text string
	Mod  Mod
}

// Rune returns the event of a character typed without modifiers.
func Rune(r rune) Event { return Event{Rune: r} }

// Press returns the event of a key with modifiers.
func Press(k Key, m Mod) Event { return Event{Key: k, Mod: m} }

var keyNames = makeKeyNames()

func makeKeyNames() [keyCount]string {
	n := [keyCount]string{
		Enter: "Enter", Tab: "Tab", Backspace: "Backspace", Escape: "Escape",
		Up: "Up", Down: "Down", Right: "Right", Left: "Left", Home: "Home", End: "End",
		Insert: "Insert", Delete: "Delete", PageUp: "PageUp", PageDown: "PageDown",
		KPDecimal: "KPDecimal", KPDivide: "KPDivide", KPMultiply: "KPMultiply", KPSubtract: "KPSubtract",
		KPAdd: "KPAdd", KPEnter: "KPEnter", KPEqual: "KPEqual",
	}
	for i := range 20 {
		n[F1+Key(i)] = "F" + strconv.Itoa(i+1)
	}
	for i := range 10 {
		n[KP0+Key(i)] = "KP" + strconv.Itoa(i)
	}
	return n
}

// aliases are names that people and other programs use for the same keys.
var aliases = map[string]Key{
	"return": Enter, "cr": Enter, "esc": Escape, "bs": Backspace, "bspace": Backspace, "del": Delete, "dc": Delete,
	"ins": Insert, "ic": Insert, "pgup": PageUp, "ppage": PageUp, "pgdn": PageDown, "pgdown": PageDown, "npage": PageDown,
}

var keysByName = makeKeysByName()

func makeKeysByName() map[string]Key {
	m := make(map[string]Key, 2*int(keyCount))
	for k := Enter; k < keyCount; k++ {
		m[strings.ToLower(keyNames[k])] = k
	}
	for name, k := range aliases {
		m[name] = k
	}
	return m
}

// Parse reads a key's name, as the package comment describes it. Names of keys are taken in any case; characters are not.
func Parse(name string) (Event, error) {
	mod, rest := cutModifiers(name)
	if strings.EqualFold(rest, "space") {
		return Event{Rune: ' ', Mod: mod}, nil
	}
	if strings.EqualFold(rest, "BTab") {
		return Event{Key: Tab, Mod: mod | Shift}, nil
	}
	if k, ok := keysByName[strings.ToLower(rest)]; ok {
		return Event{Key: k, Mod: mod}, nil
	}
	r, n := utf8.DecodeRuneInString(rest)
	if n == 0 || n != len(rest) || r == utf8.RuneError || unicode.IsControl(r) {
		return Event{}, fmt.Errorf("key %q has no meaning here: give a character or a name such as Enter, Up, F5, with C-, M- or S- before it", name)
	}
	return Event{Rune: r, Mod: mod}, nil
}

// cutModifiers takes C-, M-, A-, S- and ^ from the front of a name. What is left is never empty unless the name was.
func cutModifiers(name string) (Mod, string) {
	var m Mod
	for len(name) > 2 && name[1] == '-' {
		switch name[0] {
		case 'C', 'c':
			m |= Ctrl
		case 'M', 'm', 'A', 'a':
			m |= Alt
		case 'S', 's':
			m |= Shift
		default:
			return m, name
		}
		name = name[2:]
	}
	if len(name) == 2 && name[0] == '^' {
		return m | Ctrl, strings.ToLower(name[1:])
	}
	return m, name
}

// String gives the event's name, which Parse reads back. Text of several runes is given as it is.
func (e Event) String() string {
	var b strings.Builder
	for _, p := range [...]struct {
		m Mod
		s string
	}{{Ctrl, "C-"}, {Alt, "M-"}, {Shift, "S-"}} {
		if e.Mod&p.m != 0 {
			b.WriteString(p.s)
		}
	}
	switch {
	case e.Key != Char && e.Key < keyCount:
		b.WriteString(keyNames[e.Key])
	case e.Rune == ' ' && (e.Text == "" || e.Text == " "):
		b.WriteString("Space")
	default:
		b.WriteString(e.Typed())
	}
	return b.String()
}

// Typed returns the characters that the event stands for when it is typed into a text field; it is empty for other keys.
func (e Event) Typed() string {
	switch {
	case e.Key != Char:
		return ""
	case e.Text != "":
		return e.Text
	case e.Rune == 0:
		return ""
	}
	return string(e.Rune)
}

// Is reports whether the event is the named key: e.Is("C-c").
func (e Event) Is(name string) bool {
	o, err := Parse(name)
	return err == nil && e.Text == "" && e.Key == o.Key && e.Rune == o.Rune && e.Mod == o.Mod
}
