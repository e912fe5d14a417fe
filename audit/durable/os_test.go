package durable_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"sallyport/audit/durable"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/layout"
)

func TestUnsafePathsAreRefusedAndLeftAlone(t *testing.T) {
	d := t.TempDir()
	target := filepath.Join(d, "target")
	if err := os.WriteFile(target, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	link, fifo := filepath.Join(d, "link"), filepath.Join(d, "fifo")
	if err := errors.Join(os.Symlink(target, link), unix.Mkfifo(fifo, 0o600), os.Mkdir(filepath.Join(d, "folder"), 0o700)); err != nil {
		t.Fatal(err)
	}
	dirLink := filepath.Join(d, "dirlink")
	if err := os.Symlink(filepath.Join(d, "folder"), dirLink); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"append to a symlink", func() error { _, err := durable.OS{}.OpenAppend(link); return err }},
		{"append to a FIFO", func() error { _, err := durable.OS{}.OpenAppend(fifo); return err }},
		{"append to a device", func() error { _, err := durable.OS{}.OpenAppend("/dev/null"); return err }},
		{"append to a folder", func() error { _, err := durable.OS{}.OpenAppend(filepath.Join(d, "folder")); return err }},
		{"read a symlink", func() error { _, err := durable.OS{}.Open(link); return err }},
		{"read a FIFO", func() error { _, err := durable.OS{}.Open(fifo); return err }},
		{"a symlink for a folder", func() error { _, err := durable.OS{}.Folder(dirLink, layout.Written); return err }},
		{"a file for a folder", func() error { _, err := durable.OS{}.Folder(target, layout.Written); return err }},
	} {
		if err := c.do(); !errors.Is(err, durable.ErrUnsafe) {
			t.Errorf("%s: %v, want it refused as unsafe", c.name, err)
		}
	}
	if _, err := (durable.OS{}).Create(link); err == nil {
		t.Error("create over a symlink")
	}
	got, err := os.ReadFile(target)
	st, err2 := os.Stat(target)
	if err != nil || err2 != nil || string(got) != "precious" || st.Mode().Perm() != 0o644 {
		t.Errorf("the symlink's target was touched: %q %v", got, st.Mode())
	}
}

func TestAnotherOwnersFileIsRefused(t *testing.T) {
	durabletest.NeedRoot(t)
	d := t.TempDir()
	file, folder := filepath.Join(d, "file"), filepath.Join(d, "folder")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Mkdir(folder, 0o700), os.Chown(file, 65534, 65534), os.Chown(folder, 65534, 65534)); err != nil {
		t.Fatal(err)
	}
	if _, err := (durable.OS{}).OpenAppend(file); !errors.Is(err, durable.ErrUnsafe) {
		t.Errorf("file: %v", err)
	}
	if _, err := (durable.OS{}).Folder(folder, layout.Written); !errors.Is(err, durable.ErrUnsafe) {
		t.Errorf("folder: %v", err)
	}
}

func TestALooseModeIsTightened(t *testing.T) {
	d := filepath.Join(t.TempDir(), "audit")
	if err := errors.Join(os.Mkdir(d, 0o755), os.Chmod(d, 0o755)); err != nil {
		t.Fatal(err)
	}
	fixed, err := durable.OS{}.Folder(d, layout.Written)
	if err != nil || fixed == "" {
		t.Errorf("%q %v", fixed, err)
	}
	if st, _ := os.Stat(d); st.Mode().Perm() != 0o700 {
		t.Errorf("mode %v", st.Mode())
	}
	if fixed, err := (durable.OS{}).Folder(d, layout.Written); fixed != "" || err != nil {
		t.Errorf("again: %q %v", fixed, err)
	}
	f, err := durable.OS{}.Create(filepath.Join(d, "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if st, _ := os.Stat(filepath.Join(d, "x")); st.Mode().Perm() != 0o600 {
		t.Errorf("file mode %v", st.Mode())
	}
}

func TestFoldersAreMadeAllTheWay(t *testing.T) {
	d := filepath.Join(t.TempDir(), "a", "b", "c")
	if _, err := (durable.OS{}).Folder(d, layout.Written); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(filepath.Dir(d)); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", st, err)
	}
}

func TestASecondWriterIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	f, err := durable.OS{}.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (durable.OS{}).OpenAppend(path); !errors.Is(err, durable.ErrLocked) {
		t.Errorf("append: %v", err)
	}
	if _, err := (durable.OS{}).Lock(path); !errors.Is(err, durable.ErrLocked) {
		t.Errorf("lock: %v", err)
	}
	held(t, path, true)
	f.Close()
	held(t, path, false)
	unlock, err := durable.OS{}.Lock(path)
	if err != nil {
		t.Fatalf("after the writer: %v", err)
	}
	unlock()
}

func held(t *testing.T, path string, want bool) {
	t.Helper()
	if got, err := (durable.OS{}).Held(path); got != want || err != nil {
		t.Errorf("held %v, want %v: %v", got, want, err)
	}
}

// Two who ask at one moment whether the writer lives are no writers.
func TestWhoAsksIsNotSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	f, err := durable.OS{}.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	other, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := unix.Flock(int(other.Fd()), unix.LOCK_SH); err != nil { // as another reader has it for a moment
		t.Fatal(err)
	}
	held(t, path, false)
}

func TestAFileThatWasReplacedOrCutIsNoticed(t *testing.T) {
	d := t.TempDir()
	path := filepath.Join(d, "x")
	f, err := durable.OS{}.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write([]byte("1234")); err != nil {
		t.Fatal(err)
	}
	if err := f.Check(4); err != nil {
		t.Errorf("untouched: %v", err)
	}
	if err := os.Truncate(path, 2); err != nil {
		t.Fatal(err)
	}
	if err := f.Check(4); !errors.Is(err, durable.ErrResized) {
		t.Errorf("cut: %v", err)
	}
	if err := errors.Join(os.Truncate(path, 4), os.Rename(path, path+".old"), os.WriteFile(path, []byte("1234"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := f.Check(4); !errors.Is(err, durable.ErrReplaced) {
		t.Errorf("replaced: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := f.Check(4); !errors.Is(err, durable.ErrReplaced) {
		t.Errorf("removed: %v", err)
	}
}

func TestAReserveHoldsItsSpace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	f, err := durable.OS{}.Reserve(path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil || st.Size != 1<<20 || st.Blocks*512 < 1<<20 {
		t.Errorf("%d bytes in %d blocks: %v", st.Size, st.Blocks, err)
	}
	if _, err := (durable.OS{}).Lock(path); !errors.Is(err, durable.ErrLocked) {
		t.Errorf("the reserve is not locked: %v", err)
	}
}

// appendOnly sets chattr +a on a file or folder.
func appendOnly(t *testing.T, path string) {
	t.Helper()
	durabletest.NeedRoot(t)
	chattr := durabletest.Need(t, "chattr")
	if out, err := exec.Command(chattr, "+a", path).CombinedOutput(); err != nil {
		t.Skipf("needs: a file system with chattr +a (%s)", out)
	}
	t.Cleanup(func() { exec.Command(chattr, "-a", path).Run() })
}

func TestAppendOnlyFlagsBreakNothing(t *testing.T) {
	d := filepath.Join(t.TempDir(), "audit")
	if _, err := (durable.OS{}).Folder(d, layout.Written); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(d, "x")
	f, err := durable.OS{}.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	appendOnly(t, path)
	if _, err := f.Write([]byte("1234")); err != nil {
		t.Error(err)
	}
	if err := errors.Join(f.Sync(), f.Check(4)); err != nil {
		t.Error(err)
	}
	if err := os.Truncate(path, 0); err == nil {
		t.Error("the flag does not hold")
	}
	if _, err := (durable.OS{}).Folder(d, layout.Written); err != nil {
		t.Error(err)
	}
}

// In a folder with chattr +a no name goes away: what is replaced is written in
// place, and a reserve is emptied.
func TestAnAppendOnlyFolderBreaksNothing(t *testing.T) {
	d := t.TempDir()
	appendOnly(t, d)
	cursor := filepath.Join(d, "x.cursor")
	for _, text := range []string{"a longer one", "short", "a longer one again"} {
		if err := (durable.OS{}).Replace(cursor, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(cursor); err != nil || string(b) != text {
			t.Errorf("%q: %q %v", text, b, err)
		}
	}
	held := filepath.Join(d, "x.reserve")
	f, err := durable.OS{}.Reserve(held, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var st unix.Stat_t
	if err := errors.Join((durable.OS{}).Release(held), unix.Stat(held, &st)); err != nil || st.Blocks != 0 {
		t.Errorf("%d blocks are still held: %v", st.Blocks, err)
	}
}
