package verify_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/verify"
	"sallyport/audit/verify/verifytest"
)

// second builds the independent verifier.
func second(t *testing.T) verifytest.Second {
	t.Helper()
	return verifytest.Build(t, "../testdata/verifier")
}

func TestASecondVerifierAgreesOnEveryVerdict(t *testing.T) {
	bin := second(t)
	for _, c := range verdictCases {
		if c.live {
			continue // its clock cannot be set
		}
		where := c.where(t)
		var args []string
		if c.trust {
			args = append(args, "-trust", strings.TrimSpace(string(get(t, "testdata/host.pub"))))
		}
		if c.against {
			args = append(args, "-against", filepath.Join(where, "checkpoint"))
		}
		if got := bin.Verdicts(t, append(args, where)...)[where]; !same(got, c.want) {
			t.Errorf("%s: %q, want %q", c.folder, got, c.want)
		}
	}
}

func TestASecondVerifierAgreesOnTampering(t *testing.T) {
	bin := second(t)
	mem := durabletest.NewMemory()
	path := written(t, mem, dir, 60, audit.Config{CheckpointEvery: 16})
	all := lines(mem.Bytes(path))
	times := 600
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		times = 5000
	}
	root, seed := t.TempDir(), rand.Uint64()
	t.Logf("seed %d", seed)
	var dirs, what []string
	var mine []verify.Verdict
	for i := range times {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		how := tamperings[i%len(tamperings)]
		data, _, did := how.do(r, all)
		where := filepath.Join(root, fmt.Sprint(i))
		if err := os.Mkdir(where, 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(where, filepath.Base(path)), data)
		dirs, what = append(dirs, where), append(what, how.name+" "+did)
		mine = append(mine, one(t, path, data, verify.Options{}).Verdict)
	}
	theirs := bin.Verdicts(t, dirs...)
	for i, where := range dirs {
		if got := theirs[where]; len(got) != 1 || got[0] != mine[i] {
			t.Errorf("%s: %q here, %q there", what[i], mine[i], got)
		}
	}
}
