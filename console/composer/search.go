package composer

import (
	"strings"
	"unicode/utf8"

	"sallyport/console/keys"
)

// search is a search in the history that goes on while its text is typed.
type search struct {
	on     bool
	text   string
	at     int   // the line that was found
	failed bool  // nothing more was found
	before state // to go back to
}

func startSearch(e *Editor) Action {
	e.find = search{on: true, at: len(e.past.lines), before: state{e.text, e.cursor}}
	return Changed
}

// searchKey handles a key during a search; done says that nobody else wants it.
func (e *Editor) searchKey(ev keys.Event) (a Action, done bool) {
	switch ev.String() {
	case "C-r", "Up":
		return e.look(e.find.at-1, -1), true
	case "C-s", "Down":
		return e.look(e.find.at+1, 1), true
	case "Backspace", "C-h":
		return e.shorten(), true
	case "C-g", "C-c":
		e.set(e.find.before.text, e.find.before.cursor)
		e.find = search{}
		return Changed, true
	case "Escape":
		e.accept()
		return Changed, true
	}
	if text := keys.Clean(ev.Typed()); text != "" && ev.Mod == 0 {
		e.find.text += text
		return e.look(min(e.find.at, len(e.past.lines)-1), -1), true
	}
	e.accept()
	return None, false
}

// accept ends the search with what it found as the text.
func (e *Editor) accept() {
	e.undone = log{}
	e.undone.states = append(e.undone.states, e.find.before)
	if !e.find.failed && e.find.at < len(e.past.lines) {
		e.past.draft = e.find.before.text
		e.past.at = e.find.at
	}
	e.find = search{}
}

func (e *Editor) shorten() Action {
	if e.find.text == "" {
		return Bell
	}
	_, n := utf8.DecodeLastRuneInString(e.find.text)
	e.find.text = e.find.text[:len(e.find.text)-n]
	return e.look(len(e.past.lines)-1, -1)
}

// look goes through the history from line i on, and shows the first line that holds the text.
func (e *Editor) look(i, by int) Action {
	f := &e.find
	for ; i >= 0 && i < len(e.past.lines); i += by {
		line := e.past.lines[i]
		if line == e.text && i != f.at {
			continue
		}
		if at := strings.Index(line, f.text); at >= 0 {
			f.at, f.failed = i, false
			e.set(line, at)
			return Changed
		}
	}
	f.failed = true
	return Bell
}
