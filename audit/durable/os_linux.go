package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// OS is the real file system.
type OS struct{}

const (
	dirMode  = 0o700
	fileMode = 0o600
	noFollow = unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NONBLOCK // a FIFO never blocks the open
)

// Folder implements [FS].
func (OS) Folder(path string, ours func(fs.DirEntry) bool) (string, error) {
	if err := makeFolder(path); err != nil {
		return "", err
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|noFollow, 0)
	if err != nil {
		return "", pathError("open folder", path, unsafe(err))
	}
	defer unix.Close(fd)
	return vetFolder(fd, path, ours)
}

// makeFolder makes the folder and what is missing above it, and makes each
// name durable.
func makeFolder(path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(path)
	if _, err := os.Stat(parent); errors.Is(err, fs.ErrNotExist) {
		if err := makeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return OS{}.SyncDir(parent)
}

// vet refuses what is not of the kind or not this user's, and tightens a
// loose mode.
func vet(fd int, path string, kind, mode uint32) (fixed string, err error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return "", pathError("stat", path, err)
	}
	switch {
	case st.Mode&unix.S_IFMT != kind:
		return "", pathError("use", path, fmt.Errorf("%w: neither a regular file nor a folder", ErrUnsafe))
	case int(st.Uid) != os.Geteuid():
		return "", pathError("use", path, fmt.Errorf("%w: owned by uid %d, not by %d", ErrUnsafe, st.Uid, os.Geteuid()))
	case st.Mode&0o077 == 0:
		return "", nil
	}
	if err := unix.Fchmod(fd, mode); err != nil {
		return "", pathError("tighten the mode of", path, err)
	}
	return fmt.Sprintf("%s had mode %04o; it has %04o now", path, st.Mode&0o7777, mode), nil
}

// Create implements [FS].
func (OS) Create(path string) (File, error) {
	return openFile(path, unix.O_RDWR|unix.O_APPEND|unix.O_CREAT|unix.O_EXCL)
}

// OpenAppend implements [FS].
func (OS) OpenAppend(path string) (File, error) {
	return openFile(path, unix.O_RDWR|unix.O_APPEND|unix.O_CREAT)
}

// Open implements [FS].
func (OS) Open(path string) (File, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, pathError("open", path, unsafe(err))
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		unix.Close(fd)
		return nil, pathError("open", path, fmt.Errorf("%w: not a regular file", ErrUnsafe))
	}
	return &osFile{fd: fd, path: path}, nil
}

func openFile(path string, flags int) (File, error) {
	fd, err := unix.Open(path, flags|noFollow, fileMode)
	if err != nil {
		return nil, pathError("open", path, unsafe(err))
	}
	f := &osFile{fd: fd, path: path}
	if _, err := vet(fd, path, unix.S_IFREG, fileMode); err != nil {
		f.Close()
		return nil, err
	}
	if err := flock(fd, path); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func flock(fd int, path string) error { return flockAs(unix.LOCK_EX, fd, path) }

func flockAs(kind, fd int, path string) error {
	err := unix.Flock(fd, kind|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = ErrLocked
	}
	return pathError("lock", path, err)
}

// Lock implements [FS].
func (OS) Lock(path string) (Unlock, error) {
	f, err := OS{}.Open(path)
	if err != nil {
		return nil, err
	}
	if err := flock(f.(*osFile).fd, path); err != nil {
		f.Close()
		return nil, err
	}
	return f.Close, nil
}

// Held implements [FS].
func (OS) Held(path string) (bool, error) {
	f, err := OS{}.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	err = flockAs(unix.LOCK_SH, f.(*osFile).fd, path)
	if errors.Is(err, ErrLocked) {
		return true, nil
	}
	return false, err
}

// ReadDir implements [FS].
func (OS) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }

// SyncDir implements [FS].
func (OS) SyncDir(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return pathError("open folder", path, err)
	}
	defer unix.Close(fd)
	return pathError("sync folder", path, retry(func() error { return unix.Fsync(fd) }))
}

// Remove implements [FS].
func (OS) Remove(path string) error { return os.Remove(path) }

// Replace implements [FS].
func (OS) Replace(path string, data []byte) error {
	err := replaceByName(path, data)
	if errors.Is(err, fs.ErrPermission) { // a folder with chattr +a
		err = overwrite(path, data)
	}
	return err
}

func replaceByName(path string, data []byte) error {
	next := path + ".next"
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := OS{}.Create(next)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(next, path); err != nil {
		return err
	}
	return OS{}.SyncDir(filepath.Dir(path))
}

