package main

import (
	"io"
	"slices"
	"strings"
	"testing"
)

const output = `goos: linux
BenchmarkKeys-2   	     300	  79769161 ns/op	         1.9 ratio-p50	      3982 tmux-µs-p50
BenchmarkPrint/seq/ours-2   	       1	  100 ns/op
BenchmarkPrint/seq/peer-2   	       1	  250 ns/op
BenchmarkScan-2   	       1	  100 ns/op	  60 MB/cpu-s
BenchmarkScanPeer-2   	       1	  100 ns/op	  20 MB/cpu-s
PASS
`

func TestFloors(t *testing.T) {
	for table, want := range map[string]string{
		"./x Keys - ratio-p50 1.5":                       "",
		"./x Keys - ratio-p50 2":                         "below the floor: Keys ratio-p50",
		"./x Print/seq/ours Print/seq/peer ns/op 2.4":    "",
		"./x Print/seq/ours Print/seq/peer ns/op 2.6":    "below the floor: Print/seq/ours ns/op",
		"./x Print/cjk/ours Print/cjk/peer ns/op 0.1":    "below the floor: Print/cjk/ours ns/op",
		"./x Print/seq/ours Print/seq/missing ns/op 0.1": "below the floor: Print/seq/ours ns/op",
		"./x Scan ScanPeer MB/cpu-s 2.9":                 "",
		"./x Scan ScanPeer MB/cpu-s 3.1 100x":            "below the floor: Scan MB/cpu-s",
		"./x Scan - MB/cpu-s 61":                         "below the floor: Scan MB/cpu-s",
		"./x Keys":                                       "line 1: want folder, benchmark, peer, metric, floor and, if not 1x, how long",
	} {
		r := results{}
		r.read("./x", output)
		floors, err := parse(strings.NewReader(table))
		if err == nil {
			err = r.hold(floors, io.Discard)
		}
		if got := text(err); got != want {
			t.Errorf("%s: %q, want %q", table, got, want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// What runs equally long in a folder runs at once, a peer beside its benchmark.
func TestALineSaysHowLong(t *testing.T) {
	floors, err := parse(strings.NewReader("./x A/one - m 1\n./x B P/two m 1\n./x C - m 1 100x\n./y D - m 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, j := range jobs(floors) {
		got = append(got, j.folder+" "+j.time+" "+j.pattern(floors))
	}
	if want := []string{"./x 100x ^Benchmark(C)$", "./x 1x ^Benchmark(A|B|P)$", "./y 1x ^Benchmark(D)$"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The table that `make bench-check` holds can be read, and has no line twice.
func TestTheTableIsRead(t *testing.T) {
	floors, err := parseFile("floors")
	if err != nil || len(floors) == 0 {
		t.Fatal(len(floors), err)
	}
	seen := map[floor]bool{}
	for _, f := range floors {
		f.least = 0
		if seen[f] {
			t.Errorf("%v is there twice", f)
		}
		seen[f] = true
	}
}
