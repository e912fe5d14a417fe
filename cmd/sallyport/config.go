package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sallyport/console/config"
)

type configOptions struct {
	showOrigin bool
	json       bool
}

func newConfigCommand() *cobra.Command {
	var o configOptions
	c := &cobra.Command{
		Use:   "config",
		Short: "print the configuration in force",
		Long: "Prints every key with the value in force. With --show-origin, also the file and line it came from,\n" +
			"and whether the organisation has locked it.",
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return runConfig(c.OutOrStdout(), c.ErrOrStderr(), o)
		},
	}
	c.Flags().BoolVar(&o.showOrigin, "show-origin", false, "say where each value came from")
	c.Flags().BoolVar(&o.json, "json", false, "one JSON object")
	return c
}

func runConfig(stdout, stderr io.Writer, o configOptions) error {
	loaded, err := loadConfig(stderr, nil)
	if err != nil {
		return err
	}
	if o.json {
		e := json.NewEncoder(stdout)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			Settings []config.Setting `json:"settings"`
			Warnings []string         `json:"warnings,omitempty"`
		}{loaded.Settings(), loaded.Warnings})
	}
	return printSettings(stdout, loaded.Settings(), o.showOrigin)
}

// loadConfig reads the configuration, prints its warnings and gives a mistake
// its exit code.
func loadConfig(stderr io.Writer, flags []config.Flag) (*config.Loaded, error) {
	loaded, err := config.Load(config.Sources{Flags: flags})
	if err != nil {
		var e *config.Error
		hint := "sallyport config --show-origin, once it is corrected"
		if errors.As(err, &e) && e.Remedy != "" {
			hint = e.Remedy
		}
		return nil, failWith(exitConfig, err, hint)
	}
	for _, w := range loaded.Warnings {
		fmt.Fprintf(stderr, "sallyport: warning: %s\n", w)
	}
	return loaded, nil
}

func printSettings(w io.Writer, settings []config.Setting, origin bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range settings {
		if !origin {
			fmt.Fprintf(t, "%s = %s\n", s.Key, s.TOML())
			continue
		}
		locked := ""
		if s.Locked {
			locked = ", locked"
		}
		fmt.Fprintf(t, "%s = %s\t# %s%s\n", s.Key, s.TOML(), s.Origin, locked)
	}
	return t.Flush()
}
