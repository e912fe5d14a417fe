package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"sallyport/policies"
	"sallyport/policy"
)

// policyFlags say which policy files a subcommand judges with.
type policyFlags struct {
	files        []string
	embeddedOnly bool
}

func (p *policyFlags) register(c *cobra.Command) {
	c.Flags().StringArrayVar(&p.files, "policy", nil, "one more policy `FILE`: a layer, never a replacement")
	c.Flags().BoolVar(&p.embeddedOnly, "embedded-only", false, "leave out the machine's and the user's files")
}

func newPolicyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "policy",
		Short: "check, explain and test what may be sent",
	}
	c.AddCommand(newPolicyCheckCommand(), newPolicyExplainCommand(), newPolicyTestCommand(), newPolicyDiffCommand())
	return c
}

// orgPolicyDir is the organization's folder; root owns it.
const orgPolicyDir = "/etc/sallyport/policy.d"

// policyConfig says where the files of this machine and user are.
func policyConfig(files []string, embeddedOnly bool) policy.Config {
	c := policy.Config{
		Embedded: policies.FS(), Shipped: policies.Shipped, OrgDir: orgPolicyDir, Files: files, EmbeddedOnly: embeddedOnly,
	}
	if dir, err := os.UserConfigDir(); err == nil {
		c.UserDir = filepath.Join(dir, "sallyport", "policy.d")
	}
	return c
}

// loadPolicy loads the files in force; a fault in one is exit code 6.
func loadPolicy(p policyFlags) (*policy.Set, []policy.Warning, error) {
	set, warnings, err := policy.Load(policyConfig(p.files, p.embeddedOnly))
	return set, warnings, policyFault(err)
}

func policyFault(err error) error {
	if err == nil {
		return nil
	}
	hint := "sallyport policy check"
	var f *policy.FileError
	if errors.As(err, &f) {
		hint = "sallyport policy check " + f.File
	}
	return failWith(exitConfig, err, hint)
}
