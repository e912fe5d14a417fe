package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"sallyport/audit"
	"sallyport/audit/review"
	"sallyport/policies"
	"sallyport/policy"
	"sallyport/redact"
)

func newPolicyDiffCommand() *cobra.Command {
	var replay, identity string
	c := &cobra.Command{
		Use:   "diff OLD NEW --replay DIR",
		Short: "say which recorded commands another policy would judge otherwise",
		Long:  "OLD and NEW are policy files, folders of them, or \"shipped\". Each stands over the shipped files.",
		Args:  usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			if replay == "" {
				return failWith(exitUsage, fmt.Errorf("--replay DIR is missing"), "name the folder of an audit log")
			}
			return diffPolicies(c.OutOrStdout(), args[0], args[1], replay, identity)
		},
	}
	c.Flags().StringVar(&replay, "replay", "", "the audit log's `DIR`")
	c.Flags().StringVar(&identity, "identity", "", "`FILE` with an auditor's age identity: what is masked in the log is judged as it was sent, and stays masked in the output")
	return c
}

// loadSide loads one side of the comparison.
func loadSide(name string) (*policy.Set, error) {
	c := policy.Config{Embedded: policies.FS(), Shipped: policies.Shipped, EmbeddedOnly: true}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		files, err := filepath.Glob(filepath.Join(name, "*.toml"))
		if err != nil {
			return nil, err
		}
		c.Files = files
	} else if name != "shipped" {
		c.Files = []string{name}
	}
	set, _, err := policy.Load(c)
	return set, policyFault(err)
}

// A replayCount says what became of the recorded commands.
type replayCount struct {
	same, changed, unjudged int
	sealed                  *vault
}

func diffPolicies(w io.Writer, old, changed, dir, identity string) error {
	a, err := loadSide(old)
	if err != nil {
		return err
	}
	b, err := loadSide(changed)
	if err != nil {
		return err
	}
	logs, err := review.Open(dir)
	if err != nil {
		return failWith(exitLog, err, "name the folder that holds the .jsonl files")
	}
	vault, err := openVault(dir, identity)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	defer out.Flush()
	n := replayCount{sealed: vault}
	for r, err := range logs.Records() {
		if err != nil {
			return failWith(exitLog, err, "sallyport audit verify "+dir)
		}
		if err := n.record(out, a, b, r); err != nil {
			return failWith(exitLog, err, "sallyport audit verify "+dir)
		}
	}
	fmt.Fprintf(out, "%d the same, %d otherwise, %d not re-judgeable\n", n.same, n.changed, n.unjudged)
	return nil
}

// record judges the command of one record with both policies. Commands that
// were refused count too.
func (n *replayCount) record(out io.Writer, a, b *policy.Set, r audit.Record) error {
	request, ok, err := replayed(r)
	if err != nil || !ok {
		return err
	}
	shown := request.Text
	if redact.HasPlaceholder(shown) || cutShort(r) {
		exact, ok, err := n.sealed.command(r)
		if err != nil {
			return fmt.Errorf("record %d: %w", r.Seq, err)
		}
		if !ok {
			n.unjudged++
			fmt.Fprintf(out, "not re-judgeable\t%d\t%q\n", r.Seq, shown)
			return nil
		}
		request.Text = exact
	}
	was, now := a.Decide(request), b.Decide(request)
	if was.Risk == now.Risk && was.Effect == now.Effect {
		n.same++
		return nil
	}
	n.changed++
	fmt.Fprintf(out, "%s %s\t→ %s %s\t%d\t%q\t%s\n", was.Risk, was.Effect, now.Risk, now.Effect, r.Seq, shown, ruleIDs(now))
	return nil
}

// replayed makes the request of a record that holds a command.
func replayed(r audit.Record) (policy.Request, bool, error) {
	if r.Event != (audit.Intent[string]{}).Kind() && r.Event != (audit.Refused[string]{}).Kind() {
		return policy.Request{}, false, nil
	}
	var d struct {
		Command     string `json:"command"`
		Origin      string `json:"origin"`
		Dialect     string `json:"dialect"`
		Cwd         string `json:"cwd"`
		ClaimedRisk string `json:"claimed_risk"`
		Targets     []struct {
			Host        string `json:"host"`
			Account     string `json:"account"`
			Container   string `json:"container"`
			Address     string `json:"address"`
			Port        int    `json:"port"`
			Fingerprint string `json:"fingerprint"`
			Verified    bool   `json:"verified"`
		} `json:"targets"`
	}
	if err := json.Unmarshal(r.Data, &d); err != nil {
		return policy.Request{}, false, fmt.Errorf("record %d: %w", r.Seq, err)
	}
	if d.Command == "" {
		return policy.Request{}, false, nil
	}
	request := policy.Request{Text: d.Command, Origin: policy.Origin(d.Origin), Cwd: d.Cwd, At: r.Time}
	if d.Dialect != "" {
		dialect, err := policy.ParseDialect(d.Dialect)
		if err != nil {
			return request, false, fmt.Errorf("record %d: %w", r.Seq, err)
		}
		request.Dialect = dialect
	}
	if d.ClaimedRisk != "" {
		claimed, err := policy.ParseRisk(d.ClaimedRisk)
		if err != nil {
			return request, false, fmt.Errorf("record %d: %w", r.Seq, err)
		}
		request.Claimed = claimed
	}
	for _, t := range d.Targets {
		request.Targets = append(request.Targets, policy.Target{
			Asked: t.Host, Account: t.Account, Container: t.Container, Address: t.Address, Port: t.Port, Fingerprint: t.Fingerprint, Verified: t.Verified,
		})
	}
	if r.Actor != nil {
		request.User = r.Actor.User
	}
	return request, true, nil
}
