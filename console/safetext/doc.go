// Package safetext makes text that others wrote harmless and visible.
//
// Everything that the console draws and did not write itself passes it: chat of the copilot, agents' reasons, file names, errors of
// the remote, titles, command lines at consent. What comes out holds no control (C0, DEL, C1), no character that a terminal acts on
// or does not show (bidirectional controls, zero width characters, tags, variation selectors that stand alone, private use, line and
// paragraph separators, unassigned), and no invalid UTF-8. What was there is not dropped in silence: it is drawn as a mark.
//
//	newline ↵    tab ⇥    ESC ‹ESC›    U+200B ‹U+200B›    byte 0xff ‹0xff›
//
// The marks' own brackets, ‹ and ›, are drawn as ‹U+2039› and ‹U+203A› by Exact, so that no text can imitate a mark at consent.
//
// Not promised: look-alike letters of other scripts stay as they are; package policy/runes classifies those.
package safetext
