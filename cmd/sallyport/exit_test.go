package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What an error quotes reaches the terminal as text, whoever wrote it.
func TestErrorsAreHarmlessToATerminal(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	evil := filepath.Join(t.TempDir(), "ev\x1b]0;il\x07.toml")
	if err := os.WriteFile(evil, []byte("[[rule]]\nid = \"a\x1b[31m\u202eb\" = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--ev\x1b[31mil"},
		{"policy", "--ev\x1b[31mil"},
		{"audit", "show", "no\x9b31mbody\u202e", "--dir", t.TempDir()},
		{"audit", "verify", "no\x1b[2Jwhere"},
		{"policy", "check", evil},
	} {
		var out, stderr bytes.Buffer
		if code := run(context.Background(), args, strings.NewReader(""), &out, &stderr); code == 0 {
			t.Errorf("%q: exit 0", args)
		}
		all := out.String() + stderr.String()
		if strings.ContainsAny(all, "\x1b\x07\u009b\u202e") || !strings.HasPrefix(stderr.String(), "sallyport: ") {
			t.Errorf("%q printed %q", args, all)
		}
	}
}
