//go:build !linux

package copilot

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// ExecConfined turns this process into argv. Without Landlock nothing is confined;
// that is said on errs.
func ExecConfined(argv, read []string, errs io.Writer) error {
	path, _, err := confine(argv, read)
	if err != nil {
		return fmt.Errorf("cannot start the copilot: %w", err)
	}
	fmt.Fprintln(errs, "sallyport: this system has no Landlock: the copilot is not confined")
	if err := syscall.Exec(path, argv, os.Environ()); err != nil {
		return fmt.Errorf("cannot start the copilot: %w", err)
	}
	return nil
}
