// Package recording keeps what the operator saw: an asciicast version 2
// (https://docs.asciinema.org/manual/asciicast/v2/) with the window's sizes,
// a marker at each command, and typed input only where the remote echoed it.
// The session takes the console's own marks out before anything gets here.
//
// With recipients the recording is verbatim and encrypted to these age keys, in
// <dir>/recordings/<session>.cast.age. Without, it is
// <dir>/recordings/<session>.cast and has passed the redactor's stream view.
//
// The file grows by chunks of whole lines, one a second while something happens:
// each is on disk before a recording.chunk record names its place and SHA-256 in
// the log, so that what was recorded cannot be replaced. A console that dies
// loses what came since the last: about a second. An encrypted chunk is, as the
// entries of sealed/ are, four bytes of length (big endian) and an age file of
// its own; its plaintext is filled up with spaces before the last newline to a
// multiple of 256 bytes. The plaintexts one after the other are the asciicast.
//
// Bytes that are no UTF-8 become U+FFFD, since JSON has no other place for them.
//
// A recording that cannot be written does not hold the terminal up. It ends,
// the log says so, and OnFailure tells the console, which follows the
// organisation's policy (end the session, refuse sends, note it).
package recording
