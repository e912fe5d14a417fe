package main

import (
	"github.com/spf13/cobra"

	"sallyport/console/copilot"
)

// newSandboxCommand confines the copilot's process: the console starts its stdio
// child through it, since the restriction falls on the process that asks for it.
func newSandboxCommand() *cobra.Command {
	var read []string
	c := &cobra.Command{
		Use:    "__sandbox [--read PATH]... -- COMMAND [ARG]...",
		Short:  "run a copilot confined to its own files (used by the console itself)",
		Hidden: true,
		Args:   usage(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := copilot.ExecConfined(args, read, cmd.ErrOrStderr())
			return failWith(exitFailure, err, "is the command in [copilot] right, and can you run it by hand?")
		},
	}
	c.Flags().StringArrayVar(&read, "read", nil, "a further file or folder that it may read")
	return c
}
