package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"sallyport/audit/verify"
)

func newAuditProve() *cobra.Command {
	var log string
	c := &cobra.Command{
		Use:   "prove SEQ --log FILE",
		Short: "print a proof that a record is in a log's last checkpoint",
		Args:  usage(cobra.ExactArgs(1)),
	}
	c.Flags().StringVar(&log, "log", "", "the log's file")
	c.RunE = func(c *cobra.Command, args []string) error {
		seq, err := strconv.ParseUint(args[0], 10, 64)
		if err != nil || log == "" {
			return failWith(exitUsage, fmt.Errorf("a record's number and a log's file are needed"), c.CommandPath()+" 12 --log FILE")
		}
		p, err := verify.Prove(log, seq)
		if err != nil {
			return failWith(exitLog, err, "sallyport audit verify says what is wrong with a log")
		}
		_, err = fmt.Fprint(c.OutOrStdout(), p)
		return err
	}
	return c
}
