package ship

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"sallyport/audit"
)

func TestAHostileCollectorOverGRPC(t *testing.T) {
	soon, err := status.New(codes.ResourceExhausted, "busy").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Millisecond)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		fail func(n int, r *collogs.ExportLogsServiceRequest) (int64, error)
		bad  bool // record run-17 is skipped
	}{
		{"less than none rejected", func(n int, _ *collogs.ExportLogsServiceRequest) (int64, error) {
			if n < 3 {
				return -1, nil
			}
			return 0, nil
		}, false},
		{"it does not know the service until somebody mends it", func(n int, _ *collogs.ExportLogsServiceRequest) (int64, error) {
			if n < 4 {
				return 0, status.Error(codes.Unimplemented, "unknown service")
			}
			return 0, nil
		}, false},
		{"every code that there is, one after the other", func(n int, _ *collogs.ExportLogsServiceRequest) (int64, error) {
			c := codes.Code(n)
			if c > 20 || c == codes.InvalidArgument || c == codes.ResourceExhausted {
				return 0, nil
			}
			return 0, status.Error(c, "no")
		}, false},
		{"away every third time", func(n int, _ *collogs.ExportLogsServiceRequest) (int64, error) {
			if n%3 == 1 {
				return 0, errAway
			}
			return 0, nil
		}, false},
		{"busy, come again", func(n int, _ *collogs.ExportLogsServiceRequest) (int64, error) {
			if n < 4 {
				return 0, soon.Err()
			}
			return 0, nil
		}, false},
		{"too large above two records", func(_ int, r *collogs.ExportLogsServiceRequest) (int64, error) {
			if len(recordsOf(r)) > 2 {
				return 0, status.Error(codes.ResourceExhausted, "message larger than max")
			}
			return 0, nil
		}, false},
		{"no credential until somebody mends it", func(n int, _ *collogs.ExportLogsServiceRequest) (int64, error) {
			if n < 4 {
				return 0, status.Error(codes.Unauthenticated, "who?")
			}
			return 0, nil
		}, false},
		{"one record is invalid", func(_ int, r *collogs.ExportLogsServiceRequest) (int64, error) {
			if holds(r, `"run-17"`) {
				return 0, status.Error(codes.InvalidArgument, "no")
			}
			return 0, nil
		}, true},
		{"one record is rejected", func(_ int, r *collogs.ExportLogsServiceRequest) (int64, error) {
			if holds(r, `"run-17"`) {
				return 1, nil
			}
			return 0, nil
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, bodies := logOf(t, 40)
			g := &grpcCollector{collector: newCollector(), fail: c.fail}
			bad := map[string]bool{}
			for _, b := range bodies {
				bad[b] = c.bad && strings.Contains(b, `"run-17"`)
			}
			g.getsAll(t, c.name, Config{Dir: dir, Endpoint: Endpoint{URL: g.startGRPC(t), Protocol: GRPC, Compression: "gzip"}, MaxRecords: 9}, bodies, bad)
		})
	}
}

// wire is a listener whose connections a script can reset or answer itself.
type wire struct {
	net.Listener
	greet func(n int, c net.Conn) net.Conn // what gRPC is to have of the n-th connection; nil: nothing

	mu    sync.Mutex
	count int
	last  net.Conn
}

func (w *wire) Accept() (net.Conn, error) {
	for {
		c, err := w.Listener.Accept()
		if err != nil {
			return nil, err
		}
		w.mu.Lock()
		w.count++
		n := w.count
		w.last = c
		w.mu.Unlock()
		if w.greet != nil {
			c = w.greet(n, c)
		}
		if c != nil {
			return c, nil
		}
	}
}

// brittle is a connection that is reset after so many bytes of the other side.
type brittle struct {
	net.Conn
	left int
}

func (b *brittle) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p[:min(len(p), b.left)])
	if b.left -= n; b.left == 0 {
		sever(b.Conn)
	}
	return n, err
}

