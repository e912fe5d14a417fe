package main

import (
	"strings"

	"github.com/spf13/cobra"

	"sallyport/console/config"
)

func newAuditCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "audit",
		Short: "verify, read and export the record",
		Args:  usage(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.SetUsageTemplate(strings.ReplaceAll(c.UsageTemplate(), ".FlagUsages ", ".FlagUsagesWrapped 80 "))
	c.AddCommand(newAuditVerify(), newAuditShow(), newAuditProve(), newAuditKeygen(), newAuditPrune(),
		newAuditSearch(), newAuditStats(), newAuditExport(), newAuditReport(), newAuditReplay(), newAuditShip())
	return c
}

// logDirs are the folders that were named, or the one that the console writes
// to. Logs can be read with a configuration that cannot: then it is where a
// console writes that nobody told otherwise.
func logDirs(named []string) []string {
	if len(named) > 0 {
		return named
	}
	cfg, err := config.Load(config.Sources{})
	if err != nil {
		cfg = &config.Loaded{}
	}
	return []string{auditDir(cfg)}
}

// auditDirs adds the flag by which subcommands find the logs.
func auditDirs(c *cobra.Command) *[]string {
	return c.Flags().StringArray("dir", nil, "`DIR` of logs, or one log's file (may be repeated); the console's if not given")
}
