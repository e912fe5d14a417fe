package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// viMotion is a motion of command mode. An inclusive one takes the character it ends on.
type viMotion struct {
	to        motion
	inclusive bool
}

var viMotions = map[rune]viMotion{
	'h': {to: viLeft}, 'l': {to: viRight}, ' ': {to: viRight},
	'0': {to: lineStart}, '^': {to: firstNonBlank}, '$': {to: lineEnd},
	'w': {to: wordsOf(viClass).next}, 'W': {to: wordsOf(blankClass).next},
	'b': {to: wordsOf(viClass).back}, 'B': {to: wordsOf(blankClass).back},
	'e': {to: wordsOf(viClass).end, inclusive: true}, 'E': {to: wordsOf(blankClass).end, inclusive: true},
}

var viCommands map[rune]command

// repeats are the commands that a count repeats.
var repeats = map[rune]bool{'x': true, 'X': true, '~': true, 'p': true, 'P': true, 'u': true, 'j': true, 'k': true, '+': true, '-': true}

func init() { // not a literal: the commands refer to the map through Key
	viCommands = map[rune]command{
		'i': insertAt(func(_ string, at int) int { return at }), 'I': insertAt(firstNonBlank),
		'a': insertAt(viRight), 'A': insertAt(lineEnd),
		'x': operate('d', viRight), 'X': operate('d', viLeft), 's': operate('c', viRight),
		'D': operate('d', lineEnd), 'C': operate('c', lineEnd), 'Y': operate('y', lineEnd),
		'S': wholeLine('c'), 'p': put(viRight), 'P': put(func(_ string, at int) int { return at }),
		'u': undo, 'U': revert, '~': swapCase,
		'j': down, 'k': up, '+': down, '-': up, 'G': newest,
		'/': startSearch, '?': startSearch, 'n': startSearch,
		';': findAgain, ',': findBack, '#': act(Bell),
	}
}

func viLeft(text string, at int) int {
	if at == lineStart(text, at) {
		return at
	}
	return left(text, at)
}

func viRight(text string, at int) int {
	if at == lineEnd(text, at) {
		return at
	}
	return right(text, at)
}

func firstNonBlank(text string, at int) int {
	return onWhile(text, lineStart(text, at), func(r rune) bool { return r == ' ' || r == '\t' })
}

// wordsOf is a way to part words: neighbours of one class are a word, class 0 parts them.
type wordsOf func(r rune) int

func viClass(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return 0
	case r == '_' || alphanumeric(r):
		return 1
	}
	return 2
}

func blankClass(r rune) int {
	if unicode.IsSpace(r) {
		return 0
	}
	return 1
}

func (w wordsOf) is(class int) func(rune) bool {
	return func(r rune) bool { return w(r) == class }
}

func (w wordsOf) next(text string, at int) int {
	if r, n := utf8.DecodeRuneInString(text[at:]); n > 0 && w(r) != 0 {
		at = onWhile(text, at, w.is(w(r)))
	}
	return onWhile(text, at, w.is(0))
}

func (w wordsOf) back(text string, at int) int {
	at = backWhile(text, at, w.is(0))
	r, n := utf8.DecodeLastRuneInString(text[:at])
	if n == 0 {
		return at
	}
	return backWhile(text, at, w.is(w(r)))
}

func (w wordsOf) end(text string, at int) int {
	from := onWhile(text, right(text, at), w.is(0))
	r, n := utf8.DecodeRuneInString(text[from:])
	if n == 0 {
		return at
	}
	return left(text, onWhile(text, from, w.is(w(r))))
}

// seek is the motion of f, F, t and T.
func (f finder) seek(text string, at int) int {
	from, to := lineStart(text, at), lineEnd(text, at)
	switch f.kind {
	case 'f', 't':
		next := right(text, at)
		if f.kind == 't' {
			next = right(text, next)
		}
		if next > to {
			return at
		}
		if i := strings.IndexRune(text[next:to], f.r); i >= 0 {
			return f.stop(text, next+i)
		}
	case 'F', 'T':
		end := at
		if f.kind == 'T' {
			end = viLeft(text, at)
		}
		if i := strings.LastIndex(text[from:end], string(f.r)); i >= 0 {
			return f.stop(text, from+i)
		}
	}
	return at
}

// stop is on the character for f and F, beside it for t and T.
func (f finder) stop(text string, at int) int {
	switch f.kind {
	case 't':
		return left(text, at)
	case 'T':
		return right(text, at)
	}
	return at
}

func findAgain(e *Editor) Action {
	return e.viMotion(viMotion{to: e.vi.find.seek, inclusive: e.vi.find.kind == 'f' || e.vi.find.kind == 't'})
}

func findBack(e *Editor) Action {
	other := map[byte]byte{'f': 'F', 'F': 'f', 't': 'T', 'T': 't'}
	f := finder{kind: other[e.vi.find.kind], r: e.vi.find.r}
	return e.viMotion(viMotion{to: f.seek, inclusive: f.kind == 'f' || f.kind == 't'})
}

// insertAt returns the command that goes somewhere and leaves command mode.
func insertAt(m motion) command {
	return func(e *Editor) Action {
		e.cursor = m(e.text, e.cursor)
		e.vi.command = false
		e.last = "insert"
		return Changed
	}
}

func operate(op byte, m motion) command {
	return func(e *Editor) Action { return e.viOperate(op, m(e.text, e.cursor), false) }
}

func wholeLine(op byte) command {
	return func(e *Editor) Action {
		e.cursor = lineStart(e.text, e.cursor)
		return e.viOperate(op, lineEnd(e.text, e.cursor), false)
	}
}

// put inserts the newest kill behind or at the cursor, which then stands on its last character.
func put(m motion) command {
	return func(e *Editor) Action {
		if len(e.killed.kills) == 0 {
			return Bell
		}
		text := e.killed.kills[len(e.killed.kills)-1]
		e.undone.keep(e, false)
		at := m(e.text, e.cursor)
		e.set(e.text[:at]+text+e.text[at:], at+len(text))
		e.cursor = left(e.text, e.cursor)
		return Changed
	}
}

func swapCase(e *Editor) Action {
	r, n := utf8.DecodeRuneInString(e.text[e.cursor:])
	if n == 0 || r == '\n' {
		return Bell
	}
	swapped := string(unicode.ToUpper(r))
	if unicode.IsUpper(r) {
		swapped = string(unicode.ToLower(r))
	}
	e.undone.keep(e, false)
	next := e.text[:e.cursor] + swapped + e.text[e.cursor+n:]
	e.set(next, min(e.cursor+len(swapped), lastOfLine(next, e.cursor)))
	return Changed
}
