package tui

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"sallyport/console/keys"
)

// editLimit bounds what a field holds, in bytes.
const editLimit = 16 << 10

// edit is a text of one or more lines with a cursor. It holds clusters, so that
// the cursor never stands inside one.
type edit struct {
	text   []string
	cursor int
	undos  []editState
	typing bool // the last change was typed text: further text joins its undo
}

type editState struct {
	text   []string
	cursor int
}

func newEdit(s string) edit {
	e := edit{}
	e.set(s)
	return e
}

func (e *edit) String() string { return strings.Join(e.text, "") }
func (e *edit) empty() bool    { return len(e.text) == 0 }

// set replaces the text; undo brings the old one back.
func (e *edit) set(s string) {
	e.save(false)
	e.text = clusters(s)
	e.cursor = len(e.text)
}

func clusters(s string) []string {
	var out []string
	for g := graphemes.FromString(s); g.Next(); {
		out = append(out, g.Value())
	}
	return out
}

func (e *edit) save(typing bool) {
	if !(typing && e.typing) {
		e.undos = append(e.undos, editState{append([]string(nil), e.text...), e.cursor})
		if len(e.undos) > 200 {
			e.undos = e.undos[1:]
		}
	}
	e.typing = typing
}

func (e *edit) insert(s string) bool {
	if s == "" || len(e.String())+len(s) > editLimit {
		return false
	}
	e.save(true)
	before := strings.Join(e.text[:e.cursor], "") + s
	after := strings.Join(e.text[e.cursor:], "")
	e.text = clusters(before + after)
	e.cursor = len(clusters(before))
	return true
}

// editKeys are the keys of every field, in the way of readline.
var editKeys = map[string]func(*edit){
	"Left": func(e *edit) { e.move(-1) }, "C-b": func(e *edit) { e.move(-1) },
	"Right": func(e *edit) { e.move(1) }, "C-f": func(e *edit) { e.move(1) },
	"Home": func(e *edit) { e.cursor = 0 }, "C-a": func(e *edit) { e.cursor = 0 },
	"End": func(e *edit) { e.cursor = len(e.text) }, "C-e": func(e *edit) { e.cursor = len(e.text) },
	"C-Left": func(e *edit) { e.cursor = e.wordLeft() }, "M-b": func(e *edit) { e.cursor = e.wordLeft() },
	"C-Right": func(e *edit) { e.cursor = e.wordRight() }, "M-f": func(e *edit) { e.cursor = e.wordRight() },
	"Backspace": func(e *edit) { e.cut(e.cursor-1, e.cursor) }, "C-h": func(e *edit) { e.cut(e.cursor-1, e.cursor) },
	"Delete": func(e *edit) { e.cut(e.cursor, e.cursor+1) }, "C-d": func(e *edit) { e.cut(e.cursor, e.cursor+1) },
	"C-k": func(e *edit) { e.cut(e.cursor, len(e.text)) }, "C-u": func(e *edit) { e.cut(0, e.cursor) },
	"C-w": func(e *edit) { e.cut(e.wordLeft(), e.cursor) }, "M-Backspace": func(e *edit) { e.cut(e.wordLeft(), e.cursor) },
	"M-d": func(e *edit) { e.cut(e.cursor, e.wordRight()) },
	"C-z": func(e *edit) { e.undo() }, "C-_": func(e *edit) { e.undo() },
}

// key does what a key means in a field, and reports whether it means anything.
func (e *edit) key(k keys.Event) bool {
	if f := editKeys[k.String()]; f != nil {
		f(e)
		return true
	}
	if k.Mod&(keys.Ctrl|keys.Alt) != 0 {
		return false
	}
	return e.insert(k.Typed())
}

func (e *edit) move(by int) {
	e.cursor = min(max(e.cursor+by, 0), len(e.text))
	e.typing = false
}

func (e *edit) cut(from, to int) {
	from, to = max(from, 0), min(to, len(e.text))
	if from >= to {
		return
	}
	e.save(false)
	e.text = append(append([]string(nil), e.text[:from]...), e.text[to:]...)
	e.cursor = from
}

func (e *edit) undo() {
	if n := len(e.undos); n > 0 {
		e.text, e.cursor = e.undos[n-1].text, e.undos[n-1].cursor
		e.undos = e.undos[:n-1]
	}
	e.typing = false
}

// wipe overwrites what it can of a secret and forgets the rest.
func (e *edit) wipe() {
	clear(e.text)
	*e = edit{}
}

func blankCluster(s string) bool { return strings.TrimFunc(s, unicode.IsSpace) == "" }

func (e *edit) wordLeft() int {
	i := e.cursor
	for i > 0 && blankCluster(e.text[i-1]) {
		i--
	}
	for i > 0 && !blankCluster(e.text[i-1]) {
		i--
	}
	return i
}

func (e *edit) wordRight() int {
	i := e.cursor
	for i < len(e.text) && blankCluster(e.text[i]) {
		i++
	}
	for i < len(e.text) && !blankCluster(e.text[i]) {
		i++
	}
	return i
}
