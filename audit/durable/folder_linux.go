package durable

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"golang.org/x/sys/unix"
)

const (
	special = unix.S_ISVTX | unix.S_ISUID | unix.S_ISGID
	others  = 0o022 // may write
)

// vetFolder refuses a folder that is not this user's. It tightens the mode of
// one that is certainly for logs alone; any other is refused and left as it is,
// whoever asks: it may be the system's, and others may live by its mode.
func vetFolder(fd int, path string) (fixed string, err error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return "", pathError("stat", path, err)
	}
	if int(st.Uid) == os.Geteuid() && st.Mode&0o077 != 0 {
		if err := ours(path, st.Mode); err != nil {
			return "", pathError("use", path, err)
		}
	}
	return vet(fd, path, unix.S_IFDIR, dirMode)
}

// ours says that a folder with a loose mode is one for logs alone: it has some
// and nothing else, or has nothing and was made by this user.
func ours(path string, mode uint32) error {
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
		if !written(e) {
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

// written says that an entry has the name of what a log's writer makes.
func written(e fs.DirEntry) bool {
	if e.IsDir() {
		return e.Name() == "recordings" || e.Name() == "sealed"
	}
	return fileOfALog.MatchString(e.Name())
}

var fileOfALog = regexp.MustCompile(`^(\d{8}T\d{6}Z-[0-9a-f]{8}\.(jsonl|reserve|cursor|cursor\.next)|.+\.cast|.+\.age|probe-[0-9a-f]+)$`)
