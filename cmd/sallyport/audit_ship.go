package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"sallyport/audit/ship"
	"sallyport/console/config"
)

type shipOptions struct {
	collector           collectorOptions
	log, reconcile      string
	once, follow, probe bool
	json                bool
	from                int64
}

func newAuditShip() *cobra.Command {
	var o shipOptions
	c := &cobra.Command{
		Use:   "ship [DIR]",
		Short: "deliver logs to a collector over OTLP",
		Long: `Ship sends what no collector has yet, and remembers in a cursor beside each log
how far it got. The collector is the organisation's ([collector] of its
configuration), else --endpoint, else what the OTEL_EXPORTER_OTLP_* variables name.

With --reconcile the receiver is asked with the collector's headers and client
certificate if it is on the same host (and https, if the collector's is), else
without them.`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error { return o.run(c, args) },
	}
	f := c.Flags()
	o.collector.register(c)
	f.BoolVar(&o.once, "once", false, "ship what there is, then end (the default)")
	f.BoolVar(&o.follow, "follow", false, "go on with what comes")
	f.BoolVar(&o.probe, "probe", false, "send one diagnostics record and say whether it was taken")
	f.Int64Var(&o.from, "from", -1, "begin at the record with this `SEQ` of --log, whatever its cursor says")
	f.StringVar(&o.log, "log", "", "log of --from: its `FILE`")
	f.StringVar(&o.reconcile, "reconcile", "", "ask VictoriaLogs at this `URL` what it holds, and say what of the logs it does not")
	f.BoolVar(&o.json, "json", false, "with --reconcile: one JSON array")
	c.MarkFlagsMutuallyExclusive("once", "follow", "probe", "reconcile")
	return c
}

func (o *shipOptions) run(c *cobra.Command, args []string) error {
	if o.reconcile != "" {
		return o.compare(c, args)
	}
	s, err := o.shipper(c, args)
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return o.deliver(ctx, c, s)
}

func (o *shipOptions) deliver(ctx context.Context, c *cobra.Command, s *ship.Shipper) error {
	if o.probe {
		if err := s.Probe(ctx); err != nil {
			return failWith(exitConnect, err, "")
		}
		fmt.Fprintln(c.OutOrStdout(), "the collector took a diagnostics record")
		return nil
	}
	if o.from >= 0 {
		if err := s.From(o.log, uint64(o.from)); err != nil {
			return failWith(exitLog, err, "name the log's file with --log")
		}
	}
	work := s.Once
	if o.follow {
		work = s.Follow
	}
	err := work(ctx)
	st := s.Status()
	fmt.Fprintf(c.OutOrStdout(), "%d records accepted, %d waiting\n", st.Shipped, st.Backlog)
	switch {
	case errors.Is(err, context.Canceled):
		return st.Error
	case err != nil:
		return failWith(exitConnect, err, "")
	}
	return nil
}

func (o *shipOptions) shipper(c *cobra.Command, args []string) (*ship.Shipper, error) {
	loaded, err := loadConfig(c.ErrOrStderr(), nil)
	if err != nil {
		return nil, err
	}
	cfg, err := o.collector.config(loaded, func(m string) { warn(c.ErrOrStderr(), m) })
	switch {
	case errors.Is(err, errOrgCollector):
		return nil, failWith(exitConfig, err, "leave --endpoint, --protocol and --certificate out")
	case err != nil:
		return nil, failWith(exitConfig, err, "give --endpoint, or set OTEL_EXPORTER_OTLP_ENDPOINT")
	}
	cfg.Dir = o.dir(loaded, args)
	s, err := ship.New(cfg)
	if err != nil {
		return nil, failWith(exitConfig, err, c.CommandPath()+" --help")
	}
	return s, nil
}

// dir is the folder that was named, or the console's.
func (o *shipOptions) dir(cfg *config.Loaded, args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	return auditDir(cfg)
}
