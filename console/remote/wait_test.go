package remote_test

import (
	"testing"
	"time"
)

// waitFor polls until ok, for 20 s at most.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("waited 20 s for %s", what)
		case <-tick.C:
		}
	}
}
