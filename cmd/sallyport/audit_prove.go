package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"sallyport/audit/verify"
)

func newAuditProve() *cobra.Command {
	var log, against string
	c := &cobra.Command{
		Use:   "prove SEQ --log FILE",
		Short: "print a proof that a record is in a checkpoint of its log",
		Args:  usage(cobra.ExactArgs(1)),
	}
	c.Flags().StringVar(&log, "log", "", "the log's file")
	c.Flags().StringVar(&against, "against", "", "file with the checkpoint; without it the log's last")
	c.RunE = func(c *cobra.Command, args []string) error {
		seq, err := strconv.ParseUint(args[0], 10, 64)
		if err != nil || log == "" {
			return failWith(exitUsage, fmt.Errorf("a record's number and a log's file are needed"), c.CommandPath()+" 12 --log FILE")
		}
		var checkpoint []byte
		if against != "" {
			if checkpoint, err = os.ReadFile(against); err != nil {
				return failWith(exitUsage, err, "a file with a checkpoint that left the machine")
			}
		}
		p, err := verify.Prove(log, seq, string(checkpoint))
		if err != nil {
			return failWith(exitLog, err, "sallyport audit verify says what is wrong with a log")
		}
		_, err = fmt.Fprint(c.OutOrStdout(), p)
		return err
	}
	return c
}
