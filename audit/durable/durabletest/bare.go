package durabletest

import (
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Bare is what the disk alone allows: lines that are written and synced one by one.
type Bare struct {
	fd   int
	line []byte
}

// NewBare makes a file in the folder, for lines of so many bytes.
func NewBare(t testing.TB, dir string, size int) *Bare {
	t.Helper()
	fd, err := unix.Open(filepath.Join(dir, "bare"), unix.O_WRONLY|unix.O_CREAT|unix.O_APPEND, fileMode)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return &Bare{fd, make([]byte, size)}
}

const fileMode = 0o600

// Append writes a line and returns when it is on disk.
func (b *Bare) Append() error {
	n, err := unix.Write(b.fd, b.line)
	if err == nil && n < len(b.line) {
		err = errors.New("a part was written")
	}
	if err == nil {
		err = unix.Fdatasync(b.fd)
	}
	return err
}
