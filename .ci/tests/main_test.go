package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Which skipped tests CI forgives.
func TestSkipping(t *testing.T) {
	t.Setenv("SALLYPORT_NO_SKIP", "1")
	for said, want := range map[string]int{
		"":                                  0, // none was
		"nightly: measures time":            0,
		"corpus: policy.tsv is not there":   0,
		"needs: zsh (Debian package zsh)":   1,
		"no reason that anybody would know": 1,
	} {
		got := newTally()
		if said != "" {
			got.take(event{Action: "output", Package: "p", Test: "T", Output: "    x_test.go:1: " + said + "\n"})
			got.take(event{Action: "skip", Package: "p", Test: "T"})
		}
		if code := got.close(); code != want {
			t.Errorf("%q: exit %d, want %d", said, code, want)
		}
	}
	failed := newTally()
	failed.status = errors.New("exit status 1")
	if failed.close() != 1 {
		t.Error("a failed run passes")
	}
}

// A test that fails once is run again with its package alone, and then counts.
func TestAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod":         "module m\n\ngo 1.24\n",
		"a/a_test.go":    "package a\n\nimport (\"os\"; \"testing\")\n\nfunc TestOnce(t *testing.T) {\n\tif os.Mkdir(\"was\", 0o700) == nil {\n\t\tt.Fatal(\"the first time\")\n\t}\n}\n",
		"good/b_test.go": "package b\n\nimport (\"os\"; \"testing\")\n\nfunc TestGood(t *testing.T) {\n\tif err := os.Mkdir(\"was\", 0o700); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SALLYPORT_AGAIN", "1")
	if code := run([]string{"-count=1", "./..."}); code != 0 {
		t.Errorf("exit %d", code)
	}
	for _, dir := range []string{"a/was", "good/was"} {
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	}
	t.Setenv("SALLYPORT_AGAIN", "")
	if code := run([]string{"-count=1", "./..."}); code != 1 {
		t.Errorf("without a second time: exit %d", code)
	}
}
