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
		Use:   "verify [DIR | FILE]...",
		Short: "say of each log whether it is what its writer wrote",
		Long: `Verify gives one verdict a log, and one on each file in recordings/ and sealed/
that is not what the logs say of it. It exits with 0 if all are ok, with 7 if one
is not, with 4 if a log could not be read or there is none.

  ok                 whole, signed, and anchored by the key of --trust
  ok (unanchored)    the same, but nothing says whose it is: no --trust was given,
                     or its writer had no host key and could have made all of it
  ok (open, N …)     its writer lives; N records wait for the next checkpoint
  recovered          its writer died; the next log says where it ended
  torn tail          an incomplete last line, as a crash leaves it
  unclosed           its writer is gone, and no log says what became of it
  unsealed tail      records follow the last checkpoint of a closed log
  stale              no checkpoint for longer than there should be
  edited, missing, reordered, duplicated, forked, bad signature, wrong epoch,
  missing log        somebody changed it: the line says what, and where
  foreign            a file that no log names
  unreadable         no regular file, or not readable

Lines that came after the last checkpoint can be cut off unseen: keep checkpoints
elsewhere and give them with --against.`,
		Example: `  sallyport audit verify
  sallyport audit verify --trust /etc/sallyport/audit.key.pub /var/lib/sallyport/audit
  sallyport audit verify --proof record.proof --against checkpoint`,
		RunE: func(c *cobra.Command, args []string) error { return o.run(c, args) },
	}
	f := c.Flags()
	f.StringVar(&o.trust, "trust", "", "`KEY` of the host (text, or a file with it) that must have signed each log's first key")
	f.StringArrayVar(&o.against, "against", nil, "`FILE` with a checkpoint that left the machine earlier (may be repeated)")
	f.StringVar(&o.proof, "proof", "", "check the inclusion proof in this `FILE` instead of logs")
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
		hint := "name the folder of the logs; the console says it at its end, and `sallyport doctor` says yours"
		if errors.Is(err, fs.ErrPermission) {
			hint = "run it as the user who owns the logs"
		}
		return failWith(exitLog, err, hint)
	}
	if len(results) == 0 {
		return failWith(exitLog, fmt.Errorf("there is no log in %s", strings.Join(dirs, ", ")), "name the folder of the logs; `sallyport doctor` says yours")
	}
	out := folded(c.OutOrStdout(), 4)
	if o.json {
		out = c.OutOrStdout()
	}
	return o.print(out, results)
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

func (o *verifyOptions) print(out io.Writer, results []verify.Result) error {
	for _, r := range results {
		if o.json {
			if err := json.NewEncoder(out).Encode(r); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintln(out, safetext.Line(r.String()))
	}
	return o.conclude(results)
}

// conclude counts what is wrong and says what to do about it.
func (o *verifyOptions) conclude(results []verify.Result) error {
	wrong, recovered, unreadable, what := 0, 0, 0, "logs"
	for _, r := range results {
		if !strings.HasSuffix(r.File, ".jsonl") && r.Log == "" {
			what = "logs and files beside them"
		}
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
		return failWith(exitVerify, fmt.Errorf("%d of %d %s did not verify", wrong+recovered+unreadable, len(results), what), hint)
	case unreadable > 0:
		return failWith(exitLog, fmt.Errorf("%d of %d %s could not be read", unreadable, len(results), what), "run it as the user who owns the logs")
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
		fmt.Fprintln(out, "that checkpoint came with the proof, and anybody could have made both:\ngive the one that you kept with --against")
	}
	return nil
}
