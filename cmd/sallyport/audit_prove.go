package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sallyport/audit/verify"
)

func newAuditProve() *cobra.Command {
	var log, against string
	c := &cobra.Command{
		Use:   "prove SEQ --log FILE",
		Short: "print a proof that a record is in a checkpoint of its log",
		Long: `Prove prints the record, and what a reader needs to see that it is in a
checkpoint: sallyport audit verify --proof FILE --against CHECKPOINT reads it, with
no log at hand. SEQ is the number that audit show prints before the event.`,
		Example: "  sallyport audit prove 12 --log 20261130T105700Z-9f3c2a10.jsonl > record.proof",
	}
	c.Flags().StringVar(&log, "log", "", "the log's `FILE`")
	c.Flags().StringVar(&against, "against", "", "`FILE` with the checkpoint; without it the log's last")
	c.RunE = func(c *cobra.Command, args []string) error {
		seq, err := recordNumber(args)
		if err != nil || !strings.HasSuffix(log, ".jsonl") {
			return failWith(exitUsage, cmp.Or(err, errors.New("in which log? --log wants the file of one, NAME.jsonl")), c.CommandPath()+" 12 --log FILE")
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

// recordNumber reads the one argument.
func recordNumber(args []string) (uint64, error) {
	if len(args) != 1 {
		return 0, errors.New("the number of one record is wanted")
	}
	seq, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not the number of a record", args[0])
	}
	return seq, nil
}