// overwrite writes the file in place: first what it is to hold, then its
// length.
func overwrite(path string, data []byte) error {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CREAT|noFollow, fileMode)
	if err != nil {
		return pathError("open", path, unsafe(err))
	}
	defer unix.Close(fd)
	if _, err := vet(fd, path, unix.S_IFREG, fileMode); err != nil {
		return err
	}
	n, err := unix.Pwrite(fd, data, 0)
	switch {
	case err != nil:
	case n < len(data):
		err = io.ErrShortWrite
	default:
		err = unix.Ftruncate(fd, int64(len(data)))
	}
	if err == nil {
		err = unix.Fsync(fd)
	}
	return pathError("overwrite", path, errors.Join(err, OS{}.SyncDir(filepath.Dir(path))))
}

// Space implements [FS].
func (OS) Space(path string) (free, total int64, err error) {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return 0, 0, pathError("statfs", path, err)
	}
	return int64(st.Bavail) * st.Bsize, int64(st.Blocks) * st.Bsize, nil
}

// Reserve implements [FS].
func (OS) Reserve(path string, n int64) (File, error) {
	f, err := OS{}.Create(path)
	if err != nil {
		return nil, err
	}
	if err := reserve(f.(*osFile).fd, n); err != nil {
		os.Remove(path)
		f.Close()
		return nil, pathError("reserve", path, err)
	}
	return f, nil
}

// Release implements [FS].
func (OS) Release(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrPermission) { // a folder with chattr +a
		err = os.Truncate(path, 0)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return OS{}.SyncDir(filepath.Dir(path))
}

func reserve(fd int, n int64) error {
	err := retry(func() error { return unix.Fallocate(fd, 0, 0, n) })
	if errors.Is(err, unix.EOPNOTSUPP) {
		err = fill(fd, n)
	}
	if err != nil {
		return err
	}
	return unix.Fsync(fd)
}

// fill is Reserve where the file system cannot preallocate.
func fill(fd int, n int64) error {
	block := make([]byte, 64<<10)
	for ; n > 0; n -= int64(len(block)) {
		if _, err := unix.Write(fd, block); err != nil {
			return err
		}
	}
	return nil
}

type osFile struct {
	fd   int
	path string
}

// Write implements [File]: one write call, or more where the kernel took a
// part.
func (f *osFile) Write(p []byte) (done int, err error) {
	for done < len(p) {
		n, err := unix.Write(f.fd, p[done:])
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return done, pathError("write", f.path, err)
		}
		done += n
	}
	return done, nil
}

func (f *osFile) ReadAt(p []byte, off int64) (done int, err error) {
	for done < len(p) {
		n, err := unix.Pread(f.fd, p[done:], off+int64(done))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return done, pathError("read", f.path, err)
		}
		if n == 0 {
			return done, io.EOF
		}
		done += n
	}
	return done, nil
}

func (f *osFile) Sync() error {
	return pathError("sync", f.path, retry(func() error { return unix.Fdatasync(f.fd) }))
}

func (f *osFile) Check(size int64) error {
	var open, there unix.Stat_t
	if err := unix.Fstat(f.fd, &open); err != nil {
		return pathError("stat", f.path, err)
	}
	err := unix.Lstat(f.path, &there)
	switch {
	case errors.Is(err, unix.ENOENT), err == nil && (open.Ino != there.Ino || open.Dev != there.Dev):
		return pathError("append to", f.path, ErrReplaced)
	case err != nil:
		return pathError("stat", f.path, err)
	case open.Size != size:
		return pathError("append to", f.path, fmt.Errorf("%w: %d bytes, not %d", ErrResized, open.Size, size))
	}
	return nil
}

func (f *osFile) Size() (int64, error) {
	var st unix.Stat_t
	err := unix.Fstat(f.fd, &st)
	return st.Size, pathError("stat", f.path, err)
}

func (f *osFile) Close() error { return unix.Close(f.fd) }

// retry calls again what a signal broke off before it began.
func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// unsafe explains the errors by which open refuses a symlink, FIFO or folder.
func unsafe(err error) error {
	switch {
	case errors.Is(err, unix.ELOOP):
		return fmt.Errorf("%w: a symlink (%w)", ErrUnsafe, err)
	case errors.Is(err, unix.ENXIO), errors.Is(err, unix.EISDIR), errors.Is(err, unix.ENOTDIR):
		return fmt.Errorf("%w: not a regular file or folder (%w)", ErrUnsafe, err)
	}
	return err
}

func pathError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}
