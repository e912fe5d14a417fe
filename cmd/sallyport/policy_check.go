package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sallyport/policy"
)

func newPolicyCheckCommand() *cobra.Command {
	var p policyFlags
	c := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "load policy files, run their examples and look for mistakes",
		RunE: func(c *cobra.Command, args []string) error {
			p.files = append(p.files, args...)
			return checkPolicy(c, p)
		},
	}
	p.register(c)
	return c
}

func checkPolicy(c *cobra.Command, p policyFlags) error {
	set, warnings, err := loadPolicy(p)
	if err != nil {
		return err
	}
	warnings = append(warnings, set.Lint(time.Now())...)
	for _, w := range warnings {
		fmt.Fprintln(c.OutOrStdout(), w)
	}
	fmt.Fprintf(c.OutOrStdout(), "%d rules, %d examples, %d counter-examples: ok\n", set.Size().Rules, set.Size().Examples, set.Size().CounterExamples)
	fmt.Fprintf(c.OutOrStdout(), "policy %s %s\n", set.Identity().ID, set.Identity().Digest)
	return expiredExceptions(warnings)
}

// expiredExceptions fails the check: everything else is a warning.
func expiredExceptions(warnings []policy.Warning) error {
	for _, w := range warnings {
		if w.Expired {
			return failWith(exitConfig, fmt.Errorf("%s", w), "take the exception out, or have it granted again")
		}
	}
	return nil
}
