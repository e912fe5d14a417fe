package composer

// emacsKeys are readline's emacs keys, as far as they make sense without a shell behind them. Vi's insert mode has them too.
var emacsKeys map[string]command

func init() { // not a literal: the commands refer to the map through Key
	emacsKeys = map[string]command{
		"Enter": submit, "C-m": submit, "C-j": submit, "KPEnter": submit,
		"M-Enter": (*Editor).newline, "C-c": interrupt, "C-d": deleteOrEOF, "C-l": act(Clear), "Tab": act(Complete), "C-i": act(Complete),
		"Escape": act(Cancel), "C-g": act(Cancel),
		"C-a": move(lineStart), "Home": move(lineStart), "C-e": move(lineEnd), "End": move(lineEnd),
		"C-b": move(left), "Left": move(left), "C-f": move(right), "Right": move(right),
		"M-b": move(wordLeft), "C-Left": move(wordLeft), "M-Left": move(wordLeft),
		"M-f": move(wordRight), "C-Right": move(wordRight), "M-Right": move(wordRight),
		"Up": up, "Down": down, "C-p": up, "C-n": down, "M-<": oldest, "M->": newest,
		"Backspace": erase(left), "C-h": erase(left), "Delete": erase(right),
		"C-k": kill(lineEndOrNext), "C-u": kill(lineStart), "C-w": kill(blankWordLeft),
		"M-d": kill(wordRight), "M-Backspace": kill(wordLeft), "C-Backspace": kill(wordLeft), "C-Delete": kill(wordRight),
		"C-y": yank, "M-y": yankPop, "M-.": lastArgument, "M-_": lastArgument,
		"C-t": transpose, "M-u": recase(upper), "M-l": recase(lower), "M-c": recase(title),
		"C-_": undo, "C-/": undo, "C--": undo, "C-z": undo, "M-r": revert,
		"C-r": startSearch, "C-s": startSearch, "C-v": quoteNext, "C-q": quoteNext,
	}
}

func act(a Action) command { return func(*Editor) Action { return a } }

func submit(*Editor) Action { return Submit }

func interrupt(e *Editor) Action {
	e.Reset()
	return Interrupt
}

func deleteOrEOF(e *Editor) Action {
	if e.Empty() {
		return EOF
	}
	return erase(right)(e)
}

func quoteNext(e *Editor) Action {
	e.quoted = true
	return None
}

// move returns the command that takes the cursor where a motion leads.
func move(m motion) command {
	return func(e *Editor) Action {
		to := m(e.text, e.cursor)
		if to == e.cursor {
			return Bell
		}
		e.cursor = to
		return Changed
	}
}

// erase returns the command that deletes what a motion passes over.
func erase(m motion) command {
	return func(e *Editor) Action {
		from, to := ordered(e.cursor, m(e.text, e.cursor))
		if from == to {
			return Bell
		}
		e.cut(from, to)
		return Changed
	}
}

// kill is erase, and keeps what was deleted for yank; kills in a row are kept as one.
func kill(m motion) command {
	return func(e *Editor) Action {
		at := m(e.text, e.cursor)
		from, to := ordered(e.cursor, at)
		if from == to {
			return Bell
		}
		e.killed.add(e.text[from:to], at < e.cursor, e.killing())
		e.cut(from, to)
		return Changed
	}
}

var killKeys = map[string]bool{
	"C-k": true, "C-u": true, "C-w": true, "M-d": true, "M-Backspace": true, "C-Backspace": true, "C-Delete": true,
}

func (e *Editor) killing() bool { return killKeys[e.last] }

// cut deletes the bytes from … to-1.
func (e *Editor) cut(from, to int) {
	e.undone.keep(e, false)
	e.set(e.text[:from]+e.text[to:], from)
}

func ordered(a, b int) (int, int) { return min(a, b), max(a, b) }

func transpose(e *Editor) Action {
	at := e.cursor
	if right(e.text, at) == at || e.text[at] == '\n' {
		at = left(e.text, at)
	}
	from, to := left(e.text, at), right(e.text, at)
	if from == at || to == at {
		return Bell
	}
	e.undone.keep(e, false)
	e.set(e.text[:from]+e.text[at:to]+e.text[from:at]+e.text[to:], to)
	return Changed
}

// recase changes the case of the word after the cursor.
func recase(f func(string) string) command {
	return func(e *Editor) Action {
		to := wordRight(e.text, e.cursor)
		if to == e.cursor {
			return Bell
		}
		e.undone.keep(e, false)
		word := f(e.text[e.cursor:to])
		e.set(e.text[:e.cursor]+word+e.text[to:], e.cursor+len(word))
		return Changed
	}
}
