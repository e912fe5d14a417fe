package verify_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"sallyport/audit"
	"sallyport/audit/durable/durabletest"
	"sallyport/audit/verify"
)

// tampering is something done to a log, and the verdicts that name it.
type tampering struct {
	name string
	do   func(r *rand.Rand, all [][]byte) (data []byte, want []verify.Verdict, what string)
}

// On the last line nothing follows that names it: there, what an edit broke
// is all there is to tell.
var lastLine = []verify.Verdict{verify.Edited, verify.BadSignature, verify.TornTail}

var tamperings = []tampering{
	{"edit", func(r *rand.Rand, all [][]byte) ([]byte, []verify.Verdict, string) {
		data := joined(all)
		at := r.IntN(len(data))
		data[at] ^= byte(1 + r.IntN(255))
		want := []verify.Verdict{verify.Edited}
		if at >= len(data)-len(all[len(all)-1])-1 {
			want = lastLine
		}
		return data, want, fmt.Sprintf("byte %d", at)
	}},
	{"delete", func(r *rand.Rand, all [][]byte) ([]byte, []verify.Verdict, string) {
		at := r.IntN(len(all))
		n := min(1+r.IntN(3), len(all)-at)
		want := []verify.Verdict{verify.Missing}
		switch {
		case at+n == len(all) && n == 1:
			want = []verify.Verdict{verify.UnsealedTail}
		case at+n == len(all):
			want = []verify.Verdict{verify.Unclosed}
		}
		return joined(slices.Delete(slices.Clone(all), at, at+n)), want, fmt.Sprintf("%d from %d", n, at)
	}},
	{"swap", func(r *rand.Rand, all [][]byte) ([]byte, []verify.Verdict, string) {
		out := slices.Clone(all)
		a := r.IntN(len(all))
		b := (a + 1 + r.IntN(len(all)-1)) % len(all)
		out[a], out[b] = out[b], out[a]
		return joined(out), []verify.Verdict{verify.Reordered}, fmt.Sprintf("%d and %d", a, b)
	}},
	{"duplicate", func(r *rand.Rand, all [][]byte) ([]byte, []verify.Verdict, string) {
		from, to := r.IntN(len(all)), r.IntN(len(all)+1)
		return joined(slices.Insert(slices.Clone(all), to, all[from])), []verify.Verdict{verify.Duplicated}, fmt.Sprintf("%d at %d", from, to)
	}},
	{"truncate", func(r *rand.Rand, all [][]byte) ([]byte, []verify.Verdict, string) {
		data := joined(all)
		cut := data[:r.IntN(len(data))]
		want := []verify.Verdict{verify.TornTail}
		if n := len(cut); n == 0 || cut[n-1] == '\n' {
			want = []verify.Verdict{verify.Unclosed, verify.UnsealedTail}
		}
		return slices.Clone(cut), want, fmt.Sprintf("to %d of %d", len(cut), len(data))
	}},
	{"append", func(r *rand.Rand, all [][]byte) ([]byte, []verify.Verdict, string) {
		data := joined(all)
		switch r.IntN(4) {
		case 0:
			return append(data, "{\"v\":1}\n"...), []verify.Verdict{verify.Edited}, "a line that is no record"
		case 1:
			return append(data, all[1][:len(all[1])/2]...), []verify.Verdict{verify.TornTail}, "half a line"
		case 2:
			return append(data, make([]byte, 100)...), []verify.Verdict{verify.TornTail}, "NULs"
		}
		return append(append(data, following(all)...), '\n'), []verify.Verdict{verify.UnsealedTail}, "a record that goes on from the last"
	}},
}

func TestRandomTamperingIsNamed(t *testing.T) {
	times, records := 250, 10_000
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		times = 1000
	}
	mem := durabletest.NewMemory()
	path := written(t, mem, dir, records/2, audit.Config{})
	whole := mem.Bytes(path)
	all := lines(whole)
	if r := one(t, path, whole, verify.Options{}); !r.Good() {
		t.Fatalf("the clean log: %s", r)
	}
	seed := rand.Uint64()
	t.Logf("%d records, %d bytes, seed %d", len(all), len(whole), seed)
	var wg sync.WaitGroup
	for half := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := half; i < times; i += 2 {
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				how := tamperings[i%len(tamperings)]
				data, want, what := how.do(r, all)
				if bytes.Equal(data, whole) {
					continue
				}
				if got := one(t, path, data, verify.Options{}); !slices.Contains(want, got.Verdict) {
					t.Errorf("%d: %s %s: %s, want %q", i, how.name, what, got, want)
				}
			}
		}()
	}
	wg.Wait()
}

// Every byte of a short log is changed, in one of its bits or, at night, in
// each: nothing goes through.
func TestNoBitOfALogCanBeChanged(t *testing.T) {
	mem := durabletest.NewMemory()
	path := written(t, mem, dir, 2, audit.Config{CheckpointEvery: 3, HostKey: hostKey(t)})
	whole := mem.Bytes(path)
	step := 8
	if os.Getenv("SALLYPORT_NIGHTLY") != "" {
		step = 1
	}
	for i := range whole {
		for bit := i % step; bit < 8; bit += step {
			data := slices.Clone(whole)
			data[i] ^= 1 << bit
			if r := one(t, path, data, verify.Options{}); r.Good() {
				t.Fatalf("byte %d bit %d (%q became %q) goes through", i, bit, whole[i], data[i])
			}
		}
	}
}
