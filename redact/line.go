package redact

// Line is what an emulator shows, as text: one logical line, or several with '\n'
// between them (so that a key of many lines is seen whole). Soft wraps are joined, and
// what was overwritten is gone. Text holds no escape sequences; the colours stand
// beside it and come back outside the masks.
type Line struct {
	Text string
	SGR  []SGR // in order of At
}

// SGR is a change of colour or style before the byte At of a Line's text.
type SGR struct {
	At  int
	Seq string // one or more whole sequences ESC [ … m; anything else is dropped
}
