// Package safetext makes text that others wrote harmless and visible.
//
// Everything that the console draws and did not write itself passes it: chat of the copilot, agents' reasons, file names, errors of
// the remote, titles, command lines at consent. What comes out holds no control (C0, DEL, C1), no character that a terminal acts on
// or does not show (bidirectional controls, zero width characters, tags, fillers, private use, separators of lines and paragraphs,
// unassigned), and no invalid UTF-8. What was there is not dropped in silence: it is drawn as a mark. The tables are those that
// policies judge by (package policy/runes).
//
//	newline ↵    tab ⇥    ESC ‹ESC›    U+200B ‹U+200B›    byte 0xff ‹0xff›    space at the end, at consent ␠
//
// Line and Block are for reading: joiners and variation selectors stay where emoji and scripts need them. Exact is for consent: nothing
// of the sort stays, the characters of the marks themselves are marked, so that no text imitates a mark, and so are look-alikes of ASCII
// where they would be believed.
//
// Not promised: that letters of another script are told from their own look-alikes, or that widths fit; a mark takes more room than what
// it stands for.
package safetext
