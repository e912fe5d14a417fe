package durabletest

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"sallyport/audit/durable"
)

// Memory is a file system in memory that knows what a disk would hold: bytes
// and names that were not synced are lost when the power goes, wholly or in
// part.
type Memory struct {
	// Capacity bounds the bytes of all files together; 0 is no bound.
	Capacity int64

	mu    sync.Mutex
	names map[string]*inode // as a program sees it
	disk  map[string]*inode // as it is after a crash
	dirs  map[string]bool
}

type inode struct {
	data   []byte
	synced int  // how many bytes of data are on disk
	holes  bool // a sync failed: what was not on disk then never gets there
	held   bool // somebody has the lock
}

// NewMemory makes an empty one.
func NewMemory() *Memory {
	return &Memory{names: map[string]*inode{}, disk: map[string]*inode{}, dirs: map[string]bool{}}
}

// Loss is what becomes of bytes that were not synced when the power goes.
type Loss int

// The kinds of loss.
const (
	LoseAll   Loss = iota // nothing of them got there
	LoseNone              // all did
	LoseHalf              // the first half did
	LoseZeros             // the size did, the second half are NULs

)

// Losses lists them.
func Losses() []Loss { return []Loss{LoseAll, LoseNone, LoseHalf, LoseZeros} }

// Crash gives what is there after a power loss and restart.
func (m *Memory) Crash(l Loss) *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	after := NewMemory()
	after.Capacity = m.Capacity
	maps.Copy(after.dirs, m.dirs)
	from := m.disk
	if l == LoseNone {
		from = m.names
	}
	for name, n := range from {
		kept := &inode{data: n.left(l)}
		kept.synced = len(kept.data)
		after.names[name], after.disk[name] = kept, kept
	}
	return after
}

func (n *inode) left(l Loss) []byte {
	unsynced := len(n.data) - n.synced
	kept := slices.Clone(n.data[:n.synced])
	switch {
	case n.holes || l == LoseAll:
		return kept
	case l == LoseHalf:
		return append(kept, n.data[n.synced:n.synced+unsynced/2]...)
	case l == LoseZeros:
		kept = append(kept, n.data[n.synced:n.synced+unsynced/2]...)
		return append(kept, make([]byte, unsynced-unsynced/2)...)
	}
	return append(kept, n.data[n.synced:]...)
}

// Restart gives the files as they are, with all locks free: the process is
// gone, the machine is not.
func (m *Memory) Restart() *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	after := NewMemory()
	after.Capacity = m.Capacity
	maps.Copy(after.dirs, m.dirs)
	copies := map[*inode]*inode{}
	for _, side := range []struct{ from, to map[string]*inode }{{m.names, after.names}, {m.disk, after.disk}} {
		for name, n := range side.from {
			if copies[n] == nil {
				copies[n] = &inode{data: slices.Clone(n.data), synced: n.synced, holes: n.holes}
			}
			side.to[name] = copies[n]
		}
	}
	return after
}

// Bytes is a file's content, or nil.
func (m *Memory) Bytes(path string) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := m.names[path]; n != nil {
		return slices.Clone(n.data)
	}
	return nil
}

// Put makes or replaces a file, on disk.
func (m *Memory) Put(path string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := &inode{data: slices.Clone(data), synced: len(data)}
	m.names[path], m.disk[path] = n, n
}

// Folder implements durable.FS.
func (m *Memory) Folder(path string, _ func(fs.DirEntry) bool) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dirs[path] = true
	return "", nil
}

// Create implements durable.FS.
func (m *Memory) Create(path string) (durable.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.names[path] != nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	n := &inode{held: true}
	m.names[path] = n
	return &file{m: m, n: n, path: path, holds: true}, nil
}

