// Package verifytest runs the second verifier, which was written after the
// documentation of package audit alone.
package verifytest

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sallyport/audit/verify"
)

// Second is the second verifier, built.
type Second struct{ bin string }

// Build builds it; source is its folder.
func Build(t testing.TB, source string) Second {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "verifier")
	if out, err := exec.Command("go", "build", "-o", bin, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return Second{bin}
}

// Verdicts are what it says of each folder.
func (s Second) Verdicts(t testing.TB, args ...string) map[string][]verify.Verdict {
	t.Helper()
	out, err := exec.Command(s.bin, args...).Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatalf("the second verifier: %v", err)
	}
	said := map[string][]verify.Verdict{}
	for l := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(l, "\n"), "\t")
		said[f[0]] = append(said[f[0]], verify.Verdict(f[2]))
	}
	return said
}
