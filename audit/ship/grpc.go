package ship

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip" // registers the compressor
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

type grpcClient struct {
	e    Endpoint
	dial func() (*grpc.ClientConn, error)

	mu   sync.Mutex
	conn *grpc.ClientConn
}

func newGRPC(e Endpoint, u *url.URL) (*grpcClient, error) {
	conf, err := e.TLS()
	if err != nil {
		return nil, err
	}
	creds := credentials.NewTLS(conf)
	if u.Scheme == "http" {
		creds = insecure.NewCredentials()
	}
	host := u.Host
	if u.Port() == "" {
		host = net.JoinHostPort(u.Hostname(), "4317")
	}
	return dialled(e, func() (*grpc.ClientConn, error) {
		return grpc.NewClient("dns:///"+host, grpc.WithTransportCredentials(creds), grpc.WithUserAgent("sallyport"))
	})
}

func dialled(e Endpoint, dial func() (*grpc.ClientConn, error)) (*grpcClient, error) {
	conn, err := dial()
	if err != nil {
		return nil, &failure{reason: "its address cannot be used"}
	}
	return &grpcClient{e: e, dial: dial, conn: conn}, nil
}

func (c *grpcClient) close() { c.current().Close() }

func (c *grpcClient) current() *grpc.ClientConn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn
}

// renew leaves a connection on which no answer came in time: the library would keep
// it for as long as the other side sends a byte now and then, or says nothing.
func (c *grpcClient) renew(stale *grpc.ClientConn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != stale {
		return
	}
	if conn, err := c.dial(); err == nil {
		c.conn = conn
		stale.Close()
	}
}

func (c *grpcClient) send(ctx context.Context, r *collogs.ExportLogsServiceRequest) (int64, *failure) {
	ctx, cancel := context.WithTimeout(metadata.NewOutgoingContext(ctx, metadata.New(c.e.Headers)), c.e.Wait())
	defer cancel()
	var began metadata.MD // of an answer; a call that was refused has none
	options := []grpc.CallOption{grpc.MaxCallRecvMsgSize(maxAnswer), grpc.Header(&began)}
	if c.e.Compression == "gzip" {
		options = append(options, grpc.UseCompressor("gzip"))
	}
	conn := c.current()
	answer, err := collogs.NewLogsServiceClient(conn).Export(ctx, r, options...)
	if err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			c.renew(conn)
		}
		return 0, grpcFailure(err, len(began) > 0)
	}
	return answer.GetPartialSuccess().GetRejectedLogRecords(), nil
}

func grpcFailure(err error, answered bool) *failure {
	s := status.Convert(err)
	if answered && s.Code() == codes.ResourceExhausted && strings.HasPrefix(s.Message(), ownLimit) {
		return &failure{reason: "its answer is too large", code: int(s.Code()), retry: true, lost: true}
	}
	f := &failure{reason: "it answered " + s.Code().String(), code: int(s.Code()), retry: true}
	switch s.Code() {
	case codes.InvalidArgument:
		f.retry, f.smaller = false, true
	case codes.ResourceExhausted:
		// Without a time to come again it may be the message's size.
		f.after = delayOf(s)
		f.smaller = f.after == 0
		f.retry = !f.smaller
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.Aborted, codes.DataLoss:
		f.lost, f.after = true, delayOf(s)
	}
	return f
}

// ownLimit is how the gRPC library begins to say that an answer is over its caller's
// limit. A server that takes no requests of this size says it too, without an answer.
const ownLimit = "grpc: received message "

func delayOf(s *status.Status) time.Duration {
	for _, d := range s.Details() {
		if info, ok := d.(*errdetails.RetryInfo); ok {
			return max(0, min(info.GetRetryDelay().AsDuration(), maxRetryAfter))
		}
	}
	return 0
}
