package composer

import "strings"

// maxHistory is how many lines are kept.
const maxHistory = 5000

// history is what was sent before, and where the operator is in it.
type history struct {
	lines    []string
	at       int    // len(lines) is the line being written
	draft    string // that line
	argument int    // the line that lastArgument took its word from
}

func (h *history) add(line string) {
	if strings.TrimSpace(line) == "" || (len(h.lines) > 0 && h.lines[len(h.lines)-1] == line) {
		return
	}
	h.lines = append(h.lines, line)
	if len(h.lines) > maxHistory {
		h.lines = h.lines[1:]
	}
	h.leave()
}

func (h *history) leave() { h.at, h.draft = len(h.lines), "" }

// to shows line i of the history, or the draft.
func (e *Editor) to(i int) Action {
	h := &e.past
	if i < 0 || i > len(h.lines) || i == h.at {
		return Bell
	}
	if h.at == len(h.lines) {
		h.draft = e.text
	}
	h.at = i
	text := h.draft
	if i < len(h.lines) {
		text = h.lines[i]
	}
	e.undone = log{}
	e.set(text, len(text))
	return Changed
}

// up goes to the line above, and from the first line to the history.
func up(e *Editor) Action {
	start := lineStart(e.text, e.cursor)
	if start == 0 {
		return e.to(e.past.at - 1)
	}
	e.cursor = sameColumn(e.text, e.cursor, lineStart(e.text, start-1))
	return Changed
}

// down goes to the line below, and from the last line forward in the history.
func down(e *Editor) Action {
	end := lineEnd(e.text, e.cursor)
	if end == len(e.text) {
		return e.to(e.past.at + 1)
	}
	e.cursor = sameColumn(e.text, e.cursor, end+1)
	return Changed
}

// sameColumn returns the place in the line that begins at start which is as many clusters in as at is in its own line.
func sameColumn(text string, at, start int) int {
	n := 0
	for p := lineStart(text, at); p < at; p = right(text, p) {
		n++
	}
	end := lineEnd(text, start)
	for ; n > 0 && start < end; n-- {
		start = right(text, start)
	}
	return start
}

func oldest(e *Editor) Action { return e.to(0) }
func newest(e *Editor) Action { return e.to(len(e.past.lines)) }

// lastArgument inserts the last word of the line before; again, of the line before that.
func lastArgument(e *Editor) Action {
	i := len(e.past.lines) - 1
	if e.last == "M-." || e.last == "M-_" {
		i = e.past.argument - 1
		undo(e)
	}
	if i < 0 {
		return Bell
	}
	e.past.argument = i
	words := strings.Fields(e.past.lines[i])
	if len(words) == 0 {
		return Bell
	}
	return e.insert(words[len(words)-1], false)
}