func sever(c net.Conn) {
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

// reset ends the connection that was made last, in the middle of whatever it does.
func (w *wire) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	sever(w.last)
}

// upTo does it to the first n connections.
func upTo(n int, do func(net.Conn) net.Conn) func(int, net.Conn) net.Conn {
	return func(i int, c net.Conn) net.Conn {
		if i > n {
			return c
		}
		return do(c)
	}
}

// TestAConnectionThatBreaksOverGRPC: before the request, in its middle, before the
// answer and in the middle of that; and what answers and is no gRPC server, or says
// too much.
func TestAConnectionThatBreaksOverGRPC(t *testing.T) {
	for _, c := range []struct {
		name  string
		greet func(n int, c net.Conn) net.Conn
		// do is called with the n-th request; it answers it itself if it says so.
		do func(ctx context.Context, n int, w *wire, g *grpcCollector, r *collogs.ExportLogsServiceRequest) (answer *collogs.ExportLogsServiceResponse)
	}{
		{name: "reset as soon as it is there", greet: upTo(2, func(c net.Conn) net.Conn { sever(c); return nil })},
		{name: "reset after some of the request", greet: upTo(3, func(c net.Conn) net.Conn { return &brittle{c, 400} })},
		{name: "reset after much of the request", greet: upTo(3, func(c net.Conn) net.Conn { return &brittle{c, 4000} })},
		{name: "HTTP of another kind", greet: upTo(1, func(c net.Conn) net.Conn {
			io.WriteString(c, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
			c.Close()
			return nil
		})},
		{name: "accepted, and reset before the answer", do: func(_ context.Context, n int, w *wire, g *grpcCollector, r *collogs.ExportLogsServiceRequest) *collogs.ExportLogsServiceResponse {
			if n%3 == 0 {
				g.keep(r)
				w.reset()
				return &collogs.ExportLogsServiceResponse{}
			}
			return nil
		}},
		{name: "not accepted, and reset before the answer", do: func(_ context.Context, n int, w *wire, _ *grpcCollector, _ *collogs.ExportLogsServiceRequest) *collogs.ExportLogsServiceResponse {
			if n%3 == 0 {
				w.reset()
				return &collogs.ExportLogsServiceResponse{}
			}
			return nil
		}},
		{name: "reset in the middle of the answer", do: func(ctx context.Context, n int, w *wire, _ *grpcCollector, _ *collogs.ExportLogsServiceRequest) *collogs.ExportLogsServiceResponse {
			if n%3 == 0 {
				grpc.SendHeader(ctx, metadata.Pairs("said", "hello"))
				w.reset()
				return &collogs.ExportLogsServiceResponse{}
			}
			return nil
		}},
		{name: "an answer of megabytes", do: func(_ context.Context, n int, _ *wire, _ *grpcCollector, _ *collogs.ExportLogsServiceRequest) *collogs.ExportLogsServiceResponse {
			if n <= 2 {
				return &collogs.ExportLogsServiceResponse{PartialSuccess: &collogs.ExportLogsPartialSuccess{ErrorMessage: strings.Repeat("x", 8<<20)}}
			}
			return nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, bodies := logOf(t, 40)
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			w := &wire{Listener: l, greet: c.greet}
			g := &grpcCollector{collector: newCollector()}
			g.fail = func(int, *collogs.ExportLogsServiceRequest) (int64, error) { g.claims(t, dir); return 0, nil }
			if c.do != nil {
				g.answer = func(ctx context.Context, n int, r *collogs.ExportLogsServiceRequest) *collogs.ExportLogsServiceResponse {
					return c.do(ctx, n, w, g, r)
				}
			}
			srv := grpc.NewServer()
			collogs.RegisterLogsServiceServer(srv, g)
			go srv.Serve(w)
			t.Cleanup(srv.Stop)
			own, err := audit.Open(audit.Config{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer own.Close(t.Context())
			g.getsAll(t, c.name, Config{Dir: dir, Endpoint: Endpoint{URL: "http://" + l.Addr().String(), Protocol: GRPC}, MaxRecords: 9, Log: own}, bodies, nil)
			for _, line := range linesOf(t, own.Status().Path) {
				if strings.Contains(line, "ship.rejected") {
					t.Errorf("a record was given up: %s", line)
				}
			}
		})
	}
}

// overGRPC makes the patient's shipper and collector speak gRPC over its pipes.
func (p *patient) overGRPC(g *grpcCollector, slow func(net.Conn) net.Conn) (stop func()) {
	client, err := dialled(Endpoint{Protocol: GRPC}, func() (*grpc.ClientConn, error) {
		return grpc.NewClient("passthrough:///collector", grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithContextDialer(func(ctx context.Context, addr string) (net.Conn, error) { return p.net.dial(ctx, "", addr) }))
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.ship.client.close()
	p.ship.client = client
	srv := grpc.NewServer(grpc.WaitForHandlers(true)) // as the busy ones over HTTP
	collogs.RegisterLogsServiceServer(srv, g)
	go srv.Serve(slowly{p.net, slow})
	return srv.Stop
}

// slowly is a listener that wraps its connections.
type slowly struct {
	*pipes
	wrap func(net.Conn) net.Conn
}

func (s slowly) Accept() (net.Conn, error) {
	c, err := s.pipes.Accept()
	if err == nil && s.wrap != nil {
		c = s.wrap(c)
	}
	return c, err
}

// dripping writes a byte a second.
type dripping struct{ net.Conn }

func (d dripping) Write(p []byte) (int, error) {
	for i := range p {
		if _, err := d.Conn.Write(p[i : i+1]); err != nil {
			return i, err
		}
		time.Sleep(time.Second)
	}
	return len(p), nil
}

// mute takes everything and says nothing.
type mute struct{ net.Conn }

func (mute) Write(p []byte) (int, error) { return len(p), nil }

// TestASlowCollectorOverGRPCHoldsNobodyUp: as TestASlowCollectorHoldsNobodyUp.
func TestASlowCollectorOverGRPCHoldsNobodyUp(t *testing.T) {
	later := func(code codes.Code, after time.Duration) error {
		s, err := status.New(code, "busy").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(after)})
		if err != nil {
			t.Fatal(err)
		}
		return s.Err()
	}
	for _, c := range []struct {
		name string
		slow func(net.Conn) net.Conn
		do   func(ctx context.Context, n int) error
	}{
		{"stalls for 10 s, every other time", nil, func(_ context.Context, n int) error {
			if n%2 == 1 {
				time.Sleep(10 * time.Second)
			}
			return nil
		}},
		{"stalls for ever, three times", nil, func(ctx context.Context, n int) error {
			if n <= 3 {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}},
		{"asks for patience for 5 minutes, twice", nil, func(_ context.Context, n int) error {
			if n <= 2 {
				return later(codes.ResourceExhausted, 5*time.Minute)
			}
			return nil
		}},
		{"is away for 2 minutes, and says so", nil, func(_ context.Context, n int) error {
			if n <= 2 {
				return later(codes.Unavailable, 2*time.Minute)
			}
			return nil
		}},
		{"its first two connections say nothing", firstOnes(2, func(c net.Conn) net.Conn { return mute{c} }), nil},
		{"its first two connections give one byte a second", firstOnes(2, func(c net.Conn) net.Conn { return dripping{c} }), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(p *patient) {
				g := &grpcCollector{collector: p.col}
				g.before = func(ctx context.Context, n int) error {
					if c.do == nil {
						return nil
					}
					return c.do(ctx, n)
				}
				defer p.overGRPC(g, c.slow)()
				p.follow(p.minuteOfWork)
			})
		})
	}
}

// firstOnes wraps the first n connections.
func firstOnes(n int, wrap func(net.Conn) net.Conn) func(net.Conn) net.Conn {
	return func(c net.Conn) net.Conn {
		if n--; n < 0 {
			return c
		}
		return wrap(c)
	}
}
