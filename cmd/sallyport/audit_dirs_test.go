package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sallyport/audit"
)

// What reads and what prunes the record does so where the console writes it.
func TestAuditReadsWhereTheConsoleWrites(t *testing.T) {
	home, where := t.TempDir(), filepath.Join(t.TempDir(), "elsewhere")
	t.Setenv("HOME", home)
	t.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	file := filepath.Join(home, "config", "sallyport", "config.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("[audit]\ndir = \""+where+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := logDirs(nil); !slices.Equal(got, []string{where}) {
		t.Errorf("read %q", got)
	}
	log, err := audit.Open(audit.Config{Dir: where})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(log.Status().Path)
	if err := log.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"verify"}, name},
		{[]string{"prune", "--before", "2999-01-01", "--unshipped"}, strings.TrimSuffix(name, ".jsonl")},
	} {
		var out bytes.Buffer
		cmd := newAuditCommand()
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		cmd.SetArgs(c.args)
		cmd.Execute() // without a host key it is unanchored
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%q does not name %s:\n%s", c.args, c.want, out.String())
		}
	}
	if got := logDirs([]string{"a"}); !slices.Equal(got, []string{"a"}) {
		t.Errorf("read %q", got)
	}
}
