package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// run is the program: it parses args, runs one subcommand and gives the exit
// code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return report(stderr, root.ExecuteContext(ctx))
}

func newRootCommand() *cobra.Command {
	var o openOptions
	root := &cobra.Command{
		Use:   "sallyport [user@]host[:port] …",
		Short: "an audited operator console over SSH, with a copilot beside the shell",
		Long: `sallyport opens a console on one or more hosts. Nothing leaves for a host before a policy has judged it,
a person has sent it, and a record of it is on disk.`,
		Version:       version(),
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return failWith(exitUsage, errors.New("no host named"), "sallyport user@host, sallyport demo, or sallyport --help")
			}
			return runOpen(c.Context(), o, args, c.ErrOrStderr())
		},
	}
	o.register(root)
	o.registerScreen(root)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return failWith(exitUsage, flagError(err), c.CommandPath()+" --help")
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newRunCommand(), newDemoCommand(), newPolicyCommand(), newRedactCommand(), newAuditCommand(), newConfigCommand(), newDoctorCommand(),
		newAuditdCommand(), newLinusCommand(), newSandboxCommand(),
	)
	return root
}

// flagError says in words what a flag wants, in place of how it was parsed.
func flagError(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	wants := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint64": "a whole number", "float64": "a number",
		"bool": "true or false", "duration": `a time, as in "30s", "15m" or "12h"`,
	}[bad.GetFlag().Value.Type()]
	if wants == "" {
		return err
	}
	return fmt.Errorf("--%s %q: %s is wanted", bad.GetFlag().Name, bad.GetValue(), wants)
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
