package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

// run is the program: it parses args, runs one subcommand and gives the exit
// code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return report(stderr, root.ExecuteContext(ctx))
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "sallyport [user@]host[:port] …",
		Short:         "an audited operator console over SSH, with a copilot beside the shell",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return failWith(exitUsage, err, c.CommandPath()+" --help")
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand()
	return root
}

// usage turns a cobra argument check into one whose failure is exit code 2.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return failWith(exitUsage, err, c.CommandPath()+" --help")
		}
		return nil
	}
}
