package ship

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"syscall"
	"time"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	"google.golang.org/protobuf/proto"
)

// client sends one request and tells of the answer.
type client interface {
	// send gives how many records of the request were rejected, or a failure.
	send(ctx context.Context, r *collogs.ExportLogsServiceRequest) (rejected int64, err *failure)
	close()
}

// failure is a request that was not accepted, in words that give neither
// address nor header away.
type failure struct {
	reason  string
	code    int           // HTTP status or gRPC code; 0 for a network error
	after   time.Duration // Retry-After
	retry   bool          // the same again may go
	smaller bool          // it is the content
	lost    bool          // the connection was: what was accepted lately may be lost too
}

func (f *failure) Error() string { return "collector: " + f.reason }

const (
	defaultTimeout = 10 * time.Second
	maxAnswer      = 1 << 20
	maxRetryAfter  = 10 * time.Minute
)

func newClient(e Endpoint) (client, error) {
	u, err := e.check()
	if err != nil {
		return nil, err
	}
	if e.Protocol == GRPC {
		return newGRPC(e, u)
	}
	c, err := e.HTTP()
	if err != nil {
		return nil, err
	}
	return &httpClient{e, c}, nil
}

// TLS is how the collector is to prove who it is, and the console to it.
func (e Endpoint) TLS() (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if e.CAFile != "" {
		pem, err := os.ReadFile(e.CAFile)
		if err != nil {
			return nil, fmt.Errorf("the collector's certificate authority: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("the collector's certificate authority: no certificate in %s", e.CAFile)
		}
	}
	if e.ClientCert != "" || e.ClientKey != "" {
		pair, err := tls.LoadX509KeyPair(e.ClientCert, e.ClientKey)
		if err != nil {
			return nil, fmt.Errorf("the client certificate: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

type httpClient struct {
	e Endpoint
	c *http.Client
}

// HTTP is a client for the endpoint. It follows no redirect: a record goes to
// the collector that was configured, or nowhere.
func (e Endpoint) HTTP() (*http.Client, error) {
	conf, err := e.TLS()
	if err != nil {
		return nil, err
	}
	return &http.Client{
		Timeout: e.Wait(),
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSClientConfig: conf, MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute,
			MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

func (c *httpClient) close() { c.c.CloseIdleConnections() }

func (c *httpClient) send(ctx context.Context, r *collogs.ExportLogsServiceRequest) (int64, *failure) {
	req, err := c.request(ctx, r)
	if err != nil {
		return 0, &failure{reason: "the request could not be made"}
	}
	resp, err := c.c.Do(req)
	if err != nil {
		return 0, &failure{reason: reason(err), retry: true, lost: true}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if resp.StatusCode != http.StatusOK {
		return 0, refused(resp)
	}
	if err != nil {
		return 0, &failure{reason: reason(err), retry: true, lost: true}
	}
	var answer collogs.ExportLogsServiceResponse
	if err := proto.Unmarshal(body, &answer); err != nil {
		return 0, &failure{reason: "its answer is no OTLP", retry: true, code: resp.StatusCode}
	}
	return answer.GetPartialSuccess().GetRejectedLogRecords(), nil
}

func (c *httpClient) request(ctx context.Context, r *collogs.ExportLogsServiceRequest) (*http.Request, error) {
	body, err := proto.Marshal(r)
	if err != nil {
		return nil, err
	}
	if c.e.Compression == "gzip" {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(body); err != nil {
			return nil, err
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
		body = b.Bytes()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.e.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header = c.e.header()
	req.Header.Set("Content-Type", "application/x-protobuf")
	if c.e.Compression == "gzip" {
		req.Header.Set("Content-Encoding", "gzip")
	}
	return req, nil
}

func refused(resp *http.Response) *failure {
	f := &failure{reason: "it answered " + strconv.Itoa(resp.StatusCode), code: resp.StatusCode}
	switch s := resp.StatusCode; {
	case s == http.StatusBadRequest, s == http.StatusRequestEntityTooLarge, s == http.StatusUnprocessableEntity:
		f.smaller = true
	default:
		// 408, 429, 5xx are to be tried again. So is all else: a redirect, a
		// wrong path or a wrong credential is mended by people, and until then
		// the log file waits.
		f.retry, f.after = true, retryAfter(resp.Header.Get("Retry-After"))
		f.lost = s >= 500
	}
	return f
}

func retryAfter(s string) time.Duration {
	if n, err := strconv.Atoi(s); err == nil && n > 0 {
		return min(time.Duration(n)*time.Second, maxRetryAfter)
	}
	if t, err := http.ParseTime(s); err == nil {
		return max(0, min(time.Until(t), maxRetryAfter))
	}
	return 0
}

// reason says what failed without saying where.
func reason(err error) string {
	var errno syscall.Errno
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &cert):
		return "its certificate does not fit"
	case errors.As(err, &record):
		return "it does not speak TLS"
	case errors.As(err, &dns):
		return "its name does not resolve"
	case errors.As(err, &errno):
		return errno.Error()
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed"
	}
	return "the connection failed"
}
