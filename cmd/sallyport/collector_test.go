package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sallyport/audit/ship"
	"sallyport/console/config"
)

func loadedWith(c config.Collector, t config.Telemetry) *config.Loaded {
	return &config.Loaded{Config: config.Config{Collector: c, Telemetry: t}}
}

// clearOTEL takes the variables of whoever runs the tests away.
func clearOTEL(t *testing.T) {
	t.Helper()
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "OTEL_") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
}

func TestWhereTheLogIsShippedTo(t *testing.T) {
	clearOTEL(t)
	org := config.Collector{URL: "https://org.example:4318/", Compression: "gzip"}
	for _, c := range []struct {
		name    string
		org     config.Collector
		flags   collectorOptions
		env     string
		want    string
		ignores bool
		err     error
	}{
		{name: "nobody says", err: ship.ErrNoEndpoint},
		{name: "the environment", env: "http://env:4318", want: "http://env:4318/v1/logs"},
		{name: "a flag over the environment", env: "http://env:4318", flags: collectorOptions{endpoint: "http://flag:1/x"}, want: "http://flag:1/x"},
		{name: "the organisation", org: org, want: "https://org.example:4318/v1/logs"},
		{name: "the organisation, by gRPC", org: config.Collector{URL: "http://o:4317", Protocol: "grpc"}, want: "http://o:4317"},
		{name: "the organisation over the environment", org: org, env: "http://env:4318", want: "https://org.example:4318/v1/logs", ignores: true},
		{name: "no flag beside the organisation", org: org, flags: collectorOptions{endpoint: "http://mine"}, err: errOrgCollector},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.env)
			if c.env == "" {
				os.Unsetenv("OTEL_EXPORTER_OTLP_ENDPOINT")
			}
			warned := 0
			got, err := c.flags.config(loadedWith(c.org, config.Telemetry{}), func(string) { warned++ })
			if err == nil {
				got.Warn("a word of the shipper's")
			}
			if err == nil && warned != 1 {
				t.Errorf("its shipper is silent")
			}
			if !errors.Is(err, c.err) || err == nil && (got.Endpoint.URL != c.want || got.IgnoresEnv != c.ignores) {
				t.Errorf("%q, ignores %v, %v", got.Endpoint.URL, got.IgnoresEnv, err)
			}
		})
	}
}

func TestTracesAndMetricsMustBeAskedFor(t *testing.T) {
	clearOTEL(t)
	org := config.Collector{URL: "http://org:4318"}
	for _, c := range []struct {
		name            string
		org             config.Collector
		on              config.Telemetry
		env             map[string]string
		traces, metrics string
	}{
		{name: "nothing"},
		{name: "a collector for the log alone", org: org},
		{name: "an endpoint for the log alone", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://env:4318"}},
		{name: "configured", org: org, on: config.Telemetry{Traces: true}, traces: "http://org:4318/v1/traces"},
		{name: "configured without a collector", on: config.Telemetry{Traces: true, Metrics: true}},
		{
			name: "configured, collector in the environment", on: config.Telemetry{Metrics: true},
			env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://env:4318"}, metrics: "http://env:4318/v1/metrics",
		},
		{name: "an endpoint of its own", env: map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://env:1/t"}, traces: "http://env:1/t"},
		{
			name:   "an exporter asked for",
			env:    map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://env:4318", "OTEL_METRICS_EXPORTER": "otlp", "OTEL_TRACES_EXPORTER": "none"},
			traces: "", metrics: "http://env:4318/v1/metrics",
		},
		{name: "the organisation's collector counts", org: org, env: map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://mine"}},
		{name: "switched off", org: org, on: config.Telemetry{Traces: true}, env: map[string]string{"OTEL_SDK_DISABLED": "true"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for k, v := range c.env {
				t.Setenv(k, v)
			}
			got := telemetryConfig(loadedWith(c.org, c.on), func(string) {})
			for what, p := range map[string]struct {
				got  *ship.Endpoint
				want string
			}{"traces": {got.Traces, c.traces}, "metrics": {got.Metrics, c.metrics}} {
				if (p.got != nil) != (p.want != "") || p.got != nil && p.got.URL != p.want {
					t.Errorf("%s go to %+v, want %q", what, p.got, p.want)
				}
			}
		})
	}
}

func TestTheCollectorsHeadersStayInTheirFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "headers")
	write := func(text string, mode os.FileMode) {
		t.Helper()
		if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), os.Chmod(file, mode)); err != nil {
			t.Fatal(err)
		}
	}
	write("# who we are\nAuthorization: Bearer made:up\n\nx-scope-orgid: ops\n", 0o640)
	h, err := headersFrom(file)
	if err != nil || h["Authorization"] != "Bearer made:up" || h["X-Scope-Orgid"] != "ops" || len(h) != 2 {
		t.Errorf("%v %v", h, err)
	}
	write("Authorization: Bearer made-up\n", 0o644)
	if _, err := headersFrom(file); err == nil || !strings.Contains(err.Error(), "everybody can read") {
		t.Errorf("a file that everybody can read: %v", err)
	}
	write("Authorization: a\nthis-is-the-secret\n", 0o600)
	if _, err := headersFrom(file); err == nil || strings.Contains(err.Error(), "this-is") || !strings.Contains(err.Error(), ":2 ") {
		t.Errorf("a line that is no header: %v", err)
	}
}

// With a daemon, who ships is the daemon: its credentials are not the
// operators' to read, nor to be told about.
func TestAConsoleOfADaemonLeavesTheCollectorsCredentialsAlone(t *testing.T) {
	clearOTEL(t)
	for _, socket := range []string{"", filepath.Join(t.TempDir(), "socket")} {
		cfg := loadedWith(config.Collector{URL: "http://127.0.0.1:1", HeadersFile: filepath.Join(t.TempDir(), "none")}, config.Telemetry{})
		cfg.Audit.Dir, cfg.Audit.Socket = t.TempDir(), socket
		var out bytes.Buffer
		con, err := (&openOptions{embedded: true, noCopilot: true}).console(cfg, &out, nil, nil)
		if err == nil {
			con.Close(t.Context())
		}
		if told := strings.Contains(out.String(), "the collector's headers"); told != (socket == "") {
			t.Errorf("socket %q: told %v: %s", socket, told, out.String())
		}
	}
}

func TestTheCollectorsCredentialsStayWithItsHost(t *testing.T) {
	for _, c := range []struct {
		collector, receiver string
		want                bool
	}{
		{"https://logs.example:4318/v1/logs", "https://logs.example:9428", true},
		{"http://127.0.0.1:4318/v1/logs", "http://127.0.0.1:9428", true},
		{"http://logs.example:4318", "https://LOGS.example", true},
		{"https://logs.example:4318", "http://logs.example:9428", false},
		{"https://logs.example:4318", "https://logs.example.evil:9428", false},
		{"https://logs.example:4318", "https://logs.example@evil:9428", false},
		{"https://logs.example:4318", "", false},
		{"", "https://logs.example", false},
	} {
		e := asking(ship.Endpoint{
			URL: c.collector, Protocol: ship.GRPC, CAFile: "ca", ClientCert: "cert", ClientKey: "key",
			Headers: map[string]string{"Authorization": "made up"},
		}, c.receiver)
		with := e.Headers != nil || e.ClientCert != "" || e.ClientKey != ""
		if with != c.want || e.URL != c.receiver || e.CAFile != "ca" || e.Protocol != ship.HTTP {
			t.Errorf("%s asked with the credentials of %s: %v", c.receiver, c.collector, with)
		}
	}
}
