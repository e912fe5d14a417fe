package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/user"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"sallyport/audit"
	"sallyport/audit/ship"
	"sallyport/console/config"
	"sallyport/console/remote"
	"sallyport/console/screen"
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
		}{inForce(loaded), loaded.Warnings})
	}
	return printSettings(stdout, inForce(loaded), o.showOrigin)
}

// inForce are the settings, with what the console does in place of those that
// nobody made.
func inForce(cfg *config.Loaded) []config.Setting {
	out := cfg.Settings()
	defaults := unsaid(cfg)
	for i := range out {
		v, ok := defaults[out[i].Key]
		if !ok || !blank(out[i].Value) || blank(v.value) {
			continue
		}
		out[i].Value = v.value
		if v.origin != "" {
			out[i].Origin = v.origin
		}
	}
	return out
}

// blank tells whether a setting leaves it to the console.
func blank(v any) bool { return v == "" || v == "0s" || v == int64(0) || v == false }

// found is a value that no file and no flag gave, and where it comes from.
type found struct {
	value  any
	origin string // empty: the default
}

// unsaid are the values of keys whose default is found out at the start, or is
// kept by the package that they are for.
func unsaid(cfg *config.Loaded) map[string]found {
	const unlessSSH = "default, unless the ssh configuration says otherwise"
	values := map[string]found{
		"audit.dir":          {value: auditDir(cfg)},
		"audit.log_bytes":    {value: int64(audit.DefaultMaxBytes)},
		"audit.log_age":      {value: audit.DefaultMaxAge.String()},
		"ssh.timeout":        {remote.DefaultTimeout.String(), unlessSSH},
		"ssh.alive_interval": {remote.DefaultAliveInterval.String(), unlessSSH},
		"ssh.alive_count":    {int64(remote.DefaultAliveCount), unlessSSH},
		"tui.scrollback":     {value: int64(screen.DefaultScrollback)},
	}
	if u, err := user.Current(); err == nil { // as ssh does: $HOME does not count
		values["ssh.config"] = found{value: filepath.Join(u.HomeDir, ".ssh", "config")}
	}
	if own := besideThis("linus"); own != "" && cfg.Copilot.URL == "" && !cfg.Copilot.Off {
		values["copilot.command"] = found{own, "found beside this program"}
	}
	if drawsASCII(cfg) && !cfg.TUI.ASCII {
		values["tui.ascii"] = found{true, "the locale"}
	}
	addCollector(values, cfg)
	return values
}

// addCollector adds where the log is shipped to, if anywhere.
func addCollector(values map[string]found, cfg *config.Loaded) {
	c, err := (&collectorOptions{}).config(cfg, func(string) {})
	if err != nil {
		return
	}
	const env = "OTEL_EXPORTER_OTLP_* in the environment"
	e := c.Endpoint
	values["collector.timeout"] = found{value: e.Wait().String()}
	values["collector.protocol"] = found{value: cmp.Or(e.Protocol, ship.HTTP)}
	values["collector.compression"] = found{value: cmp.Or(e.Compression, "none")}
	if cfg.Collector.URL == "" {
		values["collector.url"] = found{config.WithoutAccount(e.URL), env}
		values["collector.certificate"] = found{e.CAFile, env}
	}
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
