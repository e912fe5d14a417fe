package main

import (
	"io"
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
		"./x Keys - ratio-p50 1.5":                         "",
		"./x Keys - ratio-p50 2":                           "below the floor: Keys ratio-p50",
		"./x Print/seq/ours Print/seq/peer ns/op 2.4":      "",
		"./x Print/seq/ours Print/seq/peer ns/op 2.6":      "below the floor: Print/seq/ours ns/op",
		"./x Print/cjk/ours Print/cjk/peer ns/op 0.1":      "below the floor: Print/cjk/ours ns/op",
		"./x Print/seq/ours Print/seq/missing ns/op 0.1":   "below the floor: Print/seq/ours ns/op",
		"./x Scan ScanPeer MB/cpu-s 2.9":                   "",
		"./x Scan ScanPeer MB/cpu-s 3.1 100x":              "below the floor: Scan MB/cpu-s",
		"./x Scan - MB/cpu-s 61":                           "below the floor: Scan MB/cpu-s",
		"./x Keys":                                         "line 1: want folder, benchmark, peer, metric, floor and, if not 1x, how long",
		"./x Keys - ratio-p50 1\n./x Scan - MB/cpu-s 1 9x": "line 2: ./x runs for 1x above, not for 9x",
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

// How long a folder's benchmarks run stands in its lines.
func TestALineSaysHowLong(t *testing.T) {
	floors, err := parse(strings.NewReader("./x A - m 1\n./y B - m 1 100x\n"))
	if err != nil || floors[0].time != "1x" || floors[1].time != "100x" {
		t.Error(floors, err)
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
