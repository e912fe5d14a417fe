package telemetry

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc/credentials"

	"sallyport/audit/ship"
)

// Every option that the exporters have is given: they would take what is not
// from OTEL_* variables, and who configures the collector may not be who sets
// these. Over gRPC they have none for no compression, and call any name but
// gzip an error.

func spanExporter(ctx context.Context, e ship.Endpoint) (sdktrace.SpanExporter, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	if e.Protocol == ship.GRPC {
		return grpcSpans(ctx, e)
	}
	client, err := e.HTTP()
	if err != nil {
		return nil, err
	}
	return otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(e.URL), otlptracehttp.WithHeaders(e.Headers),
		otlptracehttp.WithTimeout(e.Wait()), otlptracehttp.WithHTTPClient(client), otlptracehttp.WithCompression(traceCompression(e)))
}

func grpcSpans(ctx context.Context, e ship.Endpoint) (sdktrace.SpanExporter, error) {
	conf, err := e.TLS()
	if err != nil {
		return nil, err
	}
	o := []otlptracegrpc.Option{
		otlptracegrpc.WithEndpointURL(e.URL), otlptracegrpc.WithHeaders(e.Headers), otlptracegrpc.WithTimeout(e.Wait()),
		otlptracegrpc.WithTLSCredentials(credentials.NewTLS(conf)),
	}
	if plain(e) {
		o[len(o)-1] = otlptracegrpc.WithInsecure()
	}
	if e.Compression == "gzip" {
		o = append(o, otlptracegrpc.WithCompressor("gzip"))
	}
	return otlptracegrpc.New(ctx, o...)
}

func metricExporter(ctx context.Context, e ship.Endpoint) (sdkmetric.Exporter, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	if e.Protocol == ship.GRPC {
		return grpcMetrics(ctx, e)
	}
	client, err := e.HTTP()
	if err != nil {
		return nil, err
	}
	return otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(e.URL), otlpmetrichttp.WithHeaders(e.Headers),
		otlpmetrichttp.WithTimeout(e.Wait()), otlpmetrichttp.WithHTTPClient(client), otlpmetrichttp.WithCompression(metricCompression(e)))
}

func grpcMetrics(ctx context.Context, e ship.Endpoint) (sdkmetric.Exporter, error) {
	conf, err := e.TLS()
	if err != nil {
		return nil, err
	}
	o := []otlpmetricgrpc.Option{
		otlpmetricgrpc.WithEndpointURL(e.URL), otlpmetricgrpc.WithHeaders(e.Headers), otlpmetricgrpc.WithTimeout(e.Wait()),
		otlpmetricgrpc.WithTLSCredentials(credentials.NewTLS(conf)),
	}
	if plain(e) {
		o[len(o)-1] = otlpmetricgrpc.WithInsecure()
	}
	if e.Compression == "gzip" {
		o = append(o, otlpmetricgrpc.WithCompressor("gzip"))
	}
	return otlpmetricgrpc.New(ctx, o...)
}

func plain(e ship.Endpoint) bool { return strings.HasPrefix(e.URL, "http://") }

func traceCompression(e ship.Endpoint) otlptracehttp.Compression {
	if e.Compression == "gzip" {
		return otlptracehttp.GzipCompression
	}
	return otlptracehttp.NoCompression
}

func metricCompression(e ship.Endpoint) otlpmetrichttp.Compression {
	if e.Compression == "gzip" {
		return otlpmetrichttp.GzipCompression
	}
	return otlpmetrichttp.NoCompression
}
