package main

import (
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"sallyport/console/runbook/linus"
)

// newLinusCommand is the copilot for `demo`, in the same binary. The story reads
// its process id, to kill it, and what it received.
func newLinusCommand() *cobra.Command {
	var pidFile string
	c := &cobra.Command{
		Use:    "__linus",
		Hidden: true,
		Args:   cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.WriteFile(pidFile, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
				return err
			}
			return exitWith(linus.Main(c.Context(), args, c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr()))
		},
	}
	c.Flags().StringVar(&pidFile, "pid-file", os.DevNull, "write the process id to this `file`")
	return c
}
