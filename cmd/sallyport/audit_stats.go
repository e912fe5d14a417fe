package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"sallyport/audit/review"
	"sallyport/console/safetext"
)

func newAuditStats() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "stats [DIR...]",
		Short: "who, where, how many, refused, edited, risk over time",
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	c.RunE = func(c *cobra.Command, args []string) error {
		dirs := logDirs(args)
		logs, err := openLogs(dirs)
		if err != nil {
			return err
		}
		look(c, logs, dirs)
		s, err := logs.Stats()
		if err != nil {
			return failWith(exitLog, err, "")
		}
		if asJSON {
			return json.NewEncoder(c.OutOrStdout()).Encode(s)
		}
		printStats(c.OutOrStdout(), s)
		return nil
	}
	return c
}

func printStats(out io.Writer, s review.Stats) {
	fmt.Fprintf(out, "%d records, %d sessions, %d commands (%d from suggestions, %d edited), %d refused, %d failed, %d without a known end\n",
		s.Records, s.Sessions, s.Commands, s.FromAI, s.Edited, s.Refused, s.Failed, s.Unknown)
	for _, part := range []struct {
		name   string
		counts []review.Count
	}{{"users", s.Users}, {"hosts", s.Hosts}, {"rules", s.Rules}} {
		if len(part.counts) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s\n", part.name)
		for _, c := range part.counts[:min(20, len(part.counts))] {
			fmt.Fprintf(out, "  %6d  %s\n", c.Times, safetext.Line(c.Name))
		}
	}
	if len(s.Risk) > 0 {
		fmt.Fprintln(out, "\nrisk by day            low  medium    high")
	}
	for _, d := range s.Risk {
		fmt.Fprintf(out, "  %s    %6d  %6d  %6d  %s\n", d.Day, d.Low, d.Medium, d.High, strings.Repeat("■", min(40, d.High)))
	}
}
