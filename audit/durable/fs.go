package durable

import (
	"errors"
	"io/fs"
)

// FS is the file work of the log, small enough to fault every step of it in
// tests. [OS] is the real one.
type FS interface {
	// Folder makes the folder, 0700, if it is not there, and vets it. The mode
	// of one that is there changes only if it holds nothing but what is ours, or
	// nothing at all, others cannot write there and it was certainly made by
	// this user; any other with a loose mode is refused. Its answer is what was
	// put right, if anything.
	Folder(path string, ours func(fs.DirEntry) bool) (fixed string, err error)
	// Create makes a file that was not there, 0600, to append to, locked.
	Create(path string) (File, error)
	// OpenAppend opens a file that is there, or makes it, to append to, locked.
	OpenAppend(path string) (File, error)
	// Open opens a file to read it.
	Open(path string) (File, error)
	// Lock takes the lock of a file that is there, or says ErrLocked.
	Lock(path string) (Unlock, error)
	// Held tells whether somebody has that lock. Those who ask do not see each
	// other.
	Held(path string) (bool, error)
	// ReadDir lists a folder, by name.
	ReadDir(path string) ([]fs.DirEntry, error)
	// SyncDir makes creations and removals in the folder durable.
	SyncDir(path string) error
	// Remove removes a file.
	Remove(path string) error
	// Replace puts a small file in the place of what is there, durably: all or
	// nothing, or in place where the folder keeps all names. Then a crash can
	// leave a mixture, if the file is longer than what a disk writes at once.
	Replace(path string, data []byte) error
	// Space is what is free to this process and what there is, in bytes.
	Space(path string) (free, total int64, err error)
	// Reserve makes a file of n bytes that really holds its space, locked.
	Reserve(path string, n int64) (File, error)
	// Release gives the space of a reserve back: the file is removed, or emptied
	// where the folder keeps all names.
	Release(path string) error
}

// File is an open file.
type File interface {
	// Write appends.
	Write(p []byte) (int, error)
	ReadAt(p []byte, off int64) (int, error)
	// Sync returns when the bytes and the size are on disk.
	Sync() error
	// Check says whether the file at the path is still this one and size
	// bytes long.
	Check(size int64) error
	Size() (int64, error)
	Close() error
}

// Unlock gives a lock back.
type Unlock func() error

var (
	// ErrLocked says that the file's writer lives.
	ErrLocked = errors.New("held by its writer")
	// ErrReplaced says that the file was removed or replaced under its writer.
	ErrReplaced = errors.New("removed or replaced while it was open")
	// ErrResized says that another process wrote to the file or cut it.
	ErrResized = errors.New("another process changed its size")
	// ErrUnsafe says that a path is not one to write a log to.
	ErrUnsafe = errors.New("unsafe")
)

// NotThere says that err is about a file that does not exist.
func NotThere(err error) bool { return errors.Is(err, fs.ErrNotExist) }
