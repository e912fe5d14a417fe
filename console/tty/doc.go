// Package tty owns the operator's terminal: raw mode, screen modes, size,
// signals, the rate of drawing, and the way back to a usable terminal on every
// end that a process can notice.
//
// A [Terminal] runs one [App]. Input and messages are Bubble Tea's; its
// renderer is not used, because its ticker adds up to a frame of delay to
// every key. Here a frame is drawn at once after a quiet moment and at most
// [FrameRate] times a second under load, and only when something changed:
//
//	key, wake, size ─► App.Update ─► (frame due) ─► App.Update(FrameMsg) ─► App.Draw(Canvas) ─► bytes
//
// App.Update and App.Draw are called from one goroutine. Draw must be pure: it
// reads the state of the App and sets cells. Bytes are written by a goroutine
// of their own, so that a terminal which does not read never stops the console;
// while it is behind, frames are skipped, not queued.
//
// Only cells reach the terminal. A cell holds one grapheme cluster; a cluster
// with a control character is replaced before it is drawn (see [Canvas.Put]).
//
// What is NOT promised: a process killed with SIGKILL, or a panic in a goroutine
// that neither the App's commands nor its Update started, leaves the terminal as
// it is (`reset` mends it).
package tty
