// Command tests runs `go test` over the packages named on its command line
// and ends with what a person wants to know: which packages and tests failed,
// with their output, and a loud list of what was skipped and why. Under
// SALLYPORT_NO_SKIP=1 a skipped test is a failure, except those kept for
// `make nightly`, whose message begins with "nightly:", and those over a
// corpus that is kept beside the repository, whose message begins with
// "corpus:", which `make deps` cannot install. Under SALLYPORT_AGAIN=1 the
// packages in which something failed are tested once more, and what they do then
// counts: the tests drive real programs by their clocks, and one that fails once
// and passes then is printed, and wants mending.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sort"
	"strings"
)

// event is one line of `go test -json` (cmd/test2json).
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64
}

type tally struct {
	passed, failed int
	skipped        map[string]string // test → reason
	broken         []string          // packages in which something failed
	nightly        int
	forbidden      int                 // of those skipped, the ones that make deps should have made possible
	output         map[string][]string // package/test → lines, until it passed
	status         error               // how go test ended
}

func newTally() *tally {
	return &tally{skipped: map[string]string{}, output: map[string][]string{}}
}

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	t, err := tests(args)
	if err != nil {
		return fatal(err)
	}
	code := t.close()
	if t.status == nil || len(t.broken) == 0 || os.Getenv("SALLYPORT_AGAIN") != "1" {
		return code
	}
	fmt.Printf("\n!!! FAILED ONCE, running again: %s\n\n", strings.Join(t.broken, " "))
	again, err := tests(append(flags(args), t.broken...))
	if err != nil {
		return fatal(err)
	}
	again.forbidden += t.forbidden
	return again.close()
}

// flags are what go test is told apart from the packages.
func flags(args []string) (all []string) {
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			all = append(all, a)
		}
	}
	return all
}

// tests runs go test and counts.
func tests(args []string) (*tally, error) {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t := newTally()
	t.read(out)
	t.status = cmd.Wait()
	return t, nil
}

func fatal(err error) int {
	fmt.Fprintln(os.Stderr, "tests:", err)
	return 1
}

func (t *tally) read(r io.Reader) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		var e event
		if json.Unmarshal(s.Bytes(), &e) != nil {
			fmt.Println(s.Text())
			continue
		}
		t.take(e)
	}
}

func (t *tally) take(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		t.keep(e, key)
	case "pass":
		t.end(e, key, &t.passed)
	case "skip":
		t.skip(e, key)
	case "fail":
		fmt.Print(strings.Join(t.output[key], ""))
		if e.Test == "" {
			t.broken = append(t.broken, e.Package)
		}
		t.end(e, key, &t.failed)
	}
}

func (t *tally) keep(e event, key string) {
	if e.Test == "" && (strings.HasPrefix(e.Output, "ok") || strings.HasPrefix(e.Output, "FAIL") || strings.HasPrefix(e.Output, "panic:")) {
		fmt.Print(e.Output)
		return
	}
	if e.Action == "build-output" {
		fmt.Print(e.Output)
		return
	}
	t.output[key] = append(t.output[key], e.Output)
}

func (t *tally) end(e event, key string, n *int) {
	delete(t.output, key)
	if e.Test != "" {
		*n++
	}
}

func (t *tally) skip(e event, key string) {
	if e.Test == "" { // a package without tests
		return
	}
	reason := why(t.output[key])
	if strings.HasPrefix(reason, "nightly:") {
		t.nightly++
	} else {
		t.skipped[strings.TrimPrefix(key, "sallyport/")] = reason
		if !strings.HasPrefix(reason, "corpus:") {
			t.forbidden++
		}
	}
	delete(t.output, key)
}

// why finds the message that t.Skip printed: "    file_test.go:12: message".
func why(lines []string) string {
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "=== ") || strings.HasPrefix(l, "--- ") {
			continue
		}
		if _, msg, ok := strings.Cut(l, ".go:"); ok {
			if _, msg, ok = strings.Cut(msg, ": "); ok {
				return msg
			}
		}
	}
	return "no reason given"
}

func (t *tally) close() int {
	if t.nightly > 0 {
		fmt.Printf("\n%d tests are kept for `make nightly`.\n", t.nightly)
	}
	t.list()
	fmt.Printf("\n%d passed, %d failed, %d skipped\n", t.passed, t.failed, len(t.skipped))
	switch {
	case t.status != nil:
		return 1
	case t.forbidden > 0 && os.Getenv("SALLYPORT_NO_SKIP") == "1":
		fmt.Println("Skipping is forbidden here (SALLYPORT_NO_SKIP=1): failed.")
		return 1
	}
	return 0
}

func (t *tally) list() {
	if len(t.skipped) == 0 {
		return
	}
	names := make([]string, 0, len(t.skipped))
	for n := range t.skipped {
		names = append(names, n)
	}
	sort.Strings(names)
	fmt.Printf("\n!!! SKIPPED: %d tests did not run here.", len(names))
	if t.forbidden > 0 {
		fmt.Print(" `make deps` installs what they need.")
	}
	fmt.Println()
	for _, n := range names {
		fmt.Printf("!!!   %-60s %s\n", n, t.skipped[n])
	}
}
