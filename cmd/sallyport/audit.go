package main

import (
	"path/filepath"

	"github.com/spf13/cobra"
)

func newAuditCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "audit",
		Short: "verify, read and export the record",
		Args:  usage(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newAuditVerify(), newAuditShow(), newAuditProve(), newAuditKeygen(), newAuditPrune(),
		newAuditSearch(), newAuditStats(), newAuditExport(), newAuditReport(), newAuditReplay(), newAuditShip())
	return c
}

// stateAuditDir is where a console keeps its logs unless it is told otherwise.
func stateAuditDir() string { return filepath.Join(stateDir(), "audit") }

// auditDirs adds the flag by which subcommands find the logs.
func auditDirs(c *cobra.Command) *[]string {
	return c.Flags().StringArray("dir", []string{stateAuditDir()}, "folder of logs, or one log's file (may be repeated)")
}
