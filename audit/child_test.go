package audit_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sallyport/audit"
	"sallyport/audit/durable"
	"sallyport/audit/durable/durabletest"
	"sallyport/redact"
)

// The test binary is also the console that dies: with childDir set it keeps a
// log there and says on standard output what was acknowledged.
const (
	childDir      = "SALLYPORT_TEST_AUDIT_DIR"
	childCommands = "SALLYPORT_TEST_COMMANDS"
	childWorkers  = "SALLYPORT_TEST_WORKERS"
)

func TestMain(m *testing.M) {
	if where := os.Getenv(childDir); where != "" {
		os.Exit(child(where))
	}
	os.Exit(m.Run())
}

func child(where string) int {
	l, err := audit.Open(audit.Config{Dir: where, CheckpointEvery: 16, MaxBytes: 256 << 10})
	if err != nil {
		fmt.Println("open", err)
		return 1
	}
	commands, _ := strconv.Atoi(os.Getenv(childCommands))
	workers, _ := strconv.Atoi(os.Getenv(childWorkers))
	fmt.Println("open")
	var wg sync.WaitGroup
	for w := range max(1, workers) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			childSession(l, w, commands)
		}()
	}
	wg.Wait()
	if err := l.Close(context.Background()); err != nil {
		fmt.Println("close", err)
		return 1
	}
	fmt.Println("closed")
	return 0
}

func childSession(l *audit.Log, worker, commands int) {
	sc := l.In(fmt.Sprintf("s%d", worker), audit.Target{Host: redact.Literal("prod-web-03")})
	for n := range commands {
		name := fmt.Sprintf("run-%d-%d", worker, n)
		rs, err := sc.Append(context.Background(), audit.Intent[redact.Text]{Command: words(name)})
		if err != nil {
			fmt.Println("refused", name)
			continue
		}
		fmt.Println("ack", name)
		out := audit.Outcome[redact.Text]{Intent: rs[0].Seq(), Status: audit.Completed, Note: words("out-" + name)}
		if _, err := sc.Append(context.Background(), out); err != nil {
			fmt.Println("refused", "out-"+name)
			continue
		}
		fmt.Println("ack", "out-"+name)
	}
}

// heard is what a child said.
func heard(out string) (r run) {
	sc := bufio.NewScanner(strings.NewReader(out))
	for sc.Scan() {
		what, name, _ := strings.Cut(sc.Text(), " ")
		switch what {
		case "ack":
			r.acknowledged = append(r.acknowledged, name)
		case "refused":
			r.refused = append(r.refused, name)
		}
	}
	return r
}

func self(t *testing.T, where string, commands, workers int, prefix ...string) *exec.Cmd {
	t.Helper()
	return durabletest.Again(t, []string{
		childDir + "=" + where, childCommands + "=" + strconv.Itoa(commands), childWorkers + "=" + strconv.Itoa(workers),
	}, prefix...)
}

func nightly() bool { return os.Getenv("SALLYPORT_NIGHTLY") != "" }

// real is checkKept in a real folder, after the next console has started and
// ended there.
func real(t *testing.T, what, where string, r run) {
	t.Helper()
	l, err := audit.Open(audit.Config{Dir: where})
	if err != nil {
		t.Fatalf("%s: restart: %v", what, err)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	checkKeptIn(t, what, durable.OS{}, where, r)
}

func auditDir(t *testing.T) string { return filepath.Join(t.TempDir(), "audit") }
