package durable

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

const (
	special = unix.S_ISVTX | unix.S_ISUID | unix.S_ISGID
	others  = 0o022 // may write
)

// vetFolder refuses a folder that is not this user's. It tightens the mode of
// one that certainly holds ours alone; any other is refused and left as it is,
// whoever asks: it may be the system's, and others may live by its mode.
func vetFolder(fd int, path string, ours func(fs.DirEntry) bool) (fixed string, err error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return "", pathError("stat", path, err)
	}
	if int(st.Uid) == os.Geteuid() && st.Mode&0o077 != 0 {
		if err := alone(path, st.Mode, ours); err != nil {
			return "", pathError("use", path, err)
		}
	}
	return vet(fd, path, unix.S_IFDIR, dirMode)
}

// alone says that a folder with a loose mode is for ours alone: it has such
// entries and no other, or has none and was made by this user.
func alone(path string, mode uint32, ours func(fs.DirEntry) bool) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	loose := fmt.Errorf("%w: others may use it (mode %04o): chmod 700 it, if it is yours alone, or name a folder that is not there yet", ErrUnsafe, mode&0o7777)
	switch {
	case mode&special != 0, len(entries) == 0 && (mode&others != 0 || !madeHere(path)):
		return loose
	}
	for _, e := range entries {
		if !ours(e) {
			return loose
		}
	}
	return nil
}

// madeHere says that an empty folder which is this user's was made by them. Of
// root's some are the system's: /srv, or where a disk is to be mounted. One that
// nobody else can reach, or in a folder like /tmp, is none of these.
func madeHere(path string) bool {
	if os.Geteuid() != 0 {
		return true
	}
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = filepath.EvalSymlinks(filepath.Dir(path))
	}
	for ; err == nil && path != "/"; path = filepath.Dir(path) {
		var st unix.Stat_t
		if err = unix.Stat(path, &st); err != nil {
			break
		}
		if st.Uid == 0 && st.Mode&0o077 == 0 || st.Mode&unix.S_ISVTX != 0 && st.Mode&0o002 != 0 {
			return true
		}
	}
	return false
}
