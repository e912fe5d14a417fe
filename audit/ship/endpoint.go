package ship

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// Protocols.
const (
	HTTP = "http/protobuf"
	GRPC = "grpc"
)

// Endpoint is a collector and how to talk to it.
type Endpoint struct {
	URL         string // with HTTP: where to post, /v1/logs included
	Protocol    string // HTTP if empty
	Headers     map[string]string
	CAFile      string // certificates that the collector's may come from; system's if empty
	ClientCert  string
	ClientKey   string
	Timeout     time.Duration // of one request; 10 s if 0
	Compression string        // gzip or none
}

// String gives nothing away.
func (e Endpoint) String() string { return "collector" }

// Resource says whose logs they are.
type Resource struct {
	Service, Instance, Host string
	More                    map[string]string
}

// ErrNoEndpoint says that no collector is configured.
var ErrNoEndpoint = errors.New("no collector is configured")

// Signal is what is sent: each has variables and a path of its own.
type Signal string

// The signals of OTLP.
const (
	Logs    Signal = "logs"
	Traces  Signal = "traces"
	Metrics Signal = "metrics"
)

// variable is OTEL_EXPORTER_OTLP_LOGS_ENDPOINT and its like.
func (s Signal) variable(name string) string {
	return "OTEL_EXPORTER_OTLP_" + strings.ToUpper(string(s)) + "_" + name
}

// At is where a signal is posted to at a collector whose address is base: with
// gRPC the address itself, else its path for the signal.
func (s Signal) At(base, protocol string) string {
	if protocol == GRPC {
		return base
	}
	return strings.TrimSuffix(base, "/") + "/v1/" + string(s)
}

// FromEnv reads the variables of the OpenTelemetry specification; the signal's
// own form of each wins. Warnings never hold a value.
func FromEnv(getenv func(string) string, signal Signal) (e Endpoint, r Resource, warnings []string, err error) {
	get := func(name string) string {
		if v := getenv(signal.variable(name)); v != "" {
			return v
		}
		return getenv("OTEL_EXPORTER_OTLP_" + name)
	}
	e = Endpoint{
		Protocol: get("PROTOCOL"), CAFile: get("CERTIFICATE"), ClientCert: get("CLIENT_CERTIFICATE"),
		ClientKey: get("CLIENT_KEY"), Compression: get("COMPRESSION"),
	}
	var warnHeaders, warnResource []string
	e.Headers, warnHeaders = pairs("headers", get("HEADERS"))
	r.More, warnResource = pairs("resource attributes", getenv("OTEL_RESOURCE_ATTRIBUTES"))
	r.Service = getenv("OTEL_SERVICE_NAME")
	if r.Service == "" {
		r.Service = r.More["service.name"]
	}
	warnings = append(warnHeaders, warnResource...)
	if e.Timeout, err = milliseconds(get("TIMEOUT")); err != nil {
		return e, r, warnings, err
	}
	e.URL, err = envURL(getenv, signal, e.Protocol)
	return e, r, warnings, err
}

// envURL: the general endpoint gets the signal's path, the signal's own is
// taken as it is.
func envURL(getenv func(string) string, signal Signal, protocol string) (string, error) {
	if u := getenv(signal.variable("ENDPOINT")); u != "" {
		return u, nil
	}
	u := getenv("OTEL_EXPORTER_OTLP_ENDPOINT")
	if u == "" {
		return "", ErrNoEndpoint
	}
	return signal.At(u, protocol), nil
}

func milliseconds(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0, errors.New("OTEL_EXPORTER_OTLP_TIMEOUT is no number of milliseconds")
	}
	return time.Duration(n) * time.Millisecond, nil
}

// pairs reads k=v,k=v with percent-encoded values (W3C baggage). A malformed
// pair is skipped, and said by its number, never by its value.
func pairs(what, s string) (out map[string]string, warnings []string) {
	out = map[string]string{}
	if s == "" {
		return out, nil
	}
	for i, p := range strings.Split(s, ",") {
		k, v, ok := strings.Cut(p, "=")
		k = strings.TrimSpace(k)
		value, err := url.PathUnescape(strings.TrimSpace(v))
		if !ok || err != nil || !ValidHeader(k, value) {
			warnings = append(warnings, fmt.Sprintf("pair %d of the collector's %s is malformed and was skipped", i+1, what))
			continue
		}
		out[k] = value
	}
	return out, warnings
}

// ValidHeader tells whether a header can be sent.
func ValidHeader(name, value string) bool {
	return httpguts.ValidHeaderFieldName(name) && httpguts.ValidHeaderFieldValue(value)
}

// Check says what is wrong with an endpoint, without repeating it.
func (e Endpoint) Check() error {
	_, err := e.check()
	return err
}

// Wait is how long one request may take.
func (e Endpoint) Wait() time.Duration {
	if e.Timeout <= 0 {
		return defaultTimeout
	}
	return e.Timeout
}

func (e Endpoint) check() (*url.URL, error) {
	u, err := url.Parse(e.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("the collector's address is no http or https URL")
	case e.Protocol != "" && e.Protocol != HTTP && e.Protocol != GRPC:
		return nil, fmt.Errorf("protocol %q: %s or %s", e.Protocol, HTTP, GRPC)
	case e.Compression != "" && e.Compression != "gzip" && e.Compression != "none":
		return nil, fmt.Errorf("compression %q: gzip or none", e.Compression)
	}
	return u, nil
}

func (e Endpoint) header() http.Header {
	h := http.Header{}
	for k, v := range e.Headers {
		h.Set(k, v)
	}
	return h
}
