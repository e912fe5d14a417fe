package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestFuzzTellsADeadlineFromAFinding: only what Go before 1.27 says when the time is over passes, and only alone.
func TestFuzzTellsADeadlineFromAFinding(t *testing.T) {
	const deadline = "--- FAIL: FuzzX (16.13s)\n    context deadline exceeded\nFAIL\n"
	for said, passes := range map[string]bool{
		deadline: true,
		"--- FAIL: FuzzX (1s)\n    x_test.go:12: bad\n" + deadline: false,
		deadline + "    Failing input written to testdata/fuzz\n":  false,
		"panic: index out of range\n" + deadline:                   false,
		"fuzzing process hung or terminated\n" + deadline:          false,
		"FAIL\tsallyport/x [build failed]\n":                       false,
	} {
		bin := t.TempDir()
		if err := os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\nprintf '%s' \"$SAID\"\nexit 1\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		c := exec.Command("../fuzz", "./x", "FuzzX", "1s")
		c.Env = append(os.Environ(), "SAID="+said, "PATH="+bin+":"+os.Getenv("PATH"))
		if out, err := c.CombinedOutput(); (err == nil) != passes {
			t.Errorf("%q: %v\n%s", said, err, out)
		}
	}
}
