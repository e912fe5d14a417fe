// Command bench runs the benchmarks of a table and fails when one is less far
// ahead of its peer than the table wants:
//
//	bench FILE
//
// A line of the table names a folder, a benchmark, its peer, a metric and a
// floor. With a peer, the ratio is the peer's metric over the benchmark's;
// without one (-), the metric itself is held. Of a rate (MB/…) more is better: its
// ratio is the other way round. Benchmarks run with -short: once, or for as long as
// a sixth field says (100x, 1s).
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// floor is one line of the table.
type floor struct {
	folder, name, peer, metric string
	least                      float64
	time                       string // as go test's -benchtime
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bench FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(table string, w io.Writer) error {
	floors, err := parseFile(table)
	if err != nil {
		return fmt.Errorf("%s: %w", table, err)
	}
	measured := results{}
	for _, j := range jobs(floors) {
		if err := measured.measure(j, floors, w); err != nil {
			return err
		}
	}
	return measured.hold(floors, w)
}

func parseFile(table string) ([]floor, error) {
	f, err := os.Open(table)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parse(f)
}

func parse(r io.Reader) ([]floor, error) {
	var out []floor
	s := bufio.NewScanner(r)
	for n := 1; s.Scan(); n++ {
		fields := strings.Fields(s.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 5 && len(fields) != 6 {
			return nil, fmt.Errorf("line %d: want folder, benchmark, peer, metric, floor and, if not 1x, how long", n)
		}
		least, err := strconv.ParseFloat(fields[4], 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, floor{fields[0], fields[1], fields[2], fields[3], least, append(fields, "1x")[5]})
	}
	return out, s.Err()
}

// job is what one `go test` runs: those benchmarks of a folder that run equally long.
type job struct{ folder, time string }

func jobs(floors []floor) []job {
	set := map[job]bool{}
	for _, f := range floors {
		set[job{f.folder, f.time}] = true
	}
	return slices.SortedFunc(maps.Keys(set), func(a, b job) int {
		return cmp.Or(strings.Compare(a.folder, b.folder), strings.Compare(a.time, b.time))
	})
}

// results are metrics by folder, benchmark and name.
type results map[[3]string]float64

// measure runs one job; its folder may be a module of its own.
func (r results) measure(j job, floors []floor, w io.Writer) error {
	cmd := exec.Command("go", "test", "-short", "-run", "^$", "-bench", j.pattern(floors), "-benchtime", j.time, ".")
	cmd.Dir, cmd.Stderr = j.folder, os.Stderr
	var out bytes.Buffer
	cmd.Stdout = io.MultiWriter(w, &out)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", j.folder, err)
	}
	r.read(j.folder, out.String())
	return nil
}

// pattern matches the job's benchmarks and their peers, each with all below it.
func (j job) pattern(floors []floor) string {
	tops := map[string]bool{}
	for _, f := range floors {
		if f.folder != j.folder || f.time != j.time {
			continue
		}
		for _, name := range []string{f.name, f.peer} {
			if top, _, _ := strings.Cut(name, "/"); top != "-" {
				tops[top] = true
			}
		}
	}
	return "^Benchmark(" + strings.Join(slices.Sorted(maps.Keys(tops)), "|") + ")$"
}

// processors is what `go test` adds to a benchmark's name.
var processors = regexp.MustCompile(`-\d+$`)

// read takes the lines that begin with a benchmark's name: the count, then
// values and their units.
func (r results) read(folder, out string) {
	for _, line := range strings.Split(out, "\n") {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := processors.ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "")
		for i := 2; i+1 < len(fields); i += 2 {
			if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
				r[[3]string{folder, name, fields[i+1]}] = v
			}
		}
	}
}

// hold prints every ratio beside its floor. What was not measured has failed.
func (r results) hold(floors []floor, w io.Writer) error {
	var failed []string
	for _, f := range floors {
		ratio, ok := r.ratio(f)
		verdict := "ok"
		if !ok || ratio < f.least {
			verdict = "TOO SLOW"
			failed = append(failed, f.name+" "+f.metric)
		}
		fmt.Fprintf(w, "%-36s %-14s %6.2f  floor %.2f  %s\n", f.name, f.metric, ratio, f.least, verdict)
	}
	if failed != nil {
		return fmt.Errorf("below the floor: %s", strings.Join(failed, ", "))
	}
	return nil
}

func (r results) ratio(f floor) (float64, bool) {
	ours, ok := r[[3]string{f.folder, f.name, f.metric}]
	if f.peer == "-" || !ok {
		return ours, ok
	}
	theirs, ok := r[[3]string{f.folder, f.peer, f.metric}]
	if strings.HasPrefix(f.metric, "MB/") {
		ours, theirs = theirs, ours
	}
	return theirs / ours, ok && ours > 0
}
