// Package recording keeps what the operator saw: an asciicast version 2
// (https://docs.asciinema.org/manual/asciicast/v2/) with the window's sizes,
// a marker at each command, and typed input only where the remote echoed it.
// The session takes the console's own marks out before anything gets here.
//
// With recipients the recording is verbatim and encrypted to these age keys:
// <dir>/recordings/<session>.cast.age opens with age and any of theirs. A
// console that dies leaves such a file without its end; age opens what there
// is in whole blocks of 64 KiB. Without recipients it is
// <dir>/recordings/<session>.cast and has passed the redactor's stream view.
//
// The file grows by chunks: each is on disk before a recording.chunk record
// names its place and SHA-256 in the log, so that what was recorded cannot be
// replaced. Bytes that are no UTF-8 become U+FFFD, since JSON has no other
// place for them.
//
// A recording that cannot be written does not hold the terminal up. It ends,
// the log says so, and OnFailure tells the console, which follows the
// organisation's policy (end the session, refuse sends, note it).
package recording
