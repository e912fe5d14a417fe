package copilot

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain lets the test binary be a child that behaves as BAD_LINUS says.
func TestMain(m *testing.M) {
	if how := os.Getenv(childBehaviour); how != "" {
		os.Exit(behave(how))
	}
	goleak.VerifyTestMain(m)
}
