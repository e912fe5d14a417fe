package remote_test

import (
	"testing"
	"time"
)

// waitFor polls until ok, for a minute at most: other tests may have the machine.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("waited a minute for %s", what)
		case <-tick.C:
		}
	}
}
