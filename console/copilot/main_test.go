package copilot

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain lets the test binary be a child that behaves as BAD_LINUS says.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__sandbox" {
		fmt.Fprintln(os.Stderr, ExecConfined(os.Args[2:], nil, os.Stderr))
		os.Exit(1)
	}
	if how := os.Getenv(childBehaviour); how != "" {
		os.Exit(behave(how))
	}
	goleak.VerifyTestMain(m)
}
