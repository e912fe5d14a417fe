// Package telemetry measures the console itself, by the OpenTelemetry SDK, and
// sends traces and metrics over OTLP. It is off unless an endpoint is
// configured for the one or the other.
//
// It is not the record: it may be lost, sampled and switched off, and nothing
// waits for it. And it holds no payload. The only words in it are from closed
// lists: kinds, origins, effects, risks, who refused, kinds of redactions, and
// session ids in traces. No command, output, host, account or path gets here,
// since no method takes one.
//
// Metrics:
//
//	sallyport.send.duration      histogram, s   what a send waited for the console: judging and recording, without the operator's time
//	sallyport.consent.duration   histogram, s   how long a question stood
//	sallyport.verdicts           counter        by effect, risk, origin, and who refused (none: it was cleared)
//	sallyport.redactions         counter        values masked, each time one was, by kind
//	sallyport.log.sync.duration  histogram, s   a commit of the log; with the daemon: an acknowledged intent
//	sallyport.ship.backlog       gauge          records that the collector does not have
//	sallyport.ship.age           gauge, s       of the oldest of them
//
// A trace is a span "send" with the children "judge", "consent" and "record".
package telemetry
