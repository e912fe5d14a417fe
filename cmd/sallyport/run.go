package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"sallyport/console/gate"
	"sallyport/policy"
)

// exitOwn is run's code for its own failures, as ssh's; the class stands on
// standard error and in --json.
const exitOwn = 255

type runOptions struct {
	openOptions
	json bool
}

func newRunCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run [user@]host -- COMMAND…",
		Short: "run one command on a host: same gate, same record, no screen",
		Long: `run sends one command to a host. The policy judges it; what needs a person's consent asks on the
terminal, and is refused where there is none. The exit code is the command's own, or 255 when the
failure is on this side. Standard input is not passed on: nothing would judge it.`,
		Args: usage(hostAndCommand),
		RunE: func(c *cobra.Command, args []string) error {
			return runOnce(c.Context(), o, args[0], strings.Join(args[1:], " "), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	o.register(c)
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON object on standard error at the end")
	return c
}

// hostAndCommand says which of the two is missing.
func hostAndCommand(c *cobra.Command, args []string) error {
	before := c.ArgsLenAtDash()
	switch {
	case len(args) == 0:
		return errors.New("no host and no command named")
	case before == 0:
		return fmt.Errorf("no host named before -- %s", args[0])
	case len(args) == 1:
		return fmt.Errorf("no command for %s: sallyport run %s -- COMMAND", args[0], args[0])
	}
	return nil
}

func runOnce(ctx context.Context, o runOptions, dest, command string, stdout, stderr io.Writer) error {
	o.noCopilot = true
	code, err := attemptOnce(ctx, o, dest, command, stdout, stderr)
	if o.json {
		printOutcome(stderr, code, err)
	}
	if err == nil {
		return exitWith(code)
	}
	if !o.json {
		class, hint := describe(err)
		if nobody, ok := errors.AsType[*unasked](err); ok {
			err = nobody // the gate's words speak of an operator who was never there
		}
		fmt.Fprintf(stderr, "sallyport: %s: %v\n", class, err)
		if hint != "" {
			fmt.Fprintf(stderr, "  try: %s\n", hint)
		}
	}
	return exitWith(exitOwn)
}

// attemptOnce gives the remote command's exit code.
func attemptOnce(ctx context.Context, o runOptions, dest, command string, stdout, stderr io.Writer) (int, error) {
	cfg, err := o.settings(stderr)
	if err != nil {
		return 0, err
	}
	op := newPlainOperator(stderr)
	con, err := o.console(cfg, stderr, op, op.prompter)
	if err != nil {
		return 0, err
	}
	out, errs := calmly(stdout), calmly(stderr)
	exit, err := con.Once(ctx, dest, command, out, errs)
	end(out)
	end(errs)
	if cerr := con.Close(context.WithoutCancel(ctx)); err == nil && cerr != nil {
		err = failWith(exitLog, cerr, "sallyport audit verify")
	}
	if err == nil && exit.Code < 0 {
		err = fmt.Errorf("the command was ended by signal %s", exit.Signal)
	}
	return exit.Code, err
}

// describe gives the class of a failure in one word and what to try. A refusal's
// own remedy speaks of the console's prompt, where the line still stands; here
// there is none.
func describe(err error) (class, hint string) {
	code, hint := explain(err)
	_, nobody := errors.AsType[*unasked](err)
	if r, ok := errors.AsType[*gate.Refusal](err); ok && code == exitRefused && !nobody {
		hint = instead(r.Decision)
	}
	var own *exitError
	if errors.As(err, &own) {
		code, hint = own.code, own.hint
	}
	return classes[code], hint
}

// instead is the first alternative that the rules know.
func instead(d policy.Decision) string {
	for _, m := range d.Rules {
		if m.Alternative != "" {
			return m.Alternative
		}
	}
	return "sallyport policy explain -- 'COMMAND' says why"
}

var classes = map[int]string{
	exitFailure: "failed", exitUsage: "usage", exitRefused: "refused", exitLog: "log",
	exitConnect: "connection", exitConfig: "configuration", exitVerify: "verification",
}

func printOutcome(w io.Writer, code int, err error) {
	out := struct {
		Exit  *int   `json:"exit_code"`
		Class string `json:"class,omitempty"`
		Error string `json:"error,omitempty"`
		Hint  string `json:"try,omitempty"`
	}{}
	if err == nil {
		out.Exit = &code
	} else {
		out.Class, out.Hint = describe(err)
		out.Error = err.Error()
	}
	json.NewEncoder(w).Encode(out)
}
