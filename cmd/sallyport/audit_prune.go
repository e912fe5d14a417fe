package main

import (
	"fmt"
	"os"
	"os/user"
	"time"

	"github.com/spf13/cobra"

	"sallyport/audit"
	"sallyport/redact"
)

func newAuditPrune() *cobra.Command {
	var before string
	var unshipped bool
	c := &cobra.Command{
		Use:   "prune [DIR] --before TIME",
		Short: "remove whole logs that are closed and shipped, and record that",
		Args:  usage(cobra.MaximumNArgs(1)),
	}
	c.Flags().StringVar(&before, "before", "", "logs whose last record is older than `TIME`: 2026-11-30 or 2026-11-30T12:00:00Z")
	c.Flags().BoolVar(&unshipped, "unshipped", false, "also logs that no collector has")
	c.RunE = func(c *cobra.Command, args []string) error {
		t, err := parseDay(before)
		if err != nil {
			err = fmt.Errorf("--before %q: logs whose last record is older than what? a day, or a time (RFC 3339)", before)
			return failWith(exitUsage, err, c.CommandPath()+" --before 2026-01-31")
		}
		dir, err := pruneDir(c, args)
		if err != nil {
			return err
		}
		removed, err := audit.Prune(c.Context(), audit.Config{Dir: dir, Actor: currentActor()}, t, unshipped)
		for _, l := range removed {
			fmt.Fprintln(c.OutOrStdout(), "removed", l.File)
		}
		if err != nil {
			return failWith(exitLog, err, "")
		}
		if len(removed) == 0 {
			fmt.Fprintln(c.ErrOrStderr(), "sallyport: no log is closed, shipped (or --unshipped) and older than that")
		}
		return nil
	}
	return c
}

// pruneDir is the folder that was named, or the console's.
func pruneDir(c *cobra.Command, args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	cfg, err := loadConfig(c.ErrOrStderr(), nil)
	if err != nil {
		return "", err
	}
	return auditDir(cfg), nil
}

// currentActor is who runs this command.
func currentActor() audit.Actor {
	a := audit.Actor{User: redact.Literal("unknown"), UID: os.Getuid()}
	if u, err := user.Current(); err == nil {
		if name, err := redact.ID(u.Username); err == nil {
			a.User = name
		}
	}
	return a
}

func parseDay(s string) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, nil
	}
	return time.Parse(time.RFC3339, s)
}
