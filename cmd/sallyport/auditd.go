package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"sallyport/audit"
	"sallyport/audit/daemon"
	"sallyport/audit/seal"
	"sallyport/audit/ship"
	"sallyport/console/config"
	"sallyport/redact"
)

type auditdOptions struct {
	dir, socket, hostKey string
	recipients           []string
	collector            collectorOptions
}

func newAuditdCommand() *cobra.Command {
	var o auditdOptions
	c := &cobra.Command{
		Use:   "auditd",
		Short: "keep the log of this machine, for consoles that reach it over a socket",
		Long: "Auditd runs under a user of its own, so that operators cannot change what is recorded of them.\n" +
			"It ships to the organisation's collector, if its configuration names one; else to that of --endpoint or\n" +
			"of the OTEL_EXPORTER_OTLP_* variables, if any.",
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c) },
	}
	f := c.Flags()
	f.StringVar(&o.dir, "dir", "/var/lib/sallyport/audit", "folder of the logs")
	f.StringVar(&o.socket, "socket", "/run/sallyport/audit.sock", "unix socket to listen on, unless systemd passes one")
	f.StringVar(&o.hostKey, "host-key", "", "file with the key that anchors the logs (sallyport audit keygen)")
	f.StringArrayVar(&o.recipients, "recipient", nil, "age public key of an auditor (may be repeated)")
	o.collector.register(c)
	return c
}

func (o *auditdOptions) run(c *cobra.Command) error {
	ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log, err := o.open(c)
	if err != nil {
		return err
	}
	err = o.serve(ctx, c, log)
	if cerr := log.Close(context.WithoutCancel(ctx)); cerr != nil {
		err = errors.Join(err, failWith(exitLog, cerr, ""))
	}
	return err
}

func (o *auditdOptions) open(c *cobra.Command) (*audit.Log, error) {
	key, err := hostKeyFrom(o.hostKey)
	if err != nil {
		return nil, failWith(exitConfig, err, "sallyport audit keygen makes a host key")
	}
	log, err := audit.Open(audit.Config{
		Dir: o.dir, Actor: currentActor(), HostKey: key, Recipients: o.recipients,
		Warn: func(m string) { warn(c.ErrOrStderr(), m) },
	})
	if err != nil {
		return nil, failWith(exitLog, err, "the folder must belong to the daemon's user")
	}
	return log, nil
}

// hostKeyFrom reads a host key that nobody else can read.
func hostKeyFrom(path string) (k seal.HostKey, err error) {
	if path == "" {
		return k, nil
	}
	st, err := os.Stat(path)
	if err != nil {
		return k, fmt.Errorf("host key: %w", err)
	}
	if st.Mode().Perm()&0o077 != 0 {
		return k, fmt.Errorf("host key %s has mode %04o: others can read it", path, st.Mode().Perm())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return k, fmt.Errorf("host key: %w", err)
	}
	k, err = seal.ParseHostKey(string(b))
	if err != nil {
		return k, fmt.Errorf("host key %s: %w", path, err)
	}
	return k, nil
}

func (o *auditdOptions) serve(ctx context.Context, c *cobra.Command, log *audit.Log) error {
	stopShipping, err := o.startShipping(ctx, c, log)
	if err != nil {
		return err
	}
	defer stopShipping()
	l, err := daemon.Listen(o.socket)
	if err != nil {
		return failWith(exitConfig, err, "another daemon, or a stale file at --socket")
	}
	s := daemon.New(daemon.Config{
		Log: log, Redactor: redact.New(redact.Config{DigestKey: log.DigestKey()}),
		Warn: func(m string) { warn(c.ErrOrStderr(), m) },
	})
	if err := daemon.Ready(); err != nil {
		warn(c.ErrOrStderr(), err.Error())
	}
	return s.Serve(ctx, l)
}

// startShipping ships in the background, if a collector is configured.
func (o *auditdOptions) startShipping(ctx context.Context, c *cobra.Command, log *audit.Log) (stop func(), err error) {
	loaded, err := config.Load(config.Sources{User: os.DevNull}) // nobody's own settings
	if err != nil {
		return nil, failWith(exitConfig, err, "sallyport config --show-origin")
	}
	cfg, err := o.collector.config(loaded, func(m string) { warn(c.ErrOrStderr(), m) })
	if errors.Is(err, ship.ErrNoEndpoint) {
		return func() {}, nil
	}
	if err != nil {
		return nil, failWith(exitConfig, err, "")
	}
	cfg.Dir, cfg.Log, cfg.Shipped = o.dir, log, log.Shipped
	s, err := ship.New(cfg)
	if err != nil {
		return nil, failWith(exitConfig, err, "")
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := s.Probe(ctx); err != nil {
			warn(c.ErrOrStderr(), err.Error()+"; the log file waits")
		}
		s.Follow(ctx)
	}()
	return func() { cancel(); <-done; s.Close() }, nil
}
