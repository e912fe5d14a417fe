package telemetry

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	nooptrace "go.opentelemetry.io/otel/trace/noop"

	"sallyport/audit/ship"
	"sallyport/console/gate"
)

// Config says where what is measured goes.
type Config struct {
	Traces, Metrics *ship.Endpoint // nil: none
	Resource        ship.Resource
	Warn            func(string) // may be nil
}

// Telemetry measures. A nil *Telemetry is off; every method may be called on
// it.
type Telemetry struct {
	tracer   trace.Tracer
	send     metric.Float64Histogram
	consent  metric.Float64Histogram
	sync     metric.Float64Histogram
	verdicts metric.Int64Counter
	masked   metric.Int64Counter
	meter    metric.Meter
	stops    []func(context.Context) error
}

const scope = "sallyport/console"

// Start begins to measure; it gives nil where nothing is configured.
func Start(ctx context.Context, c Config) (*Telemetry, error) {
	if c.Traces == nil && c.Metrics == nil {
		return nil, nil
	}
	quieten(c.Warn)
	t := &Telemetry{tracer: nooptrace.NewTracerProvider().Tracer(scope), meter: noopmetric.NewMeterProvider().Meter(scope)}
	if err := errors.Join(t.traces(ctx, c), t.metrics(ctx, c)); err != nil {
		return nil, errors.Join(err, t.Close(ctx))
	}
	return t, nil
}

// quieten keeps the SDK, which would write to standard error, off the screen.
// Its messages can hold an address: they are not passed on.
func quieten(warn func(string)) {
	otel.SetLogger(logr.Discard())
	var once sync.Once
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {
		if warn != nil {
			once.Do(func() { warn("traces or metrics of the console could not be delivered") })
		}
	}))
}

func (t *Telemetry) traces(ctx context.Context, c Config) error {
	if c.Traces == nil {
		return nil
	}
	exporter, err := spanExporter(ctx, *c.Traces)
	if err != nil {
		return err
	}
	p := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(resourceOf(c.Resource)))
	t.tracer = p.Tracer(scope)
	t.stops = append(t.stops, p.Shutdown)
	return nil
}

func (t *Telemetry) metrics(ctx context.Context, c Config) error {
	if c.Metrics != nil {
		exporter, err := metricExporter(ctx, *c.Metrics)
		if err != nil {
			return err
		}
		p := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter)), sdkmetric.WithResource(resourceOf(c.Resource)))
		t.meter = p.Meter(scope)
		t.stops = append(t.stops, p.Shutdown)
	}
	return t.instruments()
}

// seconds are the bounds of the histograms' buckets: from a fast disk to a
// patient operator.
var seconds = metric.WithExplicitBucketBoundaries(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

func (t *Telemetry) instruments() error {
	var errs [5]error
	histogram := func(name, what string) (h metric.Float64Histogram, err error) {
		return t.meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(what), seconds)
	}
	t.send, errs[0] = histogram("sallyport.send.duration", "what a send waited for the console")
	t.consent, errs[1] = histogram("sallyport.consent.duration", "how long a question stood")
	t.sync, errs[2] = histogram("sallyport.log.sync.duration", "how long a commit of the log took")
	t.verdicts, errs[3] = t.meter.Int64Counter("sallyport.verdicts", metric.WithDescription("what the policy and the operator said"))
	t.masked, errs[4] = t.meter.Int64Counter("sallyport.redactions", metric.WithDescription("values that were masked"))
	return errors.Join(errs[:]...)
}

func resourceOf(r ship.Resource) *resource.Resource {
	var out []attribute.KeyValue
	for k, v := range r.Attributes() {
		out = append(out, attribute.String(k, v))
	}
	return resource.NewSchemaless(out...)
}

// Close delivers what there is, as long as ctx lets it, and ends.
func (t *Telemetry) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	var errs []error
	for _, stop := range t.stops {
		errs = append(errs, stop(ctx))
	}
	return errors.Join(errs...)
}

// Passed measures a submission that has ended.
func (t *Telemetry) Passed(p gate.Passage) {
	if t == nil {
		return
	}
	ctx := context.Background()
	t.verdicts.Add(ctx, 1, metric.WithAttributes(
		attribute.String("effect", p.Effect.String()), attribute.String("risk", p.Risk.String()),
		attribute.String("origin", string(p.Origin)), attribute.String("refused", string(p.By)),
	))
	if !p.Answered.IsZero() {
		t.consent.Record(ctx, p.Asked().Seconds())
	}
	if p.By == "" {
		waited := p.Ended.Sub(p.Began) - p.Asked()
		t.send.Record(ctx, waited.Seconds(), metric.WithAttributes(attribute.String("kind", p.Kind.String())))
	}
	t.trace(p)
}

// trace draws a submission as a span with its steps.
func (t *Telemetry) trace(p gate.Passage) {
	ctx, send := t.tracer.Start(context.Background(), "send", trace.WithTimestamp(p.Began), trace.WithAttributes(
		attribute.String("session.id", p.Session), attribute.String("kind", p.Kind.String()),
		attribute.String("origin", string(p.Origin)), attribute.String("risk", p.Risk.String()),
		attribute.String("effect", p.Effect.String()), attribute.String("refused", string(p.By)),
	))
	from := p.Began
	for _, step := range []struct {
		name string
		end  time.Time
	}{{"judge", p.Judged}, {"consent", p.Answered}, {"record", p.Recorded}} {
		if step.end.IsZero() {
			continue
		}
		_, s := t.tracer.Start(ctx, step.name, trace.WithTimestamp(from))
		s.End(trace.WithTimestamp(step.end))
		from = step.end
	}
	send.End(trace.WithTimestamp(p.Ended))
}

// Redacted counts a value that was masked. kind is one of package redact's.
func (t *Telemetry) Redacted(kind string) {
	if t != nil {
		t.masked.Add(context.Background(), 1, metric.WithAttributes(attribute.String("kind", kind)))
	}
}

// Synced measures a commit of the log.
func (t *Telemetry) Synced(took time.Duration) {
	if t != nil {
		t.sync.Record(context.Background(), took.Seconds())
	}
}

// Backlog has shipping looked at whenever metrics are sent.
func (t *Telemetry) Backlog(status func() ship.Status) error {
	if t == nil {
		return nil
	}
	_, err1 := t.meter.Int64ObservableGauge("sallyport.ship.backlog", metric.WithDescription("records that the collector does not have"),
		metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
			o.Observe(int64(status().Backlog))
			return nil
		}))
	_, err2 := t.meter.Float64ObservableGauge("sallyport.ship.age", metric.WithUnit("s"), metric.WithDescription("age of the oldest of them"),
		metric.WithFloat64Callback(func(_ context.Context, o metric.Float64Observer) error {
			o.Observe(status().Age.Seconds())
			return nil
		}))
	return errors.Join(err1, err2)
}
