// Package screen is a terminal emulator made for hostile output: bytes in, a grid of cells out.
//
// Nothing of the remote's passes through: whoever draws the grid copies cells, whose glyphs hold no control, no bidirectional control
// and no invisible character. What goes back to the remote is a few fixed replies (Replies), never text that the remote chose.
//
// # What it understands
//
// A UTF-8 xterm: cursor movement, erasing, insertion and deletion of cells, lines and columns, scrolling with top, bottom, left and right
// margins, origin mode, autowrap, insert mode, tabs, REP, DECALN, DECSTR, RIS, saved cursors, the alternate screen (47, 1047, 1049), DEC
// graphics in G0 to G3, SGR with 16, 256 and 24-bit colours and underline styles, bracketed paste, focus and mouse modes as data (Modes),
// synchronized output with a limit of one second, titles, hyperlinks (http and https) and writes to the clipboard as data. Everything else
// is consumed. Parameters are clamped to the grid, strings end at 64 KiB or five seconds, combining marks at a few a cell.
//
// Answered are DA1, DSR 5, the cursor's place, and DECRQM for known modes, at most 32 times a second; never titles, colours, the clipboard,
// DECRQSS, checksums or an answerback.
//
// # Rows
//
// Each row has a RowID, which stays with the row's content while it scrolls, also in a region, into the scrollback, and through a
// resize. A row that was cleared and used again is another row. Line numbers count rows from the first that ever left the grid: row y of
// the grid is Top()+y. They stay with the scrollback, and so with a selection in it, while new output arrives.
//
// Rows are joined into logical lines where a program's output wrapped softly. Resize lays logical lines out anew.
//
// # Limits
//
// Not promised: selective erasure, sixel and other pictures, blinking, lines of double width and height, right-to-left layout, 8-bit C1
// controls, the kitty keyboard protocol. A Screen is owned by one goroutine; nothing here locks.
package screen
