package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/textproto"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sallyport/audit/ship"
	"sallyport/console/config"
	"sallyport/console/telemetry"
)

// collectorOptions are the flags of every command that ships. Where the
// collector is, is decided here and nowhere else: the organisation's
// [collector], else a flag, else the environment.
type collectorOptions struct {
	endpoint, protocol, caFile string
}

func (o *collectorOptions) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.endpoint, "endpoint", "", "collector: http://host:4318/v1/logs, or http://host:4317 with --protocol grpc")
	f.StringVar(&o.protocol, "protocol", "", "http/protobuf or grpc")
	f.StringVar(&o.caFile, "certificate", "", "file of the certificates that the collector's may come from")
}

// errOrgCollector refuses a second collector: the cursor beside a log says what
// the organisation's has.
var errOrgCollector = fmt.Errorf("%s names the collector", config.OrgFile)

// config says where the log is shipped to. The error is [ship.ErrNoEndpoint]
// where nobody says.
func (o *collectorOptions) config(cfg *config.Loaded, warn func(string)) (ship.Config, error) {
	e, r, warnings, err := ship.FromEnv(os.Getenv, ship.Logs)
	for _, w := range warnings {
		warn(w)
	}
	if cfg.Collector.URL != "" {
		c, err := o.organisations(cfg, r)
		c.Warn = warn
		return c, err
	}
	if o.endpoint != "" {
		e.URL, err = o.endpoint, nil
	}
	if o.protocol != "" {
		e.Protocol = o.protocol
	}
	if o.caFile != "" {
		e.CAFile = o.caFile
	}
	return ship.Config{Endpoint: e, Resource: located(r), Warn: warn}, err
}

func (o *collectorOptions) organisations(cfg *config.Loaded, r ship.Resource) (ship.Config, error) {
	if *o != (collectorOptions{}) {
		return ship.Config{}, errOrgCollector
	}
	e, err := organisationsEndpoint(cfg, ship.Logs)
	return ship.Config{Endpoint: e, Resource: located(r), IgnoresEnv: otlpInEnvironment()}, err
}

// organisationsEndpoint is the collector of the organisation's file.
func organisationsEndpoint(cfg *config.Loaded, s ship.Signal) (ship.Endpoint, error) {
	c := cfg.Collector
	headers, err := headersFrom(c.HeadersFile)
	return ship.Endpoint{
		URL: s.At(c.URL, c.Protocol), Protocol: c.Protocol, Headers: headers, CAFile: c.Certificate,
		ClientCert: c.ClientCert, ClientKey: c.ClientKey, Timeout: c.Timeout, Compression: c.Compression,
	}, err
}

// otlpInEnvironment tells whether somebody tried to say otherwise.
func otlpInEnvironment() bool {
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "OTEL_EXPORTER_OTLP_") {
			return true
		}
	}
	return false
}

// headersFrom reads lines "Name: value". The file holds credentials: one that
// everybody can read is refused, and no error repeats its content.
func headersFrom(path string) (map[string]string, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the collector's headers: %w", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("the collector's headers: %w", err)
	}
	if st.Mode().Perm()&0o007 != 0 {
		return nil, fmt.Errorf("the collector's headers: everybody can read %s (mode %04o): chmod o-rwx", path, st.Mode().Perm())
	}
	out, n := map[string]string{}, 0
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		n++
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		k, v, ok := strings.Cut(line, ":")
		if k = strings.TrimSpace(k); !ok || !ship.ValidHeader(k, strings.TrimSpace(v)) {
			return nil, fmt.Errorf("the collector's headers: %s:%d is no header (Name: value)", path, n)
		}
		out[textproto.CanonicalMIMEHeaderKey(k)] = strings.TrimSpace(v)
	}
	return out, lines.Err()
}

func located(r ship.Resource) ship.Resource {
	r.Host, _ = os.Hostname()
	return r
}

// telemetryConfig says whether and where the console sends traces and metrics
// of itself.
func telemetryConfig(cfg *config.Loaded, warn func(string)) telemetry.Config {
	c := telemetry.Config{Warn: warn}
	if os.Getenv("OTEL_SDK_DISABLED") == "true" {
		return c
	}
	for _, s := range []struct {
		signal ship.Signal
		on     bool
		wanted string
		to     **ship.Endpoint
	}{
		{ship.Traces, cfg.Telemetry.Traces, os.Getenv("OTEL_TRACES_EXPORTER"), &c.Traces},
		{ship.Metrics, cfg.Telemetry.Metrics, os.Getenv("OTEL_METRICS_EXPORTER"), &c.Metrics},
	} {
		e, r, err := telemetryEndpoint(cfg, s.signal, s.on, s.wanted)
		c.Resource = located(r)
		switch {
		case err == nil:
			*s.to = &e
		case !errors.Is(err, ship.ErrNoEndpoint):
			warn(fmt.Sprintf("no %s of the console: %v", s.signal, err))
		}
	}
	return c
}

// telemetryEndpoint is where a signal goes. OTEL_EXPORTER_OTLP_ENDPOINT alone
// ships the log and nothing else: a signal must be asked for, by the
// configuration, by an endpoint of its own, or by OTEL_*_EXPORTER=otlp.
func telemetryEndpoint(cfg *config.Loaded, s ship.Signal, on bool, wanted string) (ship.Endpoint, ship.Resource, error) {
	e, r, _, err := ship.FromEnv(os.Getenv, s)
	own := os.Getenv("OTEL_EXPORTER_OTLP_"+strings.ToUpper(string(s))+"_ENDPOINT") != ""
	switch {
	case wanted == "none":
		return e, r, ship.ErrNoEndpoint
	case cfg.Collector.URL != "" && on:
		e, err = organisationsEndpoint(cfg, s)
	case cfg.Collector.URL != "" || !on && !own && wanted != "otlp":
		err = ship.ErrNoEndpoint
	}
	return e, r, err
}
