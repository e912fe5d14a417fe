package layout

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

func TestWritten(t *testing.T) {
	for _, tt := range []struct {
		name   string
		folder bool
		want   bool
	}{
		{"20261130T105700Z-9f3c2a10.jsonl", false, true},
		{"20261130T105700Z-9f3c2a10.reserve", false, true},
		{"20261130T105700Z-9f3c2a10.cursor", false, true},
		{"20261130T105700Z-9f3c2a10.cursor.next", false, true},
		{"s1.cast", false, true},
		{"s1.cast.age", false, true},
		{"s1.age", false, true},
		{"probe-0123456789abcdef", false, true},
		{"recordings", true, true},
		{"sealed", true, true},
		{"recordings", false, false},
		{"20261130T105700Z-9f3c2a10.jsonl", true, false},
		{"20261130T105700Z-9f3c2a10.jsonl.gz", false, false},
		{"20261130T105700Z-9F3C2A10.jsonl", false, false},
		{"notes.jsonl", false, false},
		{".cast", false, false},
		{"probe-x", false, false},
		{"apt", true, false},
	} {
		file := &fstest.MapFile{}
		if tt.folder {
			file.Mode = fs.ModeDir
		}
		entries, err := fstest.MapFS{tt.name: file}.ReadDir(".")
		if err != nil || len(entries) != 1 {
			t.Fatal(entries, err)
		}
		if got := Written(entries[0]); got != tt.want {
			t.Errorf("%s, a folder %v: %v", tt.name, tt.folder, got)
		}
	}
}

// Whose file it is can be read off the names that files get.
func TestOwner(t *testing.T) {
	for _, tt := range []struct{ folder, name, want string }{
		{Recordings, "s1.cast", "s1"},
		{Recordings, "s1.cast.age", "s1"},
		{Recordings, "s1.age", ""},
		{Recordings, ".cast", ""},
		{Sealed, "s1.age", "s1"},
		{Sealed, "s1.12.age", "s1"},
		{Sealed, "s1.0.age", "s1.0"},
		{Sealed, "s1.cast", ""},
		{Sealed, "probe-00", ""},
		{"elsewhere", "s1.age", ""},
	} {
		if got := Owner(tt.folder, tt.name); got != tt.want {
			t.Errorf("%s/%s is of %q", tt.folder, tt.name, got)
		}
	}
	for name, want := range map[string]string{
		RecordingFile("s1", false): "recordings/s1.cast", RecordingFile("s1", true): "recordings/s1.cast.age",
		SealedFile("s1", 0): "sealed/s1.age", SealedFile("s1", 2): "sealed/s1.2.age", ProbeFile("0a"): "sealed/probe-0a",
	} {
		if name != want {
			t.Errorf("%q, want %q", name, want)
		}
	}
	if !IsProbe(Sealed, "probe-0a") || IsProbe(Recordings, "probe-0a") || IsProbe(Sealed, "probe-0a.age") {
		t.Error("probes")
	}
}
