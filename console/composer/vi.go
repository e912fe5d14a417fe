package composer

import (
	"strings"
	"unicode/utf8"

	"sallyport/console/keys"
)

// vi is the state of vi's command mode.
type vi struct {
	command bool
	count   int
	op      byte // d, c or y: waits for a motion; 0 none
	await   byte // f, F, t, T or r: waits for a character; 0 none
	find    finder
}

// finder is the last f, F, t or T.
type finder struct {
	kind byte
	r    rune
}

// viInsertKeys are the keys of insert mode that differ from emacs'.
var viInsertKeys = map[string]command{
	"Escape": func(e *Editor) Action {
		e.vi = vi{command: true, find: e.vi.find}
		if e.cursor > lineStart(e.text, e.cursor) {
			e.cursor = left(e.text, e.cursor)
		}
		return Changed
	},
}

// maxCount is the largest count: more than any text is long.
const maxCount = 1 << 16

// viKey handles a key of command mode. Keys that are no characters do what they do in insert mode.
func (e *Editor) viKey(ev keys.Event, name string) Action {
	v := &e.vi
	if ev.Key != keys.Char || ev.Mod != 0 {
		return e.viOther(name)
	}
	r := ev.Rune
	switch {
	case v.await != 0:
		return e.viAwaited(r)
	case r >= '1' && r <= '9', r == '0' && v.count > 0:
		v.count = min(v.count*10+int(r-'0'), maxCount)
		return None
	}
	if v.op == 'c' && (r == 'w' || r == 'W') { // as vi does: the blanks after the word stay
		r += 'e' - 'w'
	}
	if m, ok := viMotions[r]; ok {
		return e.viMotion(m)
	}
	return e.viCommand(r)
}

func (e *Editor) viOther(name string) Action {
	if name == "Escape" {
		pending := e.vi.op != 0 || e.vi.count != 0 || e.vi.await != 0
		e.viDone()
		if pending {
			return None
		}
		return Cancel
	}
	e.viDone()
	a, known := e.bound(name)
	if !known {
		return Bell
	}
	return a
}

// viDone ends a command: nothing is pending any more.
func (e *Editor) viDone() { e.vi = vi{command: e.vi.command, find: e.vi.find} }

func (e *Editor) viAwaited(r rune) Action {
	kind := e.vi.await
	e.vi.await = 0
	if kind == 'r' {
		return e.viReplace(r)
	}
	e.vi.find = finder{kind: kind, r: r}
	return e.viMotion(viMotion{to: e.vi.find.seek, inclusive: kind == 'f' || kind == 't'})
}

// viReplace puts r in place of as many characters as the count says.
func (e *Editor) viReplace(r rune) Action {
	n := max(e.vi.count, 1)
	e.viDone()
	to := e.cursor
	for range n {
		if to >= lineEnd(e.text, e.cursor) {
			return Bell
		}
		to = right(e.text, to)
	}
	e.undone.keep(e, false)
	text := strings.Repeat(string(r), n)
	e.set(e.text[:e.cursor]+text+e.text[to:], e.cursor+len(text)-utf8.RuneLen(r))
	return Changed
}

// viMotion runs a motion as often as the count says: alone it moves the cursor, after an operator it says what that works on.
func (e *Editor) viMotion(m viMotion) Action {
	to := e.cursor
	for range max(e.vi.count, 1) {
		next := m.to(e.text, to)
		if next == to {
			break
		}
		to = next
	}
	op := e.vi.op
	e.viDone()
	if op != 0 {
		return e.viOperate(op, to, m.inclusive)
	}
	to = min(to, lastOfLine(e.text, to))
	if to == e.cursor {
		return Bell
	}
	e.cursor = to
	return Changed
}

// viOperate deletes, changes or copies from the cursor to a place.
func (e *Editor) viOperate(op byte, to int, inclusive bool) Action {
	from, end := ordered(e.cursor, to)
	if inclusive && to >= e.cursor {
		end = right(e.text, end)
	}
	if from == end && op != 'c' {
		return Bell
	}
	if from < end {
		e.killed.add(e.text[from:end], false, false)
	}
	if op == 'y' {
		e.cursor = from
		return Changed
	}
	e.cut(from, end)
	if op == 'c' {
		e.vi.command = false
	} else {
		e.cursor = min(e.cursor, lastOfLine(e.text, e.cursor))
	}
	return Changed
}

// lastOfLine returns the place of the last character of a line: where command mode's cursor can be at most.
func lastOfLine(text string, at int) int {
	end := lineEnd(text, at)
	if end > lineStart(text, at) {
		return left(text, end)
	}
	return end
}

// viCommand runs a command that is no motion.
func (e *Editor) viCommand(r rune) Action {
	switch r {
	case 'd', 'c', 'y':
		return e.viOperator(byte(r))
	case 'f', 'F', 't', 'T', 'r':
		e.vi.await = byte(r)
		return None
	}
	c, ok := viCommands[r]
	if !ok {
		e.viDone()
		return Bell
	}
	n := 1
	if repeats[r] {
		n = max(e.vi.count, 1)
	}
	e.viDone()
	a := c(e)
	for i := 1; i < n && a == Changed; i++ {
		c(e)
	}
	return a
}

// viOperator begins an operator, or with the same one again works on the whole line.
func (e *Editor) viOperator(op byte) Action {
	if e.vi.op == 0 {
		e.vi.op = op
		return None
	}
	same := e.vi.op == op
	e.viDone()
	if !same {
		return Bell
	}
	e.cursor = lineStart(e.text, e.cursor)
	return e.viOperate(op, lineEnd(e.text, e.cursor), false)
}
