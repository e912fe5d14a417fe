package durable_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sallyport/audit/durable"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/layout"
)

const aLog = "20261130T105700Z-9f3c2a10.jsonl"

func TestOnlyAFolderOfLogsIsTightened(t *testing.T) {
	for _, c := range []struct {
		name     string
		mode     os.FileMode
		holds    []string
		tightens bool
	}{
		{"an empty one that others may read", 0o755, nil, true},
		{"an empty one that others may write", 0o777, nil, false},
		{"an empty one that a group may write", 0o775, nil, false},
		{"one of logs", 0o755, []string{aLog, "recordings/"}, true},
		{"one of logs that others could write", 0o777, []string{aLog}, true},
		{"one like /tmp", 0o777 | os.ModeSticky, nil, false},
		{"one like /tmp, with a log", 0o777 | os.ModeSticky, []string{aLog}, false},
		{"one like /var/log", 0o755, []string{"syslog", "apt/"}, false},
		{"one like /var/log, with a log", 0o755, []string{"syslog", aLog}, false},
		{"one that a group shares", 0o750 | os.ModeSetgid, []string{aLog}, false},
		{"a home with a log", 0o755, []string{aLog, ".bashrc"}, false},
	} {
		d := filepath.Join(t.TempDir(), "d")
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range c.holds {
			path := filepath.Join(d, name)
			do := func() error { return os.WriteFile(path, nil, 0o600) }
			if strings.HasSuffix(name, "/") {
				do = func() error { return os.Mkdir(path, 0o700) }
			}
			if err := do(); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(d, c.mode); err != nil {
			t.Fatal(err)
		}
		fixed, err := durable.OS{}.Folder(d, layout.Written)
		st, _ := os.Stat(d)
		switch {
		case c.tightens && (err != nil || fixed == "" || st.Mode().Perm() != 0o700):
			t.Errorf("%s: %q %v, mode %v", c.name, fixed, err, st.Mode())
		case !c.tightens && (!errors.Is(err, durable.ErrUnsafe) || !strings.Contains(err.Error(), "chmod 700")):
			t.Errorf("%s: %q %v, want it refused, and told what to do", c.name, fixed, err)
		case !c.tightens && st.Mode() != c.mode|os.ModeDir:
			t.Errorf("%s: its mode was changed to %v", c.name, st.Mode())
		}
	}
}

// An empty folder of root's may be the system's, as /srv is: its mode is left, and
// so is the folder. One that nobody else reaches, or in a folder like /tmp, was
// made for this.
func TestAnEmptyFolderOfTheSystemIsLeft(t *testing.T) {
	durabletest.NeedRoot(t)
	for _, c := range []struct {
		above    os.FileMode
		tightens bool
	}{
		{0o755, false}, // like /
		{0o700, true},  // like /root
		{0o777 | os.ModeSticky, true},
	} {
		above, err := os.MkdirTemp("/", "folder-*.test") // where others get in
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(above) })
		d := filepath.Join(above, "srv")
		if err := errors.Join(os.Chmod(above, c.above), os.Mkdir(d, 0o755), os.Chmod(d, 0o755)); err != nil {
			t.Fatal(err)
		}
		_, err = durable.OS{}.Folder(d, layout.Written)
		st, statErr := os.Stat(d)
		if statErr != nil || (err == nil) != c.tightens || (st.Mode().Perm() == 0o700) != c.tightens {
			t.Errorf("in a folder with mode %v: %v, mode %v", c.above, err, st.Mode())
		}
		if err != nil && !strings.Contains(err.Error(), "chmod 700") {
			t.Errorf("it does not say what to do: %v", err)
		}
	}
}
