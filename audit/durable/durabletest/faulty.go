package durabletest

import (
	"fmt"
	"io/fs"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"sallyport/audit/durable"
)

// Fault is how a step fails.
type Fault int

// The two ways: the error is the same, what is on disk is not.
const (
	NotPersisted Fault = iota
	Persisted
)

func (f Fault) String() string { return [...]string{"not persisted", "persisted"}[f] }

// Faulty is a file system of which one step fails.
type Faulty struct {
	durable.FS
	At   int64 // the step that fails, from 1; 0: none
	How  Fault
	Err  error // nil: EIO
	step atomic.Int64
	// Named is the step that failed.
	Named atomic.Value
}

// Steps is how many there were.
func (f *Faulty) Steps() int64 { return f.step.Load() }

// try says whether this step fails; do is done before that, or not.
func (f *Faulty) try(name string, do func() error) error {
	if f.step.Add(1) != f.At {
		return do()
	}
	f.Named.Store(name)
	if f.How == Persisted {
		if err := do(); err != nil {
			return err
		}
	}
	err := f.Err
	if err == nil {
		err = unix.EIO
	}
	return fmt.Errorf("%s: injected (%s): %w", name, f.How, err)
}

// Folder implements durable.FS.
func (f *Faulty) Folder(path string, ours func(fs.DirEntry) bool) (fixed string, err error) {
	err = f.try("folder", func() (err error) { fixed, err = f.FS.Folder(path, ours); return err })
	return fixed, err
}

func (f *Faulty) file(name string, open func() (durable.File, error)) (durable.File, error) {
	var got durable.File
	if err := f.try(name, func() (err error) { got, err = open(); return err }); err != nil {
		if got != nil {
			got.Close()
		}
		return nil, err
	}
	return &faultyFile{got, f}, nil
}

// Create implements durable.FS.
func (f *Faulty) Create(path string) (durable.File, error) {
	return f.file("create", func() (durable.File, error) { return f.FS.Create(path) })
}

// OpenAppend implements durable.FS.
func (f *Faulty) OpenAppend(path string) (durable.File, error) {
	return f.file("open to append", func() (durable.File, error) { return f.FS.OpenAppend(path) })
}

// Open implements durable.FS.
func (f *Faulty) Open(path string) (durable.File, error) {
	return f.file("open", func() (durable.File, error) { return f.FS.Open(path) })
}

// Reserve implements durable.FS.
func (f *Faulty) Reserve(path string, n int64) (durable.File, error) {
	return f.file("reserve", func() (durable.File, error) { return f.FS.Reserve(path, n) })
}

// Lock implements durable.FS.
func (f *Faulty) Lock(path string) (u durable.Unlock, err error) {
	err = f.try("lock", func() (err error) { u, err = f.FS.Lock(path); return err })
	if err != nil && u != nil {
		u()
	}
	return u, err
}

// Held implements durable.FS.
func (f *Faulty) Held(path string) (held bool, err error) {
	err = f.try("lock", func() (err error) { held, err = f.FS.Held(path); return err })
	return held, err
}

// ReadDir implements durable.FS.
func (f *Faulty) ReadDir(path string) (e []fs.DirEntry, err error) {
	err = f.try("read folder", func() (err error) { e, err = f.FS.ReadDir(path); return err })
	return e, err
}

// SyncDir implements durable.FS.
func (f *Faulty) SyncDir(path string) error {
	return f.try("sync folder", func() error { return f.FS.SyncDir(path) })
}

// Remove implements durable.FS.
func (f *Faulty) Remove(path string) error {
	return f.try("remove", func() error { return f.FS.Remove(path) })
}

// Release implements durable.FS.
func (f *Faulty) Release(path string) error {
	return f.try("release", func() error { return f.FS.Release(path) })
}

// Replace implements durable.FS.
func (f *Faulty) Replace(path string, data []byte) error {
	return f.try("replace", func() error { return f.FS.Replace(path, data) })
}

// Space implements durable.FS.
func (f *Faulty) Space(path string) (free, total int64, err error) {
	err = f.try("space", func() (err error) { free, total, err = f.FS.Space(path); return err })
	return free, total, err
}

type faultyFile struct {
	durable.File
	f *Faulty
}

func (w *faultyFile) Write(p []byte) (n int, err error) {
	err = w.f.try("write", func() (err error) { n, err = w.File.Write(p); return err })
	return n, err
}

func (w *faultyFile) ReadAt(p []byte, off int64) (n int, err error) {
	err = w.f.try("read", func() (err error) { n, err = w.File.ReadAt(p, off); return err })
	return n, err
}

func (w *faultyFile) Sync() error {
	done := false
	err := w.f.try("sync", func() error { done = true; return w.File.Sync() })
	if m, ok := w.File.(*file); ok && !done {
		m.forget()
	}
	return err
}

func (w *faultyFile) Check(size int64) error {
	return w.f.try("check", func() error { return w.File.Check(size) })
}

func (w *faultyFile) Size() (n int64, err error) {
	err = w.f.try("size", func() (err error) { n, err = w.File.Size(); return err })
	return n, err
}
