package ship

import (
	"context"
	"net"
	"net/url"
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
	conn *grpc.ClientConn
	logs collogs.LogsServiceClient
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
	conn, err := grpc.NewClient("dns:///"+host, grpc.WithTransportCredentials(creds), grpc.WithUserAgent("sallyport"))
	if err != nil {
		return nil, &failure{reason: "its address cannot be used"}
	}
	return &grpcClient{e, conn, collogs.NewLogsServiceClient(conn)}, nil
}

func (c *grpcClient) close() { c.conn.Close() }

func (c *grpcClient) send(ctx context.Context, r *collogs.ExportLogsServiceRequest) (int64, *failure) {
	ctx, cancel := context.WithTimeout(metadata.NewOutgoingContext(ctx, metadata.New(c.e.Headers)), c.e.Wait())
	defer cancel()
	var options []grpc.CallOption
	if c.e.Compression == "gzip" {
		options = append(options, grpc.UseCompressor("gzip"))
	}
	answer, err := c.logs.Export(ctx, r, options...)
	if err != nil {
		return 0, grpcFailure(err)
	}
	return answer.GetPartialSuccess().GetRejectedLogRecords(), nil
}

func grpcFailure(err error) *failure {
	s := status.Convert(err)
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

func delayOf(s *status.Status) time.Duration {
	for _, d := range s.Details() {
		if info, ok := d.(*errdetails.RetryInfo); ok {
			return max(0, min(info.GetRetryDelay().AsDuration(), maxRetryAfter))
		}
	}
	return 0
}
