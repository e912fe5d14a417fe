package durable

import "io/fs"

// FS is the file work of the log, small enough to fault every step of it in
// tests. [OS] is the real one.
type FS interface {
	// Create makes a file that was not there, for appending, locked.
	Create(path string) (File, error)
	// Open opens a file to read it; a symlink or FIFO is refused.
	Open(path string) (File, error)
	// Lock takes the lock of a file that is there; ErrLocked if its writer lives.
	Lock(path string) (unlock func() error, err error)
	// ReadDir lists a folder by name.
	ReadDir(path string) ([]fs.DirEntry, error)
	// Folder makes the folder if needed, and vets it.
	Folder(path string) error
	// SyncDir makes creations and removals in the folder durable.
	SyncDir(path string) error
	// Remove removes a file.
	Remove(path string) error
	// Replace puts data in the place of a small file, all or nothing.
	Replace(path string, data []byte) error
	// Space is what is free and what there is in all, in bytes.
	Space(path string) (free, total int64, err error)
	// Reserve makes a file of n bytes that really holds its space.
	Reserve(path string, n int64) error
}

// File is an open file of the log.
type File interface {
	Write(p []byte) (int, error)
	ReadAt(p []byte, off int64) (int, error)
	// Sync returns when the bytes and the size are on disk.
	Sync() error
	Size() (int64, error)
	// Linked says that the file is still the one at its path.
	Linked() (bool, error)
	Close() error
}
