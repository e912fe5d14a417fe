// Package verify says of each log whether it is what its writer wrote, and if
// not, what was done to it and where. It works offline, from the files and
// whatever the caller brings from outside: a host key to trust, checkpoints
// that left the machine earlier. A log that is whole is read once, as a
// stream.
//
// The recordings and sealed texts beside a log are held against it too: what
// was changed, cut or is gone, bytes that no record names, what follows a
// recording's end, and files of which no log speaks. What follows the last
// recorded piece of a recording whose console lives or died is only told; where
// logs were pruned, files that no log names may be theirs.
//
// What it cannot tell: what was lost after the last checkpoint that left the
// machine, what a compromised writer wrote in the first place, a disk that
// was set back together with the keys when no checkpoint from outside is at
// hand, and a clock that was wrong.
package verify
