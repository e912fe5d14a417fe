package audit_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sallyport/audit/durable/durabletest"
	"sallyport/audit/verify"
	"sallyport/audit/verify/verifytest"
)

// TestASecondVerifierAgreesOnCrashes: of what faults and power losses leave,
// before and after the next console, both verifiers say the same.
func TestASecondVerifierAgreesOnCrashes(t *testing.T) {
	second := verifytest.Build(t, "./testdata/verifier")
	clean := &durabletest.Faulty{FS: durabletest.NewMemory()}
	if _, err := session(clean); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	var dirs []string
	mine := map[string][]verify.Verdict{}
	look := func(what string, fs *durabletest.Memory) {
		rs, err := verify.Dirs(verify.Options{FS: fs}, dir)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		where := filepath.Join(root, what)
		unload(t, fs, where)
		dirs = append(dirs, where)
		for _, r := range rs {
			mine[where] = append(mine[where], r.Verdict)
		}
	}
	for at := int64(6); at <= clean.Steps(); at += stride(4) {
		for _, how := range []durabletest.Fault{durabletest.NotPersisted, durabletest.Persisted} {
			mem := durabletest.NewMemory()
			session(&durabletest.Faulty{FS: mem, At: at, How: how})
			cut := durabletest.NewMemory()
			session(&powerCut{FS: cut, left: at})
			for _, loss := range durabletest.Losses() {
				faulted, dark := mem.Crash(loss), cut.Crash(loss)
				name := fmt.Sprintf("%d-%d-%d", at, how, loss)
				look(name+"-fault", faulted)
				look(name+"-dark", dark)
				restart(t, name, faulted)
				restart(t, name, dark)
				look(name+"-fault-restart", faulted)
				look(name+"-dark-restart", dark)
			}
		}
	}
	theirs := second.Verdicts(t, dirs...)
	seen := map[verify.Verdict]int{}
	for _, where := range dirs {
		for _, v := range mine[where] {
			seen[v]++
		}
		slices.Sort(mine[where])
		slices.Sort(theirs[where])
		if !slices.Equal(mine[where], theirs[where]) {
			t.Errorf("%s: %q here, %q there", filepath.Base(where), mine[where], theirs[where])
		}
	}
	t.Logf("%d folders: %v", len(dirs), seen)
}

// unload writes the logs of a memory to a real folder.
func unload(t *testing.T, fs *durabletest.Memory, where string) {
	t.Helper()
	entries, err := fs.ReadDir(dir)
	if err := errors.Join(err, os.Mkdir(where, 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".jsonl" {
			continue
		}
		if err := os.WriteFile(filepath.Join(where, e.Name()), fs.Bytes(filepath.Join(dir, e.Name())), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
