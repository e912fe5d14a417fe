package composer

// maxUndo is how many changes can be taken back.
const maxUndo = 500

// state is a text at one moment.
type state struct {
	text   string
	cursor int
}

// log holds the texts before each change.
type log struct {
	states []state
}

// keep remembers the text before a change, unless the change belongs to the one before.
func (l *log) keep(e *Editor, join bool) {
	if join && len(l.states) > 0 {
		return
	}
	if len(l.states) == maxUndo {
		l.states = append(l.states[:0], l.states[1:]...)
	}
	l.states = append(l.states, state{e.text, e.cursor})
}

func undo(e *Editor) Action {
	l := &e.undone
	n := len(l.states)
	if n == 0 {
		return Bell
	}
	s := l.states[n-1]
	l.states = l.states[:n-1]
	e.set(s.text, s.cursor)
	return Changed
}

// revert takes all changes back.
func revert(e *Editor) Action {
	if len(e.undone.states) == 0 {
		return Bell
	}
	first := e.undone.states[0]
	e.undone.states = nil
	e.set(first.text, first.cursor)
	return Changed
}
