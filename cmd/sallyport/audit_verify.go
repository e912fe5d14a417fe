package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sallyport/audit"
	"sallyport/audit/seal"
	"sallyport/audit/verify"
	"sallyport/console/safetext"
)

type verifyOptions struct {
	trust           string
	against         []string
	proof           string
	json            bool
	acceptRecovered bool
}

func newAuditVerify() *cobra.Command {
	var o verifyOptions
	c := &cobra.Command{
		Use:   "verify DIR...",
		Short: "say of each log whether it is what its writer wrote",
		Long: "Verify gives one verdict a log. It exits with 0 if all are ok, 7 if one is not,\n" +
			"4 if a log could not be read.",
		RunE: func(c *cobra.Command, args []string) error { return o.run(c, args) },
	}
	f := c.Flags()
	f.StringVar(&o.trust, "trust", "", "host key (text, or a file with it) that must have signed each log's first key")
	f.StringArrayVar(&o.against, "against", nil, "file with a checkpoint that left the machine earlier (may be repeated)")
	f.StringVar(&o.proof, "proof", "", "check this inclusion proof instead of logs")
	f.BoolVar(&o.json, "json", false, "one JSON object a line")
	f.BoolVar(&o.acceptRecovered, "accept-recovered", false, "a log whose torn end its successor names is fine")
	return c
}

func (o *verifyOptions) run(c *cobra.Command, dirs []string) error {
	opts, err := o.options()
	if err != nil {
		return failWith(exitUsage, err, c.CommandPath()+" --help")
	}
	if o.proof != "" {
		return o.checkProof(c.OutOrStdout(), opts)
	}
	dirs = logDirs(dirs)
	results, err := verify.Dirs(opts, dirs...)
	if err != nil {
		hint := "run it as the user who owns the logs"
		if errors.Is(err, fs.ErrNotExist) {
			hint = "name the folder of the logs; the console says it at its end, and `sallyport doctor` says yours"
		}
		return failWith(exitLog, err, hint)
	}
	return o.print(c.OutOrStdout(), c.ErrOrStderr(), results)
}

func (o *verifyOptions) options() (v verify.Options, err error) {
	if o.trust != "" {
		if v.Trust, err = verify.Trusted(textOrFile(o.trust)); err != nil {
			return v, err
		}
	}
	for _, path := range o.against {
		b, err := os.ReadFile(path)
		if err != nil {
			return v, err
		}
		v.Against = append(v.Against, string(b))
	}
	return v, nil
}

func textOrFile(s string) string {
	if b, err := os.ReadFile(s); err == nil {
		return strings.TrimSpace(string(b))
	}
	return s
}

func (o *verifyOptions) print(out, stderr io.Writer, results []verify.Result) error {
	for _, r := range results {
		if o.json {
			if err := json.NewEncoder(out).Encode(r); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintln(out, safetext.Line(r.String()))
	}
	if len(results) == 0 {
		fmt.Fprintln(stderr, "sallyport: there is no log")
	}
	return o.conclude(results)
}

// conclude counts what is wrong and says what to do about it.
func (o *verifyOptions) conclude(results []verify.Result) error {
	wrong, recovered, unreadable := 0, 0, 0
	for _, r := range results {
		switch {
		case r.Good():
		case r.Verdict == verify.Unreadable:
			unreadable++
		case r.Verdict == verify.Recovered:
			recovered++
		default:
			wrong++
		}
	}
	if o.acceptRecovered {
		recovered = 0
	}
	hint := ""
	if recovered > 0 {
		hint = fmt.Sprintf("--accept-recovered, if %d ends in a crash that a next log names are fine", recovered)
	}
	switch {
	case wrong+recovered > 0:
		return failWith(exitVerify, fmt.Errorf("%d of %d logs did not verify", wrong+recovered+unreadable, len(results)), hint)
	case unreadable > 0:
		return failWith(exitLog, fmt.Errorf("%d of %d logs could not be read", unreadable, len(results)), "run it as the user who owns the logs")
	}
	return nil
}

// checkProof holds a proof against the checkpoint inside, or against one that
// was brought, which alone is to be relied on.
func (o *verifyOptions) checkProof(out io.Writer, opts verify.Options) error {
	b, err := os.ReadFile(o.proof)
	if err != nil {
		return failWith(exitLog, err, "")
	}
	p, err := seal.ParseProof(string(b))
	if err != nil {
		return failWith(exitVerify, err, "sallyport audit prove makes one")
	}
	if err := verify.Proof(p, opts.Against...); err != nil {
		return failWith(exitVerify, err, "")
	}
	h, err := audit.ParseHead(p.Record)
	if err != nil {
		return failWith(exitVerify, err, "")
	}
	fmt.Fprintf(out, "ok: record %d (%s) of log %s is in the checkpoint\n", h.Seq, safetext.Line(string(h.Event)), h.Log)
	if len(opts.Against) == 0 {
		fmt.Fprintln(out, "the checkpoint is the proof's own; give the one you trust with --against")
	}
	return nil
}
