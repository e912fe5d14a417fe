package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"sallyport/console/safetext"
	"sallyport/policy"
)

func newPolicyCheckCommand() *cobra.Command {
	var p policyFlags
	c := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "load policy files, run their examples and look for mistakes",
		RunE: func(c *cobra.Command, args []string) error {
			return checkPolicy(c, p, args)
		},
	}
	p.register(c)
	return c
}

// checkPolicy loads files as if they were installed in the organization's
// folder; one that ships is taken instead of the shipped one of its name.
func checkPolicy(c *cobra.Command, p policyFlags, files []string) error {
	config := policyConfig(p.files, p.embeddedOnly)
	config.UncheckedOrg = files
	config.Shipped = slices.DeleteFunc(slices.Clone(config.Shipped), func(name string) bool {
		return slices.ContainsFunc(files, func(f string) bool { return filepath.Base(f) == name })
	})
	set, warnings, err := policy.Load(config)
	if err != nil {
		hint := "" // a fault in a file says itself where, and what to write
		if errors.Is(err, fs.ErrNotExist) {
			hint = "sallyport policy check FILE, with a policy's file"
		}
		return failWith(exitConfig, err, hint)
	}
	warnings = append(warnings, set.Lint(time.Now())...)
	for _, w := range warnings {
		fmt.Fprintln(c.OutOrStdout(), safetext.Block(fmt.Sprint(w)))
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
