// Package tui is the screen that a person works in: the shell in the centre,
// Linus and the audit log beside it, and the dialogs in which a person decides.
//
// # How it works
//
// [Run] shows one model on the operator's terminal (package tty). Update only
// routes messages; Draw is pure. Nothing here does I/O or starts a goroutine:
// what takes time is a tea.Cmd, and its answer carries the number of the
// question it belongs to. What changed outside is read once a frame
// (tty.FrameMsg), never in between.
//
// # Consent
//
// [Dialogs] is where the gate's and the remote's questions wait for a person. A
// question is drawn from the bytes that would be sent, with everything
// invisible made visible, and takes no key until it has been drawn and the
// keyboard was quiet for 400 ms since. A phrase is typed key by key: a paste,
// or more than 8 characters in 50 ms, empties the field. A suggestion being
// edited is sent only when the verdict on exactly its text has been drawn.
//
// # What is drawn
//
// The remote's cells are copied one by one. Everything else that others wrote
// passes package safetext. Nothing that a host prints can reach the gutter, the
// header, the status line or a panel.
package tui