// OpenAppend implements durable.FS.
func (m *Memory) OpenAppend(path string) (durable.File, error) {
	m.mu.Lock()
	n := m.names[path]
	m.mu.Unlock()
	if n == nil {
		return m.Create(path)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if n.held {
		return nil, durable.ErrLocked
	}
	n.held = true
	return &file{m: m, n: n, path: path, holds: true}, nil
}

// Open implements durable.FS.
func (m *Memory) Open(path string) (durable.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.names[path]
	if n == nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return &file{m: m, n: n, path: path}, nil
}

// Lock implements durable.FS.
func (m *Memory) Lock(path string) (durable.Unlock, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.names[path]
	if n == nil {
		return nil, &fs.PathError{Op: "lock", Path: path, Err: fs.ErrNotExist}
	}
	if n.held {
		return nil, durable.ErrLocked
	}
	n.held = true
	f := &file{m: m, n: n, path: path, holds: true}
	return f.Close, nil
}

// Held implements durable.FS.
func (m *Memory) Held(path string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.names[path]
	if n == nil {
		return false, &fs.PathError{Op: "lock", Path: path, Err: fs.ErrNotExist}
	}
	return n.held, nil
}

// ReadDir implements durable.FS.
func (m *Memory) ReadDir(path string) (out []fs.DirEntry, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.dirs[path] {
		return nil, &fs.PathError{Op: "readdir", Path: path, Err: fs.ErrNotExist}
	}
	for name, n := range m.names {
		if filepath.Dir(name) == path {
			out = append(out, fs.FileInfoToDirEntry(info{filepath.Base(name), int64(len(n.data))}))
		}
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int {
		if a.Name() < b.Name() {
			return -1
		}
		return 1
	})
	return out, nil
}

// SyncDir implements durable.FS.
func (m *Memory) SyncDir(path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name := range m.disk {
		if filepath.Dir(name) == path && m.names[name] == nil {
			delete(m.disk, name)
		}
	}
	for name, n := range m.names {
		if filepath.Dir(name) == path {
			m.disk[name] = n
		}
	}
	return nil
}

// Remove implements durable.FS.
func (m *Memory) Remove(path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.names[path] == nil {
		return &fs.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}
	}
	delete(m.names, path)
	return nil
}

// Replace implements durable.FS.
func (m *Memory) Replace(path string, data []byte) error {
	m.Put(path, data)
	return nil
}

// Space implements durable.FS.
func (m *Memory) Space(string) (free, total int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Capacity == 0 {
		return 1 << 40, 1 << 40, nil
	}
	return m.Capacity - m.used(), m.Capacity, nil
}

func (m *Memory) used() (n int64) {
	for _, f := range m.names {
		n += int64(len(f.data))
	}
	return n
}

// SetCapacity changes the bound.
func (m *Memory) SetCapacity(n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Capacity = n
}

// Reserve implements durable.FS.
func (m *Memory) Reserve(path string, n int64) (durable.File, error) {
	f, err := m.Create(path)
	if err != nil {
		return nil, err
	}
	if m.Capacity == 0 {
		n = 1 // not worth the memory
	}
	if _, err := f.Write(make([]byte, n)); err != nil {
		m.Remove(path)
		return nil, err
	}
	return f, f.Sync()
}

// Release implements durable.FS.
func (m *Memory) Release(path string) error {
	if err := m.Remove(path); err != nil {
		return err
	}
	return m.SyncDir(filepath.Dir(path))
}

type info struct {
	name string
	size int64
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return 0o600 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }

type file struct {
	m     *Memory
	n     *inode
	path  string
	holds bool
}

// Write takes what there is space for.
func (f *file) Write(p []byte) (int, error) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	fits := len(p)
	if f.m.Capacity > 0 {
		fits = int(min(int64(len(p)), max(0, f.m.Capacity-f.m.used())))
	}
	f.n.data = append(f.n.data, p[:fits]...)
	if fits < len(p) {
		return fits, &fs.PathError{Op: "write", Path: f.path, Err: unix.ENOSPC}
	}
	return fits, nil
}

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if off >= int64(len(f.n.data)) {
		return 0, io.EOF
	}
	n := copy(p, f.n.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) Sync() error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if !f.n.holes {
		f.n.synced = len(f.n.data)
	}
	return nil
}

// forget is a sync that failed: the kernel drops the pages and calls them
// clean.
func (f *file) forget() {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	f.n.holes = true
}

func (f *file) Check(size int64) error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if f.m.names[f.path] != f.n {
		return durable.ErrReplaced
	}
	if int64(len(f.n.data)) != size {
		return fmt.Errorf("%w: %d bytes, not %d", durable.ErrResized, len(f.n.data), size)
	}
	return nil
}

func (f *file) Size() (int64, error) {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	return int64(len(f.n.data)), nil
}

func (f *file) Close() error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	if f.holds {
		f.n.held, f.holds = false, false
	}
	return nil
}
