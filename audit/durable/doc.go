// Package durable is the only place of the log that touches files. It makes
// them, locks them, appends to them and says when they are on disk.
//
// What it relies on: fdatasync returns an error if the data did not reach the
// disk, and only then has it been forgotten; a created name is durable once
// its folder was fsynced. After a failed sync nothing is known any more: the
// kernel may have dropped the pages and will say "ok" to the next call, so
// the caller must give the file up. What it cannot do: see through a disk
// that acknowledges what it holds in a volatile cache, or a file system
// mounted without barriers.
//
// Folders and files are vetted before they are used: regular, owned by this
// process's user; a symlink, FIFO, device or another owner's file is refused
// and left as it is. A mode that lets others in is tightened, where the folder is
// certainly one for logs; one that may be the system's is left as it is and
// refused. Locks are flock: they end with the process, also with a killed one.
package durable
