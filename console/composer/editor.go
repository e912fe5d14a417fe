package composer

import (
	"strings"

	"sallyport/console/keys"
)

// Action is what the caller has to do after a key.
type Action uint8

// Actions.
const (
	None      Action = iota // nothing changed
	Changed                 // the text, the cursor or the search changed
	Submit                  // Enter: the text is complete; it stays until Reset
	Interrupt               // control-C: the text was dropped
	EOF                     // control-D without text
	Complete                // Tab: the caller may offer completions and call Replace
	Clear                   // control-L: draw the screen anew
	Bell                    // the key has nothing to do here
	Cancel                  // Escape, where nothing in the editor wants it
)

// Mode chooses the keys.
type Mode uint8

// Modes.
const (
	Emacs Mode = iota
	Vi
)

// DefaultMaxBytes is how long a text may become unless Config says otherwise.
const DefaultMaxBytes = 64 << 10

// Config says how an Editor works. The zero value is an emacs editor of one line without history.
type Config struct {
	Mode      Mode
	History   []string // oldest first
	Multiline bool     // M-Enter, and control-V control-J, put a newline into the text; pasted newlines stay
	MaxBytes  int      // 0 means DefaultMaxBytes
}

// View is what there is to draw.
type View struct {
	Lines     []string // the text, cut at newlines
	Row, Col  int      // the cursor: an index into Lines, and a byte offset in that line
	Searching bool     // control-R: Search is what is looked for
	Search    string
	Failed    bool   // the search found nothing
	Mode      string // "insert" or "command" in vi mode
}

// command is what a key does.
type command func(*Editor) Action

// Editor is a text with a cursor.
type Editor struct {
	config Config
	text   string
	cursor int // a byte offset, between grapheme clusters
	undone log
	killed ring
	past   history
	find   search
	vi     vi
	quoted bool // control-V: the next key is text
	last   string
}

// New returns an empty editor.
func New(c Config) *Editor {
	if c.MaxBytes <= 0 {
		c.MaxBytes = DefaultMaxBytes
	}
	e := &Editor{config: c}
	for _, line := range c.History {
		e.past.add(line)
	}
	e.Reset()
	return e
}

// Key does what a key does.
func (e *Editor) Key(ev keys.Event) Action {
	if ev.Key == keys.Char && ev.Mod == keys.Shift {
		ev.Mod = 0
	}
	if e.quoted {
		e.quoted = false
		return e.quote(ev)
	}
	if e.find.on {
		if a, done := e.searchKey(ev); done {
			return a
		}
	}
	return e.dispatch(ev)
}

func (e *Editor) dispatch(ev keys.Event) Action {
	name := ev.String()
	if e.vi.command {
		return e.viKey(ev, name)
	}
	a, known := e.bound(name)
	if !known {
		a = e.typed(ev)
	}
	e.last = name
	return a
}

// bound runs the command that is bound to a key in insert or emacs mode.
func (e *Editor) bound(name string) (Action, bool) {
	if e.config.Mode == Vi {
		if c, ok := viInsertKeys[name]; ok {
			return c(e), true
		}
	}
	if c, ok := emacsKeys[name]; ok {
		return c(e), true
	}
	return None, false
}

// typed inserts what a key stands for as text.
func (e *Editor) typed(ev keys.Event) Action {
	text := keys.Clean(ev.Typed())
	if text == "" || ev.Mod != 0 {
		return Bell
	}
	return e.insert(text, e.typing())
}

// typing reports whether the key before also typed text, so that undo takes both together.
func (e *Editor) typing() bool { return e.last == "" || len([]rune(e.last)) == 1 || e.last == "Space" }

// quote inserts the key after control-V. Of controls only the newline can be part of a line.
func (e *Editor) quote(ev keys.Event) Action {
	if ev.Is("C-j") || ev.Is("Enter") {
		return e.newline()
	}
	return e.typed(ev)
}

func (e *Editor) newline() Action {
	if !e.config.Multiline {
		return Bell
	}
	return e.insert("\n", false)
}

// insert puts text before the cursor. With join, undo takes it back together with the change before.
func (e *Editor) insert(text string, join bool) Action {
	if len(e.text)+len(text) > e.config.MaxBytes {
		return Bell
	}
	e.undone.keep(e, join)
	e.set(e.text[:e.cursor]+text+e.text[e.cursor:], e.cursor+len(text))
	return Changed
}

func (e *Editor) set(text string, cursor int) { e.text, e.cursor = text, cursor }

// Paste inserts text with every control but newline and tab taken out; without Multiline newlines become spaces.
func (e *Editor) Paste(text string) Action {
	text = keys.Clean(text)
	if !e.config.Multiline {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	if text == "" {
		return None
	}
	e.find.on = false
	e.last = "paste"
	return e.insert(text, false)
}

// Set replaces the whole text; the cursor goes to its end. Undo brings the old text back.
func (e *Editor) Set(text string) {
	e.undone.keep(e, false)
	e.set(text, len(text))
	e.last = "set"
}

// Replace puts text in place of the bytes from … to-1, and the cursor behind it: what a completion does.
func (e *Editor) Replace(from, to int, text string) {
	from, to = max(0, min(from, len(e.text))), max(0, min(to, len(e.text)))
	if from > to {
		from, to = to, from
	}
	e.undone.keep(e, false)
	e.set(e.text[:from]+text+e.text[to:], from+len(text))
	e.last = "replace"
}

// Reset drops the text and what undo knows, for a new line.
func (e *Editor) Reset() {
	e.set("", 0)
	e.undone = log{}
	e.past.leave()
	e.find = search{}
	e.vi = vi{find: e.vi.find}
	e.quoted, e.last = false, ""
}

// AddHistory adds a line that was sent. A line equal to the one before it is not added again.
func (e *Editor) AddHistory(line string) { e.past.add(line) }

// Text returns the whole text.
func (e *Editor) Text() string { return e.text }

// Empty reports whether there is no text.
func (e *Editor) Empty() bool { return e.text == "" }

// Cursor returns the cursor's byte offset in Text.
func (e *Editor) Cursor() int { return e.cursor }

// View returns what there is to draw.
func (e *Editor) View() View {
	before := e.text[:e.cursor]
	v := View{
		Lines:     strings.Split(e.text, "\n"),
		Row:       strings.Count(before, "\n"),
		Col:       len(before) - (strings.LastIndexByte(before, '\n') + 1),
		Searching: e.find.on,
		Search:    e.find.text,
		Failed:    e.find.failed,
	}
	switch {
	case e.vi.command:
		v.Mode = "command"
	case e.config.Mode == Vi:
		v.Mode = "insert"
	}
	return v
}
