package ship

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

func TestAHostileCollector(t *testing.T) {
	for _, c := range []struct {
		name   string
		script func(n int, r *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool
	}{
		{"500 five times", func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			return n <= 5 && code(w, 500)
		}},
		{"503 with Retry-After, every other time", func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			w.Header().Set("Retry-After", "0")
			return n%2 == 1 && code(w, 503)
		}},
		{"429", func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			return n <= 3 && code(w, 429)
		}},
		{"408", func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			return n == 2 && code(w, 408)
		}},
		{"401 until somebody mends it", func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			return n <= 3 && code(w, 401)
		}},
		{"413 above two records", func(_ int, r *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			return len(recordsOf(r)) > 2 && code(w, 413)
		}},
		{"a redirect", func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			w.Header().Set("Location", "http://127.0.0.1:1/steal")
			return n <= 2 && code(w, 307)
		}},
		{"accepted, and the connection broken before the answer", func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			return n%3 == 0 && broken(w)
		}},
		{"reset in the middle of the answer", func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			return n%3 == 0 && cutShort(w)
		}},
		{"an answer that is no OTLP", func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			if n > 2 {
				return false
			}
			w.Write([]byte("<html>welcome</html>"))
			return true
		}},
		{"less than none rejected", func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			if n > 2 {
				return false
			}
			answer(w, -1)
			return true
		}},
		{"an answer without end", func(n int, _ *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
			if n > 1 {
				return false
			}
			for range 64 {
				w.Write(make([]byte, 64<<10))
			}
			return true
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, bodies := logOf(t, 30)
			col := newCollector()
			col.script = func(n int, r *collogs.ExportLogsServiceRequest, w http.ResponseWriter) bool {
				col.claims(t, dir)
				return c.script(n, r, w)
			}
			col.getsAll(t, c.name, Config{Dir: dir, Endpoint: Endpoint{URL: col.start(t)}, MaxRecords: 8}, bodies, nil)
		})
	}
}

func code(w http.ResponseWriter, n int) bool {
	w.WriteHeader(n)
	return true
}

// cutShort begins a good answer and resets the connection in its middle.
func cutShort(w http.ResponseWriter) bool {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return false
	}
	io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 100\r\n\r\n\x0a\x62")
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
	return true
}

func broken(w http.ResponseWriter) bool {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return false
	}
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
	return true
}

func holds(r *collogs.ExportLogsServiceRequest, words string) bool {
	for _, rec := range recordsOf(r) {
		if strings.Contains(rec.GetBody().GetStringValue(), words) {
			return true
		}
	}
	return false
}

// certificate makes one for a name, in a file that a shipper can trust.
func certificate(t *testing.T, name string) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	if ip := net.ParseIP(name); ip != nil {
		c.IPAddresses = []net.IP{ip}
	} else {
		c.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}

// TestTLSDemandsTheRightName: a certificate that is trusted, but is another's,
// gets nothing; the right one does. No error says where the collector is.
func TestTLSDemandsTheRightName(t *testing.T) {
	for _, c := range []struct {
		name, protocol, of string
		trusted, taken     bool
	}{
		{"wrong name, HTTP", HTTP, "other.example", true, false},
		{"wrong name, gRPC", GRPC, "other.example", true, false},
		{"unknown authority, HTTP", HTTP, "127.0.0.1", false, false},
		{"unknown authority, gRPC", GRPC, "127.0.0.1", false, false},
		{"right name, HTTP", HTTP, "127.0.0.1", true, true},
		{"right name, gRPC", GRPC, "127.0.0.1", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cert, file := certificate(t, c.of)
			if !c.trusted {
				_, file = certificate(t, c.of)
			}
			g := &grpcCollector{collector: newCollector()}
			s := shipper(t, Config{Dir: t.TempDir(), Endpoint: Endpoint{
				URL: serveTLS(t, g, cert, c.protocol), Protocol: c.protocol, CAFile: file, Timeout: 2 * time.Second,
				Headers: map[string]string{"authorization": "Bearer t0psecret"},
			}})
			err := s.Probe(t.Context())
			if taken := err == nil && g.count() == 1; taken != c.taken {
				t.Fatalf("taken %v, want %v: %v", taken, c.taken, err)
			}
			if err == nil {
				return
			}
			for _, leak := range []string{"t0psecret", "127.0.0.1", "other.example"} {
				if strings.Contains(err.Error(), leak) {
					t.Errorf("the error says %q: %v", leak, err)
				}
			}
		})
	}
}

// serveTLS gives the URL of a collector with that certificate.
func serveTLS(t *testing.T, g *grpcCollector, cert tls.Certificate, protocol string) string {
	t.Helper()
	conf := &tls.Config{Certificates: []tls.Certificate{cert}}
	if protocol == HTTP {
		srv := httptest.NewUnstartedServer(g.collector)
		srv.TLS = conf
		srv.Config.ErrorLog = quietLog
		srv.StartTLS()
		t.Cleanup(srv.Close)
		return srv.URL
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := grpc.NewServer(grpc.Creds(credentials.NewTLS(conf)))
	collogs.RegisterLogsServiceServer(srv, g)
	go srv.Serve(l)
	t.Cleanup(srv.Stop)
	return "https://" + l.Addr().String()
}
